#ifndef TESTS_MATCH_PLAY_H
#define TESTS_MATCH_PLAY_H

/*
 * Games between players of a stage, through the commands that people use.
 *
 * Threads: one, and those of the service. Ownership: values; a stage outlives its games.
 */

#include "match/clocks.h"
#include "match/seats.h"
#include "stage.h"

enum { PLAY_DELAY_MS = 500, PLAY_ABSENCE_MS = 120000, PLAY_LEVEL = 4 };

/* What people are served with: turn times, a CPU with one worker, and the absence of owners. */
struct match_options play_options(void);
/* A suite's end: the service stops, and the whole file is as its moves and events say. */
void play_leave_stage(struct stage *stage);

struct play {
    struct stage *stage;
    int64_t game_no;
    struct game_id id;
    int64_t players[DB_SEATS_MAX]; /* in seat order */
};

/* A game of the queue between new players, as many as the pool's game seats. */
struct play play_new(struct stage *stage, const char *pool, uint16_t turn_seconds);
/* The same for players who are there already. */
struct play play_between(struct stage *stage, const char *pool, uint16_t turn_seconds,
                         const int64_t *players, size_t count);

struct game_view play_view(const struct play *play);
/* The first legal move of the seat on turn, by whoever has it, at this time. */
enum match_status play_move(const struct play *play, int64_t at_ms);
enum match_status play_move_text(const struct play *play, int seat, uint32_t ply, const char *text,
                                 int64_t at_ms);
enum match_status play_leave(const struct play *play, int seat);
enum match_status play_return(const struct play *play, int seat);
int play_turn(const struct play *play);

/* Moves the stage's clock, and waits until the game has this many events, or has ended. */
void play_advance(const struct play *play, int64_t ms);
struct game_view play_await(const struct play *play, uint32_t seq);

/* What is stored: "move b cpu@30000" for each move (time since the game's creation), "seat b left"
 * for each event, in order. */
const char *play_story(const struct play *play);

/* The whole file is as its moves and events say; the service must not run. */
void play_verify(void);

#endif

#ifndef MATCH_PRESENCE_H
#define MATCH_PRESENCE_H

/*
 * Who is there: a player with an open stream, or whose last request is young. And boards, on which
 * those who watch a game see who of its people is there, and are woken when that changes: streams
 * need not look again and again.
 *
 * Threads: any; one lock for streams and one for boards, neither of which is held while somebody is
 * woken.
 * Ownership: holds are the caller's and stay where they are until released; boards are counted.
 */

#include "db/db.h"

#include <stdbool.h>
#include <stdint.h>

struct match;

struct presence;
struct presence *presence_new(void); /* NULL: no memory */
void presence_free(struct presence *presence);

/* An open stream. */
struct presence_hold {
    int64_t player_no;
    bool personal; /* the player's own, which also keeps a waiting ticket */
    struct presence_hold *next;
    struct presence_hold *previous;
};
void presence_open(struct match *match, struct presence_hold *hold, int64_t player_no,
                   bool personal);
/* Counts as a request at this moment. */
void presence_close(struct match *match, struct presence_hold *hold);

/* When a player was last there: now while a stream is open. A start counts as a request by
 * everybody. */
int64_t player_seen_ms(struct match *match, int64_t player_no, int64_t now_ms);
bool player_is_present(struct match *match, int64_t player_no, int64_t now_ms);
/* When a player's personal stream was last open; 0: never, or forgotten. */
int64_t player_listened_ms(struct match *match, int64_t player_no, int64_t now_ms);

/* The board of a game, whose seats are those of these players (0: nobody's). NULL: no memory. */
struct presence_board;
struct presence_board *presence_watch(struct match *match, int64_t game_no,
                                      const int64_t players[DB_SEATS_MAX]);
void presence_unwatch(struct match *match, struct presence_board *board); /* accepts NULL */
/* Who is present: a bit a seat; up to half a second old. */
unsigned presence_look(const struct presence_board *board);
/* The same as of now; publishes EVENT_GAME if the board has changed. */
unsigned presence_look_now(struct match *match, struct presence_board *board);
/* Looks again at all boards, and publishes EVENT_GAME where one has changed; called by the
 * ticker. */
void presence_tick(struct match *match);

#endif

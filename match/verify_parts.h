#ifndef MATCH_VERIFY_PARTS_H
#define MATCH_VERIFY_PARTS_H

/* What the files of verify share. One thread. */

#include "db/standings.h"
#include "line.h"
#include "verify.h"

#include <inttypes.h>

enum {
    VERIFY_AT_ONCE = 64,  /* rows of one read */
    VERIFY_ROW_TEXT = 80, /* "rating_event 12 (game g_..., seat b)" */
};

struct verify {
    struct db *db;
    const struct verify_options *options;
    struct verify_report *report;
    void (*difference)(void *context, const char *line);
    void *context;
    uint64_t games_ended;
    uint64_t games_voided;
};

/* Reports one difference, naming the row, what was expected and what was found. */
__attribute__((format(printf, 2, 3))) void verify_differs(struct verify *verify, const char *format,
                                                          ...);
/* The same for one column, where the two are not equal. */
void verify_number(struct verify *verify, const char *row, const char *column, int64_t expected,
                   int64_t found);
void verify_text(struct verify *verify, const char *row, const char *column, const char *expected,
                 const char *found);

/* DB_CORRUPT is reported as a difference of this row, and DB_OK then; else `status` as it is. */
enum db_status verify_readable(struct verify *verify, const char *row, enum db_status status);

/* Whether to stop: something differs and the first difference was asked for. */
bool verify_is_over(const struct verify *verify);

/* Calls `check` for every game in order of game_no, until verify is over. A game with a row that
 * cannot be read is a difference. */
enum db_status verify_each_game(struct verify *verify,
                                enum db_status (*check)(struct verify *verify, void *context,
                                                        const struct db_game *game),
                                void *context);

/* --- one game ------------------------------------------------------------------------------- */

/* What is known of a seat besides its pieces. */
struct hands {
    bool cpu; /* the CPU has it */
    uint8_t level;
    uint32_t missed; /* own turns in a row */
    bool left;       /* at some time */
    bool for_good;
    bool erased; /* during the game */
    uint32_t plies;
    uint32_t cpu_plies;
};

/* A game that is played again beside its rows. */
struct retrace {
    struct verify *verify;
    const struct db_game *game;
    char row[VERIFY_ROW_TEXT]; /* "game g_..." */
    const struct game_rules *rules;
    struct game_options options;
    size_t seat_count;
    struct db_seat seats[DB_SEATS_MAX];
    /* after the last move that was played */
    struct position position;
    struct history_entry *history; /* room for the plies of the game row */
    uint32_t ply;
    int64_t at_ms;
    struct outcome outcome;
    struct hands hands[DB_SEATS_MAX];
    int64_t deadline_ms; /* of the running turn; 0: none */
    bool hidden;         /* or a later one: it was never announced */
    bool clocked;        /* some deadline was */
    int no_show;         /* the seat whose owner has not come, once all moves are played */
    /* moves and events together, in the order of seq */
    uint32_t seq;
    struct db_event finished;  /* type "" where there is none */
    struct db_event replayed;  /* likewise */
    struct db_event rematched; /* likewise */
    uint32_t rematches;        /* how many of those there are */
    struct db_event voided;    /* likewise */
    uint32_t voids;            /* how many of those there are */
};

/* Moves, events, position, end, places, links. */
enum db_status verify_game(struct verify *verify, const struct db_game *game);

/* How it began: its terms, and who sits where. Loads the seats. */
enum db_status verify_start(struct retrace *retrace);

/* What it has from its table, if it was played at one. */
enum db_status verify_game_table(struct retrace *retrace);
/* Who played for the seats, and in time: at the start, once the seats are loaded; for every event;
 * before and after every move; at the end. */
enum db_status verify_hands_start(struct retrace *retrace);
void verify_hands_event(struct retrace *retrace, const struct db_event *event);
void verify_hands_before(struct retrace *retrace, const char *row, const struct db_move *found);
void verify_hands_after(struct retrace *retrace, const char *row, const struct db_move *found);
void verify_hands_end(struct retrace *retrace);
/* Whether the turn that is open now is the second one of somebody who has not come. */
enum db_status verify_no_show(struct retrace *retrace, int *seat);

/* How it stands or ended. */
enum db_status verify_end(struct retrace *retrace);

/* What an operator took back after the end, and whether an operator did. */
enum db_status verify_void(struct retrace *retrace);

/* The replay of a drawn game, and what a game says it is the replay of. */
enum db_status verify_links(struct retrace *retrace);

/* The rematch of a game, and what a game says it is the rematch of. */
enum db_status verify_rematch(struct retrace *retrace);

/* --- the whole file ------------------------------------------------------------------------- */

/* All rating events in their order, then the standings and the counts that come of them. */
enum db_status verify_ratings(struct verify *verify);

/* What the rating events so far make of every player. */
struct standings;
struct standings *standings_new(void); /* NULL: no memory */
void standings_free(struct standings *standings);
/* A player's standing in a pool, begun where there is none. NULL: no memory. */
struct db_rating *standing_of(struct standings *standings, int64_t player_no, const char *pool);
/* The rows of standings beside them, then the counts beside those rows. */
enum db_status verify_standings(struct verify *verify, struct standings *standings);

/* Whoever is banned was banned by an operator. */
enum db_status verify_bans(struct verify *verify);

/* The ratings that seats show, once the events that they come from are proved. */
enum db_status verify_seat_ratings(struct verify *verify);

struct secrets;
/* Tables with their members and seats; `secrets` NULL: without their codes. */
enum db_status verify_tables(struct verify *verify, const struct secrets *secrets);
enum db_status verify_chain(struct verify *verify, const struct secrets *secrets);

#endif

#ifndef MATCH_STATE_H
#define MATCH_STATE_H

/*
 * A stored game at one moment: its row, its seats, and while it is running its line. A cache keeps
 * the committed state of many running games, so that a move and a look at a game cost no query.
 *
 * The cache never shows what is not committed, and never an older state than an answer has shown:
 * a job holds its game before it writes and releases it when it is acknowledged; in between the
 * cache knows nothing of that game, and readers ask the database.
 *
 * Threads: any. States are immutable and reference counted; the cache has its own locks.
 * Ownership: whoever got a state from state_* owns one reference and gives it back.
 */

#include "line.h"

/* The rows of a game; in a job, as it is about to leave them. */
struct game_rows {
    struct db_game game;
    size_t seat_count;
    struct db_seat seats[DB_SEATS_MAX];
};
/* As they are stored. DB_NONE: no such game. */
enum db_status game_rows_find(struct db *db, const struct game_id *id, struct game_rows *rows);

/* The deadline as it is shown: that of a turn which its owner makes. 0: none. */
int64_t deadline_shown(const struct db_game *game, const struct db_seat *seats, size_t count);

struct game_state {
    _Atomic uint32_t references;
    struct db_game game;
    size_t seat_count;
    struct db_seat seats[DB_SEATS_MAX];
    struct game_line *line; /* at game.ply; NULL: the game is over */
    uint64_t epoch;         /* of its seats in the cache, when they were read; 0: unknown */
};

/* Copies the rows and takes a reference of its own to the line. NULL: no memory. */
struct game_state *state_new(const struct db_game *game, const struct db_seat *seats,
                             size_t seat_count, struct game_line *line);
void state_unref(struct game_state *state); /* accepts NULL */

/* Its rows. */
struct game_rows state_rows(const struct game_state *state);

/* From the stored rows, on this connection. DB_NONE: no such game. */
enum db_status state_load(struct db *db, const struct game_id *id, struct game_state **state);

struct state_cache;
struct state_cache *state_cache_new(void); /* NULL: no memory */
void state_cache_free(struct state_cache *cache);

/* When a look at the cache was. */
struct state_stamp {
    uint64_t game;
    uint64_t seats;
};
/* A reference, or NULL and a stamp: what is then read from the database can be offered with it. */
struct game_state *state_cache_get(struct state_cache *cache, const struct game_id *id,
                                   struct state_stamp *stamp);
/* Keeps a running game's state, which the caller has shown to nobody yet, unless the game was held
 * at the stamp or since. */
void state_cache_offer(struct state_cache *cache, struct game_state *state,
                       struct state_stamp stamp);

/* How many looks since the start found their game, and how many did not. */
void state_cache_counts(struct state_cache *cache, uint64_t *hits, uint64_t *misses);

/* Around every write to a game: hold inside the job, release after its transaction, whether it was
 * committed or not. `now`: the state committed by it, with the epoch of what it was made from;
 * NULL: the game is over, or nothing is known. */
void state_cache_hold(struct state_cache *cache, const struct game_id *id);
void state_cache_release(struct state_cache *cache, const struct game_id *id,
                         struct game_state *now);

/* Around a write to all games at once. */
void state_cache_hold_all(struct state_cache *cache);
void state_cache_release_all(struct state_cache *cache);

/* The same around what changes not the game but what its seats show, such as a player's name. A
 * state that was made from one of before is no more shown than that one. */
void state_cache_hold_seats(struct state_cache *cache, const struct game_id *id);
void state_cache_release_seats(struct state_cache *cache, const struct game_id *id);

#endif

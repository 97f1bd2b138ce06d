#ifndef TESTS_MATCH_TABLE_H
#define TESTS_MATCH_TABLE_H

/*
 * Games stored as the service stores them, on the writer's connection, but without its threads:
 * time stands still until a test moves it, and chance is the same on every run.
 *
 * Threads: one. Ownership: table_enter and table_leave are init and fini of a suite.
 */

#include "match/game_make.h"
#include "match/result.h"
#include "tests/db/store.h"

enum { TABLE_PLAYERS = 4 };

struct table {
    struct match match; /* no more of it than making and ending games needs */
    struct match_env env;
    struct db *db;
    struct secrets *secrets;
    int64_t now_ms;
    uint64_t chance;
    int64_t players[TABLE_PLAYERS];
};

void table_enter(void);
void table_leave(void);
struct table *table(void);

/* A rated game of the pool between two of the players, given by their places in `players`. */
struct game_plan table_plan(size_t first, size_t second);
struct db_game table_game(const struct game_plan *plan);
/* One move more, a second after the last: rows like those of a served one, whatever the rules say
 * about it. `after` is the line that it leads to, or NULL: then the position stays what it was. */
void table_store(struct db_game *game, const char *move, const struct game_line *after);
/* Plays legal moves by turns; ends with NULL. The game row and the line follow. */
void table_play(struct db_game *game, struct game_line **line, const char *const *moves);
/* Seat `seat` resigns: everything that the end of a game writes. */
void table_resign(struct db_game *game, int seat);
/* The start position of a game. */
struct game_line *table_line(const struct db_game *game);

#endif

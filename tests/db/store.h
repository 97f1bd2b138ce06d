#ifndef TESTS_DB_STORE_H
#define TESTS_DB_STORE_H

/*
 * A database file in a folder that each test has for itself, rows to fill it with, and SQLite
 * itself as the foreign program that looks in or gets in the way.
 *
 * Threads: one. Ownership: store_enter and store_leave are init and fini of a suite.
 */

#include "db/driver.h"

#include <sqlite3.h>

enum { STORE_NOW_MS = 1000000 };

void store_enter(void);
void store_leave(void);

/* The database's path in the test's folder, and that of any file beside it. */
const char *store_path(void);
const char *store_file(const char *name);

/* db_prepare, then unlocked again; fails the test unless it answers `expected`. */
void store_prepare(enum db_status expected, struct db_report *report);
/* The file as an older build would have left it, with the first migrations up to this version, and
 * a player and a game in it. */
void store_at(int version);
/* A prepared file's read-write connection with an open transaction; store_close commits. */
struct db *store_open(void);
void store_close(struct db *db);

/* The whole of a file, as a number that another content would hardly have; 0: no such file. */
uint64_t store_print(const char *path);
bool store_exists(const char *name);
void store_write(const char *path, const void *bytes, size_t count);

/* A foreign program: a plain connection of SQLite's own defaults. */
sqlite3 *foreign_open(const char *path);
void foreign_run(sqlite3 *foreign, const char *sql);
/* What it answers: SQLITE_OK, or the error with *message (to be freed by sqlite3_free). */
int foreign_try(sqlite3 *foreign, const char *sql, char **message);
int64_t foreign_int(sqlite3 *foreign, const char *sql);

/* Rows with the smallest plausible contents. */
int64_t store_player(struct db *db, const char *name);
int64_t store_game(struct db *db, int64_t first, int64_t second);
struct db_move store_move(int64_t game_no, uint32_t ply);
void store_play(struct db *db, int64_t game_no, uint32_t ply);
void store_finish(struct db *db, int64_t game_no);
void store_rating(struct db *db, int64_t player_no, enum db_list list, int64_t rating_milli);

#endif

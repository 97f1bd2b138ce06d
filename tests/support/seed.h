#ifndef TESTS_SUPPORT_SEED_H
#define TESTS_SUPPORT_SEED_H

/*
 * Rows by the thousand, put straight into a server's file: for lists longer than one would play.
 * Such a file is not what `banzuke verify` expects, so seed_end takes the place of process_free.
 *
 * Threads: one. Ownership: seed_begin/seed_end.
 */

#include "process.h"

/* A folder with a fresh file in which this SQL was run, and a server on it that is ready. It has no
 * budgets: who walks long lists on a slow machine would use them up. */
struct process *seed_begin(const char *sql);
/* More SQL, while the server serves: as its own writer would, a transaction at a time. */
void seed_more(struct process *server, const char *sql);
/* Stops, without verifying, and removes the folder. */
void seed_end(struct process *server);

/* SQL that makes `count` players p_00…01 to p_00…count, named "Player 1" and so on. */
void seed_players(char *sql, size_t size, int count);

#endif

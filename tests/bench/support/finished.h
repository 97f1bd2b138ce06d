#ifndef TESTS_BENCH_SUPPORT_FINISHED_H
#define TESTS_BENCH_SUPPORT_FINISHED_H

/*
 * Many rated games in a file, all of them over: rows as the server writes them of games, seats,
 * rating events and their summands, chain links and the feed of results. The moves are left out,
 * which a look at an ended game and the lists do not read, and the chain's hashes are zeros: the
 * file is for reading, `banzuke verify` would refuse it.
 *
 * Threads: the caller's; nobody else may have the file open. Ownership: nothing is kept.
 */

#include <stdbool.h>
#include <stdint.h>

/* Games 1 to `count`. Player 1 sits in every one of them, against each of the players 2 to
 * `players` in turn; who begins alternates. False: what went wrong is on stderr. */
bool finished_fill(const char *path, int64_t players, int64_t count);

#endif

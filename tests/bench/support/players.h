#ifndef TESTS_BENCH_SUPPORT_PLAYERS_H
#define TESTS_BENCH_SUPPORT_PLAYERS_H

/*
 * Many ranked players in a file that the server has made, in bulk. The counts are then held against
 * the ratings.
 *
 * Threads: the caller's; nobody else may have the file open. Ownership: nothing is kept.
 */

#include <stdbool.h>
#include <stdint.h>

/* Players 1 to `count`, all in pool `hasami`. False: what went wrong is on stderr. */
bool players_fill(const char *path, int64_t count);

/* The public id of player `number`. */
enum { PLAYERS_ID_TEXT = 29 };
void players_id(int64_t number, char id[PLAYERS_ID_TEXT]);

#endif

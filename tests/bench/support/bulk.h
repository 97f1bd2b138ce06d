#ifndef TESTS_BENCH_SUPPORT_BULK_H
#define TESTS_BENCH_SUPPORT_BULK_H

/*
 * Many rows in a file that the server has made, in seconds rather than hours: in one transaction
 * and past the triggers and indexes that slow a bulk down, which come back afterwards as they were.
 *
 * Threads: the caller's; nobody else may have the file open. Ownership: nothing is kept.
 */

#include <stdbool.h>

enum { BULK_ASIDE_MAX = 32 };

/* Runs `script` on the file without what `in_the_way` names ("INDEX player_by_name"; NULL ends it).
 * False: what went wrong is on stderr, and the file is as it was. */
bool bulk_run(const char *path, const char *const in_the_way[], const char *script);

#endif

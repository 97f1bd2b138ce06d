#ifndef MATCH_COUNTS_H
#define MATCH_COUNTS_H

/*
 * What the service has done since its start, as far as no statement tells (db/tally.h): counted as
 * it happens, for whoever watches it (stats.h).
 *
 * Threads: any; relaxed atomics. Ownership: the service object's.
 */

#include "engine/rules.h"
#include "stats.h"

#include <stdatomic.h>

/* What takes time: how often, and how long in all. */
struct timed {
    atomic_uint_fast64_t times;
    atomic_uint_fast64_t ms;
};
/* Less than nothing is nothing. */
void timed_add(struct timed *timed, int64_t ms);
struct timed_counts timed_read(const struct timed *timed);

struct counts {
    struct timed late_turns;             /* from their deadline to the end that they were given */
    struct timed choices;                /* of moves, by the CPU */
    struct timed waits[MATCH_POOLS_MAX]; /* of matched tickets, by pool_number */
    atomic_uint_fast64_t rounds;
    atomic_uint_fast64_t games_paired;
};
void count_one(atomic_uint_fast64_t *counter);

/* One of the games' pools, in the order in which they are listed to people. */
size_t pool_number(const struct pool_rules *pool);

#endif

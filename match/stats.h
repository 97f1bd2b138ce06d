#ifndef MATCH_STATS_H
#define MATCH_STATS_H

/*
 * Numbers about the service, for whoever watches it. No row is read for them, and no list is walked
 * through.
 *
 * Threads: any. Ownership: values.
 */

#include "match.h"

struct cache_counts {
    uint64_t hits;
    uint64_t misses;
};

/* How often something was done, and how long it took in all. */
struct timed_counts {
    uint64_t times;
    uint64_t ms;
};

struct clock_counts {
    size_t armed;       /* games that are looked at when their time comes */
    int64_t overdue_ms; /* of the one whose time came first: for how long it has waited for that */
    struct timed_counts late_turns; /* from their deadline to the end that they were given */
};

/* The workers that look at games (cpu.h). */
struct cpu_counts {
    size_t workers;
    size_t busy;
    size_t queued;
    uint64_t full;       /* times that a game found no room and waited in the heap */
    int64_t first_at_ms; /* when the first of the queue was due; INT64_MAX: there is none */
};

struct pool_waits {
    const char *pool;
    struct timed_counts waits; /* of matched tickets */
};

struct match_stats {
    struct db_writer_stats writer; /* with what it committed */
    struct cache_counts games;     /* looks at running games */
    struct cache_counts tokens;    /* at who asks */
    struct clock_counts clocks;
    struct cpu_counts cpu;
    struct timed_counts choices; /* of the CPU's moves, also where nothing came of one */
    uint64_t rounds;             /* of the matchmaker */
    uint64_t games_paired;       /* that it made */
    size_t pool_count;
    struct pool_waits pools[MATCH_POOLS_MAX]; /* every pool there is */
};

void match_stats(struct match *match, struct match_stats *stats);

#endif

#ifndef MATCH_STATS_H
#define MATCH_STATS_H

/*
 * Numbers about the service, for whoever watches it. No row is read for them.
 *
 * Threads: any. Ownership: values.
 */

#include "match.h"

struct cache_counts {
    uint64_t hits;
    uint64_t misses;
};

struct match_stats {
    struct db_writer_stats writer; /* with games and tickets as they are committed */
    struct cache_counts games;     /* looks at running games */
    struct cache_counts tokens;    /* at who asks */
};

void match_stats(struct match *match, struct match_stats *stats);

#endif

#ifndef MATCH_RECENCY_H
#define MATCH_RECENCY_H

/*
 * When a player was last heard of, in memory only. Numbers that are
 * RECENCY_SETS apart share a set of RECENCY_WAYS places; a newcomer takes that of whoever has been
 * quiet the longest. So nobody is forgotten before RECENCY_WAYS others of the same set have been
 * heard of since; an entry that was lost only looks quiet.
 *
 * Threads: any; each set has a lock of its own, held for a few instructions. Ownership:
 * caller-owned, zeroed memory is an empty table.
 */

#include <stdbool.h>
#include <stdint.h>

enum { RECENCY_SETS = 1 << 14, RECENCY_WAYS = 4 };

struct recency_set {
    _Atomic bool locked;
    int64_t numbers[RECENCY_WAYS]; /* 0: free */
    int64_t at_ms[RECENCY_WAYS];
};

struct recency {
    struct recency_set sets[RECENCY_SETS];
};

void recency_touch(struct recency *recency, int64_t number, int64_t at_ms);

/* 0: never, or forgotten. */
int64_t recency_last(struct recency *recency, int64_t number);

#endif

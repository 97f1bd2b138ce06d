#ifndef MATCH_RECENCY_H
#define MATCH_RECENCY_H

/*
 * When something numbered (a player, a ticket) was last heard of, in memory only. Direct-mapped:
 * two numbers RECENCY_SLOTS apart share a slot and the later one wins, which takes as many
 * newcomers within half a minute; an entry that was lost only looks quiet.
 *
 * Threads: any, without locks. Ownership: caller-owned, zeroed memory is an empty table.
 */

#include <stdint.h>

enum { RECENCY_SLOTS = 1 << 16 };

struct recency_slot {
    _Atomic int64_t number;
    _Atomic int64_t at_ms;
};

struct recency {
    struct recency_slot slots[RECENCY_SLOTS];
};

void recency_touch(struct recency *recency, int64_t number, int64_t at_ms);

/* 0: never, or forgotten. */
int64_t recency_last(struct recency *recency, int64_t number);

#endif

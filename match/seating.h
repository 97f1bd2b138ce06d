#ifndef MATCH_SEATING_H
#define MATCH_SEATING_H

/*
 * Groups of waiting tickets become games: ordinary write jobs, some groups at a time so that moves
 * find their way between them. Each looks at its tickets again: a group of which one waits no more
 * is left alone, and the others stay in the queue.
 *
 * Threads: any. Ownership: seating_begin takes the list.
 */

#include "queue.h"
#include "service.h"

struct seating_group {
    struct queue_kind kind;
    int64_t tickets[DB_SEATS_MAX]; /* ticket numbers, oldest first, or as pairs (pairing.h) */
    int64_t spread_milli;
};

struct seating_list {
    struct seating_group *groups;
    size_t count;
};

/* Calls `over` once all groups were tried, also where the service stops in between; on the writer's
 * thread, or before it returns. Frees the groups. */
void seating_begin(struct match *match, struct seating_list *take_list,
                   void (*over)(struct match *match));

#endif

#ifndef TESTS_FAULT_PLAIN_RACED_H
#define TESTS_FAULT_PLAIN_RACED_H

/*
 * The games that are raced for: many at once with deadlines that lie apart, and single ones of
 * tables.
 *
 * Threads: raced_leave and raced_erase from any, the rest from one. Ownership: values.
 */

#include "match/due.h"
#include "match/tables.h"
#include "world.h"

struct raced {
    struct due_game due;   /* at_ms: its deadline */
    int64_t players[2];    /* b and w */
    bool may_go;           /* nobody needs b's player afterwards */
    struct table_id table; /* whose host is w; "": of none */
};

/* Hasami between b and w; in some of them b is somebody new. */
void raced_make(struct world *world, int64_t b, int64_t w, struct raced *games, size_t count);
/* The same one, at a table of both. */
struct raced raced_at_table(struct world *world, int64_t b, int64_t w);

/* The seat's player goes from the table, or for good. */
enum match_status raced_leave(struct world *world, const struct raced *game, int seat);
enum match_status raced_erase(struct world *world, const struct raced *game, int seat);

#endif

#ifndef MATCH_ARRIVALS_H
#define MATCH_ARRIVALS_H

/*
 * Requests that have arrived and are not queued for the writer yet, in the order of their times. A
 * turn ends late only when nobody is on the way who came before its deadline: the writer's queue
 * keeps the order from there on.
 *
 * Threads: any. Ownership: arrivals are the caller's (match.h).
 */

#include "match.h"

struct arrivals;
struct arrivals *arrivals_new(void);           /* NULL: no memory */
void arrivals_free(struct arrivals *arrivals); /* accepts NULL */

void arrivals_add(struct arrivals *arrivals, const struct match_env *env,
                  struct match_arrival *arrival);
void arrivals_remove(struct arrivals *arrivals, struct match_arrival *arrival);

/* Whether somebody is on the way who came before this time. */
bool arrivals_before(struct arrivals *arrivals, int64_t at_ms);

#endif

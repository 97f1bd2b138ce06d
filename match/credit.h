#ifndef MATCH_CREDIT_H
#define MATCH_CREDIT_H

/*
 * Time that nobody is charged for: while the process stood still, and while there was none. Running
 * deadlines move on by it, each with a `clock` event.
 *
 * Threads: as each says. Ownership: credit_new/credit_free.
 */

#include "service.h"

struct credit;
struct credit *credit_new(struct match *match); /* NULL: no memory */
void credit_free(struct credit *credit);        /* accepts NULL */

/* Any thread, before it has a turn judged late: where the process stood still for more than two
 * seconds since the last look, that is queued for the writer ahead of the verdict. */
void credit_settle(struct credit *credit);

/* At start, before anybody is served: the time since the last stamp. */
enum db_status credit_restart(struct match *match, int64_t last_stamp_ms);

/* The ticker, now and then: sees to it that the stamp which a restart counts from is never old
 * while there are clocks. */
void credit_stamp(struct credit *credit);

#endif

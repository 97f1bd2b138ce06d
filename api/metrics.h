#ifndef API_METRICS_H
#define API_METRICS_H

/*
 * What the HTTP side has done, counted as it happens, and all numbers of the service as one text in
 * Prometheus' format. The labels are those of the route table and of closed lists: nobody outside
 * can make a series.
 *
 * Threads: any; counters are relaxed atomics. Ownership: metrics_new/_free.
 */

#include "budgets.h"
#include "match/stats.h"

#include <stddef.h>
#include <stdint.h>

struct route;

struct metrics;
struct metrics *metrics_new(void); /* NULL: no memory */
void metrics_free(struct metrics *metrics);

/* Microseconds of the machine's monotonic clock; for how long something took. */
int64_t metrics_now_us(void);

/* A request was answered; `route` NULL: it was none of ours. */
void metrics_answered(struct metrics *metrics, const struct route *route, unsigned status,
                      int64_t took_us);
/* A request ended without an answer: the client left, or took too long. */
void metrics_unanswered(struct metrics *metrics);
void metrics_in_flight(struct metrics *metrics, int change);
void metrics_connections(struct metrics *metrics, int change);

/* What is not counted here. */
struct metrics_sources {
    struct match_stats match;
    uint64_t refused[BUDGETS]; /* by a budget */
    unsigned streams;          /* that are open */
    int64_t started_at_ms;
    int64_t resident_bytes; /* 0: not known */
    int64_t cpu_us;
    const char *version;
};

/* malloc'd, with a NUL behind its length; NULL: no memory. */
char *metrics_text(const struct metrics *metrics, const struct metrics_sources *sources,
                   size_t *length);

#endif

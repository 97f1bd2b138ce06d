#ifndef API_METRICS_PARTS_H
#define API_METRICS_PARTS_H

/*
 * What metrics.c counts, and how metrics_text.c and metrics_service.c write it down; nobody else's.
 * Threads: as metrics.h.
 */

#include "match/stats.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { METRICS_STATUSES = 21, METRICS_BOUNDS = 15 };

/* Every status that the service answers; the last, 0, stands for any other. */
extern const uint16_t metrics_statuses[METRICS_STATUSES];

/* Upper bounds of the latency buckets; what is slower is in one more. */
struct metrics_bound {
    int64_t us;
    const char *seconds; /* the same as it is written */
};
extern const struct metrics_bound metrics_bounds[METRICS_BOUNDS];

struct metrics_operation {
    atomic_uint_fast64_t statuses[METRICS_STATUSES];
    atomic_uint_fast64_t buckets[METRICS_BOUNDS + 1]; /* each without those below it */
    atomic_uint_fast64_t took_us;
};

struct metrics {
    atomic_int_fast64_t in_flight;
    atomic_int_fast64_t connections;
    atomic_uint_fast64_t unanswered;
    size_t count;                          /* of operations */
    struct metrics_operation operations[]; /* as in the route table; the last: no route */
};

/* The head of a family; a summary's name is without its _sum and _count. */
void put_family(FILE *out, const char *name, const char *type, const char *help);
/* A family of one series, in units or in seconds. */
void put_single(FILE *out, const char *name, const char *type, const char *help, int64_t value);
void put_single_seconds(FILE *out, const char *name, const char *type, const char *help,
                        int64_t us);
/* The end of a line: microseconds, written in seconds without a loss. */
void put_seconds(FILE *out, int64_t us);

/* All that the match layer says of itself. */
void put_service(FILE *out, const struct match_stats *match);

#endif

#include "metrics.h"

#include "metrics_parts.h"
#include "routes.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

/* The commonest first. */
const uint16_t metrics_statuses[METRICS_STATUSES] = {200, 201, 304, 204, 404, 409, 422,
                                                     429, 401, 400, 403, 405, 406, 410,
                                                     413, 415, 500, 501, 503, 206, 0};

const struct metrics_bound metrics_bounds[METRICS_BOUNDS] = {
    {250,      "0.00025"},
    {500,      "0.0005" },
    {1000,     "0.001"  },
    {2500,     "0.0025" },
    {5000,     "0.005"  },
    {10000,    "0.01"   },
    {25000,    "0.025"  },
    {50000,    "0.05"   },
    {100000,   "0.1"    },
    {250000,   "0.25"   },
    {500000,   "0.5"    },
    {1000000,  "1"      },
    {2500000,  "2.5"    },
    {10000000, "10"     },
    {30000000, "30"     },
};

struct metrics *metrics_new(void)
{
    size_t count = routes_count() + 1;
    struct metrics *metrics = calloc(1, sizeof *metrics + count * sizeof metrics->operations[0]);
    if (metrics != NULL) {
        metrics->count = count;
    }
    return metrics;
}

void metrics_free(struct metrics *metrics)
{
    free(metrics);
}

int64_t metrics_now_us(void)
{
    struct timespec now;
    int failed = clock_gettime(CLOCK_MONOTONIC, &now);
    assert(failed == 0);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static size_t status_index(unsigned status)
{
    size_t index = 0;
    while (index < METRICS_STATUSES - 1 && metrics_statuses[index] != status) {
        index++;
    }
    return index;
}

static size_t bucket_index(int64_t took_us)
{
    size_t index = 0;
    while (index < METRICS_BOUNDS && took_us > metrics_bounds[index].us) {
        index++;
    }
    return index;
}

static void count(atomic_uint_fast64_t *counter, uint64_t more)
{
    atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

void metrics_answered(struct metrics *metrics, const struct route *route, unsigned status,
                      int64_t took_us)
{
    assert(metrics != NULL);
    size_t number = route == NULL ? metrics->count - 1 : (size_t)(route - routes_at(0));
    assert(number < metrics->count);
    struct metrics_operation *operation = &metrics->operations[number];
    took_us = took_us < 0 ? 0 : took_us;
    count(&operation->statuses[status_index(status)], 1);
    count(&operation->buckets[bucket_index(took_us)], 1);
    count(&operation->took_us, (uint64_t)took_us);
}

void metrics_unanswered(struct metrics *metrics)
{
    assert(metrics != NULL);
    count(&metrics->unanswered, 1);
}

void metrics_in_flight(struct metrics *metrics, int change)
{
    atomic_fetch_add_explicit(&metrics->in_flight, change, memory_order_relaxed);
}

void metrics_connections(struct metrics *metrics, int change)
{
    atomic_fetch_add_explicit(&metrics->connections, change, memory_order_relaxed);
}

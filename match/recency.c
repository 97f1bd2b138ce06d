#include "recency.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static struct recency_set *set_lock(struct recency *recency, int64_t number)
{
    assert(number > 0);
    struct recency_set *set = &recency->sets[(uint64_t)number % RECENCY_SETS];
    while (atomic_exchange_explicit(&set->locked, true, memory_order_acquire)) {
        (void)sched_yield(); /* its holder was interrupted */
    }
    return set;
}

static void set_unlock(struct recency_set *set)
{
    atomic_store_explicit(&set->locked, false, memory_order_release);
}

/* The number's own place, or else the one of the longest quiet (a free one was never heard of). */
static size_t place_of(const struct recency_set *set, int64_t number)
{
    size_t oldest = 0;
    for (size_t i = 0; i < RECENCY_WAYS; i++) {
        if (set->numbers[i] == number) {
            return i;
        }
        oldest = set->at_ms[i] < set->at_ms[oldest] ? i : oldest;
    }
    return oldest;
}

void recency_touch(struct recency *recency, int64_t number, int64_t at_ms)
{
    struct recency_set *set = set_lock(recency, number);
    size_t place = place_of(set, number);
    set->numbers[place] = number;
    set->at_ms[place] = at_ms;
    set_unlock(set);
}

int64_t recency_last(struct recency *recency, int64_t number)
{
    struct recency_set *set = set_lock(recency, number);
    size_t place = place_of(set, number);
    int64_t at_ms = set->numbers[place] == number ? set->at_ms[place] : 0;
    set_unlock(set);
    return at_ms;
}

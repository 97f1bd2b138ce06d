#include "recency.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

static struct recency_slot *slot_of(struct recency *recency, int64_t number)
{
    assert(number > 0);
    return &recency->slots[(uint64_t)number % RECENCY_SLOTS];
}

void recency_touch(struct recency *recency, int64_t number, int64_t at_ms)
{
    struct recency_slot *slot = slot_of(recency, number);
    /* A reader between the two stores sees the old number with the old time, or the new one. */
    if (atomic_load_explicit(&slot->number, memory_order_relaxed) != number) {
        atomic_store_explicit(&slot->number, 0, memory_order_release);
        atomic_store_explicit(&slot->at_ms, at_ms, memory_order_release);
        atomic_store_explicit(&slot->number, number, memory_order_release);
        return;
    }
    atomic_store_explicit(&slot->at_ms, at_ms, memory_order_release);
}

int64_t recency_last(struct recency *recency, int64_t number)
{
    struct recency_slot *slot = slot_of(recency, number);
    int64_t at_ms = atomic_load_explicit(&slot->at_ms, memory_order_acquire);
    bool mine = atomic_load_explicit(&slot->number, memory_order_acquire) == number;
    return mine ? at_ms : 0;
}

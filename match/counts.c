#include "counts.h"

#include <assert.h>

void count_one(atomic_uint_fast64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

void timed_add(struct timed *timed, int64_t ms)
{
    count_one(&timed->times);
    atomic_fetch_add_explicit(&timed->ms, ms < 0 ? 0 : (uint64_t)ms, memory_order_relaxed);
}

struct timed_counts timed_read(const struct timed *timed)
{
    return (struct timed_counts){
        .times = atomic_load_explicit(&timed->times, memory_order_relaxed),
        .ms = atomic_load_explicit(&timed->ms, memory_order_relaxed),
    };
}

size_t pool_number(const struct pool_rules *pool)
{
    size_t number = 0;
    for (size_t i = 0; i < rules_count(); i++) {
        const struct game_rules *rules = rules_at(i);
        for (size_t j = 0; j < rules->pool_count; j++, number++) {
            if (&rules->pools[j] == pool) {
                return number;
            }
        }
    }
    assert(false); /* it is none of the games' */
    return number;
}

#include "stats.h"

#include "cpu.h"
#include "service.h"

#include <assert.h>

/* What waits in the heap, or in the queue of the workers. */
static int64_t overdue_ms(struct match *match, const struct cpu_counts *cpu)
{
    int64_t next_ms = due_next(match->due);
    int64_t now_ms = match_now_ms(match);
    next_ms = next_ms < cpu->first_at_ms ? next_ms : cpu->first_at_ms;
    return next_ms < now_ms ? now_ms - next_ms : 0;
}

static void waits_read(const struct counts *counts, struct match_stats *stats)
{
    stats->pool_count = 0;
    for (size_t i = 0; i < rules_count(); i++) {
        const struct game_rules *rules = rules_at(i);
        for (size_t j = 0; j < rules->pool_count; j++) {
            size_t number = pool_number(&rules->pools[j]);
            assert(number == stats->pool_count && number < MATCH_POOLS_MAX);
            stats->pools[number].pool = rules->pools[j].key;
            stats->pools[number].waits = timed_read(&counts->waits[number]);
            stats->pool_count++;
        }
    }
}

void match_stats(struct match *match, struct match_stats *stats)
{
    assert(match != NULL && stats != NULL);
    const struct counts *counts = &match->counts;
    db_writer_stats(match->writer, &stats->writer);
    state_cache_counts(match->states, &stats->games.hits, &stats->games.misses);
    token_cache_counts(match->tokens, &stats->tokens.hits, &stats->tokens.misses);
    stats->cpu = cpu_counts(match->cpu);
    stats->clocks.armed = due_count(match->due);
    stats->clocks.overdue_ms = overdue_ms(match, &stats->cpu);
    stats->clocks.late_turns = timed_read(&counts->late_turns);
    stats->choices = timed_read(&counts->choices);
    stats->rounds = atomic_load_explicit(&counts->rounds, memory_order_relaxed);
    stats->games_paired = atomic_load_explicit(&counts->games_paired, memory_order_relaxed);
    waits_read(counts, stats);
}

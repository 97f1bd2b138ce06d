#include "stats.h"

#include "service.h"

#include <assert.h>

void match_stats(struct match *match, struct match_stats *stats)
{
    assert(match != NULL && stats != NULL);
    db_writer_stats(match->writer, &stats->writer);
    state_cache_counts(match->states, &stats->games.hits, &stats->games.misses);
    token_cache_counts(match->tokens, &stats->tokens.hits, &stats->tokens.misses);
}

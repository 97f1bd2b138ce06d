#ifndef MATCH_RESULTS_H
#define MATCH_RESULTS_H

/*
 * The feed of results: what has ended or was voided, in the order of the hash chain, for those who
 * keep a copy or wait for news. Aborted games are no results.
 *
 * Threads: every function may be called from any thread.
 * Ownership: views are values; waiters as in events.h.
 */

#include "match.h"

struct result_item {
    int64_t seq;
    bool is_void;
    int64_t at_ms;
    struct game_view game; /* as it stands now, also where it was voided later */
};
struct results_page {
    size_t count;
    int64_t last_seq; /* of the last item; without items, what was asked for */
    struct result_item items[LIMIT_PAGE];
};
/* Items over `after`, at most `limit`; `pool` NULL: of all. */
MATCH_NODISCARD enum match_status match_results(struct match *match, int64_t after,
                                                const char *pool, size_t limit,
                                                struct results_page *page);

/* For a long poll, as match_ticket_watch: it wakes once, when any game ends, at the deadline, or
 * when the service stops. match_unwatch takes it back. */
void match_results_watch(struct match *match, struct event_waiter *waiter);

#endif

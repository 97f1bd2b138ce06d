#ifndef MATCH_HISTORY_H
#define MATCH_HISTORY_H

/*
 * How a player's rating came about: every rated game and every void, or what each day came to.
 *
 * Threads: every function may be called from any thread.
 * Ownership: views are values.
 */

#include "db/lists.h"
#include "match.h"

struct history_query {
    struct player_id player;
    const char *pool;
    bool by_day; /* days of UTC */
    bool descending;
    int64_t from_ms;  /* this time and later */
    int64_t below_ms; /* before this time */
    bool has_after;
    struct db_change_place after; /* the `next` of the page before */
};
/* Changes or days, as asked for. A page of days may be short although the history goes on. */
struct history_page {
    size_t count;
    bool goes_on;
    struct db_change_place next;
    struct db_change changes[LIMIT_PAGE + 1]; /* one more than is shown: whether it goes on */
    struct db_rating_day days[LIMIT_PAGE];
};
/* How the game ended, or `void`. */
const char *history_reason(const struct db_change *change);

/* MATCH_NOT_FOUND: there is no such player, or one who has been erased. */
MATCH_NODISCARD enum match_status match_history(struct match *match,
                                                const struct history_query *wanted, size_t limit,
                                                struct history_page *page);

#endif

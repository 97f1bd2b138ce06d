#include "driver.h"
#include "lists.h"

#include <assert.h>
#include <string.h>

/* A player's rating events in the order of their times, one by one or a day at a time. */

enum {
    CHANGES_UP,
    CHANGES_DOWN,
    HISTORY_TEXTS,
};
#define SELECT_CHANGE                                                                              \
    "SELECT e.at_ms, e.event_no, e.kind, e.place, e.before_milli, e.delta_milli, e.after_milli,"   \
    " g.game_id, g.end_reason FROM rating_event e CROSS JOIN game g ON g.game_no = e.game_no"      \
    " WHERE e.player_no = $1 AND e.pool = $2"
static const char *const history_texts[HISTORY_TEXTS] = {
    [CHANGES_UP] = SELECT_CHANGE " AND (e.at_ms, e.event_no) > ($3, $4) AND e.at_ms < $5"
                                 " ORDER BY e.at_ms, e.event_no LIMIT $6",
    [CHANGES_DOWN] = SELECT_CHANGE " AND (e.at_ms, e.event_no) < ($3, $4) AND e.at_ms >= $5"
                                   " ORDER BY e.at_ms DESC, e.event_no DESC LIMIT $6",
};
const struct sql_set sql_history = {"history", SLOTS_HISTORY, HISTORY_TEXTS, history_texts};

/* Event numbers begin at 1, so that 0 is before every event of its time. */
static void begin(struct query *query, struct db *db, const struct db_history *history, int64_t max)
{
    struct db_change_place start = {history->descending ? history->below_ms : history->from_ms, 0};
    if (history->has_after) {
        start = history->after;
    }
    query_begin(query, db, &sql_history, history->descending ? CHANGES_DOWN : CHANGES_UP);
    query_int(query, 1, history->player_no);
    query_text(query, 2, history->pool);
    query_int(query, 3, start.at_ms);
    query_int(query, 4, start.event_no);
    query_int(query, 5, history->descending ? history->from_ms : history->below_ms);
    query_int(query, 6, max);
}

static void read_change(struct query *query, struct db_change *change)
{
    char kind[DB_WORD_TEXT];
    change->place.at_ms = column_int(query, 0);
    change->place.event_no = column_int(query, 1);
    column_text(query, 2, kind, sizeof kind);
    change->is_void = strcmp(kind, "void") == 0;
    change->rank = (uint8_t)column_int(query, 3);
    change->before_milli = column_int(query, 4);
    change->delta_milli = column_int(query, 5);
    change->after_milli = column_int(query, 6);
    column_text(query, 7, change->game_id.id.text, sizeof change->game_id.id.text);
    column_text(query, 8, change->end_reason, sizeof change->end_reason);
}

enum db_status db_changes(struct db *db, const struct db_history *history,
                          struct db_change *changes, size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    begin(&query, db, history, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        read_change(&query, &changes[found++]);
    }
    *count = found;
    return query_end(&query);
}

/* --- by day --------------------------------------------------------------------------------------
 */

static int64_t day_of(int64_t at_ms)
{
    enum { DAY_MS = 24 * 60 * 60 * 1000 };
    assert(at_ms >= 0);
    return at_ms / DAY_MS;
}

/* `last` is what came last in time, whichever way the list goes. */
static void add_to_day(const struct db_change *change, bool descending, struct db_rating_day *day)
{
    if (!descending) {
        day->last_milli = change->after_milli;
    }
    if (change->after_milli > day->high_milli) {
        day->high_milli = change->after_milli;
    }
    if (change->after_milli < day->low_milli) {
        day->low_milli = change->after_milli;
    }
    day->games += change->is_void ? 0 : 1;
}

enum db_status db_rating_days(struct db *db, const struct db_history *history,
                              struct db_rating_day *days, size_t max, size_t *count, bool *more)
{
    struct query query;
    struct db_change change;
    size_t found = 0;
    int64_t looked = 0;
    *more = false;
    begin(&query, db, history, INT64_MAX);
    while (!*more && query_step(&query)) {
        read_change(&query, &change);
        int64_t day = day_of(change.place.at_ms);
        bool same = found > 0 && days[found - 1].day == day;
        *more = !same && (found == max || looked >= DB_LOOK_MAX);
        if (!same && !*more) {
            int64_t milli = change.after_milli;
            days[found++] = (struct db_rating_day){day, milli, milli, milli, 0};
        }
        if (!*more) {
            add_to_day(&change, history->descending, &days[found - 1]);
        }
        looked++;
    }
    *count = found;
    return query_end(&query);
}

#include "history.h"

#include "service.h"

#include <assert.h>

const char *history_reason(const struct db_change *change)
{
    return change->is_void ? "void" : change->end_reason;
}

static enum db_status changes_fill(struct db *db, const struct db_history *history, size_t limit,
                                   struct history_page *page)
{
    enum db_status status = db_changes(db, history, page->changes, limit + 1, &page->count);
    if (status == DB_OK && page->count > limit) {
        page->count = limit;
        page->goes_on = true;
        page->next = page->changes[limit - 1].place;
    }
    return status;
}

/* Between days there is no event: beyond a day is beyond whatever could be the last of it. */
static struct db_change_place beyond(const struct db_rating_day *day, bool descending)
{
    enum { DAY_MS = 24 * 60 * 60 * 1000 };
    if (descending) {
        return (struct db_change_place){day->day * DAY_MS, 0};
    }
    return (struct db_change_place){(day->day + 1) * DAY_MS - 1, INT64_MAX};
}

static enum db_status days_fill(struct db *db, const struct db_history *history, size_t limit,
                                struct history_page *page)
{
    enum db_status status =
        db_rating_days(db, history, page->days, limit, &page->count, &page->goes_on);
    if (status == DB_OK && page->goes_on) {
        page->next = beyond(&page->days[page->count - 1], history->descending);
    }
    return status;
}

static enum db_status page_fill(struct db *db, const struct history_query *wanted, size_t limit,
                                struct history_page *page)
{
    struct db_player player;
    enum db_status status = db_player_find(db, &wanted->player, &player);
    if (status != DB_OK || !player.has_name) {
        return status == DB_OK ? DB_NONE : status;
    }
    struct db_history history = {
        .player_no = player.player_no,
        .pool = wanted->pool,
        .descending = wanted->descending,
        .from_ms = wanted->from_ms,
        .below_ms = wanted->below_ms,
        .has_after = wanted->has_after,
        .after = wanted->after,
    };
    return wanted->by_day ? days_fill(db, &history, limit, page)
                          : changes_fill(db, &history, limit, page);
}

enum match_status match_history(struct match *match, const struct history_query *wanted,
                                size_t limit, struct history_page *page)
{
    assert(limit >= 1 && limit <= LIMIT_PAGE);
    struct db *db = reader_take(match);
    page->count = 0;
    page->goes_on = false;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = page_fill(db, wanted, limit, page);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

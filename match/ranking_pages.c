#include "db/lists.h"
#include "service.h"

#include <assert.h>

enum { DAY_MS = 24 * 60 * 60 * 1000 };

/* Whole days of UTC, so that a page is the same all day long. */
static int64_t active_since(const struct ranking_query *wanted, int64_t now_ms)
{
    return (now_ms / DAY_MS - wanted->active_days) * DAY_MS;
}

static enum db_status rows_fill(struct db *db, const struct ranking_query *wanted, size_t max,
                                struct ranking_page *page)
{
    enum db_list list = wanted->provisional ? DB_PROVISIONAL : DB_RANKED;
    const struct db_rank_key *after = wanted->has_after ? &wanted->after : NULL;
    struct db_active_page active = {wanted->pool, list, after, 0};
    if (after == NULL && wanted->start_rank > 1) {
        struct db_ranking_start start = {wanted->pool, list, wanted->start_rank};
        return db_ranking_from(db, &start, page->rows, max, &page->count);
    }
    if (wanted->active_days == 0) {
        return db_ranking_after(db, wanted->pool, list, after, page->rows, max, &page->count);
    }
    active.since_ms = active_since(wanted, page->as_of_ms);
    enum db_status status =
        db_ranking_active(db, &active, page->rows, max, &page->count, &page->next);
    page->goes_on = page->next.player_no != 0;
    return status;
}

static enum db_status page_fill(const struct match *match, struct db *db,
                                const struct ranking_query *wanted, size_t limit,
                                struct ranking_page *page)
{
    enum db_list list = wanted->provisional ? DB_PROVISIONAL : DB_RANKED;
    enum db_status status = pool_version_load(match, db, wanted->pool, &page->version);
    if (status == DB_OK) {
        status = db_list_size(db, wanted->pool, list, &page->total);
    }
    if (status == DB_OK) {
        status = rows_fill(db, wanted, limit + 1, page);
    }
    if (status == DB_OK && page->count > limit) {
        const struct db_rating *last = &page->rows[limit - 1].rating;
        page->count = limit;
        page->goes_on = true;
        page->next = (struct db_rank_key){last->rating_milli, last->player_no};
    }
    return status == DB_NONE ? DB_OK : status; /* nobody has such a rank */
}

enum match_status match_ranking(struct match *match, const struct ranking_query *wanted,
                                size_t limit, struct ranking_page *page)
{
    assert(limit >= 1 && limit <= LIMIT_PAGE);
    assert(wanted->active_days == 0 || wanted->start_rank <= 1);
    const struct pool_rules *rules = NULL;
    if (rules_find_pool(wanted->pool, &rules) == NULL) {
        return MATCH_NOT_FOUND;
    }
    struct db *db = reader_take(match);
    page->as_of_ms = match_now_ms(match);
    page->count = 0;
    page->goes_on = false;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = page_fill(match, db, wanted, limit, page);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

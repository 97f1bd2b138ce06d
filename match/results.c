#include "results.h"

#include "db/lists.h"
#include "service.h"

#include <assert.h>
#include <stdlib.h>

static enum db_status items_fill(struct match *match, struct db *db,
                                 const struct db_result *results, size_t count,
                                 struct results_page *page)
{
    for (size_t i = 0; i < count; i++) {
        struct result_item *item = &page->items[i];
        enum db_status status = view_fill(match, db, &results[i].game, &item->game);
        if (status != DB_OK) {
            return status;
        }
        item->seq = results[i].seq;
        item->is_void = results[i].is_void;
        item->at_ms = results[i].at_ms;
        page->last_seq = item->seq;
    }
    page->count = count;
    return DB_OK;
}

static enum db_status page_fill(struct match *match, struct db *db, const char *pool, size_t limit,
                                struct results_page *page)
{
    size_t count = 0;
    struct db_result *results = calloc(limit, sizeof *results);
    if (results == NULL) {
        return DB_ERROR;
    }
    enum db_status status = db_results(db, page->last_seq, pool, results, limit, &count);
    if (status == DB_OK) {
        status = items_fill(match, db, results, count, page);
    }
    free(results);
    return status;
}

enum match_status match_results(struct match *match, int64_t after, const char *pool, size_t limit,
                                struct results_page *page)
{
    assert(limit >= 1 && limit <= LIMIT_PAGE);
    struct db *db = reader_take(match);
    page->count = 0;
    page->last_seq = after;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = page_fill(match, db, pool, limit, page);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

void match_results_watch(struct match *match, struct event_waiter *waiter)
{
    waiter->topic = EVENT_RESULT;
    waiter->number = 0;
    events_add(match->events, waiter);
}

void game_publish(struct match *match, int64_t game_no)
{
    events_publish(match->events, EVENT_GAME, game_no);
}

void result_publish(struct match *match)
{
    events_publish(match->events, EVENT_RESULT, 0);
}

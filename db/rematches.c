#include "rematches.h"

#include "driver.h"

#include <assert.h>

enum { ASKS, ASK, TAKE_BACK, FORGET, NEWS, NEWS_STORE, REMATCH_TEXTS };
static const char *const rematch_texts[REMATCH_TEXTS] = {
    [ASKS] = "SELECT seat_no, asked_at_ms FROM rematch_ask WHERE game_no = $1 ORDER BY seat_no",
    [ASK] = "INSERT INTO rematch_ask (game_no, seat_no, asked_at_ms) VALUES ($1, $2, $3)",
    [TAKE_BACK] = "DELETE FROM rematch_ask WHERE game_no = $1 AND seat_no = $2",
    [FORGET] = "DELETE FROM rematch_ask WHERE game_no = $1",
    [NEWS] = "SELECT asks, since_ms FROM rematch_news WHERE game_no = $1 AND seat_no = $2",
    [NEWS_STORE] =
        "REPLACE INTO rematch_news (game_no, seat_no, asks, since_ms) VALUES ($1, $2, $3, $4)",
};
const struct sql_set sql_rematches = {"rematches", SLOTS_REMATCHES, REMATCH_TEXTS, rematch_texts};

enum db_status db_rematch_asks(struct db *db, int64_t game_no,
                               struct db_rematch_ask asks[DB_SEATS_MAX], size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_rematches, ASKS);
    query_int(&query, 1, game_no);
    while (query_step(&query)) {
        assert(found < DB_SEATS_MAX); /* each is of a seat of the game */
        asks[found].seat_no = (uint8_t)column_count(&query, 0, UINT8_MAX);
        asks[found++].asked_at_ms = column_int(&query, 1);
    }
    *count = found;
    return query_end(&query);
}

enum db_status db_rematch_ask(struct db *db, int64_t game_no, const struct db_rematch_ask *ask)
{
    struct query query;
    query_begin(&query, db, &sql_rematches, ASK);
    query_int(&query, 1, game_no);
    query_int(&query, 2, ask->seat_no);
    query_int(&query, 3, ask->asked_at_ms);
    return query_run(&query);
}

enum db_status db_rematch_take_back(struct db *db, int64_t game_no, uint8_t seat_no)
{
    struct query query;
    query_begin(&query, db, &sql_rematches, TAKE_BACK);
    query_int(&query, 1, game_no);
    query_int(&query, 2, seat_no);
    return query_run(&query);
}

enum db_status db_rematch_forget(struct db *db, int64_t game_no)
{
    struct query query;
    query_begin(&query, db, &sql_rematches, FORGET);
    query_int(&query, 1, game_no);
    return query_run(&query);
}

enum db_status db_rematch_news(struct db *db, int64_t game_no, struct db_rematch_news *news)
{
    struct query query;
    query_begin(&query, db, &sql_rematches, NEWS);
    query_int(&query, 1, game_no);
    query_int(&query, 2, news->seat_no);
    bool found = query_step(&query);
    if (found) {
        news->asks = (uint8_t)column_count(&query, 0, UINT8_MAX);
        news->since_ms = column_int(&query, 1);
    }
    return query_end_one(&query, found);
}

enum db_status db_rematch_news_store(struct db *db, int64_t game_no,
                                     const struct db_rematch_news *news)
{
    struct query query;
    query_begin(&query, db, &sql_rematches, NEWS_STORE);
    query_int(&query, 1, game_no);
    query_int(&query, 2, news->seat_no);
    query_int(&query, 3, news->asks);
    query_int(&query, 4, news->since_ms);
    return query_run(&query);
}

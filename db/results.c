#include "games.h"
#include "lists.h"

#include <assert.h>
#include <string.h>

/* The feed of results: one item a link of the chain that ends or voids a finished game. */

enum { RESULTS_AFTER, RESULTS_OF_POOL_AFTER, RESULT_TEXTS };
#define SELECT_RESULT                                                                              \
    "SELECT " GAME_COLUMNS ", l.link, l.kind, l.at_ms FROM result_feed f"                          \
    " CROSS JOIN chain_link l ON l.link = f.link CROSS JOIN game g ON g.game_no = l.game_no"       \
    " WHERE f.link > $1"
static const char *const result_texts[RESULT_TEXTS] = {
    [RESULTS_AFTER] = SELECT_RESULT " ORDER BY f.link LIMIT $2",
    [RESULTS_OF_POOL_AFTER] = SELECT_RESULT " AND f.pool = $3 ORDER BY f.link LIMIT $2",
};
const struct sql_set sql_results = {"results", SLOTS_RESULTS, RESULT_TEXTS, result_texts};

static void read_result(struct query *query, struct db_result *result)
{
    char kind[DB_WORD_TEXT];
    db_read_game(query, &result->game);
    result->seq = column_int(query, GAME_COLUMN_COUNT);
    column_text(query, GAME_COLUMN_COUNT + 1, kind, sizeof kind);
    result->is_void = strcmp(kind, "voided") == 0;
    result->at_ms = column_int(query, GAME_COLUMN_COUNT + 2);
}

enum db_status db_results(struct db *db, int64_t after, const char *pool, struct db_result *results,
                          size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_results, pool == NULL ? RESULTS_AFTER : RESULTS_OF_POOL_AFTER);
    query_int(&query, 1, after);
    query_int(&query, 2, (int64_t)max);
    if (pool != NULL) {
        query_text(&query, 3, pool);
    }
    while (query_step(&query)) {
        assert(found < max);
        read_result(&query, &results[found++]);
    }
    *count = found;
    return query_end(&query);
}

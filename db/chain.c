#include "driver.h"

#include <assert.h>

enum { CHAIN_LAST, CHAIN_INSERT, CHAIN_AFTER, CHAIN_TEXTS };
#define LINK_COLUMNS "link, kind, game_no, at_ms, hash"
static const char *const chain_texts[CHAIN_TEXTS] = {
    [CHAIN_LAST] = "SELECT " LINK_COLUMNS " FROM chain_link ORDER BY link DESC LIMIT 1 /*scan*/",
    [CHAIN_INSERT] = "INSERT INTO chain_link (kind, game_no, at_ms, hash) VALUES ($1, $2, $3, $4)",
    [CHAIN_AFTER] =
        "SELECT " LINK_COLUMNS " FROM chain_link WHERE link > $1 ORDER BY link LIMIT $2",
};
const struct sql_set sql_chain = {"chain", SLOTS_CHAIN, CHAIN_TEXTS, chain_texts};

static void read_link(struct query *query, struct db_link *link)
{
    link->link = column_int(query, 0);
    column_text(query, 1, link->kind, sizeof link->kind);
    link->game_no = column_int(query, 2);
    link->at_ms = column_int(query, 3);
    column_blob(query, 4, link->hash, sizeof link->hash);
}

enum db_status db_chain_last(struct db *db, struct db_link *link)
{
    struct query query;
    query_begin(&query, db, &sql_chain, CHAIN_LAST);
    bool found = query_step(&query);
    if (found) {
        read_link(&query, link);
    }
    return query_end_one(&query, found);
}

enum db_status db_chain_insert(struct db *db, struct db_link *link)
{
    struct query query;
    query_begin(&query, db, &sql_chain, CHAIN_INSERT);
    query_text(&query, 1, link->kind);
    query_int_or_null(&query, 2, link->game_no);
    query_int(&query, 3, link->at_ms);
    query_blob(&query, 4, link->hash, sizeof link->hash);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        link->link = query_last_row(db);
    }
    return status;
}

enum db_status db_chain(struct db *db, int64_t after, struct db_link *links, size_t max,
                        size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_chain, CHAIN_AFTER);
    query_int(&query, 1, after);
    query_int(&query, 2, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        read_link(&query, &links[found++]);
    }
    *count = found;
    return query_end(&query);
}

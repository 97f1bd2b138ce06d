#include "origins.h"

#include "driver.h"

enum { ORIGIN_INSERT, BATCH_JOIN, BATCH_LEAVE, ORIGINS_FORGET, ORIGIN_TEXTS };
static const char *const origin_texts[ORIGIN_TEXTS] = {
    [ORIGIN_INSERT] = "INSERT INTO registration_origin (origin_hash, hour, first_player_no)"
                      " VALUES ($1, $2, $3) ON CONFLICT (origin_hash) DO NOTHING",
    [BATCH_JOIN] = "INSERT INTO registration_batch (player_no, batch_no) SELECT $2, first_player_no"
                   " FROM registration_origin WHERE origin_hash = $1",
    [BATCH_LEAVE] = "DELETE FROM registration_batch WHERE player_no = $1",
    [ORIGINS_FORGET] = "DELETE FROM registration_origin WHERE hour < $1",
};
const struct sql_set sql_origins = {"origins", SLOTS_ORIGINS, ORIGIN_TEXTS, origin_texts};

enum db_status db_origin_join(struct db *db, const struct db_origin *origin, int64_t player_no)
{
    struct query query;
    query_begin(&query, db, &sql_origins, ORIGIN_INSERT);
    query_blob(&query, 1, origin->hash, sizeof origin->hash);
    query_int(&query, 2, origin->hour);
    query_int(&query, 3, player_no);
    enum db_status status = query_run(&query);
    if (status != DB_OK) {
        return status;
    }
    query_begin(&query, db, &sql_origins, BATCH_JOIN);
    query_blob(&query, 1, origin->hash, sizeof origin->hash);
    query_int(&query, 2, player_no);
    return query_run(&query);
}

enum db_status db_origin_leave(struct db *db, int64_t player_no)
{
    struct query query;
    query_begin(&query, db, &sql_origins, BATCH_LEAVE);
    query_int(&query, 1, player_no);
    return query_run(&query);
}

enum db_status db_origins_forget(struct db *db, int64_t before_hour)
{
    struct query query;
    query_begin(&query, db, &sql_origins, ORIGINS_FORGET);
    query_int(&query, 1, before_hour);
    return query_run(&query);
}

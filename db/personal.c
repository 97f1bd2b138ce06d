#include "personal.h"

#include "driver.h"

#include <assert.h>

enum {
    PERSONAL_SEQ,
    PERSONAL_COUNT,
    PERSONAL_INSERT,
    PERSONAL_FORGET,
    PERSONAL_AFTER,
    PERSONAL_SWEEP,
    PERSONAL_TEXTS,
};
static const char *const personal_texts[PERSONAL_TEXTS] = {
    [PERSONAL_SEQ] = "SELECT personal_seq FROM player WHERE player_no = $1",
    [PERSONAL_COUNT] = "UPDATE player SET personal_seq = personal_seq + 1 WHERE player_no = $1",
    [PERSONAL_INSERT] =
        "INSERT INTO personal_event (player_no, seq, type, at_ms, game_no, table_no)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
    [PERSONAL_FORGET] = "DELETE FROM personal_event WHERE player_no = $1 AND seq = $2",
    [PERSONAL_AFTER] = "SELECT e.player_no, e.seq, e.type, e.at_ms, e.game_no, e.table_no,"
                       " g.game_id, t.table_id FROM personal_event e"
                       " LEFT JOIN game g ON g.game_no = e.game_no"
                       " LEFT JOIN game_table t ON t.table_no = e.table_no"
                       " WHERE e.player_no = $1 AND e.seq > $2 ORDER BY e.seq LIMIT $3",
    [PERSONAL_SWEEP] = "DELETE FROM personal_event WHERE (player_no, seq) IN"
                       " (SELECT player_no, seq FROM personal_event WHERE at_ms <= $1"
                       " ORDER BY at_ms LIMIT $2)",
};
const struct sql_set sql_personal = {"personal", SLOTS_PERSONAL, PERSONAL_TEXTS, personal_texts};

enum db_status db_personal_seq(struct db *db, int64_t player_no, int64_t *seq)
{
    struct query query;
    query_begin(&query, db, &sql_personal, PERSONAL_SEQ);
    query_int(&query, 1, player_no);
    bool found = query_step(&query);
    if (found) {
        *seq = column_count(&query, 0, INT64_MAX);
    }
    return query_end_one(&query, found);
}

static enum db_status next_seq(struct db *db, int64_t player_no, int64_t *seq)
{
    struct query query;
    query_begin(&query, db, &sql_personal, PERSONAL_COUNT);
    query_int(&query, 1, player_no);
    enum db_status status = query_run(&query);
    return status == DB_OK ? db_personal_seq(db, player_no, seq) : status;
}

static enum db_status forget(struct db *db, int64_t player_no, int64_t seq)
{
    struct query query;
    query_begin(&query, db, &sql_personal, PERSONAL_FORGET);
    query_int(&query, 1, player_no);
    query_int(&query, 2, seq);
    return query_run(&query);
}

enum db_status db_personal_insert(struct db *db, struct db_personal *event, int64_t kept)
{
    struct query query;
    enum db_status status = next_seq(db, event->player_no, &event->seq);
    if (status != DB_OK) {
        return status;
    }
    query_begin(&query, db, &sql_personal, PERSONAL_INSERT);
    query_int(&query, 1, event->player_no);
    query_int(&query, 2, event->seq);
    query_text(&query, 3, event->type);
    query_int(&query, 4, event->at_ms);
    query_int_or_null(&query, 5, event->game_no);
    query_int_or_null(&query, 6, event->table_no);
    status = query_run(&query);
    return status == DB_OK ? forget(db, event->player_no, event->seq - kept) : status;
}

enum db_status db_personal_events(struct db *db, int64_t player_no, int64_t after,
                                  struct db_personal *events, size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_personal, PERSONAL_AFTER);
    query_int(&query, 1, player_no);
    query_int(&query, 2, after);
    query_int(&query, 3, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        struct db_personal *event = &events[found++];
        event->player_no = column_int(&query, 0);
        event->seq = column_int(&query, 1);
        column_text(&query, 2, event->type, sizeof event->type);
        event->at_ms = column_int(&query, 3);
        event->game_no = column_int(&query, 4);
        event->table_no = column_int(&query, 5);
        column_text(&query, 6, event->game_id.id.text, sizeof event->game_id.id.text);
        column_text(&query, 7, event->table_id.id.text, sizeof event->table_id.id.text);
    }
    *count = found;
    return query_end(&query);
}

enum db_status db_personal_sweep(struct db *db, int64_t until_ms)
{
    struct query query;
    query_begin(&query, db, &sql_personal, PERSONAL_SWEEP);
    query_int(&query, 1, until_ms);
    query_int(&query, 2, DB_PERSONAL_SWEPT);
    return query_run(&query);
}

#include "operators.h"

#include "driver.h"

#include <assert.h>

enum {
    OPERATOR_EVENT_INSERT,
    OPERATOR_LAST,
    PLAYER_BAN,
    COPIED_AT,
    MARK_COPY,
    BAN_SPELL,
    VOID_EVENTS,
    BAN_DIFFERENCE,
    OPERATOR_TEXTS,
};
static const char *const operator_texts[OPERATOR_TEXTS] = {
    [OPERATOR_EVENT_INSERT] = "INSERT INTO operator_event (at_ms, what, player_no, game_no, note)"
                              " VALUES ($1, $2, $3, $4, $5)",
    [OPERATOR_LAST] = "SELECT at_ms FROM operator_event ORDER BY event_no DESC LIMIT 1 /*scan*/",
    [PLAYER_BAN] = "UPDATE player SET banned_at_ms = $2 WHERE player_no = $1",
    [COPIED_AT] = "SELECT copied_at_ms FROM server WHERE one = 1",
    [MARK_COPY] = "UPDATE server SET copied_at_ms = $1 WHERE one = 1",
    /* A ban lasts until the next event that lifts it. */
    [BAN_SPELL] = "SELECT coalesce(max(b.at_ms <= $3 AND NOT EXISTS (SELECT 1 FROM operator_event u"
                  " WHERE u.player_no = $1 AND u.what = 'unban' AND u.event_no > b.event_no"
                  " AND u.at_ms < $2)), 0),"
                  " coalesce(max(b.at_ms <= $2 AND NOT EXISTS (SELECT 1 FROM operator_event u"
                  " WHERE u.player_no = $1 AND u.what = 'unban' AND u.event_no > b.event_no"
                  " AND u.at_ms <= $3)), 0)"
                  " FROM operator_event b WHERE b.player_no = $1 AND b.what = 'ban'",
    [VOID_EVENTS] = "SELECT count(*) FROM operator_event WHERE game_no = $1 AND what = 'void-game'",
    [BAN_DIFFERENCE] =
        "SELECT player_id, stored, actual FROM (SELECT p.player_id,"
        " coalesce(p.banned_at_ms, 0) AS stored,"
        " coalesce((SELECT CASE e.what WHEN 'ban' THEN e.at_ms END FROM operator_event e"
        " WHERE e.player_no = p.player_no AND e.what IN ('ban', 'unban')"
        " ORDER BY e.event_no DESC LIMIT 1), 0) AS actual FROM player p)"
        " WHERE stored <> actual LIMIT 1 /*scan*/",
};
const struct sql_set sql_operators = {"operators", SLOTS_OPERATORS, OPERATOR_TEXTS, operator_texts};

enum db_status db_operator_event_insert(struct db *db, const struct db_operator_event *event)
{
    struct query query;
    query_begin(&query, db, &sql_operators, OPERATOR_EVENT_INSERT);
    query_int(&query, 1, event->at_ms);
    query_text(&query, 2, event->what);
    query_int_or_null(&query, 3, event->player_no);
    query_int_or_null(&query, 4, event->game_no);
    query_text_or_null(&query, 5, event->note);
    return query_run(&query);
}

enum db_status db_operator_last_ms(struct db *db, int64_t *at_ms)
{
    struct query query;
    query_begin(&query, db, &sql_operators, OPERATOR_LAST);
    *at_ms = query_step(&query) ? column_int(&query, 0) : 0;
    return query_end(&query);
}

enum db_status db_player_ban(struct db *db, int64_t player_no, int64_t at_ms)
{
    struct query query;
    query_begin(&query, db, &sql_operators, PLAYER_BAN);
    query_int(&query, 1, player_no);
    query_int_or_null(&query, 2, at_ms);
    return query_run(&query);
}

enum db_status db_server_copied_at(struct db *db, int64_t *copied_at_ms)
{
    struct query query;
    query_begin(&query, db, &sql_operators, COPIED_AT);
    bool found = query_step(&query);
    if (found) {
        *copied_at_ms = column_int(&query, 0);
    }
    return query_end_one(&query, found);
}

enum db_status db_server_mark_copy(struct db *db, int64_t copied_at_ms)
{
    struct query query;
    query_begin(&query, db, &sql_operators, MARK_COPY);
    query_int_or_null(&query, 1, copied_at_ms);
    return query_run(&query);
}

enum db_status db_ban_spell(struct db *db, int64_t player_no, int64_t from_ms, int64_t to_ms,
                            struct db_ban_spell *spell)
{
    struct query query;
    assert(from_ms <= to_ms);
    query_begin(&query, db, &sql_operators, BAN_SPELL);
    query_int(&query, 1, player_no);
    query_int(&query, 2, from_ms);
    query_int(&query, 3, to_ms);
    bool found = query_step(&query);
    if (found) {
        spell->ever = column_int(&query, 0) != 0;
        spell->always = column_int(&query, 1) != 0;
    }
    return query_end_one(&query, found);
}

enum db_status db_void_events(struct db *db, int64_t game_no, int64_t *events)
{
    struct query query;
    query_begin(&query, db, &sql_operators, VOID_EVENTS);
    query_int(&query, 1, game_no);
    bool found = query_step(&query);
    if (found) {
        *events = column_int(&query, 0);
    }
    return query_end_one(&query, found);
}

enum db_status db_ban_difference(struct db *db, struct db_ban_difference *difference)
{
    struct query query;
    query_begin(&query, db, &sql_operators, BAN_DIFFERENCE);
    bool found = query_step(&query);
    if (found) {
        column_text(&query, 0, difference->player_id.id.text, sizeof difference->player_id.id.text);
        difference->stored_ms = column_int(&query, 1);
        difference->actual_ms = column_int(&query, 2);
    }
    return query_end_one(&query, found);
}

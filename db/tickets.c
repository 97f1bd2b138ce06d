#include "driver.h"

#include <assert.h>
#include <string.h>

enum {
    TICKET_INSERT,
    TICKET_FIND,
    TICKET_WAITING_OF,
    TICKET_LOAD,
    TICKETS_WAITING,
    TICKETS_NEWEST,
    TICKET_END,
    TICKETS_SWEEP,
    TICKET_TEXTS,
};
#define SELECT_TICKET                                                                              \
    "SELECT t.ticket_no, t.ticket_id, t.player_no, t.pool, t.turn_seconds, t.rating_milli,"        \
    " t.status, t.game_no, t.seat, t.created_at_ms, t.ended_at_ms, g.game_id,"                     \
    " t.partner_no, p.player_id, t.window_milli, t.spread_milli"                                   \
    " FROM ticket t LEFT JOIN game g ON g.game_no = t.game_no"                                     \
    " LEFT JOIN player p ON p.player_no = t.partner_no"
static const char *const ticket_texts[TICKET_TEXTS] = {
    [TICKET_INSERT] = "INSERT INTO ticket (ticket_id, player_no, pool, turn_seconds, rating_milli,"
                      " status, created_at_ms, partner_no)"
                      " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    [TICKET_FIND] = SELECT_TICKET " WHERE t.ticket_id = $1",
    [TICKET_WAITING_OF] = SELECT_TICKET " WHERE t.player_no = $1 AND t.status = 'waiting'",
    [TICKET_LOAD] = SELECT_TICKET " WHERE t.ticket_no = $1",
    /* Through the index ticket_waiting_by_age. */
    [TICKETS_WAITING] = SELECT_TICKET " WHERE t.status = 'waiting' AND t.ticket_no > $1"
                                      " ORDER BY t.ticket_no LIMIT $2",
    /* The end of the table, which the limit makes short. */
    [TICKETS_NEWEST] = SELECT_TICKET " ORDER BY t.ticket_no DESC LIMIT $1 /*scan*/",
    [TICKET_END] = "UPDATE ticket SET status = $2, game_no = $3, seat = $4, ended_at_ms = $5,"
                   " window_milli = $6, spread_milli = $7"
                   " WHERE ticket_no = $1 AND status = 'waiting'",
    [TICKETS_SWEEP] = "DELETE FROM ticket WHERE ticket_no IN (SELECT ticket_no FROM ticket"
                      " WHERE status IN ('cancelled', 'expired') AND ended_at_ms <= $1"
                      " ORDER BY ended_at_ms LIMIT $2)",
};
const struct sql_set sql_tickets = {"tickets", SLOTS_TICKETS, TICKET_TEXTS, ticket_texts};

static void read_ticket(struct query *query, struct db_ticket *ticket)
{
    ticket->ticket_no = column_int(query, 0);
    column_text(query, 1, ticket->id.id.text, sizeof ticket->id.id.text);
    ticket->player_no = column_int(query, 2);
    column_text(query, 3, ticket->pool, sizeof ticket->pool);
    ticket->turn_seconds = (uint16_t)column_count(query, 4, UINT16_MAX);
    ticket->rating_milli = column_int(query, 5);
    column_text(query, 6, ticket->status, sizeof ticket->status);
    ticket->game_no = column_int(query, 7);
    column_text(query, 8, ticket->seat, sizeof ticket->seat);
    ticket->created_at_ms = column_int(query, 9);
    ticket->ended_at_ms = column_int(query, 10);
    column_text(query, 11, ticket->game_id.id.text, sizeof ticket->game_id.id.text);
    ticket->partner_no = column_int(query, 12);
    column_text(query, 13, ticket->partner_id.id.text, sizeof ticket->partner_id.id.text);
    ticket->window_milli = column_int(query, 14);
    ticket->spread_milli = column_int(query, 15);
}

static enum db_status ticket_end_one(struct query *query, struct db_ticket *ticket)
{
    bool found = query_step(query);
    if (found) {
        read_ticket(query, ticket);
    }
    return query_end_one(query, found);
}

static enum db_status ticket_end_list(struct query *query, struct db_ticket *tickets, size_t max,
                                      size_t *count)
{
    size_t found = 0;
    while (query_step(query)) {
        assert(found < max);
        read_ticket(query, &tickets[found++]);
    }
    *count = found;
    return query_end(query);
}

enum db_status db_ticket_insert(struct db *db, struct db_ticket *ticket)
{
    struct query query;
    query_begin(&query, db, &sql_tickets, TICKET_INSERT);
    query_text(&query, 1, ticket->id.id.text);
    query_int(&query, 2, ticket->player_no);
    query_text(&query, 3, ticket->pool);
    query_int(&query, 4, ticket->turn_seconds);
    query_int(&query, 5, ticket->rating_milli);
    query_text(&query, 6, ticket->status);
    query_int(&query, 7, ticket->created_at_ms);
    query_int_or_null(&query, 8, ticket->partner_no);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        ticket->ticket_no = query_last_row(db);
        db->tally.live.tickets_waiting += strcmp(ticket->status, "waiting") == 0;
    }
    return status;
}

enum db_status db_ticket_find(struct db *db, const struct ticket_id *id, struct db_ticket *ticket)
{
    struct query query;
    query_begin(&query, db, &sql_tickets, TICKET_FIND);
    query_text(&query, 1, id->id.text);
    return ticket_end_one(&query, ticket);
}

enum db_status db_ticket_waiting_of(struct db *db, int64_t player_no, struct db_ticket *ticket)
{
    struct query query;
    query_begin(&query, db, &sql_tickets, TICKET_WAITING_OF);
    query_int(&query, 1, player_no);
    return ticket_end_one(&query, ticket);
}

enum db_status db_ticket_load(struct db *db, int64_t ticket_no, struct db_ticket *ticket)
{
    struct query query;
    query_begin(&query, db, &sql_tickets, TICKET_LOAD);
    query_int(&query, 1, ticket_no);
    return ticket_end_one(&query, ticket);
}

enum db_status db_tickets_waiting(struct db *db, int64_t after, struct db_ticket *tickets,
                                  size_t max, size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_tickets, TICKETS_WAITING);
    query_int(&query, 1, after);
    query_int(&query, 2, (int64_t)max);
    return ticket_end_list(&query, tickets, max, count);
}

enum db_status db_tickets_newest(struct db *db, struct db_ticket *tickets, size_t max,
                                 size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_tickets, TICKETS_NEWEST);
    query_int(&query, 1, (int64_t)max);
    return ticket_end_list(&query, tickets, max, count);
}

enum db_status db_ticket_end(struct db *db, const struct db_ticket *ticket)
{
    struct query query;
    query_begin(&query, db, &sql_tickets, TICKET_END);
    query_int(&query, 1, ticket->ticket_no);
    query_text(&query, 2, ticket->status);
    query_int_or_null(&query, 3, ticket->game_no);
    query_text_or_null(&query, 4, ticket->seat);
    query_int(&query, 5, ticket->ended_at_ms);
    query_int_or_null(&query, 6, ticket->window_milli);
    if (ticket->game_no == 0) {
        query_null(&query, 7);
    } else {
        query_int(&query, 7, ticket->spread_milli);
    }
    enum db_status status = query_run(&query);
    if (status == DB_OK && query_changes(db) == 0) {
        return DB_NONE;
    }
    if (status == DB_OK) {
        db_tally_ticket_end(db, ticket->status);
    }
    return status;
}

enum db_status db_tickets_sweep(struct db *db, int64_t until_ms)
{
    struct query query;
    query_begin(&query, db, &sql_tickets, TICKETS_SWEEP);
    query_int(&query, 1, until_ms);
    query_int(&query, 2, DB_TICKETS_SWEPT);
    return query_run(&query);
}

#include "no_show.h"
#include "queue.h"
#include "rounds.h"
#include "service.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

int64_t ticket_expires_at(struct match *match, const struct db_ticket *ticket, int64_t heard_ms)
{
    int64_t heard = heard_ms;
    assert(ticket->ended_at_ms == 0);
    if (heard < match->started_at_ms) {
        heard = match->started_at_ms;
    }
    if (heard < ticket->created_at_ms) {
        heard = ticket->created_at_ms;
    }
    int64_t listened = player_listened_ms(match, ticket->player_no, match_now_ms(match));
    if (heard < listened) {
        heard = listened;
    }
    int64_t quiet = heard + LIMIT_TICKET_QUIET_MS;
    int64_t life = ticket->created_at_ms + LIMIT_TICKET_LIFE_MS;
    return quiet < life ? quiet : life;
}

bool pool_has_pairs(const struct game_rules *rules, const struct pool_rules *pool)
{
    return rules->seat_count > 2 &&
           rules->team(&pool->options, 0) == rules->team(&pool->options, 2);
}

void ticket_look(struct match *match, int64_t now_ms, struct ticket_view *view)
{
    const struct db_ticket *row = &view->row;
    view->expires_at_ms =
        row->ended_at_ms != 0
            ? row->ended_at_ms
            : ticket_expires_at(match, row, queue_heard_ms(match->queue, row->ticket_no));
    view->window_milli =
        row->ended_at_ms == 0 ? pairing_window(now_ms - row->created_at_ms) : PAIRING_UNBOUNDED;
    view->has_window = view->window_milli != PAIRING_UNBOUNDED;
    view->has_estimate =
        row->ended_at_ms == 0 && queue_estimate(match->queue, row, now_ms, &view->estimate_ms);
}

void ticket_ended(struct match *match, int64_t ticket_no)
{
    queue_leave(match->queue, ticket_no);
    events_publish(match->events, EVENT_TICKET, ticket_no);
}

/* --- taking a ticket -----------------------------------------------------------------------------
 */

static struct match_enqueue *enqueue_of(struct db_job *job)
{
    static_assert(offsetof(struct match_enqueue, op) == 0, "a command is its op");
    return (struct match_enqueue *)op_of_job(job);
}

/* The partner asked for, if any. It must be somebody else, and somebody who can still play. */
static enum db_status find_partner(struct db *db, struct match_enqueue *command)
{
    struct db_player partner = {0};
    if (command->partner.id.text[0] == '\0') {
        return DB_OK;
    }
    enum db_status status = db_player_find(db, &command->partner, &partner);
    command->partner_no = partner.player_no;
    if (status == DB_NONE) {
        status = DB_OK;
    }
    if (!partner.has_name || partner.banned_at_ms != 0 || partner.player_no == command->player_no) {
        command->op.status = MATCH_NO_SUCH_PARTNER;
    }
    return status;
}

/* DB_OK with op.status MATCH_OK: nothing stands against it. */
static enum db_status may_enqueue(struct db *db, struct match_enqueue *command)
{
    struct db_ticket other;
    command->op.status = MATCH_OK;
    enum db_status status = db_ticket_waiting_of(db, command->player_no, &other);
    if (status == DB_OK) {
        command->op.status = MATCH_ALREADY_QUEUED;
        return DB_OK;
    }
    if (status == DB_NONE) {
        status = one_more_game(&command->op, db, command->player_no);
    }
    if (status == DB_OK && command->op.status == MATCH_OK) {
        status = no_show_until(db, command->player_no, command->at_ms, &command->retry_at_ms);
        command->op.status = command->retry_at_ms == 0 ? MATCH_OK : MATCH_NO_SHOW;
    }
    return status;
}

static enum db_status store_ticket(struct db *db, struct match_enqueue *command)
{
    struct db_rating rating;
    struct db_ticket *ticket = &command->ticket.row;
    *ticket = (struct db_ticket){
        .player_no = command->player_no,
        .turn_seconds = command->turn_seconds,
        .created_at_ms = command->at_ms,
        .id = command->id,
        .partner_no = command->partner_no,
        .partner_id = command->partner,
    };
    memcpy(ticket->pool, command->pool, sizeof ticket->pool);
    (void)snprintf(ticket->status, sizeof ticket->status, "waiting");
    enum db_status status = rating_or_start(db, command->player_no, command->pool, &rating);
    ticket->rating_milli = rating.rating_milli;
    if (status == DB_OK) {
        status = db_ticket_insert(db, ticket);
    }
    /* Every new ticket takes the place of some that nobody can read any more. After it is stored:
     * the number of the last row would be given again. */
    return status == DB_OK ? db_tickets_sweep(db, command->at_ms - LIMIT_TICKET_READ_MS) : status;
}

static enum db_status enqueue_run(struct db_job *job, struct db *db)
{
    struct match_enqueue *command = enqueue_of(job);
    struct match *match = command->op.match;
    struct queue_kind kind;
    command->partner_no = 0;
    enum db_status status = may_enqueue(db, command);
    if (status == DB_OK && command->op.status == MATCH_OK) {
        status = find_partner(db, command);
    }
    if (status != DB_OK || command->op.status != MATCH_OK) {
        return status;
    }
    status = store_ticket(db, command);
    if (status != DB_OK) {
        return status;
    }
    if (!queue_kind_of(&command->ticket.row, &kind) || !queue_reserve(match->queue, &kind)) {
        return DB_ERROR;
    }
    ticket_look(match, command->at_ms, &command->ticket);
    return DB_OK;
}

/* Whom it meets is for the next round to find, which begins now. */
static void enqueue_done(struct db_job *job, enum db_status status)
{
    struct match_enqueue *command = enqueue_of(job);
    struct match *match = command->op.match;
    if (status == DB_OK && command->op.status == MATCH_OK) {
        queue_enter(match->queue, &command->ticket.row);
        rounds_call(match->rounds);
    }
    op_finish(&command->op, status);
}

enum match_status match_enqueue_begin(struct match *match, struct match_enqueue *command)
{
    secrets_id(match->env, 'q', &command->id.id);
    return op_submit(match, &command->op, enqueue_run, enqueue_done);
}

/* --- reading and cancelling ----------------------------------------------------------------------
 */

/* The owner's ticket, while it can be read. */
static enum db_status own_ticket(struct match *match, struct db *db, const struct ticket_id *id,
                                 int64_t player_no, struct db_ticket *ticket)
{
    enum db_status status = db_ticket_find(db, id, ticket);
    if (status != DB_OK) {
        return status;
    }
    bool old = ticket->ended_at_ms != 0 &&
               match_now_ms(match) - ticket->ended_at_ms >= LIMIT_TICKET_READ_MS;
    return ticket->player_no != player_no || old ? DB_NONE : DB_OK;
}

enum match_status match_ticket(struct match *match, const struct ticket_id *id, int64_t player_no,
                               struct ticket_view *view)
{
    struct db *db = reader_take(match);
    enum db_status status = own_ticket(match, db, id, player_no, &view->row);
    reader_give(match, db);
    if (status == DB_OK) {
        if (view->row.ended_at_ms == 0) {
            queue_hear(match->queue, view->row.ticket_no, match_now_ms(match));
        }
        ticket_look(match, match_now_ms(match), view);
    }
    return match_status_of(status);
}

void match_ticket_watch(struct match *match, const struct ticket_view *view,
                        struct event_waiter *waiter)
{
    waiter->topic = EVENT_TICKET;
    waiter->number = view->row.ticket_no;
    events_add(match->events, waiter);
}

bool match_unwatch(struct match *match, struct event_waiter *waiter)
{
    return events_remove(match->events, waiter);
}

static struct match_cancel *cancel_of(struct db_job *job)
{
    static_assert(offsetof(struct match_cancel, op) == 0, "a command is its op");
    return (struct match_cancel *)op_of_job(job);
}

static enum db_status cancel_run(struct db_job *job, struct db *db)
{
    struct match_cancel *command = cancel_of(job);
    struct db_ticket ticket;
    enum db_status status =
        own_ticket(command->op.match, db, &command->ticket_id, command->player_no, &ticket);
    if (status != DB_OK) {
        return status;
    }
    command->ticket_no = ticket.ticket_no;
    command->op.status = strcmp(ticket.status, "matched") == 0 ? MATCH_ALREADY_MATCHED : MATCH_OK;
    if (strcmp(ticket.status, "waiting") != 0) {
        return DB_OK;
    }
    (void)snprintf(ticket.status, sizeof ticket.status, "cancelled");
    ticket.ended_at_ms =
        command->at_ms < ticket.created_at_ms ? ticket.created_at_ms : command->at_ms;
    return db_ticket_end(db, &ticket);
}

static void cancel_done(struct db_job *job, enum db_status status)
{
    struct match_cancel *command = cancel_of(job);
    if (status == DB_OK && command->op.status == MATCH_OK) {
        ticket_ended(command->op.match, command->ticket_no);
    }
    op_finish(&command->op, status);
}

enum match_status match_cancel_begin(struct match *match, struct match_cancel *command)
{
    return op_submit(match, &command->op, cancel_run, cancel_done);
}

#include "game_make.h"
#include "pairing.h"
#include "personal.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One enqueue completes at most one game, so a short look at the oldest tickets is enough. */
enum { TICKETS_LOOKED_AT = 64 };

int64_t ticket_expires_at(struct match *match, const struct db_ticket *ticket)
{
    if (ticket->ended_at_ms != 0) {
        return ticket->ended_at_ms;
    }
    int64_t heard = recency_last(match->tickets, ticket->ticket_no);
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

/* --- pairing inside the job ----------------------------------------------------------------------
 */

static size_t drawn(struct match *match, size_t below)
{
    uint32_t draw = 0;
    match->env->random(match->env->context, &draw, sizeof draw);
    return draw % below;
}

static void swap(size_t *a, size_t *b)
{
    size_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Any order is as likely as any other. */
static void draw_seats(struct match *match, size_t seats, size_t order[DB_SEATS_MAX])
{
    for (size_t i = seats - 1; i > 0; i--) {
        swap(&order[i], &order[drawn(match, i + 1)]);
    }
}

/* Likewise, of those that leave partners opposite each other. */
static void draw_pairs(struct match *match, size_t order[DB_SEATS_MAX])
{
    enum { FIRST_PAIR = 1, SECOND_PAIR = 2, PAIRS = 4, ALL = 8 };
    size_t swaps = drawn(match, ALL);
    if ((swaps & FIRST_PAIR) != 0) {
        swap(&order[0], &order[2]);
    }
    if ((swaps & SECOND_PAIR) != 0) {
        swap(&order[1], &order[3]);
    }
    if ((swaps & PAIRS) != 0) {
        swap(&order[0], &order[1]);
        swap(&order[2], &order[3]);
    }
}

/* The earlier ticket moves first, and who met before in the pool swaps. */
static enum db_status swap_after_meeting(struct db *db, const char *pool,
                                         const struct db_ticket *const *members,
                                         size_t order[DB_SEATS_MAX])
{
    int64_t players[2] = {members[0]->player_no, members[1]->player_no};
    char set[DB_SET_TEXT];
    struct db_game last;
    struct db_seat rows[DB_SEATS_MAX];
    size_t count = 0;
    player_set_format(players, 2, set);
    enum db_status status = db_last_meeting(db, pool, set, &last);
    if (status == DB_OK) {
        status = db_seats(db, last.game_no, rows, &count);
    }
    if (status == DB_OK && rows[0].player_no == players[0]) {
        swap(&order[0], &order[1]);
    }
    return status == DB_NONE ? DB_OK : status;
}

/* `order` becomes members in seat order: with more than two seats they are drawn. */
static enum db_status decide_seats(struct match *match, struct db *db,
                                   const struct game_rules *rules, const struct pool_rules *pool,
                                   const struct db_ticket *const *members,
                                   size_t order[DB_SEATS_MAX])
{
    for (size_t i = 0; i < DB_SEATS_MAX; i++) {
        order[i] = i;
    }
    if (rules->seat_count == 2) {
        return swap_after_meeting(db, pool->key, members, order);
    }
    if (pool_has_pairs(rules, pool)) {
        draw_pairs(match, order);
    } else {
        draw_seats(match, rules->seat_count, order);
    }
    return DB_OK;
}

static enum db_status seat_group(struct match *match, struct db *db, struct db_ticket **members,
                                 const struct game_rules *rules, const struct pool_rules *pool,
                                 int64_t at_ms)
{
    assert(rules->seat_count >= 2 && members[0] != NULL && members[1] != NULL);
    size_t order[DB_SEATS_MAX];
    const struct db_ticket *const *readable = (const struct db_ticket *const *)members;
    struct game_plan plan = {
        .rules = rules,
        .options = pool->options,
        .pool = pool->key,
        .turn_seconds = members[0]->turn_seconds,
        .at_ms = at_ms,
        .news = "matched",
    };
    options_bound(rules, &plan.options);
    enum db_status status = decide_seats(match, db, rules, pool, readable, order);
    for (size_t i = 0; i < rules->seat_count; i++) {
        assert(order[i] < rules->seat_count && members[order[i]] != NULL);
        plan.players[i] = members[order[i]]->player_no;
    }
    struct db_game game;
    if (status == DB_OK) {
        status = game_make(match, db, &plan, &game);
    }
    for (size_t i = 0; i < rules->seat_count && status == DB_OK; i++) {
        struct db_ticket *ticket = members[order[i]];
        (void)snprintf(ticket->status, sizeof ticket->status, "matched");
        ticket->game_no = game.game_no;
        ticket->seat[0] = rules->seat_letters[i];
        ticket->seat[1] = '\0';
        ticket->ended_at_ms = at_ms;
        status = db_ticket_end(db, ticket);
    }
    return status;
}

/* Pairs what waits for the same thing as this ticket. */
static enum db_status pair_waiting(struct match *match, struct db *db,
                                   struct match_enqueue *command)
{
    struct db_ticket tickets[TICKETS_LOOKED_AT];
    struct pairing_ticket waiting[TICKETS_LOOKED_AT];
    struct pairing_group group;
    struct db_ticket *members[DB_SEATS_MAX] = {NULL};
    const struct pool_rules *pool = NULL;
    const struct game_rules *rules = rules_find_pool(command->pool, &pool);
    size_t count = 0;
    enum db_status status = db_tickets_waiting(db, command->pool, command->turn_seconds, tickets,
                                               TICKETS_LOOKED_AT, &count);
    if (status != DB_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        waiting[i] = (struct pairing_ticket){tickets[i].ticket_no, tickets[i].player_no,
                                             tickets[i].rating_milli, tickets[i].partner_no};
    }
    bool made = pool_has_pairs(rules, pool)
                    ? pairing_pairs(waiting, count, &group)
                    : pairing_groups(waiting, count, rules->seat_count, &group, 1) == 1;
    if (!made) {
        return DB_OK;
    }
    for (size_t i = 0; i < rules->seat_count; i++) {
        members[i] = &tickets[group.members[i]];
        command->matched[i] = members[i]->ticket_no;
        command->matched_players[i] = members[i]->player_no;
    }
    command->matched_count = rules->seat_count;
    return seat_group(match, db, members, rules, pool, command->ticket.row.created_at_ms);
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
    size_t playing = 0;
    enum db_status status = db_ticket_waiting_of(db, command->player_no, &other);
    if (status == DB_OK) {
        command->op.status = MATCH_ALREADY_QUEUED;
        return DB_OK;
    }
    if (status == DB_NONE) {
        status = db_games_playing_of(db, command->player_no, &playing);
    }
    command->op.status = playing >= LIMIT_GAMES_PLAYING ? MATCH_TOO_MANY_GAMES : MATCH_OK;
    return status;
}

static enum db_status enqueue_run(struct db_job *job, struct db *db)
{
    struct match_enqueue *command = enqueue_of(job);
    struct match *match = command->op.match;
    struct db_rating rating;
    command->matched_count = 0;
    command->partner_no = 0;
    enum db_status status = may_enqueue(db, command);
    if (status == DB_OK && command->op.status == MATCH_OK) {
        status = find_partner(db, command);
    }
    if (status != DB_OK || command->op.status != MATCH_OK) {
        return status;
    }
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
    status = rating_or_start(db, command->player_no, command->pool, &rating);
    ticket->rating_milli = rating.rating_milli;
    if (status == DB_OK) {
        status = db_ticket_insert(db, ticket);
    }
    /* Every new ticket takes the place of some that nobody can read any more. After it is stored:
     * the number of the last row would be given again. */
    if (status == DB_OK) {
        status = db_tickets_sweep(db, command->at_ms - LIMIT_TICKET_READ_MS);
    }
    if (status == DB_OK) {
        command->ticket.expires_at_ms = ticket_expires_at(match, ticket);
        status = pair_waiting(match, db, command);
    }
    return status;
}

static void enqueue_done(struct db_job *job, enum db_status status)
{
    struct match_enqueue *command = enqueue_of(job);
    struct match *match = command->op.match;
    if (status == DB_OK && command->op.status == MATCH_OK) {
        if (command->matched_count == 0) {
            recency_touch(match->tickets, command->ticket.row.ticket_no, command->at_ms);
        }
        for (size_t i = 0; i < command->matched_count; i++) {
            events_publish(match->events, EVENT_TICKET, command->matched[i]);
            personal_publish(match, command->matched_players[i]);
        }
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
        if (view->row.ended_at_ms == 0) { /* what has ended needs no heartbeat, nor its place */
            recency_touch(match->tickets, view->row.ticket_no, match_now_ms(match));
        }
        view->expires_at_ms = ticket_expires_at(match, &view->row);
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
        events_publish(command->op.match->events, EVENT_TICKET, command->ticket_no);
    }
    op_finish(&command->op, status);
}

enum match_status match_cancel_begin(struct match *match, struct match_cancel *command)
{
    return op_submit(match, &command->op, cancel_run, cancel_done);
}

#include "seating.h"

#include "game_make.h"
#include "personal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_AT_ONCE = 16 };

/* --- who sits where ------------------------------------------------------------------------------
 */

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
        swap(&order[i], &order[env_draw(match->env, (uint32_t)i + 1)]);
    }
}

/* Likewise, of those that leave partners opposite each other. */
static void draw_pairs(struct match *match, size_t order[DB_SEATS_MAX])
{
    enum { FIRST_PAIR = 1, SECOND_PAIR = 2, PAIRS = 4, ALL = 8 };
    uint32_t swaps = env_draw(match->env, ALL);
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
                                         const struct db_ticket members[DB_SEATS_MAX],
                                         size_t order[DB_SEATS_MAX])
{
    int64_t players[2] = {members[0].player_no, members[1].player_no};
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
                                   const struct queue_kind *kind,
                                   const struct db_ticket members[DB_SEATS_MAX],
                                   size_t order[DB_SEATS_MAX])
{
    for (size_t i = 0; i < DB_SEATS_MAX; i++) {
        order[i] = i;
    }
    if (kind->rules->seat_count == 2) {
        return swap_after_meeting(db, kind->pool->key, members, order);
    }
    if (pool_has_pairs(kind->rules, kind->pool)) {
        draw_pairs(match, order);
    } else {
        draw_seats(match, kind->rules->seat_count, order);
    }
    return DB_OK;
}

/* --- one group -----------------------------------------------------------------------------------
 */

static enum db_status end_ticket(struct db *db, const struct db_game *game, int64_t spread_milli,
                                 char seat, struct db_ticket *ticket)
{
    int64_t window = pairing_window(game->created_at_ms - ticket->created_at_ms);
    (void)snprintf(ticket->status, sizeof ticket->status, "matched");
    ticket->game_no = game->game_no;
    ticket->seat[0] = seat;
    ticket->seat[1] = '\0';
    ticket->ended_at_ms = game->created_at_ms;
    ticket->window_milli = window == PAIRING_UNBOUNDED ? 0 : window;
    ticket->spread_milli = spread_milli;
    return db_ticket_end(db, ticket);
}

static enum db_status seat_group(struct match *match, struct db *db,
                                 const struct seating_group *group,
                                 struct db_ticket members[DB_SEATS_MAX], int64_t at_ms)
{
    const struct game_rules *rules = group->kind.rules;
    size_t order[DB_SEATS_MAX];
    struct db_game game;
    struct game_plan plan = {
        .rules = rules,
        .options = group->kind.pool->options,
        .pool = group->kind.pool->key,
        .turn_seconds = group->kind.turn_seconds,
        .at_ms = at_ms,
        .news = "matched",
    };
    options_bound(rules, &plan.options);
    enum db_status status = decide_seats(match, db, &group->kind, members, order);
    for (size_t i = 0; i < rules->seat_count; i++) {
        assert(order[i] < rules->seat_count);
        plan.players[i] = members[order[i]].player_no;
    }
    if (status == DB_OK) {
        status = game_make(match, db, &plan, &game);
    }
    for (size_t i = 0; i < rules->seat_count && status == DB_OK; i++) {
        status =
            end_ticket(db, &game, group->spread_milli, rules->seat_letters[i], &members[order[i]]);
    }
    return status == DB_NONE ? DB_CORRUPT : status; /* they waited a moment ago */
}

/* DB_NONE: one of them waits no more. */
static enum db_status load_members(struct db *db, const struct seating_group *group,
                                   struct db_ticket members[DB_SEATS_MAX])
{
    enum db_status status = DB_OK;
    for (size_t i = 0; i < group->kind.rules->seat_count && status == DB_OK; i++) {
        status = db_ticket_load(db, group->tickets[i], &members[i]);
        if (status == DB_OK && members[i].ended_at_ms != 0) {
            status = DB_NONE;
        }
    }
    return status;
}

/* --- the job -------------------------------------------------------------------------------------
 */

struct seating {
    struct match_op op;
    struct seating_list list;
    void (*over)(struct match *match);
    int64_t at_ms; /* of this job: no clock runs before there is a game */
    size_t begin;  /* its first group */
    size_t count;
    bool made[GROUPS_AT_ONCE];
    int64_t waited_ms[GROUPS_AT_ONCE][DB_SEATS_MAX];
    int64_t players[GROUPS_AT_ONCE][DB_SEATS_MAX];
};

static struct seating *seating_of(struct db_job *job)
{
    static_assert(offsetof(struct seating, op) == 0, "a command is its op");
    return (struct seating *)op_of_job(job);
}

static enum db_status seating_run(struct db_job *job, struct db *db)
{
    struct seating *seating = seating_of(job);
    seating->op.status = MATCH_OK;
    for (size_t i = 0; i < seating->count; i++) {
        const struct seating_group *group = &seating->list.groups[seating->begin + i];
        struct db_ticket members[DB_SEATS_MAX] = {0};
        enum db_status status = load_members(db, group, members);
        seating->made[i] = status == DB_OK;
        for (size_t j = 0; status == DB_OK && j < group->kind.rules->seat_count; j++) {
            seating->waited_ms[i][j] = seating->at_ms - members[j].created_at_ms;
            seating->players[i][j] = members[j].player_no;
        }
        if (status == DB_OK) {
            status = seat_group(seating->op.match, db, group, members, seating->at_ms);
        }
        if (status != DB_OK && status != DB_NONE) {
            return status;
        }
    }
    return DB_OK;
}

static void publish(struct match *match, const struct seating *seating, size_t i)
{
    const struct seating_group *group = &seating->list.groups[seating->begin + i];
    count_one(&match->counts.games_paired);
    for (size_t j = 0; j < group->kind.rules->seat_count; j++) {
        int64_t waited_ms = seating->waited_ms[i][j];
        timed_add(&match->counts.waits[pool_number(group->kind.pool)], waited_ms);
        queue_waited(match->queue, &group->kind, waited_ms < 0 ? 0 : waited_ms, seating->at_ms);
        ticket_ended(match, group->tickets[j]);
        personal_publish(match, seating->players[i][j]);
    }
}

static void seating_done(struct db_job *job, enum db_status status);

/* The next groups, if there are any. */
static bool seating_go_on(struct match *match, struct seating *seating)
{
    size_t left = seating->list.count - seating->begin;
    seating->count = left < GROUPS_AT_ONCE ? left : GROUPS_AT_ONCE;
    seating->at_ms = match_now_ms(match);
    return left > 0 && op_submit(match, &seating->op, seating_run, seating_done) == MATCH_WAIT;
}

static void seating_done(struct db_job *job, enum db_status status)
{
    struct seating *seating = seating_of(job);
    struct match *match = seating->op.match;
    for (size_t i = 0; status == DB_OK && i < seating->count; i++) {
        if (seating->made[i]) {
            publish(match, seating, i);
        }
    }
    seating->begin += seating->count;
    if (!seating_go_on(match, seating)) {
        op_finish(&seating->op, status);
    }
}

static void seating_over(void *context)
{
    struct seating *seating = context;
    struct match *match = seating->op.match;
    void (*over)(struct match *) = seating->over;
    free(seating->list.groups);
    free(seating);
    over(match);
}

void seating_begin(struct match *match, struct seating_list *take_list,
                   void (*over)(struct match *match))
{
    struct seating *seating = calloc(1, sizeof *seating);
    if (seating == NULL) {
        free(take_list->groups);
        over(match);
        return;
    }
    seating->op = (struct match_op){.match = match, .wake = seating_over, .context = seating};
    seating->list = *take_list;
    seating->over = over;
    if (!seating_go_on(match, seating)) {
        seating_over(seating);
    }
}

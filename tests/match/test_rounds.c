#include "match/devices.h"
#include "match/match.h"
#include "match/operate.h"
#include "match/rounds.h"
#include "match/seating.h"
#include "match/service.h"
#include "match/verify.h"
#include "play.h"
#include "stage.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Tickets that meet as time goes by: the whole service, on a clock that is moved by hand. */

static struct stage stage;

static void serve(uint32_t repeat_limit)
{
    stage_serve(&stage, (struct match_options){
                            .readers = 2, .turn_seconds = {30, 60},
                                 .repeat_limit = repeat_limit
    });
}

static _Atomic int64_t creep_ms; /* by so much time goes by whenever somebody looks at the clock */

static int64_t creeping_now_ms(void *context)
{
    struct stage *seen = context;
    return atomic_fetch_add(&seen->now_ms, atomic_load(&creep_ms));
}

static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
    stage.env.now_ms = creeping_now_ms;
    serve(1);
}

static void leave(void)
{
    stage_leave(&stage);
    cr_expect_eq(atomic_load(&stage.fatal_calls), 0, "storage failed");
}

TestSuite(rounds, .init = enter, .fini = leave);

static void restart_with(uint32_t repeat_limit)
{
    match_stop(stage.match);
    cr_assert_eq(match_close(stage.match), DB_OK);
    serve(repeat_limit);
    stage_settle(&stage);
}

static void restart(void)
{
    restart_with(1);
}

/* A second at least, so that a round is due. */
static void pass(int64_t ms)
{
    cr_assert_geq(ms, 1000);
    int64_t now_ms = atomic_fetch_add(&stage.now_ms, ms) + ms;
    rounds_tick(stage.match->rounds, now_ms);
    stage_settle(&stage);
}

static int64_t rated_player(int64_t points, const char *pool)
{
    char sql[320];
    int64_t player_no = stage_player(&stage);
    sqlite3 *foreign = foreign_open(store_path());
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO player_rating (player_no, pool, rating_milli, list, games, wins,"
                   " draws, losses, place_1, place_2, place_3, place_4, last_game_at_ms)"
                   " VALUES (%lld, '%s', %lld, 'provisional', 1, 1, 0, 0, 1, 0, 0, 0, 1)",
                   (long long)player_no, pool, (long long)points * 1000);
    foreign_run(foreign, sql);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    return player_no;
}

struct wish {
    const char *pool;
    const struct player_id *partner;
};

static struct ticket_view queue_for(int64_t player_no, struct wish wish)
{
    struct match_enqueue command = {
        .op = stage_op(&stage),
        .player_no = player_no,
        .turn_seconds = 30,
        .at_ms = atomic_load(&stage.now_ms),
    };
    (void)snprintf(command.pool, sizeof command.pool, "%s", wish.pool);
    if (wish.partner != NULL) {
        command.partner = *wish.partner;
    }
    cr_assert_eq(stage_finish(&stage, &command.op, match_enqueue_begin(stage.match, &command)),
                 MATCH_OK);
    cr_assert_str_eq(command.ticket.row.status, "waiting");
    return command.ticket;
}

static struct ticket_view enqueue(int64_t player_no)
{
    return queue_for(player_no, (struct wish){.pool = "hasami"});
}

static struct ticket_view look(const struct ticket_view *ticket)
{
    struct ticket_view view;
    cr_assert_eq(match_ticket(stage.match, &ticket->row.id, ticket->row.player_no, &view),
                 MATCH_OK);
    return view;
}

static bool has_status(const struct ticket_view *ticket, const char *status)
{
    struct ticket_view view = look(ticket);
    return strcmp(view.row.status, status) == 0;
}

static bool sit_together(const struct ticket_view *a, const struct ticket_view *b)
{
    struct ticket_view first = look(a);
    struct ticket_view second = look(b);
    return first.row.game_no != 0 && first.row.game_no == second.row.game_no;
}

static void cancel(const struct ticket_view *ticket)
{
    struct match_cancel command = {
        .op = stage_op(&stage),
        .ticket_id = ticket->row.id,
        .player_no = ticket->row.player_no,
        .at_ms = atomic_load(&stage.now_ms),
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_cancel_begin(stage.match, &command)),
                 MATCH_OK);
}

static int64_t ask(const char *sql)
{
    sqlite3 *foreign = foreign_open(store_path());
    int64_t number = foreign_int(foreign, sql);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    return number;
}

/* --- windows -------------------------------------------------------------------------------------
 */

Test(rounds, two_far_apart_meet_when_the_windows_of_both_have_opened)
{
    struct ticket_view a = enqueue(rated_player(1500, "hasami"));
    atomic_fetch_add(&stage.now_ms, 3000);
    struct ticket_view b = enqueue(rated_player(1700, "hasami"));
    cr_expect_eq(b.window_milli, 100000);
    pass(9999);
    a = look(&a);
    b = look(&b);
    cr_assert_str_eq(a.row.status, "waiting");
    cr_expect(a.has_window && b.has_window);
    cr_expect_eq(a.window_milli, 229990);
    cr_expect_eq(b.window_milli, 199990);
    cr_expect(a.has_estimate && b.has_estimate);
    cr_expect_eq(a.estimate_ms, 1);
    pass(1000);
    cr_assert(sit_together(&a, &b));
    a = look(&a);
    b = look(&b);
    cr_expect_not(a.has_window);
    cr_expect_not(a.has_estimate);
    cr_expect_eq(a.row.window_milli, 239990, "as it was when they met");
    cr_expect_eq(b.row.window_milli, 209990);
    cr_expect_eq(a.row.spread_milli, 200000);
    cr_expect_eq(ask("SELECT count(*) FROM game_fairness WHERE pairing_spread = 200.0"
                     " AND pairing_window IN (239.99, 209.99)"),
                 2);
}

/* Two jobs. */
Test(rounds, the_games_of_a_large_round_begin_when_they_are_made)
{
    enum { TICKETS = 34, APART = 110 };
    for (int64_t i = 0; i < TICKETS; i++) {
        (void)enqueue(rated_player(100 + i * APART, "hasami"));
    }
    atomic_store(&creep_ms, 1);
    pass(1000);
    atomic_store(&creep_ms, 0);
    cr_expect_eq(ask("SELECT count(*) FROM game"), TICKETS / 2);
    cr_expect_eq(ask("SELECT count(DISTINCT created_at_ms) FROM game"), 2);
}

Test(rounds, after_two_minutes_a_window_has_no_bound_and_is_shown_as_none)
{
    struct ticket_view a = enqueue(rated_player(100, "hasami"));
    struct ticket_view b = enqueue(rated_player(3900, "hasami"));
    for (int i = 0; i < 5; i++) { /* asked for, so that they do not expire */
        pass(20000);
        cr_expect(has_status(&a, "waiting") && has_status(&b, "waiting"));
    }
    pass(19999);
    a = look(&a);
    cr_expect_eq(a.window_milli, 2199980);
    cr_expect(has_status(&b, "waiting"));
    pass(1000);
    cr_assert(sit_together(&a, &b));
    a = look(&a);
    cr_expect_eq(a.row.window_milli, 0, "none is stored");
    cr_expect_eq(a.row.spread_milli, 3800000);
    struct ticket_view alone = enqueue(rated_player(1500, "hasami"));
    pass(1000);
    atomic_fetch_add(&stage.now_ms, 25000);
    alone = look(&alone);
    cr_expect(alone.has_window);
}

Test(rounds, who_has_left_meets_nobody)
{
    struct ticket_view a = enqueue(rated_player(1500, "hasami"));
    struct ticket_view b = enqueue(rated_player(1700, "hasami"));
    cancel(&a);
    a = look(&a);
    cr_expect_not(a.has_window);
    cr_expect_not(a.has_estimate);
    pass(20000);
    cr_expect(has_status(&b, "waiting"));
    cr_expect_eq(ask("SELECT count(*) FROM game"), 0);
}

/* --- who met -------------------------------------------------------------------------------------
 */

/* Two within the first window, and nothing but their last game keeps them apart. */
static void meet(int64_t *a, int64_t *b)
{
    restart_with(5);
    *a = rated_player(1500, "hasami");
    *b = rated_player(1450, "hasami");
    struct ticket_view first = enqueue(*a);
    struct ticket_view second = enqueue(*b);
    cr_assert(sit_together(&first, &second));
}

/* Of those who wait, b is the oldest and has only a, who has another. No time goes by. */
static void expect_apart(int64_t a, const struct ticket_view *b)
{
    struct ticket_view other = enqueue(rated_player(1560, "hasami"));
    struct ticket_view first = enqueue(a);
    cr_expect(sit_together(&first, &other));
    cr_expect(has_status(b, "waiting"));
}

Test(rounds, the_last_opponent_waits_where_somebody_else_is_acceptable)
{
    int64_t a = 0;
    int64_t b = 0;
    meet(&a, &b);
    struct ticket_view last = enqueue(b);
    expect_apart(a, &last);
}

Test(rounds, the_last_opponent_is_the_one_of_the_pool_whatever_was_played_in_others)
{
    int64_t two[2];
    meet(&two[0], &two[1]);
    for (int i = 0; i < 2; i++) {
        struct ticket_view between = queue_for(two[i], (struct wish){.pool = "yonin"});
        for (int j = 0; j < 3; j++) {
            (void)queue_for(stage_player(&stage), (struct wish){.pool = "yonin"});
        }
        cr_assert(has_status(&between, "matched"));
    }
    struct ticket_view last = enqueue(two[1]);
    expect_apart(two[0], &last);
}

Test(rounds, where_nobody_else_waits_the_last_opponent_is_met_at_once)
{
    int64_t a = rated_player(1500, "hasami");
    int64_t b = rated_player(1500, "hasami");
    for (int i = 0; i < 3; i++) {
        struct ticket_view first = enqueue(a);
        struct ticket_view second = enqueue(b);
        cr_expect(sit_together(&first, &second));
    }
}

Test(rounds, a_set_over_the_repeat_limit_comes_last_and_plays_unrated)
{
    int64_t a = rated_player(1500, "hasami");
    int64_t b = rated_player(1500, "hasami");
    int64_t c = rated_player(1500, "hasami");
    (void)enqueue(a);
    (void)enqueue(b);
    (void)enqueue(a);
    (void)enqueue(c);
    (void)enqueue(b);
    (void)enqueue(c); /* now nobody's last opponent is b of a */
    (void)enqueue(a);
    (void)enqueue(stage_player(&stage));
    struct ticket_view first = enqueue(a);
    struct ticket_view other = enqueue(rated_player(1650, "hasami"));
    atomic_fetch_add(&stage.now_ms, 5000);
    struct ticket_view again = enqueue(b);
    cr_expect(sit_together(&first, &other), "others are preferred");
    cr_assert(has_status(&again, "waiting"));
    first = enqueue(a);
    cr_expect(sit_together(&first, &again), "but where there are none, they play");
    cr_expect_eq(ask("SELECT count(*) FROM game WHERE unrated_reason = 'repeat_limit'"), 1);
}

/* --- four seats ----------------------------------------------------------------------------------
 */

Test(rounds, four_meet_when_their_spread_is_within_every_window)
{
    struct ticket_view tickets[4];
    for (int i = 0; i < 4; i++) {
        tickets[i] =
            queue_for(rated_player(1500 + 50 * i, "yonin"), (struct wish){.pool = "yonin"});
    }
    pass(4999);
    cr_expect(has_status(&tickets[0], "waiting"));
    pass(1000);
    for (size_t i = 1; i < 4; i++) {
        cr_expect(sit_together(&tickets[0], &tickets[i]));
    }
}

/* What the ticker does twice a second. */
static void expire(void)
{
    tickets_expire(stage.match);
    (void)stage_player(&stage); /* after it, in the writer */
}

Test(rounds, whose_partner_never_comes_waits_for_nobody_else_and_expires)
{
    struct match_register absent = {.op = stage_op(&stage)};
    cr_assert_eq(stage_finish(&stage, &absent.op, match_register_begin(stage.match, &absent)),
                 MATCH_OK);
    struct ticket_view ticket =
        queue_for(rated_player(1500, "yonin_pairs"),
                  (struct wish){.pool = "yonin_pairs", .partner = &absent.player.id});
    struct ticket_view others[3];
    for (size_t i = 0; i < 3; i++) {
        others[i] =
            queue_for(rated_player(1500, "yonin_pairs"), (struct wish){.pool = "yonin_pairs"});
    }
    for (int i = 0; i < 29; i++) {
        pass(20000);
        cr_assert(has_status(&ticket, "waiting"), "after %d s", 20 * (i + 1));
    }
    expire();
    cr_expect(has_status(&others[0], "expired"), "nobody asked for it");
    cr_expect(has_status(&ticket, "waiting"));
    pass(20000);
    expire();
    cr_expect(has_status(&ticket, "expired"));
    cr_expect_eq(ask("SELECT count(*) FROM game"), 0);
}

/* --- restarts ------------------------------------------------------------------------------------
 */

Test(rounds, tickets_wait_on_after_a_restart_and_meet)
{
    struct ticket_view a = enqueue(rated_player(1500, "hasami"));
    struct ticket_view b = enqueue(rated_player(1700, "hasami"));
    pass(4000);
    restart();
    a = look(&a);
    b = look(&b);
    cr_assert_str_eq(a.row.status, "waiting");
    cr_expect_eq(a.window_milli, 140000, "the time before counts");
    cr_expect(a.has_estimate);
    cr_expect_eq(a.estimate_ms, 6000);
    pass(6000);
    cr_expect(sit_together(&a, &b));
}

Test(rounds, how_long_others_waited_is_known_after_a_restart)
{
    struct ticket_view a = enqueue(rated_player(1500, "hasami"));
    struct ticket_view b = enqueue(rated_player(1700, "hasami"));
    pass(12000);
    cr_assert(sit_together(&a, &b));
    restart();
    struct ticket_view c = enqueue(rated_player(1500, "hasami"));
    cr_expect(c.has_estimate);
    cr_expect_eq(c.estimate_ms, 12000);
}

Test(rounds, who_met_whom_is_known_after_a_restart)
{
    int64_t a = 0;
    int64_t b = 0;
    meet(&a, &b);
    struct ticket_view last = enqueue(b);
    restart_with(5);
    expect_apart(a, &last);
}

/* --- what the writer looks at again --------------------------------------------------------------
 */

static void nothing(struct match *match)
{
    (void)match;
}

Test(rounds, a_group_of_which_one_has_left_is_not_seated_and_the_other_waits_on)
{
    struct ticket_view a = enqueue(rated_player(1500, "hasami"));
    struct ticket_view b = enqueue(rated_player(1900, "hasami"));
    struct seating_list list = {.groups = calloc(2, sizeof *list.groups), .count = 2};
    cr_assert_not_null(list.groups);
    for (size_t i = 0; i < 2; i++) {
        cr_assert(queue_kind_of(&a.row, &list.groups[i].kind));
        list.groups[i].tickets[0] = a.row.ticket_no;
        list.groups[i].tickets[1] = b.row.ticket_no;
    }
    cancel(&b);
    seating_begin(stage.match, &list, nothing);
    struct ticket_view c = enqueue(rated_player(1500, "hasami")); /* after it, in the writer */
    cr_expect(sit_together(&a, &c));
    cr_expect(has_status(&b, "cancelled"));
    cr_expect_eq(ask("SELECT count(*) FROM game"), 1);
}

Test(rounds, a_group_that_is_named_twice_plays_once)
{
    struct ticket_view a = enqueue(rated_player(1500, "hasami"));
    struct ticket_view b = enqueue(rated_player(1900, "hasami"));
    struct seating_list list = {.groups = calloc(2, sizeof *list.groups), .count = 2};
    cr_assert_not_null(list.groups);
    for (size_t i = 0; i < 2; i++) {
        cr_assert(queue_kind_of(&a.row, &list.groups[i].kind));
        list.groups[i].tickets[0] = a.row.ticket_no;
        list.groups[i].tickets[1] = b.row.ticket_no;
    }
    seating_begin(stage.match, &list, nothing);
    (void)stage_player(&stage); /* after it, in the writer */
    cr_expect(sit_together(&a, &b));
    cr_expect_eq(ask("SELECT count(*) FROM game"), 1);
}

/* --- without a service ---------------------------------------------------------------------------
 */

static struct public_id registered(void)
{
    struct match_register command = {.op = stage_op(&stage)};
    cr_assert_eq(stage_finish(&stage, &command.op, match_register_begin(stage.match, &command)),
                 MATCH_OK);
    return command.player.id.id;
}

static void rename_without_service(struct public_id id)
{
    struct match_operate command = {.deed = OPERATE_RENAME, .id = id};
    stage_serve(&stage, (struct match_options){.readers = 1, .offline = true});
    cr_assert_eq(match_operate(stage.match, &command), MATCH_OK);
    cr_assert_eq(command.refusal, OPERATE_DONE);
    stage_stop(&stage);
}

Test(rounds, what_operators_do_without_a_service_leaves_tickets_and_clocks_alone)
{
    static const int64_t hour_ms = 3600000;
    struct public_id third = registered();
    struct play play = play_new(&stage, "yonin", 30);
    int64_t deadline_ms = play_view(&play).deadline_at_ms;
    (void)enqueue(rated_player(1500, "hasami"));
    (void)enqueue(rated_player(1700, "hasami"));
    stage_stop(&stage);
    int64_t stamp_ms = ask("SELECT last_stamp_ms FROM server");
    atomic_fetch_add(&stage.now_ms, hour_ms);
    rename_without_service(third);
    cr_expect_eq(ask("SELECT count(*) FROM operator_event"), 1);
    cr_expect_eq(ask("SELECT last_stamp_ms FROM server"), stamp_ms);
    cr_expect_eq(ask("SELECT count(*) FROM ticket WHERE status = 'waiting'"), 2);
    cr_expect_eq(ask("SELECT seq FROM game"), 0);
    cr_expect_eq(ask("SELECT deadline_at_ms FROM game"), deadline_ms);
    atomic_fetch_add(&stage.now_ms, hour_ms);
    serve(1);
    cr_expect_eq(play_view(&play).deadline_at_ms, deadline_ms + 2 * hour_ms);
}

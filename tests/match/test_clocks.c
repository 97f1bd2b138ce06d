#include "match/arrivals.h"
#include "match/attend.h"
#include "match/credit.h"
#include "match/devices.h"
#include "match/operate.h"
#include "play.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Deadlines, missed turns and time that stands still, in the service itself. */

enum { TURN_MS = 30000, DELAY_MS = PLAY_DELAY_MS, LEVEL = PLAY_LEVEL };

static struct stage stage;
static const char *const pools[] = {"hasami", "yonin", "yonin_pairs"};
enum { POOLS = sizeof pools / sizeof pools[0] };

static void serve(void)
{
    stage_serve(&stage, play_options());
}

static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
    serve();
}

static void leave(void)
{
    play_leave_stage(&stage);
}

TestSuite(clocks, .init = enter, .fini = leave);

static int64_t created_ms(const struct play *play)
{
    return play_view(play).game.created_at_ms;
}

/* Everybody moves once, a second apart, so that nobody is a no-show. */
static void begin(const struct play *play)
{
    size_t seats = play_view(play).seat_count;
    for (size_t i = 0; i < seats; i++) {
        play_advance(play, 1000);
        cr_assert_eq(play_move(play, atomic_load(&stage.now_ms)), MATCH_OK);
    }
}

/* --- the deadline --------------------------------------------------------------------------------
 */

/* C55, D67 */
Test(clocks, a_move_counts_up_to_the_last_millisecond_before_the_deadline)
{
    for (size_t i = 0; i < POOLS; i++) {
        struct play play = play_new(&stage, pools[i], 30);
        int64_t deadline_ms = created_ms(&play) + TURN_MS;
        cr_expect_eq(play_view(&play).deadline_at_ms, deadline_ms);
        cr_expect_eq(play_move(&play, deadline_ms + 1), MATCH_TURN_EXPIRED);
        cr_expect_eq(play_move(&play, deadline_ms), MATCH_TURN_EXPIRED);
        cr_expect_eq(play_view(&play).game.seq, 0);
        cr_expect_eq(play_move(&play, deadline_ms - 1), MATCH_OK);
        cr_expect_eq(play_view(&play).deadline_at_ms, deadline_ms - 1 + TURN_MS);
    }
}

Test(clocks, whoever_asks_for_the_ply_of_an_expired_turn_is_too_late)
{
    struct play play = play_new(&stage, "hasami", 30);
    int64_t deadline_ms = created_ms(&play) + TURN_MS;
    cr_expect_eq(play_move_text(&play, 1, 1, "5a5b", deadline_ms - 1), MATCH_NOT_YOUR_TURN);
    cr_expect_eq(play_move_text(&play, 1, 1, "5a5b", deadline_ms), MATCH_TURN_EXPIRED);
    cr_expect_eq(play_move_text(&play, 1, 2, "5a5b", deadline_ms), MATCH_STALE_PLY);
}

Test(clocks, at_the_deadline_the_cpu_makes_the_move_and_the_seat_stays_with_its_owner)
{
    for (size_t i = 0; i < POOLS; i++) {
        struct play play = play_new(&stage, pools[i], 30);
        play_advance(&play, TURN_MS);
        struct game_view view = play_await(&play, 1);
        cr_expect_eq(view.game.ply, 1);
        cr_expect(!view.seats[0].row.cpu && view.seats[0].row.missed_turns == 1);
        cr_expect_eq(view.deadline_at_ms, created_ms(&play) + TURN_MS + TURN_MS);
        cr_expect_str_eq(play_story(&play),
                         view.seat_count == 2 ? "move b cpu@30000" : "move s cpu@30000");
    }
}

/* D66 */
Test(clocks, a_timer_that_fires_late_changes_neither_the_time_of_the_turn_nor_the_next_ones_length)
{
    struct play play = play_new(&stage, "hasami", 30);
    play_advance(&play, TURN_MS + 5000);
    struct game_view view = play_await(&play, 1);
    cr_expect_str_eq(play_story(&play), "move b cpu@30000");
    cr_expect_eq(view.deadline_at_ms, created_ms(&play) + TURN_MS + 5000 + TURN_MS);
}

/* D66: the time of arrival counts, although the timer fires before the move is stored. */
Test(clocks, a_turn_waits_for_whoever_arrived_before_its_deadline)
{
    struct play play = play_new(&stage, "hasami", 30);
    struct match_arrival arrival = {0};
    play_advance(&play, TURN_MS - 1);
    match_arrive(stage.match, &arrival);
    play_advance(&play, 1);
    struct due_game due = {atomic_load(&stage.now_ms), play.game_no, play.id};
    attend(stage.match, &due);
    cr_expect_eq(play_view(&play).game.ply, 0);
    cr_expect_eq(play_move(&play, arrival.at_ms), MATCH_OK);
    match_arrived(stage.match, &arrival);
    attend(stage.match, &due);
    cr_expect_str_eq(play_story(&play), "move b player@29999");
}

Test(clocks, who_arrives_at_the_deadline_is_not_waited_for)
{
    struct play play = play_new(&stage, "hasami", 30);
    struct match_arrival arrival = {0};
    play_advance(&play, TURN_MS);
    match_arrive(stage.match, &arrival);
    (void)play_await(&play, 1);
    cr_expect_eq(play_move_text(&play, 0, 1, "5i5h", arrival.at_ms), MATCH_STALE_PLY);
    match_arrived(stage.match, &arrival);
}

/* --- missed turns --------------------------------------------------------------------------------
 */

/* Of a game that has begun, each seat lets its turn go by as often as this. */
static struct game_view miss(const struct play *play, size_t turns)
{
    struct game_view view = play_view(play);
    for (size_t i = 0; i < turns; i++) {
        uint32_t ply = view.game.ply;
        atomic_store(&stage.now_ms, view.deadline_at_ms);
        while (view.game.ply == ply) {
            view = play_await(play, view.game.seq + 1);
        }
    }
    return view;
}

Test(clocks, at_the_second_missed_turn_in_a_row_the_seat_goes_before_the_move_comes)
{
    struct play play = play_new(&stage, "hasami", 30);
    begin(&play);
    struct game_view view = miss(&play, 1);
    cr_expect_eq(play_move(&play, view.game.deadline_at_ms - 1), MATCH_OK);
    view = miss(&play, 1);
    cr_expect(view.seats[0].row.cpu && !view.seats[1].row.cpu);
    cr_expect_eq(view.seats[0].row.cpu_level, LEVEL);
    cr_expect_str_eq(play_story(&play),
                     "move b player@1000, move w player@2000, move b cpu@32000,"
                     " move w player@61999, seat b missed_turns, move b cpu@91999");
}

Test(clocks, a_move_of_the_owners_begins_the_count_anew)
{
    struct play play = play_new(&stage, "hasami", 30);
    begin(&play);
    struct game_view view = miss(&play, 2);
    cr_expect_eq(view.seats[0].row.missed_turns, 1);
    cr_expect_eq(play_move(&play, view.deadline_at_ms - 1), MATCH_OK);
    cr_expect_eq(play_view(&play).seats[0].row.missed_turns, 0);
    view = miss(&play, 2);
    cr_expect(!view.seats[0].row.cpu && view.seats[1].row.cpu);
}

Test(clocks, coming_back_without_a_move_does_not)
{
    struct play play = play_new(&stage, "hasami", 30);
    begin(&play);
    (void)miss(&play, 3);
    struct game_view view = play_view(&play);
    cr_assert(view.seats[0].row.cpu);
    cr_expect_eq(play_return(&play, 0), MATCH_OK);
    cr_expect_eq(play_move(&play, view.deadline_at_ms - 1), MATCH_OK);
    view = miss(&play, 1);
    cr_expect(view.seats[0].row.cpu, "the third one in a row");
    cr_expect_eq(view.seats[0].row.missed_turns, 3);
}

/* --- time that nobody is charged for -------------------------------------------------------------
 */

/* A14 */
Test(clocks, a_process_that_stood_still_gives_the_time_back)
{
    struct play play = play_new(&stage, "hasami", 30);
    play_advance(&play, 20000);
    atomic_fetch_add(&stage.stood_ms, 30000);
    struct game_view view = play_await(&play, 1);
    cr_expect_str_eq(play_story(&play), "clock pause");
    cr_expect_eq(view.deadline_at_ms, created_ms(&play) + TURN_MS + 30000);
    cr_expect_eq(play_move(&play, view.deadline_at_ms - 1), MATCH_OK);
}

Test(clocks, a_move_that_seems_late_after_a_pause_is_judged_once_the_time_is_given_back)
{
    struct play play = play_new(&stage, "hasami", 30);
    play_advance(&play, 29000);
    atomic_fetch_add(&stage.stood_ms, 10000);
    cr_expect_eq(play_move(&play, stage_now_ms(&stage)), MATCH_OK);
    cr_expect_str_eq(play_story(&play), "clock pause, move b player@39000");
}

/* Whether the move or the pause is stored first. */
Test(clocks, a_turn_that_begins_after_a_pause_is_not_longer_for_it)
{
    struct play play = play_new(&stage, "hasami", 30);
    play_advance(&play, 1000);
    atomic_fetch_add(&stage.stood_ms, 10000);
    cr_expect_eq(play_move(&play, stage_now_ms(&stage)), MATCH_OK);
    credit_settle(stage.match->credit);
    (void)stage_player(&stage); /* a job behind that of the pause */
    cr_expect_eq(play_view(&play).deadline_at_ms, stage_now_ms(&stage) + TURN_MS);
}

Test(clocks, two_seconds_are_no_pause)
{
    struct play play = play_new(&stage, "hasami", 30);
    credit_settle(stage.match->credit);
    atomic_fetch_add(&stage.stood_ms, 2000);
    credit_settle(stage.match->credit);
    cr_expect_eq(play_move(&play, created_ms(&play) + 1), MATCH_OK);
    cr_expect_str_eq(play_story(&play), "move b player@1");
}

/* Nothing comes of it. */
static void ask_in_vain(void)
{
    struct match_cancel command = {
        .op = stage_op(&stage),
        .ticket_id = {{"q_00000000000000000000000000"}},
        .player_no = 1,
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_cancel_begin(stage.match, &command)),
                 MATCH_NOT_FOUND);
}

static int64_t last_stamp_ms(void)
{
    sqlite3 *foreign = foreign_open(store_path());
    int64_t stamp_ms = foreign_int(foreign, "SELECT last_stamp_ms FROM server");
    (void)sqlite3_close(foreign);
    return stamp_ms;
}

/* For a time in which the ticker looks twice. */
static bool is_stamped_among_refusals(void)
{
    enum { LOOKS = 120 };
    const struct timespec pause = {.tv_nsec = 10000000};
    for (int i = 0; i < LOOKS && last_stamp_ms() < stage_now_ms(&stage); i++) {
        ask_in_vain();
        (void)nanosleep(&pause, NULL);
    }
    return last_stamp_ms() == stage_now_ms(&stage);
}

/* The time before a restart is given back from the last stamp on. */
Test(clocks, batches_that_store_nothing_do_not_stand_for_a_stamp)
{
    enum { STEP_MS = 2000, STEPS = 28 };
    struct play play = play_new(&stage, "hasami", 60);
    bool stamped = false;
    for (int i = 0; i < STEPS && !stamped; i++) {
        credit_settle(stage.match->credit);
        atomic_fetch_add(&stage.stood_ms, STEP_MS);
        credit_settle(stage.match->credit);
        stamped = is_stamped_among_refusals();
    }
    cr_expect(stamped);
    cr_expect_eq(play_view(&play).game.seq, 0);
}

/* A17, D65 */
Test(clocks, the_time_without_a_service_is_given_back_at_its_start)
{
    struct play clocked = play_new(&stage, "hasami", 30);
    struct play left = play_new(&stage, "yonin", 30);
    play_advance(&clocked, 10000);
    cr_assert_eq(play_leave(&left, 0), MATCH_OK);
    stage_stop(&stage);
    atomic_fetch_add(&stage.now_ms, 3600000);
    serve();
    struct game_view view = play_view(&clocked);
    cr_expect_eq(view.deadline_at_ms, view.game.created_at_ms + TURN_MS + 3600000);
    cr_expect_str_eq(play_story(&clocked), "clock restart");
    (void)play_await(&left, 2);
    cr_expect_str_eq(play_story(&left), "seat s left, move s cpu@3610000");
    atomic_store(&stage.now_ms, view.deadline_at_ms);
    (void)play_await(&clocked, 2);
    cr_expect_str_eq(play_story(&clocked), "clock restart, move b cpu@3630000");
}

/* D64, D65: a clock that is set back or forward while the service runs is not even read. */
Test(clocks, a_clock_that_was_set_back_at_a_restart_takes_nothing_from_anybody)
{
    struct play play = play_new(&stage, "hasami", 30);
    int64_t deadline_ms = play_view(&play).deadline_at_ms;
    stage_stop(&stage);
    atomic_fetch_sub(&stage.now_ms, 900000);
    serve();
    struct game_view view = play_view(&play);
    cr_expect_eq(view.deadline_at_ms, deadline_ms);
    cr_expect_eq(view.game.seq, 0);
    cr_expect_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
    cr_expect_str_eq(play_story(&play), "move b player@0", "never before the game began");
}

Test(clocks, a_restart_at_once_gives_nothing_back_and_loses_no_deadline)
{
    struct play play = play_new(&stage, "hasami", 30);
    stage_stop(&stage);
    serve();
    cr_expect_eq(play_view(&play).game.seq, 0);
    play_advance(&play, TURN_MS);
    (void)play_await(&play, 1);
    cr_expect_str_eq(play_story(&play), "move b cpu@30000");
}

/* A game that began before there were clocks has none until the first start that knows of them. */
Test(clocks, a_game_from_before_gets_its_first_deadline_at_the_start)
{
    struct play play = play_new(&stage, "hasami", 30);
    stage_stop(&stage);
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "UPDATE game SET deadline_at_ms = NULL");
    (void)sqlite3_close(foreign);
    serve();
    cr_expect_eq(play_view(&play).deadline_at_ms, atomic_load(&stage.now_ms) + TURN_MS);
    cr_expect_str_eq(play_story(&play), "clock restart");
}

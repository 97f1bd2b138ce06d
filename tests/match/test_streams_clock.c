#include "match/attend.h"
#include "match/devices.h"
#include "match/streams.h"
#include "play.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

/* What streams tell when time passes and seats change hands: each is committed, told and readable.
 */

enum {
    TURN_MS = 30000,
    DELAY_MS = PLAY_DELAY_MS,
    ABSENCE_MS = PLAY_ABSENCE_MS,
    LEVEL = PLAY_LEVEL,
    PATIENCE_S = 20
};

static struct stage stage;

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

TestSuite(streams_clock, .init = enter, .fini = leave);

/* --- being told ----------------------------------------------------------------------------------
 */

/* Somebody who waits for the next event of a game or a player. */
struct ear {
    struct event_waiter waiter;
    sem_t woken;
};

static void wake(void *context)
{
    (void)sem_post(context);
}

static void listen(struct ear *ear, enum event_topic topic, int64_t number)
{
    (void)sem_init(&ear->woken, 0, 0);
    ear->waiter =
        (struct event_waiter){.deadline_ms = INT64_MAX, .wake = wake, .context = &ear->woken};
    match_watch(stage.match, topic, number, &ear->waiter);
}

static void expect_told(struct ear *ear, const char *of)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    cr_assert_eq(sem_timedwait(&ear->woken, &until), 0, "nobody was told of %s", of);
    (void)sem_destroy(&ear->woken);
}

/* The last event of the game, which is there once it is told. */
static struct frame *last_frame(const struct play *play)
{
    static struct frame last;
    struct frames *frames = NULL;
    uint32_t seq = 0;
    cr_assert_eq(match_seq(stage.match, &play->id, &seq), MATCH_OK);
    cr_assert_gt(seq, 0);
    cr_assert_eq(match_frames(stage.match, &play->id, seq - 1, &frames), MATCH_OK);
    cr_assert_eq(frames->count, 1);
    last = frames->at[0];
    free(frames);
    return &last;
}

static void expect_seat(const struct play *play, const char *seat, const char *reason,
                        uint8_t level, int64_t deadline_ms)
{
    const struct frame *frame = last_frame(play);
    cr_expect_eq(frame->kind, FRAME_SEAT);
    cr_expect_str_eq(frame->event.seat, seat);
    cr_expect_str_eq(frame->event.reason, reason);
    cr_expect_eq(frame->event.cpu_level, level);
    cr_expect_eq(frame->event.deadline_at_ms, deadline_ms, "%s", reason);
}

Test(streams_clock, leaving_and_coming_back_are_told_with_level_and_deadline)
{
    struct ear ear;
    struct play play = play_new(&stage, "hasami", 30);
    int64_t deadline_ms = play_view(&play).deadline_at_ms;
    listen(&ear, EVENT_GAME, play.game_no);
    cr_assert_eq(play_leave(&play, 1), MATCH_OK);
    expect_told(&ear, "leaving");
    expect_seat(&play, "w", "left", LEVEL, deadline_ms);
    listen(&ear, EVENT_GAME, play.game_no);
    cr_assert_eq(play_leave(&play, 0), MATCH_OK);
    expect_told(&ear, "leaving on turn");
    expect_seat(&play, "b", "left", LEVEL, 0);
    listen(&ear, EVENT_GAME, play.game_no);
    cr_assert_eq(play_return(&play, 0), MATCH_OK);
    expect_told(&ear, "coming back");
    expect_seat(&play, "b", "returned", 0, deadline_ms);
}

Test(streams_clock, going_for_good_is_told_in_every_running_game)
{
    struct ear ears[2];
    struct play first = play_new(&stage, "hasami", 30);
    const int64_t two[] = {first.players[0], stage_player(&stage)};
    struct play second = play_between(&stage, "hasami", 30, two, 2);
    listen(&ears[0], EVENT_GAME, first.game_no);
    listen(&ears[1], EVENT_GAME, second.game_no);
    struct match_erase erase = {
        .op = stage_op(&stage), .player_no = first.players[0], .at_ms = atomic_load(&stage.now_ms)};
    cr_assert_eq(stage_finish(&stage, &erase.op, match_erase_begin(stage.match, &erase)), MATCH_OK);
    expect_told(&ears[0], "erasing");
    expect_told(&ears[1], "erasing");
    expect_seat(&first, "b", "erased", LEVEL, 0);
}

/* --- time ----------------------------------------------------------------------------------------
 */

Test(streams_clock, a_deadline_is_told_by_the_move_that_the_cpu_makes)
{
    struct ear ear;
    struct play play = play_new(&stage, "hasami", 30);
    listen(&ear, EVENT_GAME, play.game_no);
    play_advance(&play, TURN_MS);
    expect_told(&ear, "a deadline");
    struct game_view view = play_await(&play, 1);
    const struct frame *frame = last_frame(&play);
    cr_expect_eq(frame->kind, FRAME_MOVE);
    cr_expect(frame->move.move.by_cpu);
    cr_expect_eq(frame->move.deadline_at_ms, view.deadline_at_ms);
    cr_expect_eq(frame->move.deadline_at_ms, atomic_load(&stage.now_ms) + TURN_MS);
}

Test(streams_clock, it_is_the_turn_of_whoever_comes_after_a_move_of_the_cpu)
{
    struct turn_view turn;
    struct own_game games[LIMIT_GAMES_AT_ONCE];
    size_t count = 0;
    struct play play = play_new(&stage, "hasami", 30);
    cr_assert_eq(match_own_games(stage.match, play.players[1], games, &count), MATCH_OK);
    cr_assert_eq(count, 1);
    play_advance(&play, TURN_MS);
    struct game_view view = play_await(&play, 1);
    cr_assert_eq(match_turn(stage.match, &games[0], &turn), MATCH_OK);
    cr_expect(turn.own && turn.ply == 1 && turn.seq == 1);
    cr_expect_eq(turn.deadline_at_ms, view.deadline_at_ms);
    cr_assert_eq(play_leave(&play, 1), MATCH_OK);
    cr_assert_eq(match_turn(stage.match, &games[0], &turn), MATCH_OK);
    cr_expect_not(turn.own, "the CPU has the seat");
}

static void nobody_comes(const char *pool)
{
    struct ear ears[DB_SEATS_MAX];
    struct play play = play_new(&stage, pool, 30);
    size_t seats = play_view(&play).seat_count;
    for (size_t i = 0; i < seats; i++) {
        listen(&ears[i], EVENT_PLAYER, play.players[i]);
    }
    for (uint32_t i = 0; i < seats; i++) {
        atomic_store(&stage.now_ms, play_view(&play).deadline_at_ms);
        (void)play_await(&play, i + 1);
    }
    for (size_t i = 0; i < seats; i++) {
        struct db_personal events[4];
        size_t count = 0;
        expect_told(&ears[i], "the end");
        cr_assert_eq(match_personal(stage.match, play.players[i], 2, events, 4, &count), MATCH_OK);
        cr_assert_eq(count, 1, "%s", pool);
        cr_expect_str_eq(events[0].type, "game_finished");
    }
}

Test(streams_clock, a_game_that_nobody_comes_to_is_told_to_all_of_its_people)
{
    for (size_t i = 0; i < rules_count(); i++) {
        for (size_t j = 0; j < rules_at(i)->pool_count; j++) {
            nobody_comes(rules_at(i)->pools[j].key);
        }
    }
}

/* The frame of the ply that ended it says so, as the answer to the move did. */
Test(streams_clock, the_move_that_opens_a_turn_to_which_nobody_comes_ends_the_game)
{
    struct frames *frames = NULL;
    struct play play = play_new(&stage, "hasami", 30);
    for (uint32_t i = 0; i < 2; i++) {
        atomic_store(&stage.now_ms, play_view(&play).deadline_at_ms);
        (void)play_await(&play, i + 1);
    }
    cr_assert_eq(match_frames(stage.match, &play.id, 0, &frames), MATCH_OK);
    cr_assert_eq(frames->count, 3);
    const struct move_answer *last = &frames->at[1].move;
    cr_expect_str_eq(frames->at[0].move.status, "playing");
    cr_expect_str_eq(last->status, "aborted");
    cr_expect(last->result.ended && last->turn[0] == '\0' && last->deadline_at_ms == 0);
    cr_expect_str_eq(last->result.reason, "no_show");
    cr_expect_eq(frames->at[2].kind, FRAME_FINISHED);
    cr_expect_str_eq(frames->at[2].ending.status, "aborted");
    cr_expect_str_eq(frames->at[2].ending.unrated_reason, "no_show");
    free(frames);
}

Test(streams_clock, a_restart_gives_time_back_and_says_so)
{
    struct play play = play_new(&stage, "hasami", 30);
    stage_stop(&stage);
    (void)atomic_fetch_add(&stage.now_ms, INT64_C(10) * TURN_MS);
    serve();
    const struct frame *frame = last_frame(&play);
    cr_expect_eq(frame->kind, FRAME_CLOCK);
    cr_expect_str_eq(frame->event.reason, "restart");
    cr_expect_eq(frame->event.deadline_at_ms, play_view(&play).deadline_at_ms);
}

/* What a look decides is done when a later command is. */
static void look(const struct play *play)
{
    attend(stage.match, &(struct due_game){atomic_load(&stage.now_ms), play->game_no, play->id});
    (void)stage_player(&stage);
}

/* Without a turn time. */
Test(streams_clock, nobody_is_absent_while_a_stream_is_open)
{
    struct ear ear;
    struct presence_hold hold;
    struct play play = play_new(&stage, "hasami", 30);
    stage_stop(&stage);
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "UPDATE game SET turn_seconds = 0, deadline_at_ms = NULL, rated = 0,"
                         " unrated_reason = 'no_clock'");
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    serve();
    presence_open(stage.match, &hold, play.players[0], false);
    for (int i = 0; i < 3; i++) {
        play_advance(&play, ABSENCE_MS);
        look(&play);
    }
    cr_expect_eq(play_view(&play).game.seq, 0);
    presence_close(stage.match, &hold);
    play_advance(&play, ABSENCE_MS - 1);
    look(&play);
    cr_expect_eq(play_view(&play).game.seq, 0, "its end was a request");
    listen(&ear, EVENT_GAME, play.game_no);
    play_advance(&play, 1);
    expect_told(&ear, "absence");
    (void)play_await(&play, 2);
    cr_expect_str_eq(play_story(&play), "seat b absent, move b cpu@480000");
}

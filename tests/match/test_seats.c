#include "match/devices.h"
#include "match/operate.h"
#include "play.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Seats that change hands: leaving, coming back, going for good. */

enum { TURN_MS = 30000, DELAY_MS = PLAY_DELAY_MS, LEVEL = PLAY_LEVEL };

static struct stage stage;

static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
    stage_serve(&stage, play_options());
}

static void leave(void)
{
    play_leave_stage(&stage);
}

TestSuite(seats, .init = enter, .fini = leave);

/* --- leaving and coming back ---------------------------------------------------------------------
 */

Test(seats, who_leaves_hands_the_seat_over_and_the_cpu_moves_after_its_delay)
{
    struct play play = play_new(&stage, "hasami", 30);
    cr_assert_eq(play_leave(&play, 0), MATCH_OK);
    struct game_view view = play_view(&play);
    cr_expect(view.seats[0].row.cpu && view.seats[0].row.cpu_level == LEVEL);
    cr_expect_eq(view.deadline_at_ms, 0, "while the CPU is to move");
    play_advance(&play, DELAY_MS);
    view = play_await(&play, 2);
    cr_expect_str_eq(play_story(&play), "seat b left, move b cpu@500");
    cr_expect_eq(view.deadline_at_ms, view.game.created_at_ms + DELAY_MS + TURN_MS);
}

Test(seats, what_is_so_already_is_done_again_without_an_event)
{
    struct play play = play_new(&stage, "yonin", 30);
    cr_expect_eq(play_return(&play, 2), MATCH_OK);
    cr_expect_eq(play_leave(&play, 2), MATCH_OK);
    cr_expect_eq(play_leave(&play, 2), MATCH_OK);
    cr_expect_eq(play_return(&play, 2), MATCH_OK);
    cr_expect_eq(play_return(&play, 2), MATCH_OK);
    cr_expect_str_eq(play_story(&play), "seat n left, seat n returned");
}

Test(seats, coming_back_keeps_the_turns_first_deadline)
{
    struct play play = play_new(&stage, "hasami", 30);
    int64_t deadline_ms = play_view(&play).deadline_at_ms;
    play_advance(&play, 100);
    cr_assert_eq(play_leave(&play, 0), MATCH_OK);
    cr_assert_eq(play_return(&play, 0), MATCH_OK);
    struct game_view view = play_view(&play);
    cr_expect(!view.seats[0].row.cpu && view.seats[0].row.cpu_level == 0);
    cr_expect_eq(view.deadline_at_ms, deadline_ms);
    cr_expect_eq(play_move(&play, deadline_ms - 1), MATCH_OK);
}

Test(seats, any_move_that_is_asked_for_gives_the_seat_back_also_a_refused_one)
{
    static const struct {
        uint32_t ply;
        const char *text;
        enum match_status status;
    } rows[] = {
        {3, "5i5h", MATCH_ILLEGAL_MOVE},
        {3, "nine", MATCH_ILLEGAL_MOVE},
        {7, "5i5h", MATCH_STALE_PLY   },
        {2, "9a9b", MATCH_STALE_PLY   },
        {3, "9i9h", MATCH_OK          },
    };
    struct play play = play_new(&stage, "hasami", 30);
    int64_t now_ms = atomic_load(&stage.now_ms);
    cr_assert_eq(play_move_text(&play, 0, 1, "5i5h", now_ms), MATCH_OK);
    cr_assert_eq(play_move_text(&play, 1, 2, "5a5b", now_ms), MATCH_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(play_leave(&play, 0), MATCH_OK);
        cr_expect_eq(play_move_text(&play, 0, rows[i].ply, rows[i].text, now_ms), rows[i].status,
                     "%zu", i);
        cr_expect_not(play_view(&play).seats[0].row.cpu, "%zu", i);
    }
    cr_expect_str_eq(play_story(&play),
                     "move b player@0, move w player@0, seat b left, seat b returned,"
                     " seat b left, seat b returned, seat b left, seat b returned,"
                     " seat b left, seat b returned, seat b left, seat b returned,"
                     " move b player@0");
}

Test(seats, a_repeated_move_does_not)
{
    struct play play = play_new(&stage, "hasami", 30);
    int64_t now_ms = atomic_load(&stage.now_ms);
    cr_assert_eq(play_move_text(&play, 0, 1, "5i5h", now_ms), MATCH_OK);
    cr_assert_eq(play_leave(&play, 0), MATCH_OK);
    cr_expect_eq(play_move_text(&play, 0, 1, "5i5h", now_ms), MATCH_REPEATED);
    cr_expect(play_view(&play).seats[0].row.cpu);
}

Test(seats, out_of_turn_too)
{
    struct play play = play_new(&stage, "yonin", 30);
    cr_assert_eq(play_leave(&play, 3), MATCH_OK);
    cr_expect_eq(play_move_text(&play, 3, 1, "1e2e", atomic_load(&stage.now_ms)),
                 MATCH_NOT_YOUR_TURN);
    cr_expect_not(play_view(&play).seats[3].row.cpu);
}

Test(seats, nobody_elses_and_none_of_a_game_that_is_over)
{
    struct play play = play_new(&stage, "hasami", 30);
    struct play other = play_new(&stage, "hasami", 30);
    struct play stranger = play;
    stranger.players[0] = other.players[0];
    cr_expect_eq(play_leave(&stranger, 0), MATCH_NOT_YOUR_SEAT);
    cr_expect_eq(play_return(&stranger, 0), MATCH_NOT_YOUR_SEAT);
    struct match_seat command = {.op = stage_op(&stage),
                                 .game_id = play.id,
                                 .player_no = play.players[1],
                                 .at_ms = atomic_load(&stage.now_ms)};
    cr_assert_eq(play_leave(&play, 0), MATCH_OK);
    cr_assert_eq(stage_finish(&stage, &command.op, match_resign_begin(stage.match, &command)),
                 MATCH_OK);
    cr_expect_eq(play_leave(&play, 0), MATCH_GAME_OVER);
    cr_expect_eq(play_return(&play, 0), MATCH_GAME_OVER);
    cr_expect_eq(play_move_text(&play, 0, 1, "5i5h", 0), MATCH_GAME_OVER);
    cr_expect(play_view(&play).seats[0].row.cpu, "not after the end");
    struct game_id nowhere = {.id.text = "g_00000000000000000000000000"};
    play.id = nowhere;
    cr_expect_eq(play_leave(&play, 0), MATCH_NOT_FOUND);
}

/* --- going for good ------------------------------------------------------------------------------
 */

static void erase(int64_t player_no)
{
    struct match_erase command = {
        .op = stage_op(&stage), .player_no = player_no, .at_ms = atomic_load(&stage.now_ms)};
    cr_assert_eq(stage_finish(&stage, &command.op, match_erase_begin(stage.match, &command)),
                 MATCH_OK);
}

static void operate(const struct play *play, int seat, enum operate_deed deed)
{
    struct match_operate command = {
        .op = stage_op(&stage),
        .deed = deed,
        .id = play_view(play).seats[seat].row.player_id.id,
    };
    cr_assert_eq(match_operate(stage.match, &command), MATCH_OK);
    cr_assert_eq(command.refusal, OPERATE_DONE);
    cr_expect_eq(command.playing, deed == OPERATE_BAN ? 2 : 0);
}

/* C58 */
Test(seats, who_is_erased_during_a_game_leaves_it_for_good_and_it_goes_on)
{
    struct play first = play_new(&stage, "hasami", 30);
    const int64_t two[] = {first.players[0], stage_player(&stage)};
    struct play second = play_between(&stage, "hasami", 30, two, 2);
    int64_t now_ms = atomic_load(&stage.now_ms);
    cr_assert_eq(play_leave(&second, 0), MATCH_OK);
    erase(first.players[0]);
    struct game_view view = play_view(&first);
    cr_expect(view.seats[0].row.cpu && !view.seats[0].row.has_name && !view.seats[0].present);
    cr_expect_eq(play_return(&first, 0), MATCH_SEAT_GIVEN_UP);
    cr_expect_eq(play_move_text(&first, 0, 1, "5i5h", now_ms), MATCH_SEAT_GIVEN_UP);
    cr_expect_str_eq(play_story(&first), "seat b erased");
    cr_expect_str_eq(play_story(&second), "seat b left, seat b erased");
    play_advance(&first, DELAY_MS);
    (void)play_await(&first, 2);
    cr_expect_str_eq(play_story(&first), "seat b erased, move b cpu@500");
}

Test(seats, a_draw_of_who_was_erased_is_not_played_again)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a"};
    struct play play = play_new(&stage, "hasami", 30);
    int64_t now_ms = atomic_load(&stage.now_ms);
    for (uint32_t ply = 1; ply <= 11; ply++) {
        cr_assert_eq(play_move_text(&play, (int)(ply - 1) % 2, ply, moves[(ply - 1) % 4], now_ms),
                     MATCH_OK);
    }
    erase(play.players[0]);
    cr_assert_eq(play_move_text(&play, 1, 12, moves[3], now_ms), MATCH_OK);
    struct game_view view = play_view(&play);
    cr_expect_str_eq(view.game.end_reason, "repetition");
    cr_expect_not(view.has_replayed_by);
    cr_expect_str_eq(view.result.rating_status, "applied");
}

Test(seats, a_replay_begins_with_the_hands_that_the_draw_has_left_and_no_missed_turns)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a"};
    struct play play = play_new(&stage, "hasami", 30);
    int64_t now_ms = atomic_load(&stage.now_ms);
    for (uint32_t ply = 1; ply <= 11; ply++) {
        cr_assert_eq(play_move_text(&play, (int)(ply - 1) % 2, ply, moves[(ply - 1) % 4], now_ms),
                     MATCH_OK);
    }
    cr_assert_eq(play_leave(&play, 0), MATCH_OK);
    cr_assert_eq(play_move_text(&play, 1, 12, moves[3], now_ms), MATCH_OK);
    struct game_view view = play_view(&play);
    cr_assert(view.has_replayed_by);
    struct game_view again;
    cr_assert_eq(match_game(stage.match, &view.replayed_by, play.players[0], &again, NULL),
                 MATCH_OK);
    cr_expect_eq(again.seats[1].row.player_no, play.players[0], "people move one seat");
    cr_expect(again.seats[1].row.cpu && again.seats[1].row.cpu_level == LEVEL);
    cr_expect_not(again.seats[0].row.cpu);
    cr_expect_eq(again.deadline_at_ms, now_ms + TURN_MS, "the turn of the other");
}

Test(seats, a_ban_is_for_good_as_well_also_once_it_is_lifted)
{
    struct play first = play_new(&stage, "hasami", 30);
    const int64_t two[] = {first.players[0], stage_player(&stage)};
    (void)play_between(&stage, "hasami", 30, two, 2);
    operate(&first, 0, OPERATE_BAN);
    cr_expect(play_view(&first).seats[0].row.cpu && !play_view(&first).seats[0].present);
    operate(&first, 0, OPERATE_UNBAN);
    cr_expect_eq(play_return(&first, 0), MATCH_SEAT_GIVEN_UP);
    cr_expect_eq(play_move_text(&first, 0, 1, "5i5h", atomic_load(&stage.now_ms)),
                 MATCH_SEAT_GIVEN_UP);
    cr_expect_str_eq(play_story(&first), "seat b banned");
}

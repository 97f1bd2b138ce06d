#include "match/rematch.h"
#include "match/tables.h"
#include "play.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Not coming to a game: it is aborted, and who does it again and again waits. */

enum { TURN_MS = 30000, DELAY_MS = PLAY_DELAY_MS };

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

TestSuite(no_show, .init = enter, .fini = leave);

/* --- the end of such a game ----------------------------------------------------------------------
 */

/* To its end, as far as it is one. */
static struct game_view not_coming(const struct play *play, size_t turns)
{
    struct game_view view = play_view(play);
    for (size_t i = 0; i < turns && view.game.turn[0] != '\0'; i++) {
        uint32_t seq = view.game.seq;
        atomic_store(&stage.now_ms, view.deadline_at_ms);
        view = play_await(play, seq + 1);
    }
    return view;
}

Test(no_show, a_game_to_which_nobody_comes_is_aborted_when_the_first_seats_second_turn_comes_round)
{
    static const struct {
        const char *pool;
        size_t turns;
        const char *story;
    } rows[] = {
        {"hasami",      2, "move b cpu@30000, move w cpu@60000, finished b no_show"},
        {"yonin",       4,
         "move s cpu@30000, move w cpu@60000, move n cpu@90000, move e cpu@120000,"
         " finished s no_show"                                                     },
        {"yonin_pairs", 4,
         "move s cpu@30000, move w cpu@60000, move n cpu@90000, move e cpu@120000,"
         " finished s no_show"                                                     },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct play play = play_new(&stage, rows[i].pool, 30);
        struct game_view view = not_coming(&play, rows[i].turns);
        cr_expect_str_eq(play_story(&play), rows[i].story);
        cr_expect_str_eq(view.game.status, "aborted");
        cr_expect_str_eq(view.game.end_reason, "no_show");
        cr_expect_str_eq(view.game.unrated_reason, "no_show");
        cr_expect_str_eq(view.result.rating_status, "unrated");
        cr_expect(view.result.ended && !view.result.has_ranks && !view.result.draw);
        cr_expect_eq(view.result.rating_count, 0);
        cr_expect_eq(view.deadline_at_ms, 0);
    }
}

Test(no_show, the_second_to_move_is_a_no_show_too)
{
    struct play play = play_new(&stage, "hasami", 30);
    cr_assert_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
    (void)not_coming(&play, 1);
    struct match_move command = {.op = stage_op(&stage),
                                 .game_id = play.id,
                                 .player_no = play.players[0],
                                 .ply = 3,
                                 .text = "9i9h",
                                 .at_ms = atomic_load(&stage.now_ms)};
    cr_assert_eq(stage_finish(&stage, &command.op, match_move_begin(stage.match, &command)),
                 MATCH_OK);
    cr_expect_str_eq(command.answer.status, "aborted");
    cr_expect(command.answer.result.ended && command.answer.turn[0] == '\0');
    cr_expect_eq(command.answer.deadline_at_ms, 0);
    struct move_answer first = command.answer;
    command.op = stage_op(&stage);
    cr_assert_eq(stage_finish(&stage, &command.op, match_move_begin(stage.match, &command)),
                 MATCH_REPEATED);
    cr_expect_str_eq(command.answer.status, first.status);
    cr_expect_str_eq(command.answer.result.reason, "no_show");
    cr_expect_str_eq(play_story(&play), "move b player@0, move w cpu@30000, move b player@30000,"
                                        " finished w no_show");
}

Test(no_show, who_left_before_the_first_move_is_no_no_show)
{
    struct play play = play_new(&stage, "hasami", 30);
    cr_assert_eq(play_leave(&play, 0), MATCH_OK);
    play_advance(&play, DELAY_MS);
    (void)play_await(&play, 2);
    cr_assert_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
    play_advance(&play, DELAY_MS);
    struct game_view view = play_await(&play, 4);
    cr_expect_str_eq(view.game.status, "playing");
    cr_expect(view.game.rated);
}

Test(no_show, nor_is_who_left_and_came_back_without_a_move)
{
    struct play play = play_new(&stage, "hasami", 30);
    cr_assert_eq(play_leave(&play, 0), MATCH_OK);
    cr_assert_eq(play_return(&play, 0), MATCH_OK);
    (void)not_coming(&play, 1);
    cr_assert_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
    cr_expect_str_eq(play_view(&play).game.status, "playing");
}

/* --- games that nobody has asked for by a ticket -------------------------------------------------
 */

/* Nobody comes, and the game goes on: the first seat's second turn has come round. */
static void expect_to_go_on(const struct game_id *id, int64_t player_no)
{
    struct play play = {.stage = &stage, .id = *id, .players = {player_no}};
    struct game_view view = play_view(&play);
    play.game_no = view.game.game_no;
    view = not_coming(&play, 2);
    cr_expect_str_eq(view.game.status, "playing");
    cr_expect_str_eq(play_story(&play), "move b cpu@30000, move w cpu@60000");
}

static void ask_rematch(const struct play *play, int seat, struct game_id *made)
{
    struct match_rematch command = {
        .op = stage_op(&stage),
        .game_id = play->id,
        .player_no = play->players[seat],
        .at_ms = atomic_load(&stage.now_ms),
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_rematch_begin(stage.match, &command)),
                 MATCH_OK);
    cr_assert_eq(command.view.has_game, seat == 1);
    *made = command.view.game_id;
}

Test(no_show, there_is_none_in_a_rematch)
{
    struct game_id made;
    struct play play = play_new(&stage, "hasami", 30);
    struct match_seat resign = {.op = stage_op(&stage),
                                .game_id = play.id,
                                .player_no = play.players[1],
                                .at_ms = atomic_load(&stage.now_ms)};
    cr_assert_eq(stage_finish(&stage, &resign.op, match_resign_begin(stage.match, &resign)),
                 MATCH_OK);
    ask_rematch(&play, 0, &made);
    ask_rematch(&play, 1, &made);
    expect_to_go_on(&made, play.players[0]);
}

Test(no_show, there_is_none_in_a_replay)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a"};
    struct play play = play_new(&stage, "hasami", 30);
    int64_t now_ms = atomic_load(&stage.now_ms);
    for (uint32_t ply = 1; ply <= 12; ply++) {
        cr_assert_eq(play_move_text(&play, (int)(ply - 1) % 2, ply, moves[(ply - 1) % 4], now_ms),
                     MATCH_OK);
    }
    struct game_view view = play_view(&play);
    cr_assert(view.has_replayed_by);
    expect_to_go_on(&view.replayed_by, play.players[0]);
}

/* Must succeed. */
static void do_deed(struct match_table_deed *command)
{
    command->op = stage_op(&stage);
    command->at_ms = atomic_load(&stage.now_ms);
    cr_assert_eq(stage_finish(&stage, &command->op, match_table_begin(stage.match, command)),
                 MATCH_OK);
}

static void sit(struct match_table_deed *command, int64_t player_no, char seat)
{
    command->deed = TABLE_SIT;
    command->player_no = player_no;
    command->seat = seat;
    do_deed(command);
}

Test(no_show, there_is_none_in_the_game_of_a_table)
{
    static struct match_table_deed command;
    int64_t host = stage_player(&stage);
    int64_t guest = stage_player(&stage);
    command.deed = TABLE_CREATE;
    command.player_no = host;
    command.rules = rules_find("hasami");
    command.wish = (struct table_wish){.has_turn_seconds = true, .turn_seconds = 30};
    do_deed(&command);
    command.id = (struct table_id){.id.text = ""};
    memcpy(command.code, command.view.code, sizeof command.code);
    command.deed = TABLE_JOIN;
    command.player_no = guest;
    do_deed(&command);
    command.id = command.view.row.id;
    sit(&command, host, 'b');
    sit(&command, guest, 'w');
    command.deed = TABLE_START;
    command.player_no = host;
    do_deed(&command);
    expect_to_go_on(&command.game.game.id, host);
}

/* --- again and again ----------------------------------------------------------------------------
 */

static enum match_status enqueue(int64_t player_no, int64_t *retry_at_ms)
{
    struct match_enqueue command = {
        .op = stage_op(&stage),
        .player_no = player_no,
        .pool = "yonin",
        .turn_seconds = 30,
        .at_ms = atomic_load(&stage.now_ms),
    };
    enum match_status status =
        stage_finish(&stage, &command.op, match_enqueue_begin(stage.match, &command));
    *retry_at_ms = command.retry_at_ms;
    return status;
}

/* Does not come to so many games, each with somebody new. The others come. */
static int64_t no_shows(int64_t player, size_t games)
{
    for (size_t i = 0; i < games; i++) {
        const int64_t two[] = {stage_player(&stage), player};
        struct play play = play_between(&stage, "hasami", 30, two, 2);
        cr_assert_eq(play.players[1], player);
        cr_assert_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
        (void)not_coming(&play, 1);
        cr_assert_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
        cr_assert_str_eq(play_view(&play).game.status, "aborted");
    }
    return atomic_load(&stage.now_ms);
}

Test(no_show, after_three_no_shows_in_an_hour_no_ticket_is_taken_for_ten_minutes)
{
    int64_t player = stage_player(&stage);
    int64_t retry_ms = 0;
    (void)no_shows(player, 2);
    cr_expect_eq(no_shows(player, 0), atomic_load(&stage.now_ms));
    int64_t last_ms = no_shows(player, 1);
    cr_expect_eq(enqueue(player, &retry_ms), MATCH_NO_SHOW);
    cr_expect_eq(retry_ms, last_ms + 600000);
    atomic_store(&stage.now_ms, last_ms + 599999);
    cr_expect_eq(enqueue(player, &retry_ms), MATCH_NO_SHOW);
    atomic_store(&stage.now_ms, last_ms + 600000);
    cr_expect_eq(enqueue(player, &retry_ms), MATCH_OK);
}

Test(no_show, the_other_of_an_aborted_game_may_queue)
{
    int64_t player = stage_player(&stage);
    int64_t other = stage_player(&stage);
    int64_t retry_ms = 0;
    for (int i = 0; i < 3; i++) {
        const int64_t two[] = {other, player};
        struct play play = play_between(&stage, "hasami", 30, two, 2);
        int seat = play.players[0] == other ? 0 : 1;
        if (seat == 1) {
            (void)not_coming(&play, 1);
        }
        cr_assert_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
        if (seat == 0) {
            (void)not_coming(&play, 1);
            cr_assert_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
        }
        cr_assert_str_eq(play_view(&play).game.status, "aborted");
    }
    cr_expect_eq(enqueue(other, &retry_ms), MATCH_OK);
    cr_expect_eq(enqueue(player, &retry_ms), MATCH_NO_SHOW);
}

#include "match/streams.h"

#include "key_folder.h"
#include "match/seats.h"
#include "match/service.h"
#include "stage.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What streams read back, and who is there: the whole service, on a clock that is moved by hand. */

static struct stage stage;
static int64_t players[2];

static void enter(void)
{
    stage_enter(&stage, INT64_C(1000000000));
    stage_serve(&stage, (struct match_options){
                            .readers = 2, .turn_seconds = {30, 60},
                                 .repeat_limit = 1000
    });
    players[0] = stage_player(&stage);
    players[1] = stage_player(&stage);
}

static void leave(void)
{
    stage_leave(&stage);
    cr_expect_eq(atomic_load(&stage.fatal_calls), 0, "storage failed");
}

TestSuite(streams, .init = enter, .fini = leave);

static struct game_view meet(void)
{
    struct game_view game;
    struct ticket_view ticket;
    struct ticket_id id = {0};
    for (size_t i = 0; i < 2; i++) {
        struct match_enqueue command = {
            .op = stage_op(&stage),
            .player_no = players[i],
            .pool = "hasami",
            .turn_seconds = 30,
            .at_ms = atomic_fetch_add(&stage.now_ms, 1),
        };
        cr_assert_eq(stage_finish(&stage, &command.op, match_enqueue_begin(stage.match, &command)),
                     MATCH_OK);
        id = command.ticket.row.id;
    }
    cr_assert_eq(match_ticket(stage.match, &id, players[1], &ticket), MATCH_OK);
    cr_assert_eq(match_game(stage.match, &ticket.row.game_id, 0, &game, NULL), MATCH_OK);
    return game;
}

/* Each man in turn one square on; the answer. */
static struct move_answer move(const struct game_view *game, uint32_t ply)
{
    struct match_move command = {
        .op = stage_op(&stage),
        .game_id = game->game.id,
        .player_no = game->seats[(ply + 1) % 2].row.player_no,
        .ply = ply,
        .at_ms = atomic_fetch_add(&stage.now_ms, 1),
    };
    unsigned turn = (ply - 1) / 2;
    char from = (char)(ply % 2 == 1 ? 'i' - (int)(turn / 9) : 'a' + (int)(turn / 9));
    char to = (char)(ply % 2 == 1 ? from - 1 : from + 1);
    (void)snprintf(command.text, sizeof command.text, "%u%c%u%c", turn % 9 + 1, from, turn % 9 + 1,
                   to);
    cr_assert_eq(stage_finish(&stage, &command.op, match_move_begin(stage.match, &command)),
                 MATCH_OK);
    return command.answer;
}

static void resign(const struct game_view *game)
{
    struct match_seat command = {
        .op = stage_op(&stage),
        .game_id = game->game.id,
        .player_no = players[0],
        .at_ms = atomic_fetch_add(&stage.now_ms, 1),
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_resign_begin(stage.match, &command)),
                 MATCH_OK);
}

static struct frames *read_frames(const struct game_view *game, uint32_t after)
{
    struct frames *frames = NULL;
    cr_assert_eq(match_frames(stage.match, &game->game.id, after, &frames), MATCH_OK);
    cr_assert_not_null(frames);
    return frames;
}

static void expect_move(const struct frame *frame, const struct move_answer *answer)
{
    cr_expect_eq(frame->kind, FRAME_MOVE);
    cr_expect_eq(frame->seq, answer->seq);
    cr_expect_eq(frame->at_ms, answer->move.at_ms);
    cr_expect_str_eq(frame->move.move.move, answer->move.move);
    cr_expect_str_eq(frame->move.position, answer->position);
    cr_expect_str_eq(frame->move.turn, answer->turn);
    cr_expect_eq(frame->move.move.think_ms, answer->move.think_ms);
}

/* --- games ---------------------------------------------------------------------------------------
 */

Test(streams, the_newest_move_is_the_same_from_the_cache_and_from_the_rows)
{
    struct game_view game = meet();
    (void)move(&game, 1);
    struct move_answer second = move(&game, 2);
    struct frames *cached = read_frames(&game, 1);
    struct frames *stored = read_frames(&game, 0);
    cr_assert_eq(cached->count, 1);
    cr_assert_eq(stored->count, 2);
    expect_move(&cached->at[0], &second);
    expect_move(&stored->at[1], &second);
    free(cached);
    free(stored);
}

Test(streams, a_long_game_comes_in_pages_without_a_gap)
{
    enum { PLIES = 50 };
    struct move_answer answers[PLIES + 1];
    struct game_view game = meet();
    uint32_t seq = 0;
    for (uint32_t ply = 1; ply <= PLIES; ply++) {
        answers[ply] = move(&game, ply);
    }
    resign(&game);
    cr_assert_eq(match_seq(stage.match, &game.game.id, &seq), MATCH_OK);
    cr_expect_eq(seq, PLIES + 1);
    uint32_t told = 0;
    while (told < seq) {
        struct frames *frames = read_frames(&game, told);
        cr_assert_gt(frames->count, 0);
        cr_assert_leq(frames->count, FRAMES_AT_ONCE);
        for (size_t i = 0; i < frames->count; i++) {
            cr_expect_eq(frames->at[i].seq, ++told);
            if (told <= PLIES) {
                expect_move(&frames->at[i], &answers[told]);
            } else {
                cr_expect_eq(frames->at[i].kind, FRAME_FINISHED);
                cr_expect_str_eq(frames->at[i].ending.status, "finished");
                cr_expect_str_eq(frames->at[i].ending.result.reason, "resign");
            }
        }
        free(frames);
    }
    struct frames *nothing = read_frames(&game, seq);
    cr_expect_eq(nothing->count, 0);
    free(nothing);
}

Test(streams, of_no_game_there_is_nothing)
{
    uint32_t seq = 0;
    struct frames *frames = NULL;
    struct game_id id = {{"g_00000000000000000000000000"}};
    cr_expect_eq(match_seq(stage.match, &id, &seq), MATCH_NOT_FOUND);
    cr_expect_eq(match_frames(stage.match, &id, 0, &frames), MATCH_NOT_FOUND);
    cr_expect_null(frames);
}

Test(streams, whose_turn_it_is_follows_the_moves)
{
    struct own_game games[LIMIT_GAMES_AT_ONCE];
    struct turn_view turn;
    size_t count = 0;
    struct game_view game = meet();
    int64_t black = game.seats[0].row.player_no;
    cr_assert_eq(match_own_games(stage.match, black, games, &count), MATCH_OK);
    cr_assert_eq(count, 1);
    cr_expect_str_eq(games[0].seat, "b");
    cr_expect_str_eq(games[0].seats, "bw");
    cr_expect_eq(games[0].players[0], black);
    cr_assert_eq(match_turn(stage.match, &games[0], &turn), MATCH_OK);
    cr_expect(turn.own && turn.playing && turn.ply == 0);
    (void)move(&game, 1);
    cr_assert_eq(match_turn(stage.match, &games[0], &turn), MATCH_OK);
    cr_expect(!turn.own && turn.playing && turn.ply == 1 && turn.seq == 1);
    resign(&game);
    cr_assert_eq(match_turn(stage.match, &games[0], &turn), MATCH_OK);
    cr_expect(!turn.own && !turn.playing);
    cr_assert_eq(match_own_games(stage.match, black, games, &count), MATCH_OK);
    cr_expect_eq(count, 0);
}

/* --- players -------------------------------------------------------------------------------------
 */

Test(streams, personal_events_are_read_until_they_are_a_day_old)
{
    struct db_personal events[8];
    size_t count = 0;
    int64_t seq = 0;
    struct game_view game = meet();
    cr_assert_eq(match_personal_seq(stage.match, players[0], &seq), MATCH_OK);
    cr_expect_eq(seq, 2);
    atomic_fetch_add(&stage.now_ms, LIMIT_PERSONAL_MS - 1000);
    resign(&game);
    cr_assert_eq(match_personal(stage.match, players[0], 0, events, 8, &count), MATCH_OK);
    cr_assert_eq(count, 3);
    cr_expect_str_eq(events[0].type, "matched");
    cr_expect_str_eq(events[1].type, "game_started");
    cr_expect_str_eq(events[2].type, "game_finished");
    cr_expect_str_eq(events[2].game_id.id.text, game.game.id.id.text);
    atomic_fetch_add(&stage.now_ms, 2000);
    cr_expect_eq(match_personal(stage.match, players[0], 0, events, 8, &count), MATCH_NOT_FOUND);
    cr_expect_eq(match_personal(stage.match, players[0], 1, events, 8, &count), MATCH_NOT_FOUND);
    cr_assert_eq(match_personal(stage.match, players[0], 2, events, 8, &count), MATCH_OK);
    cr_expect_eq(count, 1);
    cr_assert_eq(match_personal(stage.match, players[0], 3, events, 8, &count), MATCH_OK);
    cr_expect_eq(count, 0);
}

/* --- presence ------------------------------------------------------------------------------------
 */

static int64_t pass_ms(int64_t ms)
{
    return atomic_fetch_add(&stage.now_ms, ms) + ms;
}

Test(streams, who_has_a_stream_open_is_there)
{
    struct presence_hold holds[2];
    int64_t now_ms = pass_ms(LIMIT_PRESENT_MS);
    cr_expect_not(player_is_present(stage.match, players[0], now_ms));
    presence_open(stage.match, &holds[0], players[0], false);
    presence_open(stage.match, &holds[1], players[0], true);
    now_ms = pass_ms(10 * INT64_C(60000));
    cr_expect(player_is_present(stage.match, players[0], now_ms));
    cr_expect_eq(player_seen_ms(stage.match, players[0], now_ms), now_ms);
    cr_expect_eq(player_listened_ms(stage.match, players[0], now_ms), now_ms);
    cr_expect_not(player_is_present(stage.match, players[1], now_ms));
    cr_expect_eq(player_listened_ms(stage.match, players[1], now_ms), 0);
    presence_close(stage.match, &holds[1]);
    int64_t closed_ms = now_ms;
    now_ms = pass_ms(LIMIT_PRESENT_MS);
    cr_expect(player_is_present(stage.match, players[0], now_ms), "one is open still");
    cr_expect_eq(player_listened_ms(stage.match, players[0], now_ms), closed_ms);
    presence_close(stage.match, &holds[0]);
    cr_expect(player_is_present(stage.match, players[0], now_ms + LIMIT_PRESENT_MS - 1));
    cr_expect_not(player_is_present(stage.match, players[0], now_ms + LIMIT_PRESENT_MS));
    cr_expect_eq(player_seen_ms(stage.match, players[0], now_ms + 1), now_ms);
}

static void count_wake(void *context)
{
    (void)atomic_fetch_add((atomic_int *)context, 1);
}

Test(streams, a_board_wakes_those_who_look_at_it_when_somebody_comes_or_goes)
{
    atomic_int wakes = 0;
    struct presence_hold hold;
    struct event_waiter waiter = {.deadline_ms = INT64_MAX, .wake = count_wake, .context = &wakes};
    int64_t seats[DB_SEATS_MAX] = {players[0], players[1]};
    (void)pass_ms(LIMIT_PRESENT_MS);
    struct presence_board *board = presence_watch(stage.match, 77, seats);
    cr_expect_eq(presence_watch(stage.match, 77, seats), board, "a game has one");
    cr_expect_eq(presence_look(board), 0);
    match_watch(stage.match, EVENT_GAME, 77, &waiter);
    presence_tick(stage.match);
    cr_expect_eq(atomic_load(&wakes), 0);
    presence_open(stage.match, &hold, players[1], false);
    while (atomic_load(&wakes) == 0) { /* by the ticker, or by us */
        presence_tick(stage.match);
    }
    cr_expect_eq(presence_look(board), 2);
    presence_close(stage.match, &hold);
    presence_tick(stage.match);
    cr_expect_eq(presence_look(board), 2, "a request that was just made");
    (void)pass_ms(LIMIT_PRESENT_MS);
    presence_tick(stage.match);
    cr_expect_eq(presence_look(board), 0);
    presence_unwatch(stage.match, board);
    presence_unwatch(stage.match, board);
    presence_unwatch(stage.match, NULL);
}

/* Who comes to a board that others watch is not told what that showed half a second before. */
Test(streams, a_board_that_is_asked_for_this_moment_shows_it_and_wakes_the_others)
{
    atomic_int wakes = 0;
    struct presence_hold hold;
    struct event_waiter waiter = {.deadline_ms = INT64_MAX, .wake = count_wake, .context = &wakes};
    int64_t seats[DB_SEATS_MAX] = {players[0], players[1]};
    (void)pass_ms(LIMIT_PRESENT_MS);
    struct presence_board *board = presence_watch(stage.match, 78, seats);
    cr_expect_eq(presence_look_now(stage.match, board), 0);
    match_watch(stage.match, EVENT_GAME, 78, &waiter);
    presence_open(stage.match, &hold, players[0], false);
    cr_expect_eq(presence_look_now(stage.match, board), 1);
    cr_expect_eq(presence_look(board), 1);
    while (atomic_load(&wakes) == 0) { /* the ticker was first, and has yet to wake */
        (void)sched_yield();
    }
    cr_expect_eq(atomic_load(&wakes), 1);
    presence_close(stage.match, &hold);
    presence_unwatch(stage.match, board);
}

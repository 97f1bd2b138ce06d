#include "key_folder.h"
#include "match/match.h"
#include "match/seats.h"
#include "stage.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who gets which seat when tickets meet: the whole service, on a clock that is moved by hand. */

static struct stage stage;

static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
    stage_serve(&stage, (struct match_options){
                            .readers = 1, .turn_seconds = {30, 60},
                                 .repeat_limit = 1000
    });
}

static void leave(void)
{
    stage_leave(&stage);
    cr_expect_eq(atomic_load(&stage.fatal_calls), 0, "storage failed");
}

TestSuite(seating, .init = enter, .fini = leave);

static struct ticket_view enqueue(int64_t player_no, uint16_t turn_seconds)
{
    struct match_enqueue command = {
        .op = stage_op(&stage),
        .player_no = player_no,
        .pool = "hasami",
        .turn_seconds = turn_seconds,
        .at_ms = atomic_fetch_add(&stage.now_ms, 1),
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_enqueue_begin(stage.match, &command)),
                 MATCH_OK);
    return command.ticket;
}

static struct ticket_view ticket_now(const struct ticket_view *ticket, int64_t player_no)
{
    struct ticket_view view;
    cr_assert_eq(match_ticket(stage.match, &ticket->row.id, player_no, &view), MATCH_OK);
    return view;
}

/* Queues both, in this order; the game that they are now in. */
static struct game_view meet(int64_t earlier, int64_t later)
{
    struct game_view game;
    struct ticket_view first = enqueue(earlier, 30);
    struct ticket_view second = enqueue(later, 30);
    first = ticket_now(&first, earlier);
    second = ticket_now(&second, later);
    cr_assert_str_eq(first.row.status, "matched");
    cr_assert_eq(first.row.game_no, second.row.game_no);
    cr_assert_eq(match_game(stage.match, &first.row.game_id, 0, &game, NULL), MATCH_OK);
    for (size_t i = 0; i < 2; i++) {
        const struct db_seat *seat = &game.seats[i].row;
        const struct ticket_view *own = seat->player_no == earlier ? &first : &second;
        cr_expect_str_eq(own->row.seat, seat->seat, "the ticket names its seat");
    }
    return game;
}

static int64_t first_seat(const struct game_view *game)
{
    return game->seats[0].row.player_no;
}

static void resign(const struct game_view *game, int64_t player_no)
{
    struct match_seat command = {
        .op = stage_op(&stage),
        .game_id = game->game.id,
        .player_no = player_no,
        .at_ms = atomic_fetch_add(&stage.now_ms, 1),
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_resign_begin(stage.match, &command)),
                 MATCH_OK);
}

Test(seating, of_two_who_never_met_the_earlier_ticket_moves_first)
{
    int64_t a = stage_player(&stage);
    int64_t b = stage_player(&stage);
    struct game_view game = meet(b, a);
    cr_expect_eq(first_seat(&game), b);
    cr_expect_eq(game.game.turn_seconds, 30);
    cr_expect(game.game.rated);
}

Test(seating, two_who_met_swap_seats_every_time_whoever_queues_first)
{
    int64_t a = stage_player(&stage);
    int64_t b = stage_player(&stage);
    struct game_view game = meet(a, b);
    cr_expect_eq(first_seat(&game), a);
    game = meet(a, b);
    cr_expect_eq(first_seat(&game), b, "also while the first game runs");
    game = meet(a, b);
    cr_expect_eq(first_seat(&game), a);
    resign(&game, b);
    game = meet(b, a);
    cr_expect_eq(first_seat(&game), b);
    game = meet(b, a);
    cr_expect_eq(first_seat(&game), a);
}

Test(seating, who_met_somebody_else_is_none_the_wiser)
{
    int64_t a = stage_player(&stage);
    int64_t b = stage_player(&stage);
    int64_t c = stage_player(&stage);
    struct game_view game = meet(a, b);
    cr_expect_eq(first_seat(&game), a);
    game = meet(a, c);
    cr_expect_eq(first_seat(&game), a);
    game = meet(c, b);
    cr_expect_eq(first_seat(&game), c);
    game = meet(a, b);
    cr_expect_eq(first_seat(&game), b, "the last game of these two, not of one of them");
}

/* Lets them meet and draw by repetition; the replay that follows. */
static struct game_view draw(int64_t earlier, int64_t later)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a"};
    struct game_view game = meet(earlier, later);
    for (uint32_t ply = 1; ply <= 12; ply++) {
        struct match_move command = {
            .op = stage_op(&stage),
            .game_id = game.game.id,
            .player_no = game.seats[(ply + 1) % 2].row.player_no,
            .ply = ply,
            .at_ms = atomic_fetch_add(&stage.now_ms, 1),
        };
        (void)snprintf(command.text, sizeof command.text, "%s", moves[(ply - 1) % 4]);
        cr_assert_eq(stage_finish(&stage, &command.op, match_move_begin(stage.match, &command)),
                     MATCH_OK);
    }
    cr_assert_eq(match_game(stage.match, &game.game.id, 0, &game, NULL), MATCH_OK);
    cr_assert(game.has_replayed_by);
    cr_assert_eq(match_game(stage.match, &game.replayed_by, 0, &game, NULL), MATCH_OK);
    return game;
}

Test(seating, a_draw_s_replay_counts_as_the_last_meeting)
{
    int64_t a = stage_player(&stage);
    int64_t b = stage_player(&stage);
    struct game_view game = draw(a, b);
    cr_expect_eq(first_seat(&game), b);
    game = meet(a, b);
    cr_expect_eq(first_seat(&game), a);
}

Test(seating, tickets_of_different_turn_times_do_not_meet)
{
    int64_t a = stage_player(&stage);
    int64_t b = stage_player(&stage);
    int64_t c = stage_player(&stage);
    struct ticket_view first = enqueue(a, 30);
    struct ticket_view second = enqueue(b, 60);
    first = ticket_now(&first, a);
    cr_expect_str_eq(first.row.status, "waiting");
    struct ticket_view third = enqueue(c, 60);
    second = ticket_now(&second, b);
    third = ticket_now(&third, c);
    cr_expect_str_eq(second.row.status, "matched");
    cr_expect_eq(second.row.game_no, third.row.game_no);
    first = ticket_now(&first, a);
    cr_expect_str_eq(first.row.status, "waiting");
}

Test(seating, a_draw_s_replay_shows_the_ratings_that_the_draw_has_left)
{
    int64_t a = stage_player(&stage);
    int64_t b = stage_player(&stage);
    struct game_view game = meet(a, b);
    resign(&game, a);
    game = draw(a, b);
    cr_expect_eq(game.seats[0].row.player_no, a);
    cr_expect_eq(game.seats[0].row.rating_milli, 1482292, "1480.000 before the draw");
    cr_expect_eq(game.seats[1].row.rating_milli, 1517708, "1520.000 before the draw");
}

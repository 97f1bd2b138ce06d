#include "key_folder.h"
#include "match/match.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who gets which seat when tickets meet: the whole service, on a clock that is moved by hand. */

struct service {
    struct match *match;
    struct secrets *secrets;
    struct match_env env;
    _Atomic int64_t now_ms;
    uint64_t chance;
    sem_t woken;
};
static struct service service;

static int64_t service_now_ms(void *context)
{
    (void)context;
    return atomic_load(&service.now_ms);
}

static void service_random(void *context, void *bytes, size_t count)
{
    (void)context;
    mixed_random(&service.chance, bytes, count);
}

static void service_fatal(void *context, enum db_status status)
{
    (void)context;
    (void)fprintf(stderr, "storage failed: %s\n", db_status_text(status));
    abort();
}

static void service_wake(void *context)
{
    (void)sem_post(context);
}

static void enter(void)
{
    struct db_report report;
    key_folder_enter();
    store_enter();
    store_prepare(DB_OK, &report);
    (void)sem_init(&service.woken, 0, 0);
    atomic_store(&service.now_ms, STORE_NOW_MS);
    service.chance = 1;
    service.env = (struct match_env){service_now_ms, service_random, NULL};
    service.secrets = key_load(ONE_SLOT);
    struct match_options options = {
        .db_path = store_path(),
        .readers = 1,
        .turn_seconds = {30, 60},
        .repeat_limit = 1000,
        .on_fatal = service_fatal,
    };
    cr_assert_eq(match_open(&options, &service.env, service.secrets, &service.match), DB_OK);
}

static void leave(void)
{
    match_stop(service.match);
    cr_expect_eq(match_close(service.match), DB_OK);
    secrets_free(service.secrets);
    (void)sem_destroy(&service.woken);
    store_leave();
    key_folder_leave();
}

TestSuite(seating, .init = enter, .fini = leave);

/* Waits for a command that was begun; its status when it is over. */
static enum match_status finish(const struct match_op *op, enum match_status begun)
{
    if (begun == MATCH_WAIT) {
        (void)sem_wait(&service.woken);
        return op->status;
    }
    return begun;
}

static struct match_op new_op(void)
{
    return (struct match_op){.wake = service_wake, .context = &service.woken};
}

static int64_t new_player(void)
{
    struct match_register command = {.op = new_op()};
    cr_assert_eq(finish(&command.op, match_register_begin(service.match, &command)), MATCH_OK);
    return command.player.player_no;
}

static struct ticket_view enqueue(int64_t player_no, uint16_t turn_seconds)
{
    struct match_enqueue command = {
        .op = new_op(),
        .player_no = player_no,
        .pool = "hasami",
        .turn_seconds = turn_seconds,
        .at_ms = atomic_fetch_add(&service.now_ms, 1),
    };
    cr_assert_eq(finish(&command.op, match_enqueue_begin(service.match, &command)), MATCH_OK);
    return command.ticket;
}

static struct ticket_view ticket_now(const struct ticket_view *ticket, int64_t player_no)
{
    struct ticket_view view;
    cr_assert_eq(match_ticket(service.match, &ticket->row.id, player_no, &view), MATCH_OK);
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
    cr_assert_eq(match_game(service.match, &first.row.game_id, &game, NULL), MATCH_OK);
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
    struct match_resign command = {
        .op = new_op(),
        .game_id = game->game.id,
        .player_no = player_no,
        .at_ms = atomic_fetch_add(&service.now_ms, 1),
    };
    cr_assert_eq(finish(&command.op, match_resign_begin(service.match, &command)), MATCH_OK);
}

Test(seating, of_two_who_never_met_the_earlier_ticket_moves_first)
{
    int64_t a = new_player();
    int64_t b = new_player();
    struct game_view game = meet(b, a);
    cr_expect_eq(first_seat(&game), b);
    cr_expect_eq(game.game.turn_seconds, 30);
    cr_expect(game.game.rated);
}

Test(seating, two_who_met_swap_seats_every_time_whoever_queues_first)
{
    int64_t a = new_player();
    int64_t b = new_player();
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
    int64_t a = new_player();
    int64_t b = new_player();
    int64_t c = new_player();
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
            .op = new_op(),
            .game_id = game.game.id,
            .player_no = game.seats[(ply + 1) % 2].row.player_no,
            .ply = ply,
            .at_ms = atomic_fetch_add(&service.now_ms, 1),
        };
        (void)snprintf(command.text, sizeof command.text, "%s", moves[(ply - 1) % 4]);
        cr_assert_eq(finish(&command.op, match_move_begin(service.match, &command)), MATCH_OK);
    }
    cr_assert_eq(match_game(service.match, &game.game.id, &game, NULL), MATCH_OK);
    cr_assert(game.has_replayed_by);
    cr_assert_eq(match_game(service.match, &game.replayed_by, &game, NULL), MATCH_OK);
    return game;
}

Test(seating, a_draw_s_replay_counts_as_the_last_meeting)
{
    int64_t a = new_player();
    int64_t b = new_player();
    struct game_view game = draw(a, b);
    cr_expect_eq(first_seat(&game), b);
    game = meet(a, b);
    cr_expect_eq(first_seat(&game), a);
}

Test(seating, tickets_of_different_turn_times_do_not_meet)
{
    int64_t a = new_player();
    int64_t b = new_player();
    int64_t c = new_player();
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
    int64_t a = new_player();
    int64_t b = new_player();
    struct game_view game = meet(a, b);
    resign(&game, a);
    game = draw(a, b);
    cr_expect_eq(game.seats[0].row.player_no, a);
    cr_expect_eq(game.seats[0].row.rating_milli, 1482292, "1480.000 before the draw");
    cr_expect_eq(game.seats[1].row.rating_milli, 1517708, "1520.000 before the draw");
}

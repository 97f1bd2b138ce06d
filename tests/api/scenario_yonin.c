/* Four-player shogi over HTTP: four devices, alone and in pairs, from the queue to the ranking. */

#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = 4 };
static const char letters[SEATS + 1] = "swne";

struct board {
    struct process *server;
    struct device *devices[SEATS]; /* in the order in which they came */
    struct device *seats[SEATS];   /* in seat order, once seated */
    char game[32];
};

static struct board board_new(void)
{
    struct board board = {.server = process_new(NULL)};
    for (size_t i = 0; i < SEATS; i++) {
        board.devices[i] = device_new(board.server);
    }
    return board;
}

static void board_free(struct board *board)
{
    for (size_t i = 0; i < SEATS; i++) {
        device_free(board->devices[i]);
    }
    process_free(board->server);
}

static size_t seat_of(const char *letter)
{
    const char *found = strchr(letters, letter[0]);
    cr_assert(found != NULL && letter[0] != '\0', "%s is no seat", letter);
    return (size_t)(found - letters);
}

static void queue(struct device *device, const char *pool, const struct device *partner,
                  char ticket[32])
{
    char body[128];
    (void)snprintf(body, sizeof body,
                   partner == NULL ? "{\"pool\":\"%s\"}" : "{\"pool\":\"%s\",\"partner\":\"%s\"}",
                   pool, partner == NULL ? "" : partner->player);
    struct answer answer =
        expect(201, client_post(device->client, "/v1/tickets", device->token, body));
    cr_assert_str_eq(answer_text(&answer, "status"), "waiting");
    if (partner != NULL) {
        cr_assert_str_eq(answer_text(&answer, "partner"), partner->player);
    }
    (void)snprintf(ticket, 32, "%s", answer_text(&answer, "id"));
    answer_free(&answer);
}

/* Everybody queues; `partners[i]` is a device or -1. */
static void seat_all(struct board *board, const char *pool, const int partners[SEATS])
{
    char tickets[SEATS][32];
    for (size_t i = 0; i < SEATS; i++) {
        const struct device *partner = partners[i] < 0 ? NULL : board->devices[partners[i]];
        queue(board->devices[i], pool, partner, tickets[i]);
    }
    for (size_t i = 0; i < SEATS; i++) {
        char game[32];
        char seat[2];
        device_matched(board->devices[i], tickets[i], game, seat);
        cr_assert(i == 0 || strcmp(game, board->game) == 0);
        (void)snprintf(board->game, sizeof board->game, "%s", game);
        board->seats[seat_of(seat)] = board->devices[i];
    }
}

static const int nobody[SEATS] = {-1, -1, -1, -1};

static json_t *vector_game(int index)
{
    static char line[1 << 20];
    FILE *file = fopen("tests/data/yonin.games.jsonl", "r");
    cr_assert_not_null(file);
    for (int i = 0; i <= index; i++) {
        cr_assert_not_null(fgets(line, sizeof line, file));
    }
    (void)fclose(file);
    json_t *game = json_loads(line, 0, NULL);
    cr_assert_null(json_object_get(game, "start"));
    return game;
}

/* Who is on turn is what the answers say: checks change the order. */
static void play(const struct board *board, json_t *game)
{
    json_t *moves = json_object_get(game, "moves");
    json_t *positions = json_object_get(game, "positions");
    size_t turn = 0;
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *move = json_string_value(json_array_get(moves, i));
        struct answer answer =
            expect(201, device_move(board->seats[turn], board->game, (unsigned)i + 1, move));
        cr_assert_str_eq(answer_text(&answer, "game.position"),
                         json_string_value(json_array_get(positions, i)));
        if (i + 1 < json_array_size(moves)) {
            turn = seat_of(answer_text(&answer, "game.turn"));
        }
        answer_free(&answer);
    }
}

/* The end as the vectors have it, and ratings that nobody else paid for. */
static void expect_end(const struct board *board, json_t *game)
{
    json_t *end = json_object_get(game, "end");
    struct answer answer = device_game(board->devices[0], board->game);
    double sum = 0;
    cr_assert_str_eq(answer_text(&answer, "status"), "finished");
    cr_assert_str_eq(answer_text(&answer, "result.reason"),
                     json_string_value(json_object_get(end, "reason")));
    cr_assert(json_equal(answer_at(&answer, "result.ranks"), json_object_get(end, "ranks")));
    cr_assert(
        json_equal(answer_at(&answer, "eliminations"), json_object_get(game, "eliminations")));
    cr_assert_str_eq(answer_text(&answer, "result.rating_status"), "applied");
    for (size_t i = 0; i < SEATS; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "result.ratings.%zu.delta", i);
        sum += json_number_value(answer_at(&answer, path));
    }
    cr_expect(sum > -0.01 && sum < 0.01, "the changes of four new players come to %f", sum);
    answer_free(&answer);
}

Test(scenario_yonin, a_whole_game_of_four_alone_gives_everybody_a_place)
{
    struct board board = board_new();
    json_t *game = vector_game(1);
    seat_all(&board, "yonin", nobody);
    play(&board, game);
    expect_end(&board, game);

    struct answer answer = expect(
        200, client_get(board.devices[0]->client, "/v1/rankings/yonin?provisional=true", NULL));
    cr_assert_eq(answer_integer(&answer, "total"), SEATS);
    for (size_t i = 0; i < SEATS; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "items.%zu.player.id", i);
        cr_expect_str_eq(answer_text(&answer, path), board.seats[i]->player);
        (void)snprintf(path, sizeof path, "items.%zu.places.%zu", i, i);
        cr_expect_eq(answer_integer(&answer, path), 1);
        (void)snprintf(path, sizeof path, "items.%zu.%s", i, i == 0 ? "wins" : "losses");
        cr_expect_eq(answer_integer(&answer, path), 1);
    }
    answer_free(&answer);
    json_decref(game);
    board_free(&board);
}

Test(scenario_yonin, partners_sit_opposite_and_win_together)
{
    struct board board = board_new();
    json_t *game = vector_game(20);
    seat_all(&board, "yonin_pairs", (const int[]){3, 2, 1, 0});
    for (size_t i = 0; i < SEATS; i++) {
        size_t partner = board.seats[i] == board.devices[0]   ? 3
                         : board.seats[i] == board.devices[1] ? 2
                         : board.seats[i] == board.devices[2] ? 1
                                                              : 0;
        cr_expect_eq(board.seats[(i + 2) % SEATS], board.devices[partner]);
    }
    play(&board, game);
    expect_end(&board, game);
    json_decref(game);
    board_free(&board);
}

Test(scenario_yonin, a_draw_of_pairs_is_played_again_one_seat_on)
{
    static const char *const to_and_fro[8] = {"3i2h", "9g8h", "7a8b", "1c2b",
                                              "2h3i", "8h9g", "8b7a", "2b1c"};
    struct board board = board_new();
    seat_all(&board, "yonin_pairs", nobody);
    struct answer answer = {0};
    for (unsigned ply = 1; ply <= 24; ply++) {
        answer_free(&answer);
        answer = expect(201, device_move(board.seats[(ply - 1) % SEATS], board.game, ply,
                                         to_and_fro[(ply - 1) % 8]));
    }
    cr_assert_str_eq(answer_text(&answer, "game.result.reason"), "repetition");
    cr_assert(json_is_true(answer_at(&answer, "game.result.draw")));
    answer_free(&answer);

    answer = device_game(board.devices[0], board.game);
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s", answer_text(&answer, "replayed_by"));
    answer_free(&answer);
    answer = expect(200, client_get(board.devices[0]->client, path, NULL));
    cr_assert_str_eq(answer_text(&answer, "pool"), "yonin_pairs");
    for (size_t i = 0; i < SEATS; i++) {
        (void)snprintf(path, sizeof path, "seats.%zu.player.id", i);
        cr_expect_str_eq(answer_text(&answer, path), board.seats[(i + 1) % SEATS]->player);
    }
    answer_free(&answer);
    board_free(&board);
}

Test(scenario_yonin, nobody_may_resign)
{
    struct board board = board_new();
    seat_all(&board, "yonin", nobody);
    struct answer answer = device_resign(board.seats[0], board.game);
    cr_assert_eq(answer.status, 422);
    cr_assert_str_eq(answer_text(&answer, "code"), "resign-not-allowed");
    answer_free(&answer);
    board_free(&board);
}

static void expect_refused(struct device *device, const char *body, const char *reason)
{
    struct answer answer = client_post(device->client, "/v1/tickets", device->token, body);
    cr_assert_eq(answer.status, 422, "%s: %ld", body, answer.status);
    cr_assert_str_eq(answer_text(&answer, "code"), "invalid-field");
    cr_assert_str_eq(answer_text(&answer, "errors.0.pointer"), "/partner");
    cr_assert_str_eq(answer_text(&answer, "errors.0.reason"), reason);
    answer_free(&answer);
}

Test(scenario_yonin, a_partner_is_another_player_and_only_in_a_pool_of_pairs)
{
    struct board board = board_new();
    struct device *device = board.devices[0];
    char body[128];
    (void)snprintf(body, sizeof body, "{\"pool\":\"yonin\",\"partner\":\"%s\"}",
                   board.devices[1]->player);
    expect_refused(device, body, "no-partners-in-this-pool");
    (void)snprintf(body, sizeof body, "{\"pool\":\"yonin_pairs\",\"partner\":\"%s\"}",
                   device->player);
    expect_refused(device, body, "no-such-player");
    expect_refused(device,
                   "{\"pool\":\"yonin_pairs\",\"partner\":\"p_00000000000000000000000000\"}",
                   "no-such-player");
    board_free(&board);
}

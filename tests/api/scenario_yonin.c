/* Four-player shogi over HTTP: four devices, alone and in pairs, from the queue to the ranking. */

#include "tests/support/board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = 4 };

/* The end as the vectors have it, and ratings that nobody else paid for. */
static void expect_end(const struct board *board, json_t *vector)
{
    json_t *end = json_object_get(vector, "end");
    struct answer answer = board_game(board);
    double sum = 0;
    cr_assert_str_eq(answer_text(&answer, "status"), "finished");
    cr_assert_str_eq(answer_text(&answer, "result.reason"),
                     json_string_value(json_object_get(end, "reason")));
    cr_assert(json_equal(answer_at(&answer, "result.ranks"), json_object_get(end, "ranks")));
    cr_assert(
        json_equal(answer_at(&answer, "eliminations"), json_object_get(vector, "eliminations")));
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
    struct board board = board_new(games_find("yonin"));
    json_t *vector = board_vector(board.game, 1);
    board_seat(&board);
    board_play_vector(&board, vector);
    expect_end(&board, vector);

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
    json_decref(vector);
    board_free(&board);
}

Test(scenario_yonin, partners_sit_opposite_and_win_together)
{
    struct board board = board_new(games_find("yonin_pairs"));
    json_t *vector = board_vector(board.game, 20);
    board_seat_with(&board, (const int[]){3, 2, 1, 0});
    for (size_t i = 0; i < SEATS; i++) {
        size_t partner = board.seats[i] == board.devices[0]   ? 3
                         : board.seats[i] == board.devices[1] ? 2
                         : board.seats[i] == board.devices[2] ? 1
                                                              : 0;
        cr_expect_eq(board.seats[(i + 2) % SEATS], board.devices[partner]);
    }
    board_play_vector(&board, vector);
    expect_end(&board, vector);
    json_decref(vector);
    board_free(&board);
}

Test(scenario_yonin, a_draw_of_pairs_is_played_again_one_seat_on)
{
    struct board board = board_begun(games_find("yonin_pairs"));
    board_play(&board, board.game->line);
    struct answer answer = board_game(&board);
    cr_assert_str_eq(answer_text(&answer, "result.reason"), "repetition");
    cr_assert(json_is_true(answer_at(&answer, "result.draw")));
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
    struct board board = board_begun(games_find("yonin"));
    struct answer answer = device_resign(board.seats[0], board.id);
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
    struct board board = board_new(games_find("yonin"));
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

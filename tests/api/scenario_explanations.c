#include "tests/support/board.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* GET /v1/games/{id}/rating: what is foretold comes true, and what came is explained. */

static struct answer explain(const struct board *board, const char *game)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/rating", game);
    return expect(200, client_get(board->devices[0]->client, path, NULL));
}

static double number_at(const struct answer *answer, const char *format, size_t seat)
{
    char path[64];
    (void)snprintf(path, sizeof path, "seats.%zu.%s", seat, format);
    json_t *value = answer_at(answer, path);
    cr_assert(json_is_number(value), "%s", path);
    return json_number_value(value);
}

static bool is_null(const struct answer *answer, const char *key, size_t seat)
{
    char path[64];
    (void)snprintf(path, sizeof path, "seats.%zu.%s", seat, key);
    return json_is_null(answer_at(answer, path));
}

static void resign(struct device *device, const char *game)
{
    struct answer answer = expect(200, device_resign(device, game));
    answer_free(&answer);
}

Test(scenario_explanations, two_new_players_have_twenty_points_at_stake)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
    struct answer answer = explain(&board, pairing.game);
    cr_assert_str_eq(answer_text(&answer, "game_id"), pairing.game);
    cr_assert(json_is_null(answer_at(&answer, "rating_status")));
    for (size_t seat = 0; seat < 2; seat++) {
        cr_expect_eq(number_at(&answer, "before", seat), 1500);
        cr_expect_eq(number_at(&answer, "k", seat), 40);
        cr_expect_eq(number_at(&answer, "against.0.expected", seat), 0.5);
        cr_expect_eq(number_at(&answer, "outcomes.0.delta", seat), 20);
        cr_expect_eq(number_at(&answer, "outcomes.1.delta", seat), 0);
        cr_expect_eq(number_at(&answer, "outcomes.2.delta", seat), -20);
        cr_expect(is_null(&answer, "after", seat) && is_null(&answer, "delta", seat));
        cr_expect(is_null(&answer, "against.0.sentence", seat));
    }
    cr_expect_eq(number_at(&answer, "outcomes.0.places.0", 0), 1);
    cr_expect_eq(number_at(&answer, "outcomes.0.places.0", 1), 2);
    answer_free(&answer);
    board_free(&board);
}

/* The sentence of the view that operators read. */
static void expect_the_views_sentence(const struct board *board, const char *game, size_t seat,
                                      const char *sentence)
{
    char sql[256];
    char line[512];
    (void)snprintf(sql, sizeof sql,
                   "SELECT sentence FROM rating_explanation WHERE game_id = '%s' AND seat = '%c'",
                   game, "bw"[seat]);
    process_sql(board->server, sql, line, sizeof line);
    cr_expect_str_eq(sentence, line);
}

/* The outcome with index `which` of seat b's list (0 it wins, 1 a draw, 2 it loses). */
static void play_to(const struct pairing *pairing, size_t which)
{
    if (which == 1) {
        device_play(pairing, 1, games_find("hasami")->repetition);
    } else {
        resign(pairing->seats[which == 0 ? 1 : 0], pairing->game);
    }
}

static void expect_explained(const struct board *board, const char *game,
                             const struct answer *foretold, size_t which)
{
    struct answer answer = explain(board, game);
    cr_assert_str_eq(answer_text(&answer, "rating_status"), "applied");
    for (size_t seat = 0; seat < 2; seat++) {
        char key[32];
        char sentence[64];
        (void)snprintf(key, sizeof key, "outcomes.%zu.delta", seat == 0 ? which : 2 - which);
        cr_expect_eq(number_at(&answer, "delta", seat), number_at(foretold, key, seat));
        cr_expect_eq(number_at(&answer, "before", seat), number_at(foretold, "before", seat));
        cr_expect_eq(number_at(&answer, "k", seat), number_at(foretold, "k", seat));
        cr_expect_eq(number_at(&answer, "against.0.expected", seat),
                     number_at(foretold, "against.0.expected", seat));
        cr_expect_eq(number_at(&answer, "against.0.points", seat),
                     number_at(&answer, "delta", seat));
        cr_expect_float_eq(number_at(&answer, "before", seat) + number_at(&answer, "delta", seat),
                           number_at(&answer, "after", seat), 1e-9);
        cr_expect(is_null(&answer, "outcomes", seat));
        (void)snprintf(sentence, sizeof sentence, "seats.%zu.against.0.sentence", seat);
        expect_the_views_sentence(board, game, seat, answer_text(&answer, sentence));
    }
    answer_free(&answer);
}

Test(scenario_explanations, every_outcome_comes_as_it_was_foretold_and_is_worded_as_in_the_view)
{
    static const size_t ways[] = {0, 2, 2, 1};
    struct board board = board_new(games_find("hasami"));
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
        struct answer foretold = explain(&board, pairing.game);
        play_to(&pairing, ways[i]);
        expect_explained(&board, pairing.game, &foretold, ways[i]);
        answer_free(&foretold);
    }
    board_free(&board);
}

/* What the players have elsewhere moves what is at stake here. */
Test(scenario_explanations, a_running_game_is_explained_by_the_ratings_of_now)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing first = device_pair(board.devices[0], board.devices[1]);
    struct pairing second = device_pair(board.devices[0], board.devices[1]);
    resign(board.devices[1], second.game);
    struct answer answer = explain(&board, first.game);
    cr_expect_eq(number_at(&answer, "before", 0), first.seats[0] == board.devices[0] ? 1520 : 1480);
    cr_expect_lt(number_at(&answer, "outcomes.0.delta", first.seats[0] == board.devices[0] ? 0 : 1),
                 20);
    answer_free(&answer);
    board_free(&board);
}

Test(scenario_explanations, a_game_over_the_repeat_limit_says_so_from_the_start)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing pairing;
    for (int i = 0; i < 6; i++) {
        pairing = device_pair(board.devices[0], board.devices[1]);
        if (i < 5) {
            resign(board.devices[0], pairing.game);
        }
    }
    for (int ended = 0; ended <= 1; ended++) {
        struct answer answer = explain(&board, pairing.game);
        cr_expect(json_is_false(answer_at(&answer, "rated")));
        cr_expect_str_eq(answer_text(&answer, "unrated_reason"), "repeat_limit");
        cr_expect(is_null(&answer, "before", 0) && is_null(&answer, "delta", 0));
        cr_expect(is_null(&answer, "outcomes", 1));
        cr_expect_eq(json_array_size(answer_at(&answer, "seats.0.against")), 0);
        if (ended == 0) {
            cr_expect(json_is_null(answer_at(&answer, "rating_status")));
            resign(board.devices[0], pairing.game);
        } else {
            cr_expect_str_eq(answer_text(&answer, "rating_status"), "unrated");
        }
        answer_free(&answer);
    }
    board_free(&board);
}

Test(scenario_explanations, a_late_draw_of_a_chain_has_nothing_to_explain)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
    for (int draw = 1; draw <= 3; draw++) {
        struct device *swapped = pairing.seats[0];
        device_play(&pairing, 1, board.game->repetition);
        struct answer answer = explain(&board, pairing.game);
        cr_expect_eq(is_null(&answer, "delta", 0), draw == 3, "draw %d", draw);
        cr_expect(json_is_true(answer_at(&answer, "rated")));
        answer_free(&answer);
        answer = device_game(board.devices[0], pairing.game);
        (void)snprintf(pairing.game, sizeof pairing.game, "%s",
                       answer_text(&answer, "replayed_by"));
        answer_free(&answer);
        pairing.seats[0] = pairing.seats[1];
        pairing.seats[1] = swapped;
    }
    board_free(&board);
}

Test(scenario_explanations, what_is_no_game_is_not_found_and_no_parameter_is_known)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
    char path[128];
    struct client *client = board.devices[0]->client;
    expect_problem(404, "not-found", client_get(client, "/v1/games/g_1/rating", NULL));
    expect_problem(404, "not-found",
                   client_get(client, "/v1/games/g_00000000000000000000000000/rating", NULL));
    (void)snprintf(path, sizeof path, "/v1/games/%s/rating?seat=b", pairing.game);
    expect_problem(400, "invalid-parameter", client_get(client, path, NULL));
    board_free(&board);
}

#include "tests/support/board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number_of(const struct answer *answer, const char *path)
{
    return json_number_value(answer_at(answer, path));
}

Test(scenario_game, a_whole_game_is_checked_rated_and_ranked)
{
    struct board board = board_new(games_find("hasami"));
    json_t *vector = board_vector(board.game, 0);
    board_seat(&board);
    board_play_vector(&board, vector);

    struct answer answer = board_game(&board);
    cr_assert_str_eq(answer_text(&answer, "status"), "finished");
    cr_assert_str_eq(answer_text(&answer, "result.reason"), "capture");
    cr_assert_str_eq(answer_text(&answer, "result.rating_status"), "applied");
    cr_assert(json_is_null(answer_at(&answer, "turn")));
    cr_assert(json_is_null(answer_at(&answer, "next_ply")));
    cr_assert_eq(answer_integer(&answer, "result.ratings.0.after"), 1520);
    cr_assert_eq(answer_integer(&answer, "result.ratings.1.delta"), -20);
    answer_free(&answer);

    answer = expect(
        200, client_get(board.devices[0]->client, "/v1/rankings/hasami?provisional=true", NULL));
    cr_assert_eq(answer_integer(&answer, "total"), 2);
    cr_assert_str_eq(answer_text(&answer, "items.0.player.id"), board.seats[0]->player);
    cr_assert_eq(answer_integer(&answer, "items.1.rank"), 2);
    answer_free(&answer);
    answer = expect(200, client_get(board.devices[0]->client, "/v1/rankings/hasami", NULL));
    cr_assert_eq(answer_integer(&answer, "total"), 0);
    answer_free(&answer);
    json_decref(vector);
    board_free(&board);
}

Test(scenario_game, every_vector_game_from_the_start_that_matchmaking_can_offer_plays)
{
    struct board board = board_new(games_find("hasami"));
    int played = 0;
    for (int i = 0; i < 6; i++) {
        json_t *vector = board_vector(board.game, i);
        cr_assert_eq(json_object_size(json_object_get(vector, "options")), 0);
        board_seat(&board);
        board_play_vector(&board, vector);
        json_decref(vector);
        played++;
    }
    cr_assert_eq(played, 6);
    board_free(&board);
}

Test(scenario_game, two_who_met_before_swap_seats)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing first = device_pair(board.devices[0], board.devices[1]);
    cr_assert_eq(first.seats[0], board.devices[0], "the earlier ticket moves first");
    struct answer answer = expect(200, device_resign(board.devices[0], first.game));
    answer_free(&answer);
    struct pairing second = device_pair(board.devices[0], board.devices[1]);
    cr_assert_eq(second.seats[0], board.devices[1]);
    board_free(&board);
}

Test(scenario_game, either_side_may_resign_at_any_time_and_only_once)
{
    struct board board = board_new(games_find("hasami"));
    struct device *stranger = device_new(board.server);
    struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
    expect_problem(403, "not-your-seat", device_resign(stranger, pairing.game));
    struct answer answer = expect(200, device_resign(pairing.seats[1], pairing.game));
    cr_assert_str_eq(answer_text(&answer, "result.reason"), "resign");
    cr_assert_eq(answer_integer(&answer, "result.ranks.0"), 1);
    cr_assert_eq(answer_integer(&answer, "ply"), 0);
    cr_assert_str_eq(answer_text(&answer, "result.rating_status"), "applied");
    answer_free(&answer);
    expect_problem(409, "game-over", device_resign(pairing.seats[0], pairing.game));
    expect_problem(409, "game-over", device_move(pairing.seats[0], pairing.game, 1, "5i5e"));
    device_free(stranger);
    board_free(&board);
}

Test(scenario_game, a_replay_starts_with_the_ratings_that_the_draw_has_left)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing first = device_pair(board.devices[0], board.devices[1]);
    struct answer resigned = expect(200, device_resign(board.devices[0], first.game));
    answer_free(&resigned);
    struct pairing drawn = device_pair(board.devices[0], board.devices[1]);
    device_play(&drawn, 1, board.game->repetition);
    struct answer draw = device_game(board.devices[0], drawn.game);
    cr_assert_neq(number_of(&draw, "result.ratings.0.delta"), 0);
    struct answer replay = device_game(board.devices[0], answer_text(&draw, "replayed_by"));
    cr_assert_eq(number_of(&replay, "seats.0.player.rating"),
                 number_of(&draw, "result.ratings.1.after"));
    cr_assert_eq(number_of(&replay, "seats.1.player.rating"),
                 number_of(&draw, "result.ratings.0.after"));
    answer_free(&replay);
    answer_free(&draw);
    board_free(&board);
}

/* Changes a file that nobody serves, as somebody with a shell could. */
static void tamper(const struct process *server, const char *sql)
{
    char command[1024];
    (void)snprintf(command, sizeof command, "sqlite3 %s \"%s\"", server->db, sql);
    cr_assert_eq(system(command), 0); /* NOLINT(cert-env33-c) */
}

Test(scenario_game, an_end_that_lacks_a_row_of_the_file_is_refused_whole)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing drawn = device_pair(board.devices[0], board.devices[1]);
    device_play(&drawn, 1, board.game->repetition);
    struct answer draw = device_game(board.devices[0], drawn.game);
    struct pairing replay = {
        .seats = {drawn.seats[1], drawn.seats[0]}
    };
    (void)snprintf(replay.game, sizeof replay.game, "%s", answer_text(&draw, "replayed_by"));
    answer_free(&draw);
    cr_assert_eq(process_stop(board.server), 0);
    char sql[256];
    (void)snprintf(sql, sizeof sql,
                   "DROP TRIGGER game_is_kept; DELETE FROM game WHERE game_id = '%s'", drawn.game);
    tamper(board.server, sql);
    process_start(board.server, NULL, NULL);
    device_reconnect(board.devices[0], board.server);
    device_reconnect(board.devices[1], board.server);

    const char *const *repetition = board.game->repetition;
    unsigned ply = 0;
    for (; repetition[ply + 1] != NULL; ply++) {
        struct answer move =
            expect(201, device_move(replay.seats[ply % 2], replay.game, ply + 1, repetition[ply]));
        answer_free(&move);
    }
    for (int i = 0; i < 2; i++) {
        expect_problem(503, "integrity",
                       device_move(replay.seats[ply % 2], replay.game, ply + 1, repetition[ply]));
    }
    process_sql(board.server, "SELECT ply || status FROM game ORDER BY game_no DESC LIMIT 1", sql,
                sizeof sql);
    cr_assert_str_eq(sql, "11playing");
    cr_assert_eq(process_stop(board.server), 0);
    board_free(&board);
}

Test(scenario_game, a_repetition_draw_is_rated_and_replayed_with_seats_swapped)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
    char replay[32];
    device_play(&pairing, 1, board.game->repetition);
    struct answer answer = device_game(board.devices[0], pairing.game);
    cr_assert_str_eq(answer_text(&answer, "result.reason"), "repetition");
    cr_assert(json_is_true(answer_at(&answer, "result.draw")));
    cr_assert_str_eq(answer_text(&answer, "result.rating_status"), "applied");
    (void)snprintf(replay, sizeof replay, "%s", answer_text(&answer, "replayed_by"));
    answer_free(&answer);

    answer = device_game(board.devices[0], replay);
    cr_assert_str_eq(answer_text(&answer, "replay_of"), pairing.game);
    cr_assert_str_eq(answer_text(&answer, "seats.0.player.id"), pairing.seats[1]->player);
    cr_assert_str_eq(answer_text(&answer, "status"), "playing");
    cr_assert(json_is_true(answer_at(&answer, "rated")));
    answer_free(&answer);
    board_free(&board);
}

Test(scenario_game, a_chain_rates_two_draws_and_ends_after_eight)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
    for (int draw = 1; draw <= 8; draw++) {
        device_play(&pairing, 1, board.game->repetition);
        struct answer answer = device_game(board.devices[0], pairing.game);
        bool rated = draw <= 2;
        cr_assert_str_eq(answer_text(&answer, "result.rating_status"),
                         rated ? "applied" : "unrated", "draw %d", draw);
        cr_assert_eq(json_is_null(answer_at(&answer, "unrated_reason")), rated);
        if (draw == 8) {
            cr_assert(json_is_null(answer_at(&answer, "replayed_by")));
            answer_free(&answer);
            break;
        }
        (void)snprintf(pairing.game, sizeof pairing.game, "%s",
                       answer_text(&answer, "replayed_by"));
        struct device *swapped = pairing.seats[0];
        pairing.seats[0] = pairing.seats[1];
        pairing.seats[1] = swapped;
        answer_free(&answer);
    }
    board_free(&board);
}

Test(scenario_game, the_sixth_game_of_the_same_two_in_a_day_is_not_rated)
{
    struct board board = board_new(games_find("hasami"));
    for (int i = 1; i <= 6; i++) {
        struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
        struct answer answer = device_game(board.devices[0], pairing.game);
        cr_assert_eq(json_is_true(answer_at(&answer, "rated")), i <= 5, "game %d", i);
        if (i == 6) {
            cr_assert_str_eq(answer_text(&answer, "unrated_reason"), "repeat_limit");
        }
        answer_free(&answer);
        answer = expect(200, device_resign(board.devices[0], pairing.game));
        answer_free(&answer);
    }
    board_free(&board);
}

Test(scenario_game, an_operator_reads_the_result_with_sqlite3_while_it_is_served)
{
    struct board board = board_new(games_find("hasami"));
    struct pairing pairing = device_pair(board.devices[0], board.devices[1]);
    char line[512];
    struct answer answer = expect(200, device_resign(pairing.seats[1], pairing.game));
    answer_free(&answer);
    process_sql(board.server, "SELECT sentence FROM rating_explanation WHERE seat = 'w'", line,
                sizeof line);
    cr_assert_not_null(strstr(line, "lost to "));
    cr_assert_not_null(strstr(line, "(1500.0): 40 x (0 - 0.50) = -20.0"), "%s", line);
    process_sql(board.server, "SELECT count(*) FROM game_summary WHERE status = 'finished'", line,
                sizeof line);
    cr_assert_str_eq(line, "1");
    board_free(&board);
}

Test(scenario_game, a_player_has_at_most_thirty_two_running_games)
{
    struct board board = board_new(games_find("hasami"));
    for (int i = 0; i < 32; i++) {
        (void)device_pair(board.devices[0], board.devices[1]);
    }
    expect_problem(409, "too-many-games",
                   client_post(board.devices[0]->client, "/v1/tickets", board.devices[0]->token,
                               "{\"pool\":\"hasami\"}"));
    struct answer answer =
        expect(200, client_get(board.devices[0]->client, "/v1/me", board.devices[0]->token));
    cr_assert_eq(json_array_size(answer_at(&answer, "open_games")), 32);
    answer_free(&answer);
    board_free(&board);
}

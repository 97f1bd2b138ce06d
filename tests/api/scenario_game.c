#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const repetition[] = {"5i5h", "5a5b", "5h5i", "5b5a", "5i5h", "5a5b", "5h5i",
                                         "5b5a", "5i5h", "5a5b", "5h5i", "5b5a", NULL};

struct table {
    struct process *server;
    struct device *a;
    struct device *b;
};

static struct table table_new(void)
{
    struct table table = {.server = process_new(NULL)};
    table.a = device_new(table.server);
    table.b = device_new(table.server);
    return table;
}

static void table_free(struct table *table)
{
    device_free(table->a);
    device_free(table->b);
    process_free(table->server);
}

/* Line `index` of the game vectors, from the standard start. */
static json_t *vector_game(int index)
{
    static char line[1 << 20];
    FILE *file = fopen("tests/data/hasami.games.jsonl", "r");
    cr_assert_not_null(file);
    for (int i = 0; i <= index; i++) {
        cr_assert_not_null(fgets(line, sizeof line, file));
    }
    (void)fclose(file);
    return json_loads(line, 0, NULL);
}

static void play_vector(const struct pairing *pairing, json_t *game)
{
    json_t *moves = json_object_get(game, "moves");
    json_t *positions = json_object_get(game, "positions");
    for (size_t i = 0; i < json_array_size(moves); i++) {
        struct answer answer =
            expect(201, device_move(pairing->seats[i % 2], pairing->game, (unsigned)i + 1,
                                    json_string_value(json_array_get(moves, i))));
        cr_assert_str_eq(answer_text(&answer, "game.position"),
                         json_string_value(json_array_get(positions, i)));
        answer_free(&answer);
    }
}

static double number_of(const struct answer *answer, const char *path)
{
    return json_number_value(answer_at(answer, path));
}

Test(scenario_game, a_whole_game_is_checked_rated_and_ranked)
{
    struct table table = table_new();
    json_t *game = vector_game(0);
    struct pairing pairing = device_pair(table.a, table.b);
    play_vector(&pairing, game);

    struct answer answer = device_game(table.a, pairing.game);
    cr_assert_str_eq(answer_text(&answer, "status"), "finished");
    cr_assert_str_eq(answer_text(&answer, "result.reason"), "capture");
    cr_assert_str_eq(answer_text(&answer, "result.rating_status"), "applied");
    cr_assert(json_is_null(answer_at(&answer, "turn")));
    cr_assert(json_is_null(answer_at(&answer, "next_ply")));
    cr_assert_eq(answer_integer(&answer, "result.ratings.0.after"), 1520);
    cr_assert_eq(answer_integer(&answer, "result.ratings.1.delta"), -20);
    answer_free(&answer);

    answer = expect(200, client_get(table.a->client, "/v1/rankings/hasami?provisional=true", NULL));
    cr_assert_eq(answer_integer(&answer, "total"), 2);
    cr_assert_str_eq(answer_text(&answer, "items.0.player.id"), pairing.seats[0]->player);
    cr_assert_eq(answer_integer(&answer, "items.1.rank"), 2);
    answer_free(&answer);
    answer = expect(200, client_get(table.a->client, "/v1/rankings/hasami", NULL));
    cr_assert_eq(answer_integer(&answer, "total"), 0);
    answer_free(&answer);
    json_decref(game);
    table_free(&table);
}

Test(scenario_game, every_vector_game_from_the_start_that_matchmaking_can_offer_plays)
{
    struct table table = table_new();
    int played = 0;
    for (int i = 0; i < 6; i++) {
        json_t *game = vector_game(i);
        cr_assert_eq(json_object_size(json_object_get(game, "options")), 0);
        struct pairing pairing = device_pair(table.a, table.b);
        play_vector(&pairing, game);
        json_decref(game);
        played++;
    }
    cr_assert_eq(played, 6);
    table_free(&table);
}

Test(scenario_game, two_who_met_before_swap_seats)
{
    struct table table = table_new();
    struct pairing first = device_pair(table.a, table.b);
    cr_assert_eq(first.seats[0], table.a, "the earlier ticket moves first");
    struct answer answer = expect(200, device_resign(table.a, first.game));
    answer_free(&answer);
    struct pairing second = device_pair(table.a, table.b);
    cr_assert_eq(second.seats[0], table.b);
    table_free(&table);
}

Test(scenario_game, either_side_may_resign_at_any_time_and_only_once)
{
    struct table table = table_new();
    struct device *stranger = device_new(table.server);
    struct pairing pairing = device_pair(table.a, table.b);
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
    table_free(&table);
}

Test(scenario_game, a_replay_starts_with_the_ratings_that_the_draw_has_left)
{
    struct table table = table_new();
    struct pairing first = device_pair(table.a, table.b);
    struct answer resigned = expect(200, device_resign(table.a, first.game));
    answer_free(&resigned);
    struct pairing drawn = device_pair(table.a, table.b);
    device_play(&drawn, 1, repetition);
    struct answer draw = device_game(table.a, drawn.game);
    cr_assert_neq(number_of(&draw, "result.ratings.0.delta"), 0);
    struct answer replay = device_game(table.a, answer_text(&draw, "replayed_by"));
    cr_assert_eq(number_of(&replay, "seats.0.player.rating"),
                 number_of(&draw, "result.ratings.1.after"));
    cr_assert_eq(number_of(&replay, "seats.1.player.rating"),
                 number_of(&draw, "result.ratings.0.after"));
    answer_free(&replay);
    answer_free(&draw);
    table_free(&table);
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
    struct table table = table_new();
    struct pairing drawn = device_pair(table.a, table.b);
    device_play(&drawn, 1, repetition);
    struct answer draw = device_game(table.a, drawn.game);
    struct pairing replay = {
        .seats = {drawn.seats[1], drawn.seats[0]}
    };
    (void)snprintf(replay.game, sizeof replay.game, "%s", answer_text(&draw, "replayed_by"));
    answer_free(&draw);
    cr_assert_eq(process_stop(table.server), 0);
    char sql[256];
    (void)snprintf(sql, sizeof sql,
                   "DROP TRIGGER game_is_kept; DELETE FROM game WHERE game_id = '%s'", drawn.game);
    tamper(table.server, sql);
    process_start(table.server, NULL, NULL);
    device_reconnect(table.a, table.server);
    device_reconnect(table.b, table.server);

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
    process_sql(table.server, "SELECT ply || status FROM game ORDER BY game_no DESC LIMIT 1", sql,
                sizeof sql);
    cr_assert_str_eq(sql, "11playing");
    cr_assert_eq(process_stop(table.server), 0);
    table_free(&table);
}

Test(scenario_game, a_repetition_draw_is_rated_and_replayed_with_seats_swapped)
{
    struct table table = table_new();
    struct pairing pairing = device_pair(table.a, table.b);
    char replay[32];
    device_play(&pairing, 1, repetition);
    struct answer answer = device_game(table.a, pairing.game);
    cr_assert_str_eq(answer_text(&answer, "result.reason"), "repetition");
    cr_assert(json_is_true(answer_at(&answer, "result.draw")));
    cr_assert_str_eq(answer_text(&answer, "result.rating_status"), "applied");
    (void)snprintf(replay, sizeof replay, "%s", answer_text(&answer, "replayed_by"));
    answer_free(&answer);

    answer = device_game(table.a, replay);
    cr_assert_str_eq(answer_text(&answer, "replay_of"), pairing.game);
    cr_assert_str_eq(answer_text(&answer, "seats.0.player.id"), pairing.seats[1]->player);
    cr_assert_str_eq(answer_text(&answer, "status"), "playing");
    cr_assert(json_is_true(answer_at(&answer, "rated")));
    answer_free(&answer);
    table_free(&table);
}

Test(scenario_game, a_chain_rates_two_draws_and_ends_after_eight)
{
    struct table table = table_new();
    struct pairing pairing = device_pair(table.a, table.b);
    for (int draw = 1; draw <= 8; draw++) {
        device_play(&pairing, 1, repetition);
        struct answer answer = device_game(table.a, pairing.game);
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
    table_free(&table);
}

Test(scenario_game, the_sixth_game_of_the_same_two_in_a_day_is_not_rated)
{
    struct table table = table_new();
    for (int i = 1; i <= 6; i++) {
        struct pairing pairing = device_pair(table.a, table.b);
        struct answer answer = device_game(table.a, pairing.game);
        cr_assert_eq(json_is_true(answer_at(&answer, "rated")), i <= 5, "game %d", i);
        if (i == 6) {
            cr_assert_str_eq(answer_text(&answer, "unrated_reason"), "repeat_limit");
        }
        answer_free(&answer);
        answer = expect(200, device_resign(table.a, pairing.game));
        answer_free(&answer);
    }
    table_free(&table);
}

Test(scenario_game, an_operator_reads_the_result_with_sqlite3_while_it_is_served)
{
    struct table table = table_new();
    struct pairing pairing = device_pair(table.a, table.b);
    char line[512];
    struct answer answer = expect(200, device_resign(pairing.seats[1], pairing.game));
    answer_free(&answer);
    process_sql(table.server, "SELECT sentence FROM rating_explanation WHERE seat = 'w'", line,
                sizeof line);
    cr_assert_not_null(strstr(line, "lost to "));
    cr_assert_not_null(strstr(line, "(1500.0): 40 x (0 - 0.50) = -20.0"), "%s", line);
    process_sql(table.server, "SELECT count(*) FROM game_summary WHERE status = 'finished'", line,
                sizeof line);
    cr_assert_str_eq(line, "1");
    table_free(&table);
}

Test(scenario_game, a_player_has_at_most_thirty_two_running_games)
{
    struct table table = table_new();
    for (int i = 0; i < 32; i++) {
        (void)device_pair(table.a, table.b);
    }
    expect_problem(
        409, "too-many-games",
        client_post(table.a->client, "/v1/tickets", table.a->token, "{\"pool\":\"hasami\"}"));
    struct answer answer = expect(200, client_get(table.a->client, "/v1/me", table.a->token));
    cr_assert_eq(json_array_size(answer_at(&answer, "open_games")), 32);
    answer_free(&answer);
    table_free(&table);
}

#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { GAMES = 7 };

Test(scenario_lists, games_are_filtered_and_walked_newest_first)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct device *c = device_new(server);
    char games[GAMES][32];
    char path[512];
    for (int i = 0; i < GAMES; i++) {
        struct pairing pairing = device_pair(a, i == 3 ? c : b);
        memcpy(games[i], pairing.game, sizeof games[i]);
        if (i < 2) {
            struct answer answer = expect(200, device_resign(a, pairing.game));
            answer_free(&answer);
        }
    }
    int seen = 0;
    (void)snprintf(path, sizeof path, "/v1/games?player=%s&limit=2", a->player);
    while (path[0] != '\0') {
        struct answer page = expect(200, client_get(a->client, path, NULL));
        for (size_t i = 0; i < json_array_size(answer_at(&page, "items")); i++, seen++) {
            char at[32];
            (void)snprintf(at, sizeof at, "items.%zu.id", i);
            cr_assert_str_eq(answer_text(&page, at), games[GAMES - 1 - seen]);
        }
        path[0] = '\0';
        if (!json_is_null(answer_at(&page, "next_cursor"))) {
            (void)snprintf(path, sizeof path, "/v1/games?player=%s&limit=2&cursor=%s", a->player,
                           answer_text(&page, "next_cursor"));
        }
        answer_free(&page);
    }
    cr_assert_eq(seen, GAMES);

    (void)snprintf(path, sizeof path, "/v1/games?player=%s&opponent=%s&status=playing&pool=hasami",
                   a->player, b->player);
    struct answer answer = expect(200, client_get(a->client, path, NULL));
    cr_assert_eq(json_array_size(answer_at(&answer, "items")), 4);
    answer_free(&answer);
    answer = expect(200, client_get(a->client, "/v1/games?status=finished&game=hasami", NULL));
    cr_assert_eq(json_array_size(answer_at(&answer, "items")), 2);
    answer_free(&answer);
    device_free(a);
    device_free(b);
    device_free(c);
    process_free(server);
}

Test(scenario_lists, list_parameters_are_checked)
{
    static const char *const bad[] = {
        "/v1/games?limit=0",
        "/v1/games?limit=101",
        "/v1/games?limit=",
        "/v1/games?limit=+1",
        "/v1/games?limit=01",
        "/v1/games?limit=1e3",
        "/v1/games?player=x",
        "/v1/games?pool=chess",
        "/v1/games?status=open",
        "/v1/games?opponent=p_00000000000000000000000000",
        "/v1/games?unknown=1",
        "/v1/games?limit=1&limit=1",
        "/v1/rankings/hasami?provisional=yes",
        "/v1/rankings/hasami/players/p_00000000000000000000000000?radius=26",
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect_problem(400, "invalid-parameter", client_get(client, bad[i], NULL));
    }
    expect_problem(400, "invalid-cursor", client_get(client, "/v1/games?cursor=abc", NULL));
    expect_problem(404, "not-found", client_get(client, "/v1/rankings/chess", NULL));
    expect_problem(404, "not-found", client_get(client, "/v1/rankings/hasami/players/p_x", NULL));
    expect_problem(
        404, "not-found",
        client_get(client, "/v1/rankings/hasami/players/p_00000000000000000000000000", NULL));
    client_free(client);
    process_free(server);
}

Test(scenario_lists, a_cursor_belongs_to_its_list_and_filter)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char path[512];
    char cursor[128];
    (void)device_pair(a, b);
    (void)device_pair(a, b);
    struct answer page = expect(200, client_get(a->client, "/v1/games?limit=1", NULL));
    (void)snprintf(cursor, sizeof cursor, "%s", answer_text(&page, "next_cursor"));
    answer_free(&page);
    (void)snprintf(path, sizeof path, "/v1/games?limit=1&status=playing&cursor=%s", cursor);
    expect_problem(400, "invalid-cursor", client_get(a->client, path, NULL));
    (void)snprintf(path, sizeof path, "/v1/rankings/hasami?cursor=%s", cursor);
    expect_problem(400, "invalid-cursor", client_get(a->client, path, NULL));
    cursor[5] = cursor[5] == '0' ? '1' : '0';
    (void)snprintf(path, sizeof path, "/v1/games?limit=1&cursor=%s", cursor);
    expect_problem(400, "invalid-cursor", client_get(a->client, path, NULL));
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_lists, a_player_stands_among_neighbours_and_a_newcomer_nowhere)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct device *newcomer = device_new(server);
    char path[160];
    struct pairing pairing = device_pair(a, b);
    struct answer answer = expect(200, device_resign(a, pairing.game));
    answer_free(&answer);

    (void)snprintf(path, sizeof path, "/v1/rankings/hasami/players/%s", a->player);
    answer = expect(200, client_get(a->client, path, NULL));
    cr_assert(json_is_null(answer_at(&answer, "rank")), "provisional players have no rank");
    answer_free(&answer);
    (void)snprintf(path, sizeof path, "/v1/rankings/hasami/players/%s?provisional=true", a->player);
    answer = expect(200, client_get(a->client, path, NULL));
    cr_assert_eq(answer_integer(&answer, "rank"), 2);
    cr_assert_eq(json_array_size(answer_at(&answer, "around")), 2);
    cr_assert_str_eq(answer_text(&answer, "around.0.player.id"), b->player);
    answer_free(&answer);

    (void)snprintf(path, sizeof path, "/v1/rankings/hasami/players/%s?provisional=true",
                   newcomer->player);
    answer = expect(200, client_get(a->client, path, NULL));
    cr_assert(json_is_null(answer_at(&answer, "rank")));
    cr_assert(json_is_null(answer_at(&answer, "percentile")));
    cr_assert_eq(answer_integer(&answer, "rating"), 1500);
    cr_assert_eq(json_array_size(answer_at(&answer, "around")), 0);
    answer_free(&answer);
    device_free(a);
    device_free(b);
    device_free(newcomer);
    process_free(server);
}

Test(scenario_lists, after_twenty_rated_games_a_player_is_in_the_ranking)
{
    struct process *server = process_new(NULL);
    struct device *strong = device_new(server);
    struct answer answer;
    /* Five rated games with each of four rivals; the fifth rival's are the 20th's neighbours. */
    for (int rival = 0; rival < 4; rival++) {
        struct device *weak = device_new(server);
        for (int i = 0; i < 5; i++) {
            struct pairing pairing = device_pair(strong, weak);
            answer = expect(200, device_resign(weak, pairing.game));
            answer_free(&answer);
        }
        device_free(weak);
    }
    answer = expect(200, client_get(strong->client, "/v1/rankings/hasami", NULL));
    cr_assert_eq(answer_integer(&answer, "total"), 1);
    cr_assert_str_eq(answer_text(&answer, "items.0.player.id"), strong->player);
    cr_assert_eq(answer_integer(&answer, "items.0.games"), 20);
    answer_free(&answer);
    answer = expect(200, client_get(strong->client, "/v1/me", strong->token));
    cr_assert_eq(answer_integer(&answer, "ratings.hasami.rank"), 1);
    cr_assert(json_is_false(answer_at(&answer, "ratings.hasami.provisional")));
    answer_free(&answer);
    device_free(strong);
    process_free(server);
}

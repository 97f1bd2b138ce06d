#include "tests/support/device.h"
#include "tests/support/seed.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define HISTORY "/v1/players/p_00000000000000000000000001/rating-history"

/* Player 1 against player 2: 7 games from noon of 2026-03-01 on, each 6 hours after the one before,
 * and the void of the third at the time of the fifth. Ratings go up by 1.5 a game. */
static struct process *seeded(void)
{
    char sql[4096];
    seed_players(sql, sizeof sql, 3);
    size_t used = strlen(sql);
    (void)snprintf(
        sql + used, sizeof sql - used,
        "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds, player_set,"
        " status, position, ply, turn, seq, end_reason, rating_status, created_at_ms,"
        " finished_at_ms) WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE"
        " i < 7) SELECT i, printf('g_%%026d', i), 'hasami', 'hasami', 1, '', 30, '1,2',"
        " 'finished', '', 0, NULL, 1, iif(i %% 2, 'resign', 'capture'), 'applied', 1, 2 FROM n;"
        "INSERT INTO rating_event (event_no, game_no, seat_no, player_no, pool, kind, at_ms, place,"
        " games_before, k, before_milli, delta_milli, after_milli, cpu_plies, control_at_end,"
        " capped, floor_applied) SELECT 10 * game_no, game_no, 0, 1, 'hasami', 'result',"
        " 1772366400000 + (game_no - 1) * 6 * 3600000, 1 + game_no / 5, game_no - 1, 40,"
        " 1500000 + (game_no - 1) * 1500, 1500, 1500000 + game_no * 1500, 0, 'player', 0, 0"
        " FROM game;"
        "INSERT INTO rating_event SELECT 51, 3, 0, 1, 'hasami', 'void', 1772366400000 + 4 * 6 *"
        " 3600000, 1, 5, 40, 1507500, -1500, 1506000, 0, 'player', 0, 0");
    return seed_begin(sql);
}

static struct answer history(struct client *client, const char *query, const char *accept)
{
    char path[512];
    (void)snprintf(path, sizeof path, HISTORY "?pool=hasami%s", query);
    return client_send(client, &(struct call){.method = "GET", .path = path, .header = accept});
}

/* The games of a page, as digits; a void is a v before its game. */
static void expect_games(struct client *client, const char *query, const char *games)
{
    char found[64] = "";
    struct answer page = expect(200, history(client, query, NULL));
    for (size_t i = 0; i < json_array_size(answer_at(&page, "items")); i++) {
        char at[40];
        (void)snprintf(at, sizeof at, "items.%zu.reason", i);
        const char *reason = answer_text(&page, at);
        (void)snprintf(at, sizeof at, "items.%zu.game_id", i);
        const char *id = answer_text(&page, at);
        size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s%c",
                       strcmp(reason, "void") == 0 ? "v" : "", id[strlen(id) - 1]);
    }
    cr_expect_str_eq(found, games, "%s", query);
    answer_free(&page);
}

Test(scenario_history, is_shown_game_by_game)
{
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    expect_games(client, "", "76v354321");
    expect_games(client, "&order=desc&resolution=game", "76v354321");
    expect_games(client, "&order=asc", "12345v367");
    expect_games(client, "&order=asc&limit=2", "12");
    expect_games(client, "&since=2026-03-02T00:00:00Z", "76v3543");
    expect_games(client, "&until=2026-03-02T00:00:00Z&order=asc", "12");
    expect_games(client, "&since=2026-03-02T00:00:00.001Z&until=2026-03-02T12:00:00.0001Z", "v354");
    expect_games(client, "&since=2026-03-02T12:00:00%2B06:00&until=2026-03-02T12:00:00Z", "4");
    expect_games(client, "&since=2027-01-01T00:00:00Z", "");
    struct answer page = expect(200, history(client, "&limit=1&order=asc", NULL));
    cr_expect_str_eq(answer_text(&page, "items.0.at"), "2026-03-01T12:00:00.000Z");
    cr_expect_eq(answer_integer(&page, "items.0.before"), 1500);
    cr_expect_eq(json_real_value(answer_at(&page, "items.0.after")), 1501.5);
    cr_expect_eq(json_real_value(answer_at(&page, "items.0.delta")), 1.5);
    cr_expect_eq(answer_integer(&page, "items.0.place"), 1);
    cr_expect_str_eq(answer_text(&page, "items.0.reason"), "resign");
    char header[64] = "";
    cr_expect(answer_header(&page, "Cache-Control", header, sizeof header));
    cr_expect_str_eq(header, "no-cache");
    cr_expect_not(answer_header(&page, "Link", header, sizeof header));
    answer_free(&page);
    client_free(client);
    seed_end(server);
}

/* Appends the lines of every page after the first one, following the links; the number of pages. */
static int read_csv(struct client *client, const char *query, char *text, size_t size)
{
    char path[512];
    int pages = 0;
    (void)snprintf(path, sizeof path, HISTORY "?pool=hasami%s", query);
    text[0] = '\0';
    while (path[0] != '\0') {
        char link[512] = "";
        struct answer page =
            expect(200, client_send(client, &(struct call){.method = "GET",
                                                           .path = path,
                                                           .header = "Accept: text/csv"}));
        cr_assert_str_eq(page.content_type, "text/csv; charset=utf-8; header=present");
        const char *body = strstr(page.text, "\r\n");
        cr_assert_not_null(body);
        strncat(text, pages == 0 ? page.text : body + 2, size - strlen(text) - 1);
        path[0] = '\0';
        if (answer_header(&page, "Link", link, sizeof link)) {
            cr_assert_eq(link[0], '<');
            (void)snprintf(path, sizeof path, "%.*s", (int)strcspn(link + 1, ">"), link + 1);
            cr_assert_str_eq(strchr(link, '>'), ">; rel=\"next\"");
        }
        answer_free(&page);
        pages++;
    }
    return pages;
}

Test(scenario_history, is_csv_for_who_would_rather_have_that)
{
    static const char games[] =
        "at,game_id,before,after,delta,place,reason\r\n"
        "2026-03-02T00:00:00.000Z,g_00000000000000000000000003,1503,1504.5,1.5,1,resign\r\n"
        "2026-03-02T06:00:00.000Z,g_00000000000000000000000004,1504.5,1506,1.5,1,capture\r\n"
        "2026-03-02T12:00:00.000Z,g_00000000000000000000000005,1506,1507.5,1.5,2,resign\r\n"
        "2026-03-02T12:00:00.000Z,g_00000000000000000000000003,1507.5,1506,-1.5,1,void\r\n"
        "2026-03-02T18:00:00.000Z,g_00000000000000000000000006,1507.5,1509,1.5,2,capture\r\n";
    static const char days[] = "day,last,high,low,games\r\n"
                               "2026-03-01,1503,1503,1501.5,2\r\n"
                               "2026-03-02,1509,1509,1504.5,4\r\n"
                               "2026-03-03,1510.5,1510.5,1510.5,1\r\n";
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    char text[4096];
    const char *query = "&order=asc&since=2026-03-02T01:00:00%2B01:00&until=2026-03-03T00:00:00Z";
    cr_expect_eq(read_csv(client, query, text, sizeof text), 1);
    cr_expect_str_eq(text, games);
    (void)snprintf(text, sizeof text, "%s&limit=2", query);
    char walked[4096];
    cr_expect_eq(read_csv(client, text, walked, sizeof walked), 3);
    cr_expect_str_eq(walked, games);
    cr_expect_eq(read_csv(client, "&order=asc&resolution=day&limit=1", text, sizeof text), 3);
    cr_expect_str_eq(text, days);
    cr_expect_eq(read_csv(client, "&since=2027-01-01T00:00:00Z", text, sizeof text), 1);
    cr_expect_str_eq(text, "at,game_id,before,after,delta,place,reason\r\n");
    struct answer page = expect(200, history(client, "", "Accept: application/json, text/csv"));
    cr_expect_str_eq(page.content_type, "application/json");
    answer_free(&page);
    expect_problem(406, "not-acceptable", history(client, "", "Accept: text/html"));
    expect_problem(400, "invalid-parameter", history(client, "&limit=0", "Accept: text/csv"));
    client_free(client);
    seed_end(server);
}

/* Every page of a walk, as "day:games " in the order of the pages. */
static void expect_days(struct client *client, const char *order, const char *expected)
{
    char query[256];
    char found[128] = "";
    (void)snprintf(query, sizeof query, "&resolution=day&limit=1&order=%s", order);
    while (query[0] != '\0') {
        struct answer page = expect(200, history(client, query, NULL));
        cr_assert_eq(json_array_size(answer_at(&page, "items")), 1);
        size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s:%d ",
                       answer_text(&page, "items.0.day"),
                       (int)answer_integer(&page, "items.0.games"));
        query[0] = '\0';
        if (!json_is_null(answer_at(&page, "next_cursor"))) {
            (void)snprintf(query, sizeof query, "&resolution=day&limit=1&order=%s&cursor=%s", order,
                           answer_text(&page, "next_cursor"));
        }
        answer_free(&page);
    }
    cr_expect_str_eq(found, expected);
}

Test(scenario_history, is_shown_day_by_day)
{
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    expect_days(client, "asc", "2026-03-01:2 2026-03-02:4 2026-03-03:1 ");
    expect_days(client, "desc", "2026-03-03:1 2026-03-02:4 2026-03-01:2 ");
    struct answer page = expect(200, history(client, "&resolution=day", NULL));
    /* The void came after the fifth game, at the same time; the sixth after both. */
    cr_expect_eq(answer_integer(&page, "items.1.last"), 1509);
    cr_expect_eq(answer_integer(&page, "items.1.high"), 1509);
    cr_expect_eq(json_real_value(answer_at(&page, "items.1.low")), 1504.5);
    answer_free(&page);
    client_free(client);
    seed_end(server);
}

Test(scenario_history, needs_a_pool_proper_times_and_a_player)
{
    static const char *const bad[] = {
        HISTORY,
        HISTORY "?pool=",
        HISTORY "?pool=chess",
        HISTORY "?pool=hasami&since=yesterday",
        HISTORY "?pool=hasami&since=2026-03-01",
        HISTORY "?pool=hasami&until=2026-02-29T00:00:00Z",
        HISTORY "?pool=hasami&until=0000-01-01T00:00:00%2B01:00",
        HISTORY "?pool=hasami&order=up",
        HISTORY "?pool=hasami&resolution=week",
        HISTORY "?pool=hasami&limit=101",
        HISTORY "?pool=hasami&player=p_00000000000000000000000001",
    };
    static const char *const other[] = {
        "?pool=hasami&limit=1&order=asc",
        "?pool=hasami&limit=1&resolution=day",
        "?pool=hasami&limit=1&since=2026-03-01T00:00:00Z",
    };
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    char path[512];
    char cursor[64];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect_problem(400, "invalid-parameter", client_get(client, bad[i], NULL));
    }
    struct answer page = expect(200, history(client, "&limit=1", NULL));
    (void)snprintf(cursor, sizeof cursor, "%s", answer_text(&page, "next_cursor"));
    answer_free(&page);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        (void)snprintf(path, sizeof path, HISTORY "%s&cursor=%s", other[i], cursor);
        expect_problem(400, "invalid-cursor", client_get(client, path, NULL));
    }
    (void)snprintf(path, sizeof path,
                   "/v1/players/p_00000000000000000000000002/rating-history?pool=hasami&cursor=%s",
                   cursor);
    expect_problem(400, "invalid-cursor", client_get(client, path, NULL));
    page = expect(200, client_get(client,
                                  "/v1/players/p_00000000000000000000000003"
                                  "/rating-history?pool=hasami",
                                  NULL));
    cr_expect_eq(json_array_size(answer_at(&page, "items")), 0, "never rated, yet known");
    answer_free(&page);
    expect_problem(404, "not-found",
                   client_get(client,
                              "/v1/players/p_00000000000000000000000004"
                              "/rating-history?pool=hasami",
                              NULL));
    expect_problem(404, "not-found",
                   client_get(client, "/v1/players/1/rating-history?pool=hasami", NULL));
    seed_more(server, "UPDATE player SET name = NULL WHERE player_no = 1");
    expect_problem(404, "not-found", client_get(client, HISTORY "?pool=hasami", NULL));
    client_free(client);
    seed_end(server);
}

Test(scenario_history, of_played_games_leads_to_the_rating)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char path[128];
    char games[3][32];
    for (size_t i = 0; i < 3; i++) {
        struct pairing pairing = device_pair(a, b);
        memcpy(games[i], pairing.game, sizeof games[i]);
        struct answer answer = expect(200, device_resign(i == 1 ? a : b, pairing.game));
        answer_free(&answer);
    }
    (void)snprintf(path, sizeof path, "/v1/players/%s/rating-history?pool=hasami&order=asc",
                   a->player);
    struct answer page = expect(200, client_get(a->client, path, NULL));
    struct answer own = expect(200, client_get(a->client, "/v1/me", a->token));
    cr_assert_eq(json_array_size(answer_at(&page, "items")), 3);
    cr_expect_eq(answer_integer(&page, "items.0.before"), 1500);
    for (size_t i = 0; i < 3; i++) {
        char at[40];
        (void)snprintf(at, sizeof at, "items.%zu.game_id", i);
        cr_expect_str_eq(answer_text(&page, at), games[i]);
    }
    cr_expect(json_equal(answer_at(&page, "items.0.after"), answer_at(&page, "items.1.before")));
    cr_expect(json_equal(answer_at(&page, "items.1.after"), answer_at(&page, "items.2.before")));
    cr_expect(
        json_equal(answer_at(&page, "items.2.after"), answer_at(&own, "ratings.hasami.rating")));
    answer_free(&own);
    answer_free(&page);
    device_free(a);
    device_free(b);
    process_free(server);
}

#include "tests/support/device.h"
#include "tests/support/exposition.h"
#include "tests/support/games.h"
#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a real server, checked as a scraper would. The text is the caller's to free. */
static char *scrape(struct client *client)
{
    struct answer answer = expect(200, client_get(client, "/metrics", NULL));
    char complaint[512] = "";
    cr_assert(exposition_check(answer.text, complaint, sizeof complaint), "%s", complaint);
    char *text = strdup(answer.text);
    cr_assert_not_null(text);
    answer_free(&answer);
    return text;
}

static void expect_value(struct client *client, const char *series, double value)
{
    char *text = scrape(client);
    cr_expect_eq(exposition_value(text, series), value, "%s is %g", series,
                 exposition_value(text, series));
    free(text);
}

Test(scenario_metrics, the_type_is_that_of_prometheus_whatever_is_accepted)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    static const char *const accepts[] = {"Accept: application/json", "Accept: text/html",
                                          "Accept: application/openmetrics-text", NULL};
    for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++) {
        struct answer answer = expect(
            200,
            client_send(client,
                        &(struct call){.method = "GET", .path = "/metrics", .header = accepts[i]}));
        cr_expect_str_eq(answer.content_type, "text/plain; version=0.0.4; charset=utf-8");
        answer_free(&answer);
    }
    expect_problem(400, "invalid-parameter", client_get(client, "/metrics?x=1", NULL));
    client_free(client);
    process_free(server);
}

Test(scenario_metrics, answers_are_counted_and_timed)
{
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    struct client *client = device->client;
    for (unsigned i = 0; i < 3; i++) {
        struct answer answer = expect(200, client_get(client, "/v1/me", device->token));
        answer_free(&answer);
    }
    expect_problem(401, "unauthenticated", client_get(client, "/v1/me", NULL));
    struct answer answer =
        client_send(client, &(struct call){.method = "GET", .path = "/nowhere", .unchecked = true});
    answer_free(&answer);
    char *text = scrape(client);
    static const struct {
        const char *series;
        double value;
    } cases[] = {
        {"banzuke_http_requests_total{operation=\"getMe\",status=\"200\"}",        3},
        {"banzuke_http_requests_total{operation=\"getMe\",status=\"401\"}",        1},
        {"banzuke_http_requests_total{operation=\"none\",status=\"404\"}",         1},
        {"banzuke_http_requests_total{operation=\"createDevice\",status=\"201\"}", 1},
        {"banzuke_http_request_duration_seconds_count{operation=\"getMe\"}",       4},
        {"banzuke_http_requests_in_flight",                                        1}, /* this one */
        {"banzuke_http_connections",                                               1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(exposition_value(text, cases[i].series), cases[i].value, "%s",
                     cases[i].series);
    }
    cr_expect_gt(
        exposition_value(text, "banzuke_http_request_duration_seconds_sum{operation=\"getMe\"}"),
        0);
    cr_expect_gt(exposition_value(text, "process_resident_memory_bytes"), 1000000);
    cr_expect_gt(exposition_value(text, "banzuke_writer_jobs_total"), 0);
    cr_expect_gt(exposition_value(text, "banzuke_wal_bytes"), 0);
    cr_expect_gt(exposition_value(text, "banzuke_cache_hits_total{cache=\"tokens\"}"), 0);
    free(text);
    device_free(device);
    process_free(server);
}

/* What is known of games and tickets right now. */
static void expect_live(struct client *client, double waiting, double playing, double started)
{
    expect_value(client, "banzuke_tickets_waiting", waiting);
    expect_value(client, "banzuke_games_playing", playing);
    expect_value(client, "banzuke_games_started_total", started);
}

Test(scenario_metrics, a_ticket_waits_until_it_is_cancelled_expires_or_is_matched)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char ticket[32];
    char path[96];
    expect_live(a->client, 0, 0, 0);
    device_queue(a, ticket);
    expect_live(a->client, 1, 0, 0);
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", ticket);
    for (unsigned i = 0; i < 2; i++) {
        struct answer answer = expect(
            204, client_send(a->client,
                             &(struct call){.method = "DELETE", .path = path, .token = a->token}));
        answer_free(&answer);
        expect_live(a->client, 0, 0, 0);
        expect_value(a->client, "banzuke_tickets_ended_total{status=\"cancelled\"}", 1);
    }
    device_queue(a, ticket);
    process_control(server, "advance 31000");
    char *text = scrape(a->client);
    for (long long began_ms = test_now_ms();
         exposition_value(text, "banzuke_tickets_waiting") > 0 &&
         test_now_ms() - began_ms < TEST_STALL_MS;
         text = scrape(a->client)) {
        free(text);
    }
    free(text);
    expect_live(a->client, 0, 0, 0);
    expect_value(a->client, "banzuke_tickets_ended_total{status=\"expired\"}", 1);
    (void)device_pair(a, b);
    expect_live(a->client, 0, 1, 1);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_metrics, a_game_plays_until_it_ends_and_a_restart_finds_it)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct device *waiting = device_new(server);
    char ticket[32];
    struct pairing pairing = device_pair(a, b);
    device_queue(waiting, ticket);
    device_play(&pairing, 1, games_find("hasami")->repetition);
    expect_value(a->client, "banzuke_games_finished_total{reason=\"repetition\"}", 1);
    expect_live(a->client, 1, 1, 2); /* the replay */
    process_kill(server);
    process_start(server, NULL, NULL);
    device_reconnect(a, server);
    device_reconnect(b, server);
    device_reconnect(waiting, server);
    expect_live(a->client, 1, 1, 0);
    struct answer answer = expect(200, client_get(a->client, "/v1/me", a->token));
    char game[32];
    (void)snprintf(game, sizeof game, "%s", answer_text(&answer, "open_games.0.id"));
    answer_free(&answer);
    answer = expect(200, device_resign(a, game));
    answer_free(&answer);
    expect_problem(409, "game-over", device_resign(a, game));
    expect_value(a->client, "banzuke_games_finished_total{reason=\"resign\"}", 1);
    expect_live(a->client, 1, 0, 0);
    device_free(a);
    device_free(b);
    device_free(waiting);
    process_free(server);
}

/* --- clocks, the CPU, tables, pairing ------------------------------------------------------------
 */

/* What is counted after a commit may be seen a moment after it. */
static void await_value(struct client *client, const char *series, double at_least)
{
    long long until_ms = test_now_ms() + TEST_STALL_MS;
    char *text = scrape(client);
    while (exposition_value(text, series) < at_least) {
        cr_assert_lt(test_now_ms(), until_ms, "%s is %g", series, exposition_value(text, series));
        free(text);
        text = scrape(client);
    }
    free(text);
}

static void expect_some(struct client *client, const char *series)
{
    char *text = scrape(client);
    cr_expect_gt(exposition_value(text, series), 0, "%s", series);
    free(text);
}

static void post(struct device *device, const char *game, const char *what)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/%s", game, what);
    struct answer answer = expect(200, client_post(device->client, path, device->token, NULL));
    answer_free(&answer);
}

static void move(struct device *device, const char *game, unsigned ply, const char *text)
{
    struct answer answer = expect(201, device_move(device, game, ply, text));
    answer_free(&answer);
}

static void expect_tables(struct client *client, double open, double playing)
{
    expect_value(client, "banzuke_tables{status=\"open\"}", open);
    expect_value(client, "banzuke_tables{status=\"playing\"}", playing);
}

/* Two in a game of the queue, each of whom has moved. */
static struct pairing pair_moved(struct device *a, struct device *b)
{
    struct pairing pairing = device_pair(a, b);
    move(pairing.seats[0], pairing.game, 1, "5i5h");
    move(pairing.seats[1], pairing.game, 2, "5a5b");
    return pairing;
}

Test(scenario_metrics, a_pairing_is_counted_with_how_long_its_tickets_waited)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    expect_value(a->client, "banzuke_clocks_armed", 0);
    (void)device_pair(a, b);
    await_value(a->client, "banzuke_pairing_games_total", 1);
    await_value(a->client, "banzuke_pairing_wait_seconds_count{pool=\"hasami\"}", 2);
    expect_value(a->client, "banzuke_pairing_wait_seconds_count{pool=\"yonin\"}", 0);
    expect_value(a->client, "banzuke_tickets_ended_total{status=\"matched\"}", 2);
    expect_value(a->client, "banzuke_tickets_ended_total{status=\"cancelled\"}", 0);
    expect_some(a->client, "banzuke_pairing_rounds_total");
    await_value(a->client, "banzuke_clocks_armed", 1);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_metrics, a_deadline_passes_and_a_seat_is_left_and_returned_to)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = pair_moved(a, b);
    expect_value(a->client, "banzuke_cpu_moves_total", 0);
    process_control(server, "advance 60000");
    await_value(a->client, "banzuke_late_turn_seconds_count", 1);
    expect_some(a->client, "banzuke_cpu_choice_seconds_count");
    expect_value(a->client, "banzuke_seat_changes_total{reason=\"missed_turns\"}", 0);
    post(pairing.seats[1], pairing.game, "leave");
    expect_value(a->client, "banzuke_seat_changes_total{reason=\"left\"}", 1);
    process_control(server, "advance 500");
    await_value(a->client, "banzuke_cpu_moves_total", 2);
    expect_value(a->client, "banzuke_seat_changes_total{reason=\"returned\"}", 0);
    post(pairing.seats[1], pairing.game, "return");
    expect_value(a->client, "banzuke_seat_changes_total{reason=\"returned\"}", 1);
    expect_value(a->client, "banzuke_clock_credit_seconds_total{reason=\"restart\"}", 0);
    expect_some(a->client, "banzuke_cpu_workers");
    await_value(a->client, "banzuke_clocks_armed", 1);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_metrics, a_table_opens_plays_and_closes_and_a_restart_finds_it)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char game[32];
    expect_tables(a->client, 0, 0);
    struct party party = party_open(a, "{\"game\":\"hasami\"}");
    struct party other = party_open(b, "{\"game\":\"yonin\"}");
    expect_tables(a->client, 2, 0);
    party_sit(a, &party, 'b');
    party_sit_cpu(a, &party, 'w', 1);
    party_start(a, &party, game);
    expect_tables(a->client, 1, 1);
    process_kill(server);
    process_start(server, NULL, NULL);
    device_reconnect(a, server);
    device_reconnect(b, server);
    expect_tables(a->client, 1, 1);
    struct answer answer = expect(204, party_post(b, &other, "/leave", NULL));
    answer_free(&answer);
    expect_tables(a->client, 0, 1);
    answer = expect(200, device_resign(a, game));
    answer_free(&answer);
    expect_tables(a->client, 1, 0);
    answer = expect(204, party_post(a, &party, "/leave", NULL));
    answer_free(&answer);
    expect_tables(a->client, 0, 0);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_metrics, the_time_without_a_service_is_counted_as_given_back)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    (void)pair_moved(a, b);
    expect_value(a->client, "banzuke_clocks_credited_total{reason=\"restart\"}", 0);
    process_kill(server);
    process_start(server, NULL, NULL);
    device_reconnect(a, server);
    device_reconnect(b, server);
    expect_value(a->client, "banzuke_clocks_credited_total{reason=\"restart\"}", 1);
    expect_some(a->client, "banzuke_clock_credit_seconds_total{reason=\"restart\"}");
    await_value(a->client, "banzuke_clocks_armed", 1);
    expect_value(a->client, "banzuke_late_turn_seconds_count", 0);
    device_free(a);
    device_free(b);
    process_free(server);
}

/* --- the end of a player, and budgets ------------------------------------------------------------
 */

Test(scenario_metrics, an_erased_player_waits_no_more)
{
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    char ticket[32];
    device_queue(device, ticket);
    struct answer answer = expect(
        204,
        client_send(device->client,
                    &(struct call){.method = "DELETE", .path = "/v1/me", .token = device->token}));
    answer_free(&answer);
    expect_live(device->client, 0, 0, 0);
    device_free(device);
    process_free(server);
}

Test(scenario_metrics, a_refusal_is_counted_by_its_budget)
{
    struct process *server = process_folder();
    process_start(
        server,
        (const char *const[]){"--trusted-proxy=127.0.0.1", "--registrations-per-hour=1", NULL},
        NULL);
    struct client *client = client_new(server->origin);
    struct call call = {
        .method = "POST", .path = "/v1/devices", .header = "X-Forwarded-For: 192.0.2.1"};
    for (unsigned i = 0; i < 3; i++) {
        struct answer answer = expect(i == 0 ? 201 : 429, client_send(client, &call));
        answer_free(&answer);
    }
    expect_value(client, "banzuke_rate_limited_total{budget=\"registrations\"}", 2);
    expect_value(client, "banzuke_http_requests_total{operation=\"createDevice\",status=\"429\"}",
                 2);
    client_free(client);
    process_free(server);
}

#include "tests/support/device.h"
#include "tests/support/exposition.h"
#include "tests/support/games.h"

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
    }
    device_queue(a, ticket);
    process_control(server, "advance 31000");
    char *text = scrape(a->client);
    for (long long began_ms = test_now_ms();
         exposition_value(text, "banzuke_tickets_waiting") > 0 && test_now_ms() - began_ms < 5000;
         text = scrape(a->client)) {
        free(text);
    }
    free(text);
    expect_live(a->client, 0, 0, 0);
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

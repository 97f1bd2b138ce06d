#include "tests/support/device.h"
#include "tests/support/seed.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct answer get_ticket(struct device *device, const char *ticket, const char *query)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s%s", ticket, query);
    return client_get(device->client, path, device->token);
}

static struct answer cancel(struct device *device, const char *ticket)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", ticket);
    return client_send(device->client,
                       &(struct call){.method = "DELETE", .path = path, .token = device->token});
}

Test(scenario_tickets, a_player_has_one_waiting_ticket_and_may_cancel_it)
{
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    char ticket[32];
    device_queue(device, ticket);
    expect_problem(
        409, "already-queued",
        client_post(device->client, "/v1/tickets", device->token, "{\"pool\":\"hasami\"}"));
    for (int i = 0; i < 2; i++) {
        struct answer answer = expect(204, cancel(device, ticket));
        answer_free(&answer);
    }
    struct answer answer = expect(200, get_ticket(device, ticket, ""));
    cr_assert_str_eq(answer_text(&answer, "status"), "cancelled");
    answer_free(&answer);
    device_queue(device, ticket);
    device_free(device);
    process_free(server);
}

Test(scenario_tickets, a_matched_ticket_cannot_be_cancelled_and_a_foreign_one_is_unknown)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char tickets[2][32];
    char game[32];
    char seat[2];
    device_queue(a, tickets[0]);
    device_queue(b, tickets[1]);
    device_matched(b, tickets[1], game, seat);
    expect_problem(409, "already-matched", cancel(a, tickets[0]));
    expect_problem(404, "not-found", get_ticket(b, tickets[0], ""));
    expect_problem(404, "not-found", cancel(b, tickets[0]));
    expect_problem(404, "not-found", get_ticket(b, "q_x", ""));
    device_free(a);
    device_free(b);
    process_free(server);
}

struct waiter {
    struct device *device;
    const char *ticket;
    struct answer answer;
    long long took_ms;
};

static void *wait_for_match(void *context)
{
    struct waiter *waiter = context;
    long long begin = test_now_ms();
    waiter->answer = get_ticket(waiter->device, waiter->ticket, "?wait=25");
    waiter->took_ms = test_now_ms() - begin;
    return NULL;
}

Test(scenario_tickets, a_long_poll_answers_as_soon_as_the_ticket_is_matched)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char tickets[2][32];
    pthread_t thread;
    device_queue(a, tickets[0]);
    struct waiter waiter = {.device = a, .ticket = tickets[0]};
    cr_assert_eq(pthread_create(&thread, NULL, wait_for_match, &waiter), 0);
    client_await_held(b->client, 1);
    test_pause_ms(300);
    long long queued_ms = test_now_ms();
    device_queue(b, tickets[1]);
    (void)pthread_join(thread, NULL);
    cr_assert_lt(test_now_ms() - queued_ms, CLIENT_WAIT_MS);
    cr_assert_str_eq(answer_text(&waiter.answer, "status"), "matched");
    cr_assert_geq(waiter.took_ms, 250);
    answer_free(&waiter.answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_tickets, a_long_poll_without_news_answers_when_its_time_is_over)
{
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    char ticket[32];
    long long begin = test_now_ms();
    device_queue(device, ticket);
    struct answer answer = expect(200, get_ticket(device, ticket, "?wait=1"));
    cr_assert_str_eq(answer_text(&answer, "status"), "waiting");
    cr_assert_geq(test_now_ms() - begin, 900);
    cr_assert_leq(test_now_ms() - begin, 1000 + TEST_STALL_MS);
    answer_free(&answer);
    expect_problem(400, "invalid-parameter", get_ticket(device, ticket, "?wait=26"));
    expect_problem(400, "invalid-parameter", get_ticket(device, ticket, "?wait=-1"));
    expect_problem(400, "invalid-parameter", get_ticket(device, ticket, "?wait=1&wait=1"));
    expect_problem(400, "invalid-parameter", get_ticket(device, ticket, "?waits=1"));
    device_free(device);
    process_free(server);
}

/* What the file says of the only ticket: reading it over HTTP would be a heartbeat. */
static bool file_says(struct process *server, const char *status)
{
    char text[32];
    process_sql(server, "SELECT status FROM ticket", text, sizeof text);
    return strcmp(text, status) == 0;
}

Test(scenario_tickets, a_ticket_nobody_asks_for_expires_after_thirty_seconds)
{
    struct process *server = process_new(NULL);
    struct device *quiet = device_new(server);
    struct device *eager = device_new(server);
    char tickets[2][32];
    device_queue(quiet, tickets[0]);
    process_control(server, "advance 29000");
    struct answer answer = expect(200, get_ticket(quiet, tickets[0], ""));
    cr_assert_str_eq(answer_text(&answer, "status"), "waiting");
    answer_free(&answer);
    process_control(server, "advance 31000");
    long long until = test_now_ms() + 5000;
    while (!file_says(server, "expired") && test_now_ms() < until) {
    }
    answer = expect(200, get_ticket(quiet, tickets[0], ""));
    cr_assert_str_eq(answer_text(&answer, "status"), "expired");
    answer_free(&answer);
    device_queue(eager, tickets[1]);
    answer = expect(200, get_ticket(eager, tickets[1], ""));
    cr_assert_str_eq(answer_text(&answer, "status"), "waiting");
    answer_free(&answer);
    device_free(quiet);
    device_free(eager);
    process_free(server);
}

static double window_now(struct device *device, const char *ticket)
{
    struct answer answer = expect(200, get_ticket(device, ticket, ""));
    cr_assert_str_eq(answer_text(&answer, "status"), "waiting");
    json_t *window = answer_at(&answer, "window");
    double points = json_is_null(window) ? 0 : json_number_value(window);
    answer_free(&answer);
    return points;
}

static void expect_about(double points, double expected)
{
    cr_expect(points >= expected && points < expected + 200, "%f, expected %f", points, expected);
}

Test(scenario_tickets, a_window_opens_with_the_time_waited_also_while_the_server_is_killed)
{
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    char ticket[32];
    device_queue(device, ticket);
    expect_about(window_now(device, ticket), 100);
    process_control(server, "advance 15000");
    expect_about(window_now(device, ticket), 250);
    process_control(server, "advance 20000");
    expect_about(window_now(device, ticket), 500);
    process_kill(server);
    process_start(server, NULL, NULL);
    device_reconnect(device, server);
    cr_expect_gt(window_now(device, ticket), 99);
    for (int i = 0; i < 6; i++) {
        process_control(server, "advance 20000");
        (void)window_now(device, ticket);
    }
    cr_expect_eq(window_now(device, ticket), 0, "without a bound");
    struct answer answer = expect(204, cancel(device, ticket));
    answer_free(&answer);
    answer = expect(200, get_ticket(device, ticket, ""));
    cr_expect(json_is_null(answer_at(&answer, "window")));
    cr_expect(json_is_null(answer_at(&answer, "estimate_seconds")));
    answer_free(&answer);
    device_free(device);
    process_free(server);
}

/* Once there is one. */
static long long estimate_now(struct device *device, const char *ticket)
{
    long long until_ms = test_now_ms() + TEST_STALL_MS;
    struct answer answer = expect(200, get_ticket(device, ticket, ""));
    while (json_is_null(answer_at(&answer, "estimate_seconds"))) {
        cr_assert_lt(test_now_ms(), until_ms, "%s", answer.text);
        answer_free(&answer);
        answer = expect(200, get_ticket(device, ticket, ""));
    }
    long long seconds = answer_integer(&answer, "estimate_seconds");
    answer_free(&answer);
    return seconds;
}

/* 400 points of both windows after 30 seconds, and 20 more a second from then on. */
Test(scenario_tickets, an_estimate_says_when_the_windows_of_two_far_apart_will_be_open)
{
    enum { FAR_S = 65, STEP_S = 5, STALL_S = TEST_STALL_MS / 1000 };
    char sql[256];
    char tickets[2][32];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO player_rating SELECT player_no, 'hasami', 2600000, 'ranked', 30,"
                   " 30, 0, 0, 30, 0, 0, 0, 1 FROM player WHERE player_id = '%s'",
                   b->player);
    seed_more(server, sql);
    device_queue(a, tickets[0]);
    device_queue(b, tickets[1]);
    long long first = estimate_now(b, tickets[1]);
    cr_expect(first > FAR_S - STALL_S && first <= FAR_S, "%lld", first);
    (void)estimate_now(a, tickets[0]); /* who is not asked for half a minute expires */
    process_control(server, "advance 5000");
    long long second = estimate_now(a, tickets[0]);
    cr_expect(second > first - STEP_S - STALL_S && second <= first - STEP_S, "%lld after %lld",
              second, first);
    device_free(a);
    device_free(b);
    seed_end(server);
}

Test(scenario_tickets, a_ticket_that_is_asked_for_lives_ten_minutes)
{
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    char ticket[32];
    device_queue(device, ticket);
    for (int i = 0; i < 23; i++) {
        process_control(server, "advance 25000");
        struct answer answer = expect(200, get_ticket(device, ticket, ""));
        cr_assert_str_eq(answer_text(&answer, "status"), "waiting", "after %d s", 25 * (i + 1));
        answer_free(&answer);
    }
    process_control(server, "advance 26000");
    long long until = test_now_ms() + 5000;
    while (!file_says(server, "expired") && test_now_ms() < until) {
    }
    struct answer answer = expect(200, get_ticket(device, ticket, ""));
    cr_assert_str_eq(answer_text(&answer, "status"), "expired");
    answer_free(&answer);
    process_control(server, "advance 86400000");
    expect_problem(404, "not-found", get_ticket(device, ticket, ""));
    device_free(device);
    process_free(server);
}

Test(scenario_tickets, those_that_led_to_no_game_give_way_to_new_ones_after_a_day)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char ticket[32];
    char text[32];
    struct pairing pairing = device_pair(a, b);
    struct answer answer = expect(200, device_resign(a, pairing.game));
    answer_free(&answer);
    device_queue(a, ticket);
    answer = expect(204, cancel(a, ticket));
    answer_free(&answer);
    process_control(server, "advance 86400000");
    device_queue(b, ticket);
    process_sql(server, "SELECT group_concat(ticket_no || status) FROM ticket", text, sizeof text);
    cr_expect_str_eq(text, "1matched,2matched,4waiting");
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_tickets, a_long_poll_is_answered_when_its_ticket_is_cancelled_or_the_service_stops)
{
    for (int stops = 0; stops < 2; stops++) {
        struct process *server = process_new(NULL);
        struct device *device = device_new(server);
        struct client *other = client_new(server->origin);
        char ticket[32];
        char path[96];
        pthread_t thread;
        device_queue(device, ticket);
        struct waiter waiter = {.device = device, .ticket = ticket};
        cr_assert_eq(pthread_create(&thread, NULL, wait_for_match, &waiter), 0);
        client_await_held(other, 1);
        (void)snprintf(path, sizeof path, "/v1/tickets/%s", ticket);
        if (stops) {
            cr_assert_eq(process_stop(server), 0);
        } else {
            struct call call = {.method = "DELETE", .path = path, .token = device->token};
            struct answer answer = expect(204, client_send(other, &call));
            answer_free(&answer);
        }
        (void)pthread_join(thread, NULL);
        cr_assert_lt(waiter.took_ms, CLIENT_WAIT_MS);
        cr_assert_str_eq(answer_text(&waiter.answer, "status"), stops ? "waiting" : "cancelled");
        answer_free(&waiter.answer);
        client_free(other);
        device_free(device);
        process_free(server);
    }
}

Test(scenario_tickets, what_a_ticket_may_ask_for_is_checked)
{
    static const struct {
        const char *body;
        const char *code;
        const char *pointer;
    } cases[] = {
        {"{}",                                                                 "invalid-field", "/pool"        },
        {"{\"pool\":\"chess\"}",                                               "invalid-field", "/pool"        },
        {"{\"pool\":7}",                                                       "invalid-field", "/pool"        },
        {"{\"pool\":\"hasami\",\"turn_seconds\":0}",                           "invalid-field", "/turn_seconds"},
        {"{\"pool\":\"hasami\",\"turn_seconds\":45}",                          "invalid-field", "/turn_seconds"},
        {"{\"pool\":\"hasami\",\"partner\":\"p_00000000000000000000000000\"}", "invalid-field",
         "/partner"                                                                                            },
        {"{\"pool\":\"hasami\",\"seconds\":60}",                               "unknown-field", "/seconds"     },
    };
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer =
            expect(422, client_post(device->client, "/v1/tickets", device->token, cases[i].body));
        cr_expect_str_eq(answer_text(&answer, "code"), cases[i].code);
        cr_expect_str_eq(answer_text(&answer, "errors.0.pointer"), cases[i].pointer);
        answer_free(&answer);
    }
    struct answer answer = expect(201, client_post(device->client, "/v1/tickets", device->token,
                                                   "{\"pool\":\"hasami\",\"turn_seconds\":30}"));
    cr_assert_eq(answer_integer(&answer, "turn_seconds"), 30);
    answer_free(&answer);
    device_free(device);
    process_free(server);
}

/* --- a crowd -------------------------------------------------------------------------------------
 */

enum { CROWD_THREADS = 16 };

struct crowd {
    pthread_t thread;
    const struct process *server;
    size_t clients;
};

static void *join_crowd(void *context)
{
    struct crowd *crowd = context;
    for (size_t i = 0; i < crowd->clients; i++) {
        char ticket[32];
        struct device *device = device_new(crowd->server);
        device_queue(device, ticket);
        device_free(device);
    }
    return NULL;
}

static long number_of(struct process *server, const char *sql)
{
    char text[64];
    process_sql(server, sql, text, sizeof text);
    return strtol(text, NULL, 10);
}

/* BANZUKE_CROWD=10000 for the whole list's figure. */
Test(scenario_tickets, of_a_crowd_each_is_paired_once_and_only_an_odd_one_waits, .timeout = 300)
{
    struct crowd crowd[CROWD_THREADS];
    struct process *server = process_new(NULL);
    const char *wanted = getenv("BANZUKE_CROWD");
    size_t clients = wanted == NULL ? 1001 : strtoul(wanted, NULL, 10);
    for (size_t i = 0; i < CROWD_THREADS; i++) {
        crowd[i] = (struct crowd){.server = server, .clients = clients / CROWD_THREADS};
        crowd[i].clients += i < clients % CROWD_THREADS;
        cr_assert_eq(pthread_create(&crowd[i].thread, NULL, join_crowd, &crowd[i]), 0);
    }
    for (size_t i = 0; i < CROWD_THREADS; i++) {
        (void)pthread_join(crowd[i].thread, NULL);
    }
    static const char waiting[] = "SELECT count(*) FROM ticket WHERE status = 'waiting'";
    long long until = test_now_ms() + 2LL * TEST_STALL_MS;
    while (number_of(server, waiting) > 1 && test_now_ms() < until) {
    }
    cr_assert_eq(number_of(server, "SELECT count(*) FROM ticket"), (long)clients);
    cr_assert_eq(number_of(server, waiting), (long)clients % 2);
    cr_assert_eq(number_of(server, "SELECT count(*) FROM game"), (long)clients / 2);
    cr_assert_eq(number_of(server, "SELECT count(DISTINCT player_no) FROM seat"),
                 (long)clients / 2 * 2);
    process_free(server);
}

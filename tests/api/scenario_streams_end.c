/* How streams and long polls are ended: with their token, and with the service. */

#include "tests/support/raw.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static void expect_revoked(struct listener *listener)
{
    long long begin = test_now_ms();
    json_decref(listener_until(listener, "revoked"));
    cr_expect_lt(test_now_ms() - begin, 1000 + TEST_STALL_MS);
    listener_end(listener);
    listener_close(listener);
}

static void delete_path(const struct device *device, const char *path)
{
    struct answer answer = expect(
        204, client_send(device->client,
                         &(struct call){.method = "DELETE", .path = path, .token = device->token}));
    answer_free(&answer);
}

static struct listener *enter_own(const struct table *table, const char *token)
{
    struct listener *listener = listener_open(
        table->server, &(struct listen_wish){.path = "/v1/me/events", .token = token});
    cr_assert_eq(listener_status(listener), 200);
    json_decref(listener_event(listener));
    return listener;
}

Test(scenario_streams_end, with_its_device_a_stream_ends)
{
    char path[96];
    struct table table = table_new();
    struct device *second = device_linked(table.server, table.devices[0]);
    struct listener *own = enter_own(&table, second->token);
    struct listener *game = enter(&table, second->token, NULL);
    struct listener *others = enter(&table, table.devices[0]->token, NULL);
    struct answer list = expect(200, client_get(second->client, "/v1/me/devices", second->token));
    bool first = json_is_true(answer_at(&list, "items.0.current"));
    (void)snprintf(path, sizeof path, "/v1/me/devices/%s",
                   answer_text(&list, first ? "items.0.id" : "items.1.id"));
    answer_free(&list);
    delete_path(table.devices[0], path);
    expect_revoked(own);
    expect_revoked(game);
    listener_quiet(others, 200);
    listener_close(others);
    device_free(second);
    table_free(&table);
}

Test(scenario_streams_end, a_stream_ends_when_the_next_token_is_used_or_ten_minutes_later)
{
    struct table table = table_new();
    struct device *device = device_new(table.server);
    struct listener *stream = enter_own(&table, device->token);
    struct answer answer =
        expect(201, client_post(device->client, "/v1/me/token", device->token, NULL));
    listener_quiet(stream, 200);
    struct answer me =
        expect(200, client_get(device->client, "/v1/me", answer_text(&answer, "token")));
    answer_free(&me);
    expect_revoked(stream);
    struct answer next = expect(
        201, client_post(device->client, "/v1/me/token", answer_text(&answer, "token"), NULL));
    process_control(table.server, "advance 300000");
    stream = enter_own(&table, answer_text(&answer, "token"));
    process_control(table.server, "advance 299500");
    listener_quiet(stream, 200);
    process_control(table.server, "advance 600");
    expect_revoked(stream);
    answer_free(&next);
    answer_free(&answer);
    device_free(device);
    table_free(&table);
}

Test(scenario_streams_end, with_its_player_a_stream_ends)
{
    char command[96];
    char output[1024];
    struct table table = table_new();
    struct device *gone = device_new(table.server);
    struct device *banned = device_new(table.server);
    struct listener *of_gone = enter_own(&table, gone->token);
    struct listener *of_banned = enter(&table, banned->token, NULL);
    delete_path(gone, "/v1/me");
    expect_revoked(of_gone);
    (void)snprintf(command, sizeof command, "ban %s", banned->player);
    cr_assert_eq(process_run(table.server, command, output, sizeof output), 0, "%s", output);
    expect_revoked(of_banned);
    device_free(gone);
    device_free(banned);
    table_free(&table);
}

Test(scenario_streams_end, at_the_end_of_the_service_every_stream_is_told_and_ended)
{
    enum { MANY = 50 };
    struct table table = table_new();
    struct listener *listeners[MANY];
    for (size_t i = 0; i < MANY; i++) {
        listeners[i] = enter(&table, NULL, i % 2 == 0 ? NULL : "Accept: application/x-ndjson\r\n");
    }
    struct listener *own = enter_own(&table, table.devices[0]->token);
    long long begin = test_now_ms();
    cr_expect_eq(process_stop(table.server), 0);
    cr_expect_lt(test_now_ms() - begin, 5000 + TEST_STALL_MS);
    for (size_t i = 0; i < MANY; i++) {
        json_decref(listener_until(listeners[i], "shutdown"));
        listener_end(listeners[i]);
        listener_close(listeners[i]);
    }
    json_decref(listener_until(own, "shutdown"));
    listener_end(own);
    listener_close(own);
    process_start(table.server, NULL, NULL);
    table_free(&table);
}

/* All asleep, and none of them reads. With few files there are fewer. */
Test(scenario_streams_end, thousands_of_streams_do_not_hold_up_the_end, .timeout = 300)
{
    enum { MANY = 4000, SPARE = 200, SOME = 100 };
    struct rlimit limit;
    static int fds[MANY];
    char text[256];
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    rlim_t room = limit.rlim_max < SPARE ? 0 : (limit.rlim_max - SPARE) * 8 / 10;
    size_t count = room < MANY ? (size_t)room : MANY;
    cr_assert_geq(count, SOME, "there are too few files for any test");
    struct table table = table_new();
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: b\r\n\r\n", table.path);
    for (size_t i = 0; i < count; i++) {
        fds[i] = raw_open(table.server->port);
        cr_assert(raw_send(fds[i], text, (size_t)length));
    }
    client_await(table.devices[0]->client, "banzuke_streams_open", (double)count);
    struct answer answer =
        expect(201, device_move(table.pairing.seats[0], table.pairing.game, 1, "5i5h"));
    answer_free(&answer);
    long long begin = test_now_ms();
    cr_expect_eq(process_stop(table.server), 0);
    cr_expect_lt(test_now_ms() - begin, 5000 + TEST_STALL_MS);
    for (size_t i = 0; i < count; i++) {
        raw_close(fds[i]);
    }
    process_start(table.server, NULL, NULL);
    table_free(&table);
}

/* --- long polls ------------------------------------------------------------------------------ */

/* One that waits for news, with this token or NULL; `held` are waiting then. */
static int poll_begin(const struct table *table, const char *path, const char *token, unsigned held)
{
    char text[512];
    char line[128] = "";
    if (token != NULL) {
        (void)snprintf(line, sizeof line, "Authorization: Bearer %s\r\n", token);
    }
    (void)snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: b\r\n%sConnection: close\r\n\r\n",
                   path, line);
    int fd = raw_open(table->server->port);
    cr_assert(raw_send(fd, text, strlen(text)));
    client_await_held(table->devices[0]->client, held);
    return fd;
}

/* Its answer has this frame and nothing else, and did not take all of the time. */
static void poll_end(int fd, long long begin_ms, const char *type, long long last)
{
    static struct raw_answer answer;
    char expected[64];
    raw_read(fd, TEST_STALL_MS, &answer);
    raw_close(fd);
    cr_expect_lt(test_now_ms() - begin_ms, CLIENT_WAIT_MS);
    cr_expect_eq(raw_status(&answer), 200);
    (void)snprintf(expected, sizeof expected, "{\"events\":[{\"seq\":null,\"type\":\"%s\",", type);
    cr_expect_not_null(strstr(answer.text, expected), "%s", answer.text);
    (void)snprintf(expected, sizeof expected, "}],\"last_seq\":%lld}", last);
    cr_expect_not_null(strstr(answer.text, expected), "%s", answer.text);
}

Test(scenario_streams_end, with_its_device_a_long_poll_ends)
{
    char path[128];
    struct table table = table_new();
    struct device *second = device_linked(table.server, table.pairing.seats[1]);
    long long begin_ms = test_now_ms();
    (void)snprintf(path, sizeof path, "%s?wait=25&after=0", table.path);
    int game = poll_begin(&table, path, second->token, 1);
    int own = poll_begin(&table, "/v1/me/events?wait=25&after=2", second->token, 2);
    struct answer list = expect(200, client_get(second->client, "/v1/me/devices", second->token));
    bool first = json_is_true(answer_at(&list, "items.0.current"));
    (void)snprintf(path, sizeof path, "/v1/me/devices/%s",
                   answer_text(&list, first ? "items.0.id" : "items.1.id"));
    answer_free(&list);
    delete_path(table.pairing.seats[1], path);
    poll_end(game, begin_ms, "revoked", 0);
    poll_end(own, begin_ms, "revoked", 2);
    device_free(second);
    table_free(&table);
}

Test(scenario_streams_end, at_the_end_of_the_service_long_polls_are_answered)
{
    char path[128];
    struct table table = table_new();
    long long begin_ms = test_now_ms();
    (void)snprintf(path, sizeof path, "%s?wait=25&after=0", table.path);
    int game = poll_begin(&table, path, NULL, 1);
    int own = poll_begin(&table, "/v1/me/events?wait=25&after=2", table.pairing.seats[1]->token, 2);
    cr_expect_eq(process_stop(table.server), 0);
    poll_end(game, begin_ms, "shutdown", 0);
    poll_end(own, begin_ms, "shutdown", 2);
    process_start(table.server, NULL, NULL);
    table_free(&table);
}

/* The server hears of it when there is something to say. */
Test(scenario_streams_end, who_hangs_up_is_not_waited_for_longer_than_a_long_poll_takes)
{
    static const char held[] = "banzuke_http_requests_in_flight";
    const double itself = 1;
    char path[128];
    struct table table = table_new();
    struct client *client = table.devices[0]->client;
    (void)snprintf(path, sizeof path, "%s?wait=25&after=0", table.path);
    raw_close(poll_begin(&table, path, NULL, 1));
    raw_close(poll_begin(&table, path, NULL, 2));
    device_stroll(&table.pairing, 1, 1);
    client_await_down(client, held, itself);
    raw_close(
        poll_begin(&table, "/v1/me/events?wait=25&after=2", table.pairing.seats[0]->token, 1));
    process_control(table.server, "advance 25000");
    client_await_down(client, held, itself);
    table_free(&table);
}

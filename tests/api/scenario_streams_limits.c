/* How many streams there may be, what slow and dead readers cost, and how streams are ended. */

#include "tests/support/device.h"
#include "tests/support/listener.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

struct table {
    struct process *server;
    struct device *devices[2];
    struct pairing pairing;
    char path[96];
};

static struct table table_on(struct process *take_server)
{
    struct table table = {.server = take_server};
    table.devices[0] = device_new(table.server);
    table.devices[1] = device_new(table.server);
    table.pairing = device_pair(table.devices[0], table.devices[1]);
    (void)snprintf(table.path, sizeof table.path, "/v1/games/%s/events", table.pairing.game);
    return table;
}

static struct table table_with(const char *const *arguments)
{
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    return table_on(server);
}

static void table_free(struct table *table)
{
    device_free(table->devices[0]);
    device_free(table->devices[1]);
    process_free(table->server);
}

/* A stream that is let in, and has begun. */
static struct listener *enter(const struct table *table, const char *token, const char *header)
{
    struct listener *listener =
        listener_open(table->server,
                      &(struct listen_wish){.path = table->path, .token = token, .header = header});
    cr_assert_eq(listener_status(listener), 200);
    json_decref(listener_event(listener));
    return listener;
}

static void expect_full(const struct table *table, const char *token, const char *header,
                        long status)
{
    expect_problem(status, "stream-limit",
                   client_send(table->devices[0]->client, &(struct call){.method = "GET",
                                                                         .path = table->path,
                                                                         .token = token,
                                                                         .header = header}));
}

/* Of who is gone without a word the server hears when it sends its signs of life. */
static void let_them_be_missed(const struct table *table, double left)
{
    struct client *client = table->devices[0]->client;
    for (int i = 0; i < 4; i++) {
        process_control(table->server, "advance 15000");
        test_pause_ms(300);
    }
    client_await_down(client, "banzuke_streams_open", left);
}

/* --- limits --------------------------------------------------------------------------------------
 */

Test(scenario_streams_limits, a_device_has_six_and_they_live_on)
{
    enum { OF_DEVICE = 6 };
    struct table table = table_on(process_new(NULL));
    const char *token = table.devices[0]->token;
    struct listener *listeners[OF_DEVICE];
    for (size_t i = 0; i < OF_DEVICE; i++) {
        listeners[i] = enter(&table, token, NULL);
    }
    expect_full(&table, token, NULL, 429);
    expect_problem(429, "stream-limit",
                   client_get(table.devices[0]->client, "/v1/me/events", token));
    struct device *second = device_linked(table.server, table.devices[0]);
    struct listener *other = enter(&table, second->token, NULL);
    struct answer polled = client_get(table.devices[0]->client, "/v1/me/events?wait=0", token);
    answer_free(&polled);
    struct answer answer =
        expect(201, device_move(table.pairing.seats[0], table.pairing.game, 1, "5i5h"));
    answer_free(&answer);
    for (size_t i = 0; i < OF_DEVICE; i++) {
        json_t *frame = listener_event(listeners[i]);
        cr_expect_str_eq(frame_type(frame), "move");
        json_decref(frame);
        listener_close(listeners[i]);
    }
    client_await_down(table.devices[0]->client, "banzuke_streams_open", 1); /* at once */
    listeners[0] = enter(&table, token, NULL);
    listener_close(listeners[0]);
    listener_close(other);
    device_free(second);
    table_free(&table);
}

Test(scenario_streams_limits, an_address_without_a_token_has_thirty_two)
{
    static const char *const arguments[] = {"--trusted-proxy", "127.0.0.0/8", NULL};
    static const char here[] = "X-Forwarded-For: 192.0.2.1";
    static const char here_line[] = "X-Forwarded-For: 192.0.2.1\r\n";
    enum { OF_ADDRESS = 32 };
    struct table table = table_with(arguments);
    struct listener *listeners[OF_ADDRESS + 2];
    for (size_t i = 0; i < OF_ADDRESS; i++) {
        listeners[i] = enter(&table, NULL, here_line);
    }
    expect_full(&table, NULL, here, 429);
    listeners[OF_ADDRESS] = enter(&table, NULL, "X-Forwarded-For: 192.0.2.2\r\n");
    listeners[OF_ADDRESS + 1] = enter(&table, table.devices[0]->token, here_line);
    for (size_t i = 0; i < OF_ADDRESS + 2; i++) {
        listener_close(listeners[i]);
    }
    table_free(&table);
}

Test(scenario_streams_limits, limits_of_owners_can_be_lifted)
{
    static const char *const arguments[] = {"--rate-limit", "off", NULL};
    enum { MANY = 40 };
    struct table table = table_with(arguments);
    struct listener *listeners[MANY];
    for (size_t i = 0; i < MANY; i++) {
        listeners[i] = enter(&table, table.devices[0]->token, NULL);
    }
    for (size_t i = 0; i < MANY; i++) {
        listener_close(listeners[i]);
    }
    table_free(&table);
}

/* With few files there are few connections, and a fifth of them is kept for everything else. */
Test(scenario_streams_limits, when_there_are_too_many_in_all_the_rest_goes_on)
{
    enum { FILES = 300, STREAMS_MAX = FILES };
    struct rlimit few = {FILES, FILES};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    struct table table = table_on(process_new(NULL));
    static struct listener *listeners[STREAMS_MAX];
    size_t count = 0;
    bool full = false;
    while (!full) {
        listeners[count] = listener_open(table.server, &(struct listen_wish){.path = table.path});
        full = listener_status(listeners[count]) == 503;
        count++;
    }
    cr_expect_gt(count, 100);
    cr_expect_lt(count, FILES * 8 / 10);
    expect_full(&table, NULL, NULL, 503);
    struct answer answer =
        expect(201, device_move(table.pairing.seats[0], table.pairing.game, 1, "5i5h"));
    answer_free(&answer);
    for (size_t i = 0; i < count; i++) {
        listener_close(listeners[i]);
    }
    table_free(&table);
}

/* --- those who do not read -----------------------------------------------------------------------
 */

/* Who has said all that there is to say still listens. */
Test(scenario_streams_limits, half_of_a_connection_is_enough_for_a_stream)
{
    static struct raw_answer answer;
    char text[256];
    struct table table = table_on(process_new(NULL));
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: b\r\n\r\n", table.path);
    int fd = raw_open(table.server->port);
    cr_assert(raw_send(fd, text, (size_t)length));
    client_await(table.devices[0]->client, "banzuke_streams_open", 1);
    raw_end(fd);
    device_stroll(&table.pairing, 1, 3);
    raw_read_until(fd, "id: 3\nevent: move\n", &answer);
    cr_expect_not(answer.closed);
    cr_expect_not_null(strstr(answer.text, "id: 3\nevent: move\n"));
    raw_close(fd);
    let_them_be_missed(&table, 0);
    table_free(&table);
}

Test(scenario_streams_limits, five_hundred_dead_clients_are_missed_within_a_minute)
{
    enum { DEAD = 500 };
    struct table table = table_on(process_new(NULL));
    for (size_t i = 0; i < DEAD; i++) {
        listener_vanish(enter(&table, NULL, NULL));
    }
    let_them_be_missed(&table, 0);
    table_free(&table);
}

Test(scenario_streams_limits, a_reader_that_takes_nothing_in_is_told_to_begin_again)
{
    enum { LAST = 300 };
    static const char *const arguments[] = {"--rate-limit", "off", NULL};
    struct table table = table_with(arguments);
    char path[64] = "/v1/me/events?games=all";
    struct listen_wish wish = {
        .path = path, .token = table.devices[0]->token, .receive_bytes = 4096};
    struct listener *slow = listener_open(table.server, &wish);
    struct listener *quick = listener_open(
        table.server, &(struct listen_wish){.path = path, .token = table.devices[1]->token});
    cr_assert_eq(listener_status(slow), 200);
    /* It reads nothing while far more comes than finds room on the way. */
    for (unsigned ply = 1; ply <= LAST; ply++) {
        json_t *frame = NULL;
        device_stroll(&table.pairing, ply, ply);
        do {
            json_decref(frame);
            frame = listener_until(quick, "move");
        } while (frame_seq(frame) < (long long)ply);
        json_decref(frame);
    }
    bool told = false;
    long long last = -1;
    while (last < LAST) {
        json_t *frame = listener_next(slow, LISTENER_PATIENCE_MS);
        cr_assert_not_null(frame);
        told = told || strcmp(frame_type(frame), "resync") == 0;
        last = json_object_get(frame, "game_id") != NULL && frame_seq(frame) >= 0 ? frame_seq(frame)
                                                                                  : last;
        json_decref(frame);
    }
    cr_expect(told, "all of it found room on the way");
    listener_close(slow);
    listener_close(quick);
    table_free(&table);
}

Test(scenario_streams_limits, a_reader_that_never_reads_is_let_go)
{
    static const char *const arguments[] = {"--rate-limit", "off", NULL};
    struct table table = table_with(arguments);
    struct listen_wish wish = {.path = table.path, .receive_bytes = 4096};
    struct listener *never = listener_open(table.server, &wish);
    cr_assert_eq(listener_status(never), 200);
    device_stroll(&table.pairing, 1, 300);
    long long begin = test_now_ms();
    do {
        test_pause_ms(500);
    } while (test_now_ms() - begin < 9500);
    client_await_down(table.devices[0]->client, "banzuke_streams_open", 0);
    listener_close(never);
    table_free(&table);
}

/* --- ended ---------------------------------------------------------------------------------------
 */

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

Test(scenario_streams_limits, with_its_device_a_stream_ends)
{
    char path[96];
    struct table table = table_on(process_new(NULL));
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

Test(scenario_streams_limits, a_stream_ends_when_the_next_token_is_used_or_ten_minutes_later)
{
    struct table table = table_on(process_new(NULL));
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

Test(scenario_streams_limits, with_its_player_a_stream_ends)
{
    char command[96];
    char output[1024];
    struct table table = table_on(process_new(NULL));
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

Test(scenario_streams_limits, at_the_end_of_the_service_every_stream_is_told_and_ended)
{
    enum { MANY = 50 };
    struct table table = table_on(process_new(NULL));
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

/* All asleep, and none of them reads. */
Test(scenario_streams_limits, four_thousand_streams_do_not_hold_up_the_end, .timeout = 120)
{
    enum { MANY = 4000, FILES = 4200 };
    struct rlimit limit;
    static int fds[MANY];
    char text[256];
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < (rlim_t)2 * FILES) {
        cr_skip("there are too few files for it");
    }
    struct table table = table_on(process_new(NULL));
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: b\r\n\r\n", table.path);
    for (size_t i = 0; i < MANY; i++) {
        fds[i] = raw_open(table.server->port);
        cr_assert(raw_send(fds[i], text, (size_t)length));
    }
    client_await(table.devices[0]->client, "banzuke_streams_open", MANY);
    struct answer answer =
        expect(201, device_move(table.pairing.seats[0], table.pairing.game, 1, "5i5h"));
    answer_free(&answer);
    long long begin = test_now_ms();
    cr_expect_eq(process_stop(table.server), 0);
    cr_expect_lt(test_now_ms() - begin, 5000 + TEST_STALL_MS);
    for (size_t i = 0; i < MANY; i++) {
        raw_close(fds[i]);
    }
    process_start(table.server, NULL, NULL);
    table_free(&table);
}

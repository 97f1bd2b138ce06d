/* How many streams there may be. */

#include "tests/support/raw.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static void expect_full(const struct table *table, const char *token, const char *header,
                        long status)
{
    expect_problem(status, "stream-limit",
                   client_send(table->devices[0]->client, &(struct call){.method = "GET",
                                                                         .path = table->path,
                                                                         .token = token,
                                                                         .header = header}));
}

Test(scenario_streams_limits, a_device_has_six_and_they_live_on)
{
    enum { OF_DEVICE = 6 };
    struct table table = table_new();
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
    struct table table = table_new();
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

/* How many streams there may be. */

#include "tests/support/party.h"
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

/* --- in all ---------------------------------------------------------------------------------- */

/* With few files there are few connections, and a fifth of them is kept for everything else. */
enum {
    FILES = 300,
    FEWER_FILES = 150,
    RESERVED = 64 + 2 * 8, /* for what is no connection, with two threads */
    PLACES = (FILES - RESERVED) * 80 / 100,
    FEWER_PLACES = (FEWER_FILES - RESERVED) * 80 / 100,
};

static struct table table_of_few(rlim_t files)
{
    struct rlimit few = {files, files};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    return table_with((const char *const[]){"--threads", "2", NULL});
}

/* Streams until there are no more places; how many there were. */
static size_t fill(const struct table *table, struct listener *listeners[FILES])
{
    size_t count = 0;
    for (;; count++) {
        cr_assert_lt(count, FILES, "there is no end to it");
        listeners[count] = listener_open(table->server, &(struct listen_wish){.path = table->path});
        if (listener_status(listeners[count]) == 503) {
            break;
        }
    }
    listener_close(listeners[count]);
    return count;
}

static void leave(struct listener **listeners, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        listener_close(listeners[i]);
    }
}

static void move(const struct table *table)
{
    struct answer answer =
        expect(201, device_move(table->pairing.seats[0], table->pairing.game, 1, "5i5h"));
    answer_free(&answer);
}

/* What asks for news where there is none: of a game, of oneself, of results, a ticket, a table. */
static void ask_all(const struct table *table, struct device *third, const char *ticket,
                    const struct party *party, unsigned seconds, long status)
{
    char paths[5][128];
    const struct device *second = table->pairing.seats[1];
    const struct device *askers[5] = {second, second, second, third, third};
    struct answer game = device_game(table->devices[0], table->pairing.game);
    (void)snprintf(paths[0], sizeof paths[0], "%s?after=%lld&wait=%u", table->path,
                   answer_integer(&game, "seq"), seconds);
    answer_free(&game);
    (void)snprintf(paths[1], sizeof paths[1], "/v1/me/events?after=2&wait=%u", seconds);
    (void)snprintf(paths[2], sizeof paths[2], "/v1/results?wait=%u", seconds);
    (void)snprintf(paths[3], sizeof paths[3], "/v1/tickets/%s?wait=%u", ticket, seconds);
    (void)snprintf(paths[4], sizeof paths[4], "/v1/tables/%s?wait=%u", party->id, seconds);
    for (size_t i = 0; i < 5; i++) {
        struct answer answer = client_get(askers[i]->client, paths[i], askers[i]->token);
        cr_expect_eq(answer.status, status, "%s: %s", paths[i], answer.text);
        cr_expect(status == 200 || strcmp(answer_text(&answer, "code"), "stream-limit") == 0);
        answer_free(&answer);
    }
}

Test(scenario_streams_limits, when_there_are_too_many_in_all_the_rest_goes_on)
{
    char ticket[32];
    struct table table = table_of_few(FILES);
    static struct listener *listeners[FILES];
    struct device *third = device_new(table.server);
    struct party party = party_open(third, "{\"game\":\"hasami\"}");
    device_queue(third, ticket);
    size_t count = fill(&table, listeners);
    cr_expect_eq(count, PLACES);
    expect_full(&table, NULL, NULL, 503);
    ask_all(&table, third, ticket, &party, 25, 503);
    ask_all(&table, third, ticket, &party, 0, 200);
    move(&table);
    leave(listeners, count);
    device_free(third);
    table_free(&table);
}

Test(scenario_streams_limits, of_few_connections_too_four_fifths_are_for_streams)
{
    struct table table = table_of_few(FEWER_FILES);
    static struct listener *listeners[FILES];
    size_t count = fill(&table, listeners);
    cr_expect_eq(count, FEWER_PLACES);
    leave(listeners, count);
    table_free(&table);
}

Test(scenario_streams_limits, a_long_poll_has_a_place_while_it_waits)
{
    static const char next[] = "GET /healthz HTTP/1.1\r\nHost: b\r\n\r\n";
    static struct raw_answer answer;
    static struct listener *listeners[FILES];
    char text[256];
    struct table table = table_of_few(FEWER_FILES);
    struct client *client = table.devices[0]->client;
    size_t count = fill(&table, listeners);
    listener_close(listeners[--count]);
    client_await_down(client, "banzuke_streams_open", (double)count);
    (void)snprintf(text, sizeof text, "GET %s?wait=25&after=0 HTTP/1.1\r\nHost: b\r\n\r\n",
                   table.path);
    int fd = raw_open(table.server->port);
    cr_assert(raw_send(fd, text, strlen(text)));
    client_await_held(client, 1);
    client_await_down(client, "banzuke_streams_open", (double)count); /* it is no stream */
    expect_full(&table, NULL, NULL, 503);
    move(&table);
    raw_read_answers(fd, 1, &answer);
    cr_expect_eq(raw_status(&answer), 200);
    /* The next request begins when all of the one before is over. */
    cr_assert(raw_send(fd, next, sizeof next - 1));
    raw_read_answers(fd, 1, &answer);
    listeners[count++] = enter(&table, NULL, NULL);
    raw_close(fd);
    leave(listeners, count);
    table_free(&table);
}

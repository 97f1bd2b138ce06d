/* One sequence in three framings: how a stream begins, goes on and ends. */

#include "tests/support/counted.h"
#include "tests/support/raw.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LINES "application/x-ndjson"

/* --- framings -------------------------------------------------------------------------------- */

Test(scenario_streams, a_stream_is_told_apart_by_accept)
{
    static const struct {
        const char *accept;
        const char *type;
    } cases[] = {
        {NULL,                              "text/event-stream"   },
        {"*/*",                             "text/event-stream"   },
        {"text/event-stream",               "text/event-stream"   },
        {"text/*",                          "text/event-stream"   },
        {LINES,                             "application/x-ndjson"},
        {"text/event-stream;q=0.5, " LINES, "application/x-ndjson"},
    };
    struct table table = table_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[96];
        struct listener *listener = listen_to(&table, cases[i].accept);
        (void)snprintf(line, sizeof line, "\r\nContent-Type: %s\r\n", cases[i].type);
        cr_expect_not_null(strstr(listener_head(listener), line), "%s", cases[i].accept);
        expect_event(&table, listener, "snapshot", 0);
        listener_close(listener);
    }
    table_free(&table);
}

Test(scenario_streams, json_is_for_long_polls_and_these_for_json)
{
    static const struct {
        const char *query;
        const char *accept;
        bool good;
    } cases[] = {
        {"",                  "Accept: application/json",     false},
        {"?wait=0",           "Accept: application/json",     true },
        {"?wait=0",           "Accept: */*",                  true },
        {"?wait=0",           "Accept: text/event-stream",    false},
        {"?wait=0",           "Accept: application/x-ndjson", false},
        {"?w%61it=0",         "Accept: application/json",     true },
        {"?w%61it=0",         "Accept: text/event-stream",    false},
        {"?after=0&%77ait=0", "Accept: application/json",     true },
        {"?wait%3d0&x",       "Accept: application/json",     false},
        {"",                  "Accept: text/html",            false},
    };
    struct table table = table_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s", table.path, cases[i].query);
        struct answer answer =
            client_send(table.devices[0]->client,
                        &(struct call){.method = "GET", .path = path, .header = cases[i].accept});
        if (cases[i].good) {
            cr_expect_eq(answer.status, 200, "%s %s", cases[i].query, cases[i].accept);
            answer_free(&answer);
        } else {
            expect_problem(406, "not-acceptable", answer);
        }
    }
    table_free(&table);
}

Test(scenario_streams, all_framings_have_the_same_frames)
{
    char path[128];
    struct table table = table_new();
    device_stroll(&table.pairing, 1, 12);
    struct answer ended = expect(200, device_resign(table.devices[0], table.pairing.game));
    answer_free(&ended);
    (void)snprintf(path, sizeof path, "%s?wait=25&after=0", table.path);
    struct answer answer = expect(200, client_get(table.devices[0]->client, path, NULL));
    struct listener *events = resume(&table, NULL, 0);
    struct listener *lines = resume(&table, LINES, 0);
    json_t *polled = answer_at(&answer, "events");
    cr_assert_eq(answer_integer(&answer, "last_seq"), (long long)json_array_size(polled));
    cr_expect_eq(
        counted_number(table.server, table.pairing.game, answer_integer(&answer, "last_seq")), 13);
    for (size_t i = 0; i < json_array_size(polled); i++) {
        json_t *one = listener_event(events);
        json_t *other = listener_event(lines);
        cr_expect(json_equal(one, other) && json_equal(one, json_array_get(polled, i)));
        json_decref(one);
        json_decref(other);
    }
    listener_close(events);
    listener_close(lines);
    answer_free(&answer);
    table_free(&table);
}

Test(scenario_streams, a_stream_has_the_headers_of_one)
{
    struct table table = table_new();
    struct listener *listener =
        listener_open(table.server, &(struct listen_wish){.path = table.path,
                                                          .header = "Accept-Encoding: gzip\r\n"});
    const char *head = listener_head(listener);
    cr_expect_not_null(strstr(head, "\r\nCache-Control: no-store\r\n"));
    cr_expect_not_null(strstr(head, "\r\nX-Accel-Buffering: no\r\n"));
    cr_expect_not_null(strstr(head, "\r\nTransfer-Encoding: chunked\r\n"));
    cr_expect_not_null(strstr(head, "\r\nVary: Accept, "));
    cr_expect_null(strstr(head, "Content-Encoding"));
    expect_event(&table, listener, "snapshot", 0);
    listener_close(listener);
    table_free(&table);
}

Test(scenario_streams, a_client_of_http_1_0_reads_until_the_end)
{
    struct table table = table_new();
    struct listener *listener = listener_open(
        table.server, &(struct listen_wish){.path = table.path, .version = "HTTP/1.0"});
    cr_expect_null(strstr(listener_head(listener), "chunked"));
    expect_event(&table, listener, "snapshot", 0);
    device_stroll(&table.pairing, 1, 1);
    expect_event(&table, listener, "move", 1);
    process_control(table.server, "advance 600000");
    listener_end(listener);
    listener_close(listener);
    table_free(&table);
}

Test(scenario_streams, head_opens_nothing_and_options_says_what_there_is)
{
    char allow[64];
    struct table table = table_new();
    struct client *client = table.devices[0]->client;
    for (int i = 0; i < 10; i++) {
        struct call head = {.method = "HEAD", .path = table.path, .token = table.devices[0]->token};
        struct answer answer = expect(200, client_send(client, &head));
        cr_expect_str_eq(answer.content_type, "text/event-stream");
        answer_free(&answer);
    }
    client_await_down(client, "banzuke_streams_open", 0);
    struct answer answer;
    struct call options = {.method = "OPTIONS", .path = table.path, .unchecked = true};
    answer = expect(204, client_send(client, &options));
    cr_assert(answer_header(&answer, "Allow", allow, sizeof allow));
    cr_expect_str_eq(allow, "GET, HEAD, OPTIONS");
    answer_free(&answer);
    struct call post = {.method = "POST", .path = table.path, .body = "{}", .unchecked = true};
    expect_problem(405, "method-not-allowed", client_send(client, &post));
    table_free(&table);
}

/* --- long polls ------------------------------------------------------------------------------ */

Test(scenario_streams, a_long_poll_ends_with_the_event_that_it_waits_for)
{
    static struct raw_answer answer;
    char text[256];
    struct table table = table_new();
    (void)snprintf(text, sizeof text,
                   "GET %s?wait=25&after=0 HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n",
                   table.path);
    int fd = raw_open(table.server->port);
    cr_assert(raw_send(fd, text, strlen(text)));
    client_await_held(table.devices[0]->client, 1);
    device_stroll(&table.pairing, 1, 1);
    raw_read(fd, TEST_STALL_MS, &answer);
    raw_close(fd);
    cr_expect_eq(raw_status(&answer), 200);
    cr_expect(answer.closed);
    cr_expect_not_null(strstr(answer.text, "{\"events\":[{\"seq\":1,\"type\":\"move\""));
    cr_expect_not_null(strstr(answer.text, "],\"last_seq\":1}"));
    table_free(&table);
}

Test(scenario_streams, a_long_poll_for_nothing_ends_with_its_time)
{
    char path[128];
    struct table table = table_new();
    (void)snprintf(path, sizeof path, "%s?wait=1&after=0", table.path);
    struct answer answer = expect(200, client_get(table.devices[0]->client, path, NULL));
    cr_expect_eq((long long)json_array_size(answer_at(&answer, "events")),
                 answer_integer(&answer, "last_seq"));
    cr_expect_eq(
        counted_number(table.server, table.pairing.game, answer_integer(&answer, "last_seq")), 0);
    answer_free(&answer);
    (void)snprintf(path, sizeof path, "%s?wait=25", table.path);
    answer = expect(200, client_get(table.devices[0]->client, path, NULL));
    cr_expect_str_eq(answer_text(&answer, "events.0.type"), "snapshot");
    cr_expect_eq(
        counted_number(table.server, table.pairing.game, answer_integer(&answer, "last_seq")), 0);
    answer_free(&answer);
    table_free(&table);
}

/* --- life ------------------------------------------------------------------------------------ */

Test(scenario_streams, a_silent_stream_gives_a_sign_of_life_and_ends_after_ten_minutes)
{
    struct table table = table_new();
    struct listener *events = resume(&table, NULL, 0);
    struct listener *lines = resume(&table, LINES, 0);
    for (int i = 0; i < 3; i++) {
        process_control(table.server, "advance 15000");
        long long until = test_now_ms() + LISTENER_PATIENCE_MS;
        while ((listener_beats(events) <= (unsigned)i || listener_beats(lines) <= (unsigned)i) &&
               test_now_ms() < until) {
            json_decref(listener_next(events, 20));
            json_decref(listener_next(lines, 20));
        }
        cr_expect_gt(listener_beats(events), (unsigned)i);
        cr_expect_gt(listener_beats(lines), (unsigned)i);
    }
    cr_expect(!listener_has_ended(events) && !listener_has_ended(lines));
    process_control(table.server, "advance 555000");
    listener_end(events);
    listener_end(lines);
    listener_close(events);
    listener_close(lines);
    client_await_down(table.devices[0]->client, "banzuke_streams_open", 0);
    table_free(&table);
}

/* How long after it was asked for a stream gives a sign of life, by the server's own time, of which
 * all but the last second is passed over at once. */
static long long silence_ms(const struct table *table, const char *accept)
{
    long long begin_ms = process_now_ms(table->server);
    struct listener *listener = resume(table, accept, 1);
    for (int i = 0; i < 2; i++) { /* who is there: the last for a while */
        json_t *frame = listener_next(listener, LISTENER_PATIENCE_MS);
        cr_assert_str_eq(frame_type(frame), "presence");
        json_decref(frame);
    }
    process_control(table->server, "advance 14000");
    long long until = test_now_ms() + LISTENER_PATIENCE_MS;
    while (listener_beats(listener) == 0 && test_now_ms() < until) {
        json_decref(listener_next(listener, 20));
    }
    cr_assert_gt(listener_beats(listener), 0);
    listener_close(listener);
    return process_now_ms(table->server) - begin_ms;
}

/* Tried again where the machine stood still for that second. */
Test(scenario_streams, fifteen_seconds_are_never_silent)
{
    enum { PROMISED_MS = 15000, TIMES = 12 };
    struct table table = table_new();
    struct answer ended = expect(200, device_resign(table.devices[0], table.pairing.game));
    answer_free(&ended);
    process_control(table.server, "advance 60000"); /* both are away from now on */
    for (size_t i = 0; i < 2; i++) {
        const char *accept = i == 0 ? NULL : LINES;
        long long ms = silence_ms(&table, accept);
        for (int times = 1; times < TIMES && ms >= PROMISED_MS; times++) {
            ms = silence_ms(&table, accept);
        }
        cr_expect_lt(ms, PROMISED_MS);
    }
    table_free(&table);
}

/* The connection is as good as before. */
Test(scenario_streams, after_a_stream_the_connection_goes_on)
{
    static struct raw_answer answer;
    char text[256];
    struct table table = table_new();
    (void)snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: b\r\n\r\n", table.path);
    int fd = raw_open(table.server->port);
    cr_assert(raw_send(fd, text, strlen(text)));
    client_await(table.devices[0]->client, "banzuke_streams_open", 1);
    process_control(table.server, "advance 600000");
    static const char next[] = "GET /healthz HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n";
    cr_assert(raw_send(fd, next, sizeof next - 1));
    raw_read(fd, TEST_STALL_MS, &answer);
    raw_close(fd);
    cr_expect(answer.closed);
    cr_expect_eq(raw_answers(&answer), 2);
    cr_expect_not_null(strstr(answer.text, "{\"status\":\"ok\"}"));
    table_free(&table);
}

Test(scenario_streams, presence_is_told_when_it_changes)
{
    struct table table = table_new();
    struct device *third = device_new(table.server);
    struct listener *listener = listen_to(&table, NULL);
    expect_event(&table, listener, "snapshot", 0);
    process_control(table.server, "advance 31000");
    for (int i = 0; i < 2; i++) {
        json_t *frame = listener_until(listener, "presence");
        cr_expect(json_is_false(json_object_get(frame_data(frame), "present")));
        json_decref(frame);
    }
    /* A stream of another game, or of one's own, is being there too. */
    struct listener *own =
        listener_open(table.server, &(struct listen_wish){.path = "/v1/me/events",
                                                          .token = table.pairing.seats[1]->token});
    json_t *frame = listener_until(listener, "presence");
    cr_expect(json_is_true(json_object_get(frame_data(frame), "present")));
    cr_expect_str_eq(json_string_value(json_object_get(frame_data(frame), "seat")), "w");
    json_decref(frame);
    process_control(table.server, "advance 31000"); /* over the deadline of the other one */
    expect_event(&table, listener, "move", 1);
    listener_quiet(listener, 1500); /* for as long as it is open */
    struct answer answer = device_game(third, table.pairing.game);
    cr_expect(json_is_true(answer_at(&answer, "seats.1.present")));
    cr_expect(json_is_false(answer_at(&answer, "seats.0.present")));
    answer_free(&answer);
    listener_close(own);
    listener_close(listener);
    device_free(third);
    table_free(&table);
}

Test(scenario_streams, a_stream_goes_on_after_a_restart_without_a_gap)
{
    struct table table = table_new();
    struct listener *listener = listen_to(&table, NULL);
    expect_event(&table, listener, "snapshot", 0);
    device_stroll(&table.pairing, 1, 5);
    expect_events(&table, listener, "move", 1, 5);
    process_kill(table.server);
    listener_end(listener);
    listener_close(listener);
    process_start(table.server, NULL, NULL);
    device_reconnect(table.devices[0], table.server);
    device_reconnect(table.devices[1], table.server);
    device_stroll(&table.pairing, 6, 8);
    listener = resume(&table, NULL, 5);
    expect_event(&table, listener, "clock", 6); /* the time without a server is given back */
    expect_events(&table, listener, "move", 7, 9);
    device_stroll(&table.pairing, 9, 9);
    expect_event(&table, listener, "move", 10);
    listener_close(listener);
    table_free(&table);
}

Test(scenario_streams, of_a_game_that_is_not_there_there_is_no_stream)
{
    struct table table = table_new();
    struct client *client = table.devices[0]->client;
    static const char *const paths[] = {"/v1/games/g_00000000000000000000000000/events",
                                        "/v1/games/nothing/events",
                                        "/v1/games/g_00000000000000000000000000/events?wait=1"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        expect_problem(404, "not-found", client_get(client, paths[i], NULL));
    }
    expect_problem(401, "unauthenticated", client_get(client, "/v1/me/events", NULL));
    expect_problem(401, "invalid-token", client_get(client, table.path, "bzd_nothing"));
    table_free(&table);
}

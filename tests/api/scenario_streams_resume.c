/* Who comes back to a stream: what was missed, once and in order, or a snapshot where it is too
 * much. */

#include "tests/support/seed.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define LINES "application/x-ndjson"

/* --- resuming ------------------------------------------------------------------------------------
 */

Test(scenario_streams_resume, who_comes_back_gets_what_was_missed_once_and_in_order)
{
    char after[24];
    struct table table = table_new();
    device_stroll(&table.pairing, 1, 40);
    for (long long seen = 0; seen <= 40; seen += 8) {
        (void)snprintf(after, sizeof after, "%lld", seen);
        struct listener *listener = listen_to(&table, LINES, after);
        expect_events(listener, "move", seen + 1, 40);
        listener_close(listener);
    }
    struct listener *listener = listen_to(&table, NULL, "40");
    listener_quiet(listener, 200);
    device_stroll(&table.pairing, 41, 42);
    expect_events(listener, "move", 41, 42);
    listener_close(listener);
    table_free(&table);
}

Test(scenario_streams_resume, a_resumed_stream_begins_with_who_is_there)
{
    struct table table = table_new();
    struct listener *listener = listen_to(&table, LINES, "0");
    for (const char *seat = "bw"; *seat != '\0'; seat++) {
        json_t *frame = listener_next(listener, LISTENER_PATIENCE_MS);
        json_t *data = frame_data(frame);
        cr_expect_str_eq(frame_type(frame), "presence");
        cr_expect_eq(json_string_value(json_object_get(data, "seat"))[0], *seat);
        cr_expect(json_is_true(json_object_get(data, "present")));
        json_decref(frame);
    }
    listener_close(listener);
    table_free(&table);
}

/* Whose browser asks the same address again, and says in the header how far it is. */
Test(scenario_streams_resume, the_header_counts_before_the_query)
{
    char path[128];
    struct table table = table_new();
    device_stroll(&table.pairing, 1, 4);
    (void)snprintf(path, sizeof path, "%s?after=1", table.path);
    struct listener *listener =
        listener_open(table.server, &(struct listen_wish){.path = path, .last_id = "3"});
    expect_event(listener, "move", 4);
    listener_close(listener);
    listener = listener_open(table.server, &(struct listen_wish){.path = path});
    expect_events(listener, "move", 2, 4);
    listener_close(listener);
    table_free(&table);
}

static void expect_refused(const struct table *table, const char *query, const char *header)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s%s", table->path, query);
    expect_problem(400, "invalid-parameter",
                   client_send(table->devices[0]->client,
                               &(struct call){.method = "GET", .path = path, .header = header}));
}

Test(scenario_streams_resume, a_number_from_the_future_or_none_is_refused)
{
    static const char *const headers[] = {
        "Last-Event-ID: 3",
        "Last-Event-ID: 4294967297",
        "Last-Event-ID: -1",
        "Last-Event-ID: x",
        "Last-Event-ID: 9223372036854775808",
        "Last-Event-ID: 1.0",
        "Last-Event-ID;",
        "Last-Event-ID: 01",
        "Last-Event-ID: 1, 2",
    };
    static const char *const queries[] = {
        "?after=3",          "?after=-1", "?after=",         "?after=x",   "?after=1&after=1",
        "?after=4294967296", "?wait=26",  "?wait=0&after=3", "?games=all", "?from=1"};
    struct table table = table_new();
    device_stroll(&table.pairing, 1, 2);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        expect_refused(&table, "", headers[i]);
        expect_refused(&table, "?wait=0", headers[i]);
    }
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        expect_refused(&table, queries[i], NULL);
    }
    /* Nor is it known then whether it was to be a stream. */
    expect_refused(&table, "?x=%zz&wait=0", "Accept: application/json");
    expect_refused(&table, "?x=%zz", "Accept: text/event-stream");
    struct listener *listener = listener_open(
        table.server, &(struct listen_wish){
                          .path = table.path, .last_id = "1", .header = "Last-Event-ID: 1\r\n"});
    cr_expect_eq(listener_status(listener), 400, "twice");
    listener_close(listener);
    table_free(&table);
}

/* --- too far behind ------------------------------------------------------------------------------
 */

/* A game whose clock was moved six hundred times, and once more by the start. */
enum { LONG_STORY = 601 };

static struct process *serve_long_story(char path[96])
{
    static const char sql[] =
        "INSERT INTO player (player_no, player_id, name, created_at_ms) VALUES"
        " (1, 'p_00000000000000000000000001', 'Aki', 1), (2, 'p_00000000000000000000000002', "
        "'Ben', 1);"
        "INSERT INTO game (game_id, game, pool, rated, options, turn_seconds, player_set, status,"
        " position, ply, turn, seq, created_at_ms) VALUES ('g_00000000000000000000000001', "
        "'hasami',"
        " 'hasami', 1, 'win_condition=capture_5 move_limit=2000', 60, '1,2', 'playing',"
        " 'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1', 0, 'b', 600, 1);"
        "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control) VALUES"
        " (1, 0, 'b', 1, 1500000, 'player'), (1, 1, 'w', 2, 1500000, 'player');"
        "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
        " INSERT INTO game_event (game_no, seq, type, at_ms, reason) SELECT 1, i, 'clock', i, "
        "'pause'"
        " FROM n;";
    (void)snprintf(path, 96, "/v1/games/g_00000000000000000000000001/events");
    return seed_begin(sql);
}

Test(scenario_streams_resume, who_is_too_far_behind_gets_a_snapshot)
{
    char path[96];
    char poll[128];
    struct process *server = serve_long_story(path);
    struct client *client = client_new(server->origin);
    struct listener *listener =
        listener_open(server, &(struct listen_wish){.path = path, .last_id = "89"});
    expect_events(listener, "clock", 90, LONG_STORY);
    listener_close(listener);
    listener = listener_open(server, &(struct listen_wish){.path = path, .last_id = "88"});
    json_t *frame = listener_next(listener, LISTENER_PATIENCE_MS);
    cr_expect_str_eq(frame_type(frame), "resync");
    json_decref(frame);
    expect_event(listener, "snapshot", LONG_STORY);
    listener_close(listener);
    (void)snprintf(poll, sizeof poll, "%s?wait=0&after=88", path);
    struct answer answer = expect(200, client_get(client, poll, NULL));
    cr_assert_eq(json_array_size(answer_at(&answer, "events")), 2);
    cr_expect_str_eq(answer_text(&answer, "events.0.type"), "resync");
    cr_expect_str_eq(answer_text(&answer, "events.1.type"), "snapshot");
    cr_expect_eq(answer_integer(&answer, "last_seq"), LONG_STORY);
    answer_free(&answer);
    client_free(client);
    seed_end(server);
}

/* Polls take it in pages. */
Test(scenario_streams_resume, long_polls_come_to_the_end_of_a_long_story)
{
    char path[96];
    char poll[160];
    long long last = 100;
    unsigned polls = 0;
    struct process *server = serve_long_story(path);
    struct client *client = client_new(server->origin);
    while (last < LONG_STORY) {
        (void)snprintf(poll, sizeof poll, "%s?wait=5&after=%lld", path, last);
        struct answer answer = expect(200, client_get(client, poll, NULL));
        size_t count = json_array_size(answer_at(&answer, "events"));
        cr_assert_gt(count, 0);
        cr_expect_eq(answer_integer(&answer, "events.0.seq"), last + 1);
        cr_expect_eq(answer_integer(&answer, "last_seq"), last + (long long)count);
        last += (long long)count;
        polls++;
        answer_free(&answer);
    }
    cr_expect_leq(polls, 6);
    client_free(client);
    seed_end(server);
}

/* Who comes back to a stream: what was missed, once and in order, or a snapshot where it is too
 * much. */

#include "tests/support/seed.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>

#define LINES "application/x-ndjson"

/* --- resuming -------------------------------------------------------------------------------- */

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

static void expect_refused(const struct table *table, const char *path, const char *query,
                           const char *header)
{
    char target[128];
    (void)snprintf(target, sizeof target, "%s%s", path, query);
    expect_problem(
        400, "invalid-parameter",
        client_send(table->devices[0]->client, &(struct call){.method = "GET",
                                                              .path = target,
                                                              .token = table->devices[0]->token,
                                                              .header = header}));
}

/* Of a sequence with two events in it. */
static void expect_numbers_refused(const struct table *table, const char *path)
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
        "?after=3",          "?after=-1", "?after=",         "?after=x",    "?after=1&after=1",
        "?after=4294967296", "?wait=26",  "?wait=0&after=3", "?games=mine", "?from=1"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        expect_refused(table, path, "", headers[i]);
        expect_refused(table, path, "?wait=0", headers[i]);
    }
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        expect_refused(table, path, queries[i], NULL);
    }
    struct listener *listener =
        listener_open(table->server, &(struct listen_wish){.path = path,
                                                           .token = table->devices[0]->token,
                                                           .last_id = "1",
                                                           .header = "Last-Event-ID: 1\r\n"});
    cr_expect_eq(listener_status(listener), 400, "twice");
    listener_close(listener);
}

Test(scenario_streams_resume, a_number_from_the_future_or_none_is_refused)
{
    struct table table = table_new();
    device_stroll(&table.pairing, 1, 2);
    expect_numbers_refused(&table, table.path);
    expect_numbers_refused(&table, "/v1/me/events"); /* matched, game_started */
    expect_refused(&table, table.path, "?games=all", NULL);
    /* Nor is it known then whether it was to be a stream. */
    expect_refused(&table, table.path, "?x=%zz&wait=0", "Accept: application/json");
    expect_refused(&table, table.path, "?x=%zz", "Accept: text/event-stream");
    table_free(&table);
}

/* --- too far behind -------------------------------------------------------------------------- */

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

/* Likewise of a player's own: rows that stand for a busy day. */
Test(scenario_streams_resume, who_is_too_far_behind_with_what_is_their_own_gets_a_snapshot)
{
    enum { LAST = 620 };
    struct process *server = seed_begin("SELECT 1;");
    struct device *device = device_new(server);
    struct device *other = device_new(server);
    struct listen_wish wish = {.path = "/v1/me/events", .token = device->token, .last_id = "108"};
    (void)device_pair(device, other);
    seed_more(server,
              "WITH RECURSIVE n (i) AS (VALUES (3) UNION ALL SELECT i + 1 FROM n WHERE i < 620)"
              " INSERT INTO personal_event (player_no, seq, type, at_ms, game_no)"
              " SELECT 1, i, 'game_started', unixepoch() * 1000, 1 FROM n;"
              "UPDATE player SET personal_seq = 620 WHERE player_no = 1;");
    struct listener *listener = listener_open(server, &wish);
    expect_events(listener, "game_started", 109, LAST);
    listener_close(listener);
    wish.last_id = "107";
    listener = listener_open(server, &wish);
    json_t *frame = listener_next(listener, LISTENER_PATIENCE_MS);
    cr_expect_str_eq(frame_type(frame), "resync");
    json_decref(frame);
    expect_event(listener, "snapshot", LAST);
    listener_close(listener);
    struct answer answer =
        expect(200, client_get(device->client, "/v1/me/events?wait=0&after=107", device->token));
    cr_expect_str_eq(answer_text(&answer, "events.0.type"), "resync");
    cr_expect_str_eq(answer_text(&answer, "events.1.type"), "snapshot");
    cr_expect_eq(answer_integer(&answer, "last_seq"), LAST);
    answer_free(&answer);
    device_free(device);
    device_free(other);
    seed_end(server);
}

/* --- while it goes on ------------------------------------------------------------------------ */

/* Fewer than a reader may be behind, so that none is told to begin again. */
enum { SEAM_PLIES = 60, SEAM_ROUNDS = 4, SEAM_STREAMS = 12 };

/* A game that somebody plays while streams come and go. */
struct seam {
    struct table table;
    pthread_t thread;
};

static void *play(void *context)
{
    const struct seam *seam = context;
    device_stroll(&seam->table.pairing, 1, SEAM_PLIES);
    return NULL;
}

static void seam_begin(struct seam *seam)
{
    struct table *table = &seam->table;
    table->pairing = device_pair(table->devices[0], table->devices[1]);
    (void)snprintf(table->path, sizeof table->path, "/v1/games/%s/events", table->pairing.game);
    cr_assert_eq(pthread_create(&seam->thread, NULL, play, seam), 0);
}

/* The next event has the next number. False: it was the last move. A machine that stands still
 * credits the clocks with it in between. */
static bool take_next(struct listener *listener, long long *last)
{
    json_t *frame = listener_event(listener);
    json_t *ply = json_object_get(json_object_get(frame_data(frame), "game"), "ply");
    bool more = json_integer_value(ply) < SEAM_PLIES;
    cr_assert_eq(frame_seq(frame), *last + 1, "%s %lld after %lld", frame_type(frame),
                 frame_seq(frame), *last);
    *last = frame_seq(frame);
    json_decref(frame);
    return more;
}

/* Goes on behind the last event that it had, for some events. */
static bool take_some(const struct table *table, const char *accept, long long *last,
                      unsigned events)
{
    char after[24];
    bool more = true;
    (void)snprintf(after, sizeof after, "%lld", *last);
    struct listener *listener = listen_to(table, accept, after);
    for (unsigned i = 0; more && i < events; i++) {
        more = take_next(listener, last);
    }
    listener_close(listener);
    return more;
}

/* Of those who come back in the middle of a move none misses one, or gets one twice. */
Test(scenario_streams_resume, between_what_was_missed_and_what_comes_there_is_no_seam)
{
    static const char *const accepts[] = {NULL, LINES};
    struct seam seam = {.table = table_new()};
    for (unsigned round = 0; round < SEAM_ROUNDS; round++) {
        long long last = 0;
        unsigned streams = 0;
        seam_begin(&seam);
        while (take_some(&seam.table, accepts[round % 2], &last, 1 + streams % 5)) {
            streams++;
        }
        (void)pthread_join(seam.thread, NULL);
        cr_expect_gt(streams, SEAM_STREAMS);
    }
    table_free(&seam.table);
}

/* Nor does the snapshot of who begins overlap with what follows it. */
Test(scenario_streams_resume, between_a_snapshot_and_what_comes_there_is_no_seam)
{
    struct seam seam = {.table = table_new()};
    for (unsigned round = 0; round < SEAM_ROUNDS; round++) {
        struct listener *listeners[SEAM_STREAMS];
        long long last[SEAM_STREAMS];
        seam_begin(&seam);
        for (size_t i = 0; i < SEAM_STREAMS; i++) {
            listeners[i] = listen_to(&seam.table, NULL, NULL);
            json_t *frame = listener_event(listeners[i]);
            cr_expect_str_eq(frame_type(frame), "snapshot");
            last[i] = frame_seq(frame);
            json_decref(frame);
        }
        (void)pthread_join(seam.thread, NULL);
        struct answer answer = device_game(seam.table.devices[0], seam.table.pairing.game);
        long long newest = answer_integer(&answer, "seq");
        answer_free(&answer);
        for (size_t i = 0; i < SEAM_STREAMS; i++) {
            while (last[i] < newest && take_next(listeners[i], &last[i])) {
            }
            listener_close(listeners[i]);
        }
    }
    table_free(&seam.table);
}

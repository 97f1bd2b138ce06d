/* Who comes back to a stream: what was missed, once and in order. */

#include "tests/support/counted.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>

#define LINES "application/x-ndjson"

/* --- resuming -------------------------------------------------------------------------------- */

Test(scenario_streams_resume, who_comes_back_gets_what_was_missed_once_and_in_order)
{
    struct table table = table_new();
    device_stroll(&table.pairing, 1, 40);
    for (long long seen = 0; seen <= 40; seen += 8) {
        struct listener *listener = resume(&table, LINES, seen);
        expect_events(&table, listener, "move", seen + 1, 40);
        listener_close(listener);
    }
    struct listener *listener = resume(&table, NULL, 40);
    listener_quiet(listener, 200);
    device_stroll(&table.pairing, 41, 42);
    expect_events(&table, listener, "move", 41, 42);
    listener_close(listener);
    table_free(&table);
}

Test(scenario_streams_resume, a_resumed_stream_begins_with_who_is_there)
{
    struct table table = table_new();
    struct listener *listener = resume(&table, LINES, 0);
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
    char last_id[24];
    (void)snprintf(path, sizeof path, "%s?after=%lld", table.path,
                   stored_number(table.server, table.pairing.game, 1));
    (void)snprintf(last_id, sizeof last_id, "%lld",
                   stored_number(table.server, table.pairing.game, 3));
    struct listener *listener =
        listener_open(table.server, &(struct listen_wish){.path = path, .last_id = last_id});
    expect_event(&table, listener, "move", 4);
    listener_close(listener);
    listener = listener_open(table.server, &(struct listen_wish){.path = path});
    expect_events(&table, listener, "move", 2, 4);
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
    char last_id[24];
    bool more = true;
    (void)snprintf(last_id, sizeof last_id, "%lld", *last);
    struct listener *listener = listener_open(
        table->server,
        &(struct listen_wish){.path = table->path, .accept = accept, .last_id = last_id});
    cr_assert_eq(listener_status(listener), 200);
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
            listeners[i] = listen_to(&seam.table, NULL);
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

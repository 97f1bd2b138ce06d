/* Who comes back to a stream after more than it can make good. */

#include "tests/support/device.h"
#include "tests/support/listener.h"
#include "tests/support/seed.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void expect_event(struct listener *listener, const char *type, long long seq)
{
    json_t *frame = listener_event(listener);
    cr_expect_str_eq(frame_type(frame), type);
    cr_expect_eq(frame_seq(frame), seq, "%s %lld, not %lld", type, frame_seq(frame), seq);
    json_decref(frame);
}

static void expect_events(struct listener *listener, const char *type, long long from, long long to)
{
    for (long long seq = from; seq <= to; seq++) {
        expect_event(listener, type, seq);
    }
}

/* A game without a clock, so that neither a start nor a stall of the machine adds anything, which
 * one of the two has left and come back to three hundred times. */
enum { LONG_STORY = 600 };

static struct process *serve_long_story(char path[96])
{
    static const char sql[] =
        "INSERT INTO player (player_no, player_id, name, created_at_ms) VALUES"
        " (1, 'p_00000000000000000000000001', 'Aki', 1),"
        " (2, 'p_00000000000000000000000002', 'Ben', 1);"
        "INSERT INTO game (game_id, game, pool, rated, unrated_reason, options, turn_seconds,"
        " player_set, status, position, ply, turn, seq, created_at_ms) VALUES"
        " ('g_00000000000000000000000001', 'hasami', 'hasami', 0, 'no_clock',"
        " 'win_condition=capture_5 move_limit=2000', 0, '1,2', 'playing',"
        " 'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1', 0, 'b', 600, 1);"
        "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control) VALUES"
        " (1, 0, 'b', 1, 1500000, 'player'), (1, 1, 'w', 2, 1500000, 'player');"
        "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
        " INSERT INTO game_event (game_no, seq, type, seat, at_ms, reason)"
        " SELECT 1, i, 'seat', 'w', i, iif(i % 2 = 1, 'left', 'returned') FROM n;";
    (void)snprintf(path, 96, "/v1/games/g_00000000000000000000000001/events");
    return seed_begin(sql);
}

Test(scenario_streams_behind, who_is_too_far_behind_gets_a_snapshot)
{
    char path[96];
    char poll[128];
    struct process *server = serve_long_story(path);
    struct client *client = client_new(server->origin);
    struct listener *listener =
        listener_open(server, &(struct listen_wish){.path = path, .last_id = "88"});
    expect_events(listener, "seat", 89, LONG_STORY);
    listener_close(listener);
    listener = listener_open(server, &(struct listen_wish){.path = path, .last_id = "87"});
    json_t *frame = listener_next(listener, LISTENER_PATIENCE_MS);
    cr_expect_str_eq(frame_type(frame), "resync");
    json_decref(frame);
    expect_event(listener, "snapshot", LONG_STORY);
    listener_close(listener);
    (void)snprintf(poll, sizeof poll, "%s?wait=0&after=87", path);
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
Test(scenario_streams_behind, long_polls_come_to_the_end_of_a_long_story)
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
Test(scenario_streams_behind, who_is_too_far_behind_with_what_is_their_own_gets_a_snapshot)
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

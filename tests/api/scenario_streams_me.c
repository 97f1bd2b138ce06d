/* A player's own stream: what is stored for a day, whose turn it is, and all games in one. */

#include "tests/support/counted.h"
#include "tests/support/device.h"
#include "tests/support/fold.h"
#include "tests/support/listener.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct pair {
    struct process *server;
    struct device *a;
    struct device *b;
    json_t *state; /* of a game as its frames tell it; NULL: nobody puts them together */
};

static struct pair pair_new(void)
{
    struct process *server = process_new(NULL);
    return (struct pair){.server = server, .a = device_new(server), .b = device_new(server)};
}

static void pair_free(struct pair *pair)
{
    device_free(pair->a);
    device_free(pair->b);
    json_decref(pair->state);
    process_free(pair->server);
}

static struct listener *listen_as(const struct pair *pair, const struct device *device,
                                  const char *query, const char *last_id)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/v1/me/events%s", query);
    struct listener *listener = listener_open(
        pair->server,
        &(struct listen_wish){.path = path, .token = device->token, .last_id = last_id});
    cr_assert_eq(listener_status(listener), 200);
    return listener;
}

/* The next event over those of a machine that stalls. */
static json_t *next_event(struct pair *pair, struct listener *listener)
{
    json_t *frame = listener_event(listener);
    while (frame_is_of_pause(frame)) {
        if (pair->state != NULL) {
            fold(&pair->state, frame);
        }
        json_decref(frame);
        frame = listener_event(listener);
    }
    return frame;
}

/* That is of a game (or NULL: a stored one) and counted as this. */
static void expect_next(struct pair *pair, struct listener *listener, const char *type,
                        const char *game, long long seq)
{
    json_t *frame = next_event(pair, listener);
    const char *of = json_string_value(json_object_get(frame, "game_id"));
    long long number = game == NULL || frame_seq(frame) == seq
                           ? frame_seq(frame)
                           : counted_number(pair->server, game, frame_seq(frame));
    cr_expect_str_eq(frame_type(frame), type);
    cr_expect_eq(number, seq, "%s %lld, not %lld", type, number, seq);
    cr_expect((game == NULL && of == NULL) || (game != NULL && of != NULL && strcmp(of, game) == 0),
              "%s of %s", type, of == NULL ? "nothing" : of);
    json_decref(frame);
}

static void move(const struct pairing *pairing, unsigned ply, const char *text)
{
    struct answer answer =
        expect(201, device_move(pairing->seats[(ply + 1) % 2], pairing->game, ply, text));
    answer_free(&answer);
}

Test(scenario_streams_me, it_begins_with_what_get_me_answers)
{
    struct pair pair = pair_new();
    struct listener *listener = listen_as(&pair, pair.a, "", NULL);
    json_t *frame = listener_event(listener);
    struct answer me = expect(200, client_get(pair.a->client, "/v1/me", pair.a->token));
    cr_expect_str_eq(frame_type(frame), "snapshot");
    cr_expect_eq(frame_seq(frame), 0);
    cr_expect(json_equal(frame_data(frame), me.body));
    answer_free(&me);
    json_decref(frame);
    listener_close(listener);
    pair_free(&pair);
}

Test(scenario_streams_me, it_tells_of_a_game_from_its_match_to_its_end)
{
    struct pair pair = pair_new();
    struct listener *listeners[2];
    listeners[0] = listen_as(&pair, pair.a, "", NULL);
    listeners[1] = listen_as(&pair, pair.b, "", NULL);
    expect_next(&pair, listeners[0], "snapshot", NULL, 0);
    expect_next(&pair, listeners[1], "snapshot", NULL, 0);
    struct pairing pairing = device_pair(pair.a, pair.b);
    for (int i = 0; i < 2; i++) {
        json_t *frame = listener_event(listeners[i]);
        cr_expect_str_eq(frame_type(frame), "matched");
        cr_expect_eq(frame_seq(frame), 1);
        cr_expect_str_eq(json_string_value(json_object_get(frame_data(frame), "game_id")),
                         pairing.game);
        json_decref(frame);
        expect_next(&pair, listeners[i], "game_started", NULL, 2);
    }
    struct listener *black = listeners[pairing.seats[0] == pair.a ? 0 : 1];
    struct listener *white = listeners[pairing.seats[0] == pair.a ? 1 : 0];
    expect_next(&pair, black, "your_turn", pairing.game, 0);
    move(&pairing, 1, "5i5h");
    expect_next(&pair, white, "your_turn", pairing.game, 1);
    move(&pairing, 2, "5a5b");
    expect_next(&pair, black, "your_turn", pairing.game, 2);
    struct answer answer = expect(200, device_resign(pair.b, pairing.game));
    answer_free(&answer);
    expect_next(&pair, black, "game_finished", NULL, 3);
    expect_next(&pair, white, "game_finished", NULL, 3);
    listener_quiet(black, 200);
    listener_quiet(white, 100);
    listener_close(black);
    listener_close(white);
    pair_free(&pair);
}

static void post(const struct pairing *pairing, int seat, const char *what)
{
    char path[96];
    struct device *device = pairing->seats[seat];
    (void)snprintf(path, sizeof path, "/v1/games/%s/%s", pairing->game, what);
    struct answer answer = expect(200, client_post(device->client, path, device->token, NULL));
    answer_free(&answer);
}

/* The turn as it stands when it is told. */
static void expect_turn(struct listener *listener, const char *game, unsigned ply)
{
    json_t *frame = listener_event(listener);
    json_t *clock = json_object_get(frame_data(frame), "clock");
    json_int_t remaining_ms = json_integer_value(json_object_get(clock, "remaining_ms"));
    cr_expect_str_eq(frame_type(frame), "your_turn");
    cr_expect_str_eq(json_string_value(json_object_get(frame, "game_id")), game);
    cr_expect_eq(json_integer_value(json_object_get(frame_data(frame), "next_ply")), ply);
    cr_expect(json_is_string(json_object_get(clock, "deadline_at")));
    cr_expect(remaining_ms > 0 && remaining_ms <= 60000, "%lld ms", (long long)remaining_ms);
    json_decref(frame);
}

Test(scenario_streams_me, a_turn_is_told_whoever_made_the_move_before_and_again_to_who_comes_back)
{
    struct pair pair = pair_new();
    struct pairing pairing = device_pair(pair.a, pair.b);
    struct listener *listener = listen_as(&pair, pairing.seats[1], "", "2");
    process_control(pair.server, "advance 60000");
    expect_turn(listener, pairing.game, 2);
    post(&pairing, 0, "leave");
    move(&pairing, 2, "5a5b");
    process_control(pair.server, "advance 500");
    expect_turn(listener, pairing.game, 4);
    post(&pairing, 1, "leave");
    post(&pairing, 1, "return");
    expect_turn(listener, pairing.game, 4);
    listener_close(listener);
    pair_free(&pair);
}

Test(scenario_streams_me, a_game_to_which_nobody_comes_is_finished_for_both)
{
    struct pair pair = pair_new();
    struct pairing pairing = device_pair(pair.a, pair.b);
    struct listener *black = listen_as(&pair, pairing.seats[0], "", "2");
    struct listener *white = listen_as(&pair, pairing.seats[1], "", "2");
    expect_turn(black, pairing.game, 1);
    process_control(pair.server, "advance 60000");
    expect_turn(white, pairing.game, 2);
    process_control(pair.server, "advance 60000");
    expect_next(&pair, black, "game_finished", NULL, 3);
    expect_next(&pair, white, "game_finished", NULL, 3);
    listener_close(black);
    listener_close(white);
    pair_free(&pair);
}

Test(scenario_streams_me, with_all_games_one_stream_is_enough)
{
    struct pair pair = pair_new();
    struct listener *listener = listen_as(&pair, pair.a, "?games=all", NULL);
    expect_next(&pair, listener, "snapshot", NULL, 0);
    struct pairing pairing = device_pair(pair.a, pair.b);
    bool first = pairing.seats[0] == pair.a;
    expect_next(&pair, listener, "matched", NULL, 1);
    expect_next(&pair, listener, "game_started", NULL, 2);
    json_t *frame = next_event(&pair, listener);
    cr_expect_str_eq(json_string_value(json_object_get(frame, "game_id")), pairing.game);
    fold(&pair.state, frame);
    json_decref(frame);
    if (first) {
        expect_next(&pair, listener, "your_turn", pairing.game, 0);
    }
    static const char *const moves[] = {"5i5h", "5a5b", "6i6h", "6a6b"};
    for (unsigned ply = 1; ply <= 4; ply++) {
        move(&pairing, ply, moves[ply - 1]);
        frame = next_event(&pair, listener);
        fold(&pair.state, frame);
        json_decref(frame);
        if ((ply % 2 == 0) == first) {
            expect_next(&pair, listener, "your_turn", pairing.game, ply);
        }
    }
    struct answer answer = expect(200, device_resign(pair.b, pairing.game));
    answer_free(&answer);
    /* The game's own event and the player's come in either order. */
    for (int i = 0; i < 2; i++) {
        frame = next_event(&pair, listener);
        if (strcmp(frame_type(frame), "finished") == 0) {
            fold(&pair.state, frame);
        } else {
            cr_expect_str_eq(frame_type(frame), "game_finished");
        }
        json_decref(frame);
    }
    answer = device_game(pair.a, pairing.game);
    fold_settle(answer.body);
    cr_expect(json_equal(answer.body, pair.state));
    answer_free(&answer);
    listener_close(listener);
    pair_free(&pair);
}

/* At the beginning, whether it is a first one or not, stand the games as they are. */
Test(scenario_streams_me, a_resumed_stream_has_what_was_missed_and_the_games_as_they_stand)
{
    struct pair pair = pair_new();
    struct pairing first = device_pair(pair.a, pair.b);
    move(&first, 1, "5i5h");
    struct answer answer = expect(200, device_resign(pair.a, first.game));
    answer_free(&answer);
    struct pairing second = device_pair(pair.a, pair.b);
    move(&second, 1, "5i5h");
    struct device *white = second.seats[1];
    struct listener *listener = listen_as(&pair, white, "?games=all", "2");
    expect_next(&pair, listener, "game_finished", NULL, 3);
    expect_next(&pair, listener, "matched", NULL, 4);
    expect_next(&pair, listener, "game_started", NULL, 5);
    expect_next(&pair, listener, "snapshot", first.game, 2);
    expect_next(&pair, listener, "snapshot", second.game, 1);
    expect_next(&pair, listener, "your_turn", second.game, 1);
    listener_close(listener);
    listener = listen_as(&pair, white, "", "5");
    expect_next(&pair, listener, "your_turn", second.game, 1);
    listener_quiet(listener, 200);
    listener_close(listener);
    pair_free(&pair);
}

Test(scenario_streams_me, what_is_older_than_a_day_is_made_good_by_a_snapshot)
{
    struct pair pair = pair_new();
    struct pairing pairing = device_pair(pair.a, pair.b);
    process_control(pair.server, "advance 86300000");
    struct answer answer = expect(200, device_resign(pair.a, pairing.game));
    answer_free(&answer);
    struct listener *listener = listen_as(&pair, pair.a, "", "1");
    expect_next(&pair, listener, "game_started", NULL, 2);
    listener_close(listener);
    process_control(pair.server, "advance 200000");
    listener = listen_as(&pair, pair.a, "", "1");
    json_t *frame = listener_next(listener, LISTENER_PATIENCE_MS);
    cr_expect_str_eq(frame_type(frame), "resync");
    json_decref(frame);
    expect_next(&pair, listener, "snapshot", NULL, 3);
    listener_close(listener);
    listener = listen_as(&pair, pair.a, "", "2");
    expect_next(&pair, listener, "game_finished", NULL, 3);
    listener_close(listener);
    /* What comes next takes the place of what nobody can ask for, and counts on. */
    (void)device_pair(pair.a, pair.b);
    char count[16];
    process_sql(pair.server, "SELECT min(seq) || ' ' || max(seq) FROM personal_event", count,
                sizeof count);
    cr_expect_str_eq(count, "3 5");
    pair_free(&pair);
}

Test(scenario_streams_me, a_number_from_the_future_or_none_is_refused)
{
    static const char *const queries[] = {"?after=3", "?after=x", "?wait=26", "?games=mine",
                                          "?wait=0&after=3"};
    struct pair pair = pair_new();
    (void)device_pair(pair.a, pair.b);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/v1/me/events%s", queries[i]);
        expect_problem(400, "invalid-parameter", client_get(pair.a->client, path, pair.a->token));
    }
    pair_free(&pair);
}

/* --- long polls ----------------------------------------------------------------------------------
 */

static struct answer poll_me(const struct device *device, const char *query)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/me/events%s", query);
    return expect(200, client_get(device->client, path, device->token));
}

Test(scenario_streams_me, a_long_poll_answers_with_stored_events_and_turns)
{
    struct pair pair = pair_new();
    struct answer answer = poll_me(pair.a, "?wait=25");
    cr_expect_str_eq(answer_text(&answer, "events.0.type"), "snapshot");
    cr_expect_eq(answer_integer(&answer, "last_seq"), 0);
    answer_free(&answer);
    struct pairing pairing = device_pair(pair.a, pair.b);
    struct device *black = pairing.seats[0];
    answer = poll_me(black, "?wait=25&after=0");
    cr_assert_eq(json_array_size(answer_at(&answer, "events")), 3);
    cr_expect_str_eq(answer_text(&answer, "events.0.type"), "matched");
    cr_expect_str_eq(answer_text(&answer, "events.1.type"), "game_started");
    cr_expect_str_eq(answer_text(&answer, "events.2.type"), "your_turn");
    cr_expect_eq(answer_integer(&answer, "last_seq"), 2);
    answer_free(&answer);
    answer = poll_me(black, "?wait=0&after=2&games=all");
    cr_assert_eq(json_array_size(answer_at(&answer, "events")), 2);
    cr_expect_str_eq(answer_text(&answer, "events.0.type"), "snapshot");
    cr_expect_str_eq(answer_text(&answer, "events.0.game_id"), pairing.game);
    cr_expect_str_eq(answer_text(&answer, "events.1.type"), "your_turn");
    cr_expect_eq(answer_integer(&answer, "last_seq"), 2);
    answer_free(&answer);
    pair_free(&pair);
}

static int poll_begin(const struct pair *pair, const struct device *device, const char *query)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "GET /v1/me/events%s HTTP/1.1\r\nHost: b\r\nConnection: close\r\n"
                   "Authorization: Bearer %s\r\n\r\n",
                   query, device->token);
    int fd = raw_open(pair->server->port);
    cr_assert(raw_send(fd, text, strlen(text)));
    client_await_held(device->client, 1);
    return fd;
}

static void poll_end(int fd, const char *expected)
{
    static struct raw_answer answer;
    raw_read(fd, TEST_STALL_MS, &answer);
    raw_close(fd);
    cr_expect_eq(raw_status(&answer), 200);
    cr_expect(answer.closed);
    cr_expect_not_null(strstr(answer.text, expected), "%s is not in %s", expected, answer.text);
}

Test(scenario_streams_me, a_turn_that_comes_ends_a_long_poll)
{
    struct pair pair = pair_new();
    struct pairing pairing = device_pair(pair.a, pair.b);
    int white = poll_begin(&pair, pairing.seats[1], "?wait=25&after=2");
    move(&pairing, 1, "5i5h");
    poll_end(white, "\"seq\":1,\"type\":\"your_turn\"");
    struct answer answer = poll_me(pairing.seats[0], "?wait=0&after=2&games=all");
    answer_free(&answer);
    int black = poll_begin(&pair, pairing.seats[0], "?wait=25&after=2&games=all");
    move(&pairing, 2, "5a5b");
    poll_end(black, "\"seq\":2,\"type\":\"snapshot\"");
    pair_free(&pair);
}

Test(scenario_streams_me, the_next_match_ends_a_long_poll)
{
    struct pair pair = pair_new();
    int fd = poll_begin(&pair, pair.a, "?wait=25&after=0");
    (void)device_pair(pair.a, pair.b);
    poll_end(fd, "{\"events\":[{\"seq\":1,\"type\":\"matched\"");
    pair_free(&pair);
}

/* --- tickets -------------------------------------------------------------------------------------
 */

Test(scenario_streams_me, an_open_stream_is_the_heartbeat_of_a_ticket)
{
    char ticket[32];
    char status[16];
    struct pair pair = pair_new();
    struct listener *listener = listen_as(&pair, pair.a, "", NULL);
    expect_next(&pair, listener, "snapshot", NULL, 0);
    device_queue(pair.a, ticket);
    struct answer other = expect(
        201, client_post(pair.b->client, "/v1/tickets", pair.b->token, "{\"pool\":\"yonin\"}"));
    answer_free(&other);
    process_control(pair.server, "advance 31000");
    client_await_down(pair.b->client, "banzuke_tickets_waiting", 1);
    process_sql(pair.server, "SELECT status FROM ticket WHERE pool = 'hasami'", status,
                sizeof status);
    cr_expect_str_eq(status, "waiting");
    listener_close(listener);
    pair_free(&pair);
}

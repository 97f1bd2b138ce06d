/* What a player's own stream tells of games that come of another, and of tables; and the first game
 * of what came of it. */

#include "tests/support/fold.h"
#include "tests/support/games.h"
#include "tests/support/party.h"
#include "tests/support/raw.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A player's own stream, and the number of the last event that was stored. */
struct own {
    struct listener *listener;
    long long last;
};

static struct own own_of(const struct process *server, const struct device *device)
{
    struct own own = {.listener =
                          listener_open(server, &(struct listen_wish){.path = "/v1/me/events",
                                                                      .token = device->token})};
    json_t *frame = listener_event(own.listener);
    cr_assert_str_eq(frame_type(frame), "snapshot");
    own.last = frame_seq(frame);
    json_decref(frame);
    return own;
}

/* Whom nothing wakes looks again for the next sign of life, after 14 seconds. Of
 * three events or more that is longer than a machine may stall. */
static void expect_at_once(long long begin_ms)
{
    cr_expect_lt(test_now_ms() - begin_ms, TEST_STALL_MS);
}

/* The next stored event is of this type, and about this game or table (of a
 * rematch, the game before). */
static void expect_told(struct own *own, const char *type, const char *id)
{
    json_t *frame = listener_event(own->listener);
    while (json_object_get(frame, "game_id") != NULL) { /* a turn */
        json_decref(frame);
        frame = listener_event(own->listener);
    }
    json_t *data = frame_data(frame);
    const char *member = strcmp(type, "table") == 0     ? "table_id"
                         : strcmp(type, "rematch") == 0 ? "rematch_of"
                                                        : "game_id";
    json_t *of = json_object_get(data, member);
    cr_expect_str_eq(frame_type(frame), type);
    cr_expect_eq(frame_seq(frame), own->last + 1);
    cr_assert_str_eq(json_string_value(of), id);
    own->last = frame_seq(frame);
    json_decref(frame);
}

/* Folds the game's next event, which is of this type. */
static void fold_next(struct listener *listener, json_t **state, const char *type)
{
    json_t *frame = listener_event(listener);
    while (strcmp(frame_type(frame), type) != 0 && strcmp(frame_type(frame), "clock") == 0) {
        fold(state, frame);
        json_decref(frame);
        frame = listener_event(listener);
    }
    cr_assert_str_eq(frame_type(frame), type);
    fold(state, frame);
    json_decref(frame);
}

static void expect_same(const struct table *table, json_t *state)
{
    struct answer answer = device_game(table->devices[0], table->pairing.game);
    fold_settle(answer.body);
    cr_expect(json_equal(answer.body, state));
    answer_free(&answer);
}

Test(scenario_streams_news, every_move_is_told_when_it_is_made)
{
    enum { MOVES = 6 };
    struct table table = table_new();
    struct listener *watcher = enter(&table, NULL, NULL);
    struct listener *white =
        listener_open(table.server, &(struct listen_wish){.path = "/v1/me/events",
                                                          .token = table.pairing.seats[1]->token});
    json_decref(listener_event(white));
    long long begin_ms = test_now_ms();
    for (unsigned ply = 1; ply <= MOVES; ply++) {
        device_stroll(&table.pairing, ply, ply);
        json_decref(listener_until(watcher, "move"));
        if (ply % 2 == 1) {
            expect_event(&table, white, "your_turn", ply);
        }
    }
    expect_at_once(begin_ms);
    listener_close(watcher);
    listener_close(white);
    table_free(&table);
}

Test(scenario_streams_news, a_rematch_is_told_to_both_and_to_those_who_watched)
{
    char path[96];
    char again[32];
    struct table table = table_new();
    struct own own[2] = {own_of(table.server, table.devices[0]),
                         own_of(table.server, table.devices[1])};
    struct listener *watcher = listen_to(&table, NULL);
    json_t *state = NULL;
    fold_next(watcher, &state, "snapshot");
    expect_status(200, device_resign(table.devices[0], table.pairing.game));
    (void)snprintf(path, sizeof path, "/v1/games/%s/rematch", table.pairing.game);
    for (size_t i = 0; i < 2; i++) {
        const struct device *device = table.devices[i];
        struct answer answer = expect(200, client_post(device->client, path, device->token, NULL));
        (void)snprintf(again, sizeof again, "%s", i == 0 ? "" : answer_text(&answer, "game_id"));
        answer_free(&answer);
    }
    for (size_t i = 0; i < 2; i++) {
        expect_told(&own[i], "game_finished", table.pairing.game);
        expect_told(&own[i], "rematch", table.pairing.game); /* one has asked */
        expect_told(&own[i], "rematch", table.pairing.game); /* and the other */
        expect_told(&own[i], "game_started", again);
        listener_close(own[i].listener);
    }
    fold_next(watcher, &state, "finished");
    fold_next(watcher, &state, "rematch");
    cr_expect_str_eq(json_string_value(json_object_get(state, "rematched_by")), again);
    expect_same(&table, state);
    json_decref(state);
    listener_close(watcher);
    table_free(&table);
}

Test(scenario_streams_news, a_replay_is_told_to_both)
{
    struct table table = table_new();
    struct own own[2] = {own_of(table.server, table.devices[0]),
                         own_of(table.server, table.devices[1])};
    device_play(&table.pairing, 1, games_find("hasami")->repetition);
    struct answer answer = device_game(table.devices[0], table.pairing.game);
    for (size_t i = 0; i < 2; i++) {
        expect_told(&own[i], "game_finished", table.pairing.game);
        expect_told(&own[i], "replay", answer_text(&answer, "replayed_by"));
        expect_told(&own[i], "game_started", answer_text(&answer, "replayed_by"));
        listener_close(own[i].listener);
    }
    answer_free(&answer);
    table_free(&table);
}

Test(scenario_streams_news, a_table_is_told_to_its_members_alone)
{
    char game[32];
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct device *stranger = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    struct own of_host = own_of(server, host);
    struct own of_guest = own_of(server, guest);
    struct own of_stranger = own_of(server, stranger);
    long long begin_ms = test_now_ms();
    party_join(guest, &party);
    expect_told(&of_host, "table", party.id);
    expect_told(&of_guest, "table", party.id);
    party_sit(host, &party, 'b');
    expect_told(&of_host, "table", party.id);
    expect_told(&of_guest, "table", party.id);
    party_sit(guest, &party, 'w');
    expect_told(&of_host, "table", party.id);
    expect_told(&of_guest, "table", party.id);
    party_start(host, &party, game);
    expect_told(&of_host, "game_started", game);
    expect_told(&of_guest, "game_started", game);
    expect_at_once(begin_ms);
    listener_quiet(of_stranger.listener, 200);
    listener_close(of_host.listener);
    listener_close(of_guest.listener);
    listener_close(of_stranger.listener);
    device_free(host);
    device_free(guest);
    device_free(stranger);
    process_free(server);
}

Test(scenario_streams_news, a_change_at_a_table_ends_a_long_poll)
{
    static struct raw_answer answer;
    char text[512];
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    struct own own = own_of(server, host);
    listener_close(own.listener);
    int length = snprintf(text, sizeof text,
                          "GET /v1/me/events?wait=25&after=%lld HTTP/1.1\r\nHost: b\r\n"
                          "Authorization: Bearer %s\r\nConnection: close\r\n\r\n",
                          own.last, host->token);
    long long begin_ms = test_now_ms();
    int fd = raw_open(server->port);
    cr_assert(raw_send(fd, text, (size_t)length));
    client_await_held(host->client, 1);
    party_join(guest, &party);
    raw_read(fd, TEST_STALL_MS, &answer);
    raw_close(fd);
    cr_expect_lt(test_now_ms() - begin_ms, CLIENT_WAIT_MS);
    cr_expect_eq(raw_status(&answer), 200);
    (void)snprintf(text, sizeof text, "\"data\":{\"table_id\":\"%s\"}", party.id);
    cr_expect_not_null(strstr(answer.text, "\"type\":\"table\""), "%s", answer.text);
    cr_expect_not_null(strstr(answer.text, text), "%s", answer.text);
    device_free(host);
    device_free(guest);
    process_free(server);
}

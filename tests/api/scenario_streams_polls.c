/* Long polls of a player's own events: what ends them, and all that their answers owe. */

#include "tests/support/device.h"
#include "tests/support/listener.h"
#include "tests/support/party.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct answer poll_me(const struct device *device, const char *query)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/me/events%s", query);
    return expect(200, client_get(device->client, path, device->token));
}

/* Until so many are held. */
static int hold_poll(const struct process *server, struct device *device, const char *query,
                     unsigned count)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "GET /v1/me/events%s HTTP/1.1\r\nHost: b\r\n"
                   "Authorization: Bearer %s\r\n\r\n",
                   query, device->token);
    int fd = raw_open(server->port);
    cr_assert(raw_send(fd, text, strlen(text)));
    client_await_held(device->client, count);
    return fd;
}

/* --- what was told before ------------------------------------------------------------------------
 */

static void run_sql(const struct process *server, const char *sql)
{
    char command[512];
    (void)snprintf(command, sizeof command, "sqlite3 -cmd '.timeout 9000' '%s' \"%s\"", server->db,
                   sql);
    cr_assert_eq(system(command), 0); /* NOLINT(concurrency-mt-unsafe) */
}

/* The next device is as many devices after the first as there are places for polls of a kind. */
static void skip_devices(const struct process *server)
{
    run_sql(server, "INSERT INTO device (device_no, device_id, player_no, created_at_ms)"
                    " SELECT 2048, 'd_aaaaaaaaaaaaaaaaaaaaaaaaaa', player_no, created_at_ms"
                    " FROM device WHERE device_no = 1");
}

Test(scenario_streams_polls, devices_that_share_a_place_do_not_end_the_polls_of_each_other)
{
    struct process *server = process_new(NULL);
    struct device *devices[4] = {device_new(server), device_new(server)};
    skip_devices(server);
    devices[2] = device_new(server);
    devices[3] = device_new(server);
    run_sql(server, "DELETE FROM device WHERE device_no = 2048");
    (void)device_pair(devices[0], devices[1]);
    (void)device_pair(devices[2], devices[3]);
    for (size_t i = 0; i < 4; i += 2) {
        struct answer answer = poll_me(devices[i], "?wait=0&after=2&games=all");
        answer_free(&answer);
    }
    int fds[2];
    for (unsigned i = 0; i < 2; i++) {
        struct device *device = i == 0 ? devices[0] : devices[2];
        fds[i] = hold_poll(server, device, "?wait=25&after=2&games=all", i + 1);
    }
    raw_close(fds[0]);
    raw_close(fds[1]);
    for (int i = 0; i < 4; i++) {
        device_free(devices[i]);
    }
    process_free(server);
}

Test(scenario_streams_polls, what_a_client_that_has_hung_up_was_not_told_ends_its_next_poll)
{
    enum { SOON_MS = 20000 };
    struct process *server = process_new(NULL);
    struct device *devices[2] = {device_new(server), device_new(server)};
    struct pairing pairing = device_pair(devices[0], devices[1]);
    struct answer answer = poll_me(pairing.seats[1], "?wait=0&after=2");
    answer_free(&answer);
    raw_close(hold_poll(server, pairing.seats[1], "?wait=25&after=2", 1));
    answer = expect(201, device_move(pairing.seats[0], pairing.game, 1, "5i5h"));
    answer_free(&answer);
    client_await_down(pairing.seats[0]->client, "banzuke_http_requests_in_flight", 1);
    long long begun_ms = test_now_ms();
    answer = poll_me(pairing.seats[1], "?wait=25&after=2");
    cr_expect_str_eq(answer_text(&answer, "events.0.type"), "your_turn");
    cr_expect_lt(test_now_ms() - begun_ms, SOON_MS);
    answer_free(&answer);
    device_free(devices[0]);
    device_free(devices[1]);
    process_free(server);
}

/* --- long answers --------------------------------------------------------------------------------
 */

/* How many frames of games other than this one there are; *found: one of this one. */
static int count_others(const struct answer *answer, const char *type, const char *game,
                        bool *found)
{
    size_t i = 0;
    json_t *frame = NULL;
    int others = 0;
    *found = false;
    json_array_foreach(answer_at(answer, "events"), i, frame)
    {
        const char *of = json_string_value(json_object_get(frame, "game_id"));
        if (of != NULL && strcmp(frame_type(frame), type) == 0) {
            bool same = strcmp(of, game) == 0;
            cr_expect_not(same && *found, "twice");
            *found = *found || same;
            others += !same;
        }
    }
    return others;
}

Test(scenario_streams_polls, a_running_game_is_told_of_with_more_ended_ones_than_an_answer_has_room)
{
    enum { GAMES = 66 };
    char game[32];
    char query[64];
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    party_alone(device, GAMES, game);
    long long seq = 0;
    int ended = 0;
    for (int polls = 0; ended < GAMES && polls < GAMES; polls++) {
        bool found = false;
        (void)snprintf(query, sizeof query, "?wait=0&games=all&after=%lld", seq);
        struct answer answer = poll_me(device, query);
        ended += count_others(&answer, "snapshot", game, &found);
        cr_expect(found, "poll %d", polls);
        seq = answer_integer(&answer, "last_seq");
        answer_free(&answer);
    }
    cr_expect_eq(ended, GAMES);
    device_free(device);
    process_free(server);
}

Test(scenario_streams_polls, a_turn_is_told_with_more_events_than_an_answer_has)
{
    enum { ASKINGS = 55, EVENTS = 2 * ASKINGS };
    struct process *server = process_new(NULL);
    struct device *devices[2] = {device_new(server), device_new(server)};
    struct pairing ended = device_pair(devices[0], devices[1]);
    struct answer answer = expect(200, device_resign(devices[0], ended.game));
    answer_free(&answer);
    for (int i = 0; i < ASKINGS; i++) {
        answer = expect(200, device_rematch(devices[0], ended.game));
        answer_free(&answer);
        answer = expect(204, device_rematch_back(devices[0], ended.game));
        answer_free(&answer);
    }
    struct pairing running = device_pair(devices[0], devices[1]);
    bool found = false;
    answer = poll_me(running.seats[0], "?wait=0&after=0");
    cr_expect_lt(answer_integer(&answer, "last_seq"), EVENTS);
    cr_expect_eq(count_others(&answer, "your_turn", running.game, &found), 0);
    cr_expect(found);
    answer_free(&answer);
    device_free(devices[0]);
    device_free(devices[1]);
    process_free(server);
}

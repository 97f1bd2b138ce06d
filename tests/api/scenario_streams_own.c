/* What a stream owes to those who sit in a game or belong to its table. */

#include "tests/support/fold.h"
#include "tests/support/listener.h"
#include "tests/support/party.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct listener *listen_to(const struct process *server, const struct device *device,
                                  const char *path)
{
    const char *token = device == NULL ? NULL : device->token;
    struct listener *listener =
        listener_open(server, &(struct listen_wish){.path = path, .token = token});
    cr_assert_eq(listener_status(listener), 200);
    return listener;
}

static bool seat_is_present(json_t *snapshot, size_t seat)
{
    json_t *seats = json_object_get(frame_data(snapshot), "seats");
    return json_is_true(json_object_get(json_array_get(seats, seat), "present"));
}

/* --- who is there --------------------------------------------------------------------------------
 */

/* The board that the watcher looks at is older than the snapshot of who comes. */
Test(scenario_streams_own, a_snapshot_is_not_taken_back_by_who_is_there)
{
    char path[96];
    struct process *server = process_new(NULL);
    struct device *devices[2] = {device_new(server), device_new(server)};
    struct pairing pairing = device_pair(devices[0], devices[1]);
    (void)snprintf(path, sizeof path, "/v1/games/%s/events", pairing.game);
    struct listener *watcher = listen_to(server, NULL, path);
    json_t *frame = listener_event(watcher);
    json_decref(frame);
    process_control(server, "advance 31000");
    for (int i = 0; i < 2; i++) {
        frame = listener_until(watcher, "presence");
        cr_expect(json_is_false(json_object_get(frame_data(frame), "present")));
        json_decref(frame);
    }
    struct listener *listener = listen_to(server, pairing.seats[0], path);
    frame = listener_event(listener);
    cr_expect_str_eq(frame_type(frame), "snapshot");
    cr_expect(seat_is_present(frame, 0));
    cr_expect_not(seat_is_present(frame, 1));
    json_decref(frame);
    struct answer answer = expect(201, device_move(pairing.seats[0], pairing.game, 1, "5i5h"));
    answer_free(&answer);
    frame = listener_next(listener, LISTENER_PATIENCE_MS);
    cr_expect_str_eq(frame_type(frame), "move");
    json_decref(frame);
    frame = listener_until(watcher, "presence");
    cr_expect_str_eq(json_string_value(json_object_get(frame_data(frame), "seat")), "b");
    cr_expect(json_is_true(json_object_get(frame_data(frame), "present")));
    json_decref(frame);
    listener_close(listener);
    listener_close(watcher);
    device_free(devices[0]);
    device_free(devices[1]);
    process_free(server);
}

/* --- after the end -------------------------------------------------------------------------------
 */

/* Folds the frames of one game up to the next of this type; others pass. */
static void fold_until(json_t **state, struct listener *listener, const char *game,
                       const char *type)
{
    for (bool found = false; !found;) {
        json_t *frame = listener_event(listener);
        const char *of = json_string_value(json_object_get(frame, "game_id"));
        if (of != NULL && strcmp(of, game) == 0 && strcmp(frame_type(frame), "your_turn") != 0) {
            fold(state, frame);
            found = strcmp(frame_type(frame), type) == 0;
        }
        json_decref(frame);
    }
}

static void ask_rematch(struct device *device, const char *game)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/rematch", game);
    struct answer answer = expect(200, client_post(device->client, path, device->token, NULL));
    answer_free(&answer);
}

static void void_game(struct process *server, const char *game)
{
    char line[96];
    char output[1024];
    (void)snprintf(line, sizeof line, "void-game %s --reason two", game);
    cr_expect_eq(process_run(server, line, output, sizeof output), 0, "%s", output);
}

/* Of this game alone. */
static void expect_presence(struct listener *listener, const char *game, bool present)
{
    json_t *frame = listener_until(listener, "presence");
    cr_expect_str_eq(json_string_value(json_object_get(frame, "game_id")), game);
    cr_expect_eq(json_is_true(json_object_get(frame_data(frame), "present")), present);
    json_decref(frame);
}

Test(scenario_streams_own, with_all_games_an_ended_one_goes_on_to_its_rematch_and_its_void)
{
    json_t *state = NULL;
    struct process *server = process_new(NULL);
    struct device *devices[2] = {device_new(server), device_new(server)};
    struct listener *listener = listen_to(server, devices[0], "/v1/me/events?games=all");
    struct pairing pairing = device_pair(devices[0], devices[1]);
    fold_until(&state, listener, pairing.game, "snapshot");
    struct answer answer = expect(200, device_resign(devices[1], pairing.game));
    answer_free(&answer);
    fold_until(&state, listener, pairing.game, "finished");
    ask_rematch(devices[0], pairing.game);
    ask_rematch(devices[1], pairing.game);
    fold_until(&state, listener, pairing.game, "rematch");
    void_game(server, pairing.game);
    fold_until(&state, listener, pairing.game, "voided");
    answer = device_game(devices[0], pairing.game);
    fold_settle(answer.body);
    cr_expect(json_equal(answer.body, state));
    answer_free(&answer);
    json_decref(state);
    listener_close(listener);
    device_free(devices[0]);
    device_free(devices[1]);
    process_free(server);
}

/* More games than a stream follows at a time: each is told of before another takes its place. */
Test(scenario_streams_own, with_all_games_whatever_ended_in_the_meantime_is_told_of)
{
    enum { GAMES = 66 };
    char game[32];
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    party_alone(device, GAMES, game);
    struct listener *listener = listen_to(server, device, "/v1/me/events?games=all&after=0");
    long long seq = 0;
    int ended = 0;
    for (bool running = false; !running;) {
        json_t *frame = listener_event(listener);
        const char *of = json_string_value(json_object_get(frame, "game_id"));
        if (of == NULL) {
            cr_expect_eq(frame_seq(frame), ++seq);
        } else {
            cr_expect_str_eq(frame_type(frame), "snapshot");
            running = strcmp(of, game) == 0;
            ended += !running;
        }
        json_decref(frame);
    }
    cr_expect_eq(ended, GAMES);
    listener_close(listener);
    device_free(device);
    process_free(server);
}

/* More of them than it goes on with. */
Test(scenario_streams_own,
     with_all_games_who_is_there_is_told_of_running_ones_and_a_void_of_the_last)
{
    enum { ENDED = 10, KEPT = 8 };
    struct pairing pairings[ENDED + 1];
    struct process *server = process_new(NULL);
    struct device *listens = device_new(server);
    struct device *other = device_new(server);
    struct listener *listener = listen_to(server, listens, "/v1/me/events?games=all");
    for (int i = 0; i < ENDED; i++) {
        pairings[i] = device_pair(listens, other);
        struct answer answer = expect(200, device_resign(other, pairings[i].game));
        answer_free(&answer);
        json_decref(listener_until(listener, "finished"));
    }
    pairings[ENDED] = device_pair(listens, other);
    json_decref(listener_until(listener, "snapshot"));
    process_control(server, "advance 31000");
    expect_presence(listener, pairings[ENDED].game, false);
    struct answer answer = expect(200, client_get(other->client, "/v1/me", other->token));
    answer_free(&answer);
    expect_presence(listener, pairings[ENDED].game, true);
    void_game(server, pairings[ENDED - KEPT - 1].game);
    void_game(server, pairings[ENDED - KEPT].game);
    json_t *frame = listener_until(listener, "voided");
    cr_expect_str_eq(json_string_value(json_object_get(frame, "game_id")),
                     pairings[ENDED - KEPT].game);
    json_decref(frame);
    listener_close(listener);
    device_free(listens);
    device_free(other);
    process_free(server);
}

/* --- between two long polls ----------------------------------------------------------------------
 */

/* Polls for up to `wait` seconds; which frame the answer ends with. How long it took. */
static long long poll(struct device *device, int wait, const char *more, const char *last,
                      unsigned seq)
{
    char path[96];
    long long begun_ms = test_now_ms();
    (void)snprintf(path, sizeof path, "/v1/me/events?wait=%d&after=2%s", wait, more);
    struct answer answer = expect(200, client_get(device->client, path, device->token));
    long long took_ms = test_now_ms() - begun_ms;
    const json_t *events = answer_at(&answer, "events");
    json_t *frame = json_array_get(events, json_array_size(events) - 1);
    if (last == NULL) {
        cr_expect_null(frame);
    } else {
        cr_assert_not_null(frame);
        cr_expect_str_eq(frame_type(frame), last);
        cr_expect_eq(frame_seq(frame), seq);
    }
    answer_free(&answer);
    return took_ms;
}

/* Until the poll is held. */
static int send_poll(const struct process *server, struct device *device, const char *path)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "GET %s HTTP/1.1\r\nHost: b\r\n"
                   "Authorization: Bearer %s\r\n\r\n",
                   path, device->token);
    int fd = raw_open(server->port);
    cr_assert(raw_send(fd, text, strlen(text)));
    client_await_held(device->client, 1);
    return fd;
}

/* What was told is no reason to end the next poll. */
static void expect_held(const struct process *server, struct device *device, const char *more)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/me/events?wait=25&after=2%s", more);
    raw_close(send_poll(server, device, path));
}

/* A poll that has nothing to tell takes its 25 seconds; that a machine stalls for as long as that
 * every time is not to be expected. */
static void expect_soon(struct process *server, const char *more, const char *before,
                        const char *last)
{
    static const char *const moves[] = {"5i5h", "5a5b", "6i6h", "6a6b", "7i7h"};
    enum { TRIES = 5, SOON_MS = 20000 };
    struct device *devices[2] = {device_new(server), device_new(server)};
    struct pairing pairing = device_pair(devices[0], devices[1]);
    long long took_ms = SOON_MS;
    for (unsigned i = 0; i < TRIES && took_ms >= SOON_MS; i++) {
        struct device *waits = pairing.seats[(i + 1) % 2];
        (void)poll(waits, 0, more, before, i);
        struct answer answer =
            expect(201, device_move(pairing.seats[i % 2], pairing.game, i + 1, moves[i]));
        answer_free(&answer);
        took_ms = poll(waits, 25, more, last, i + 1);
        expect_held(server, waits, more);
    }
    cr_expect_lt(took_ms, SOON_MS);
    device_free(devices[0]);
    device_free(devices[1]);
}

Test(scenario_streams_own, a_turn_between_two_long_polls_ends_the_second)
{
    struct process *server = process_new(NULL);
    expect_soon(server, "", NULL, "your_turn");
    process_free(server);
}

Test(scenario_streams_own, with_all_games_whatever_happens_between_two_long_polls_ends_the_second)
{
    struct process *server = process_new(NULL);
    expect_soon(server, "&games=all", "snapshot", "your_turn");
    process_free(server);
}

/* --- a private table -----------------------------------------------------------------------------
 */

struct scene {
    struct process *server;
    struct device *black; /* the host */
    struct device *white;
    struct device *member;
    struct party party;
    char path[96]; /* of the stream of the game */
    char game[32];
};

static struct scene scene_new(void)
{
    struct scene scene = {.server = process_new(NULL)};
    scene.black = device_new(scene.server);
    scene.white = device_new(scene.server);
    scene.member = device_new(scene.server);
    scene.party = party_open(scene.black, "{\"game\":\"hasami\"}");
    party_join(scene.white, &scene.party);
    party_join(scene.member, &scene.party);
    party_sit(scene.black, &scene.party, 'b');
    party_sit(scene.white, &scene.party, 'w');
    party_start(scene.black, &scene.party, scene.game);
    (void)snprintf(scene.path, sizeof scene.path, "/v1/games/%s/events", scene.game);
    return scene;
}

static void scene_free(struct scene *scene)
{
    device_free(scene->black);
    device_free(scene->white);
    device_free(scene->member);
    process_free(scene->server);
}

static void leave_and_move(struct scene *scene, struct device *leaver)
{
    struct answer answer = expect(204, party_post(leaver, &scene->party, "/leave", NULL));
    answer_free(&answer);
    answer = expect(201, device_move(scene->black, scene->game, 1, "5i5h"));
    answer_free(&answer);
}

static struct listener *open_scene(const struct scene *scene, const struct device *device)
{
    struct listener *listener = listen_to(scene->server, device, scene->path);
    json_t *frame = listener_event(listener);
    cr_expect_str_eq(frame_type(frame), "snapshot");
    json_decref(frame);
    return listener;
}

Test(scenario_streams_own, who_leaves_a_private_table_has_no_stream_of_its_games_any_more)
{
    struct scene scene = scene_new();
    struct listener *left = open_scene(&scene, scene.member);
    struct listener *stays = open_scene(&scene, scene.black);
    leave_and_move(&scene, scene.member);
    json_t *frame = NULL;
    while ((frame = listener_next(left, LISTENER_PATIENCE_MS)) != NULL) {
        cr_expect_str_eq(frame_type(frame), "presence");
        json_decref(frame);
    }
    cr_expect(listener_has_ended(left));
    frame = listener_event(stays);
    cr_expect_str_eq(frame_type(frame), "move");
    json_decref(frame);
    listener_close(left);
    listener_close(stays);
    scene_free(&scene);
}

Test(scenario_streams_own, who_leaves_a_private_table_keeps_the_stream_of_the_own_game)
{
    struct scene scene = scene_new();
    struct listener *listener = open_scene(&scene, scene.white);
    leave_and_move(&scene, scene.white);
    json_decref(listener_until(listener, "move"));
    listener_close(listener);
    scene_free(&scene);
}

Test(scenario_streams_own, who_leaves_a_private_table_has_nothing_more_to_poll_for)
{
    static struct raw_answer answer;
    char query[128];
    struct scene scene = scene_new();
    (void)snprintf(query, sizeof query, "%s?wait=25&after=0", scene.path);
    int fd = send_poll(scene.server, scene.member, query);
    leave_and_move(&scene, scene.member);
    raw_read_until(fd, "{\"events\":[],\"last_seq\":0}", &answer);
    raw_close(fd);
    cr_expect_not_null(strstr(answer.text, "{\"events\":[],\"last_seq\":0}"), "%s", answer.text);
    scene_free(&scene);
}

/* What is done to a game from outside, as its open streams tell of it. */

#include "tests/support/device.h"
#include "tests/support/fold.h"
#include "tests/support/listener.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    struct process *server;
    struct pairing pairing;
    char path[96];
};

static struct table table_new(void)
{
    struct table table = {.server = process_new(NULL)};
    table.pairing = device_pair(device_new(table.server), device_new(table.server));
    (void)snprintf(table.path, sizeof table.path, "/v1/games/%s/events", table.pairing.game);
    return table;
}

static void table_free(struct table *table)
{
    process_verify(table->server);
    device_free(table->pairing.seats[0]);
    device_free(table->pairing.seats[1]);
    process_free(table->server);
}

static struct listener *listen(const struct table *table, const char *path,
                               const struct device *device)
{
    struct listener *listener = listener_open(
        table->server,
        &(struct listen_wish){.path = path, .token = device == NULL ? NULL : device->token});
    cr_assert_eq(listener_status(listener), 200);
    return listener;
}

/* --- time that is given back ---------------------------------------------------------------------
 */

static int64_t deadline_ms(const struct table *table)
{
    char text[32];
    process_sql(table->server, "SELECT deadline_at_ms FROM game", text, sizeof text);
    return strtoll(text, NULL, 10);
}

/* One of the two streams; frames of another type change nothing here. */
static void expect_clocks(struct listener *listener, const char *game, json_t **state)
{
    json_t *frame = listener_until(listener, "clock");
    json_t *reason = json_object_get(frame_data(frame), "reason");
    const char *of = json_string_value(json_object_get(frame, "game_id"));
    cr_expect_str_eq(json_string_value(reason), "pause");
    cr_expect((game == NULL) == (of == NULL) && (game == NULL || strcmp(game, of) == 0));
    fold(state, frame);
    json_decref(frame);
}

/* A14; where the machine stalls besides, there is more of the same. */
Test(scenario_streams_told, that_a_process_stood_still_is_told_with_the_deadline_that_there_is_now)
{
    enum { STOPPED_MS = 3000 };
    struct table table = table_new();
    struct device *black = table.pairing.seats[0];
    struct listener *game = listen(&table, table.path, NULL);
    struct listener *own = listen(&table, "/v1/me/events?games=all", black);
    json_t *states[2] = {NULL, NULL};
    json_t *frame = listener_until(game, "snapshot");
    fold(&states[0], frame);
    states[1] = json_deep_copy(states[0]);
    json_decref(frame);
    int64_t due_ms = deadline_ms(&table);
    cr_assert_eq(kill(table.server->pid, SIGSTOP), 0);
    test_pause_ms(STOPPED_MS);
    cr_assert_eq(kill(table.server->pid, SIGCONT), 0);
    struct answer now = device_game(black, table.pairing.game);
    do {
        expect_clocks(game, NULL, &states[0]);
        answer_free(&now);
        now = device_game(black, table.pairing.game);
    } while (deadline_ms(&table) < due_ms + STOPPED_MS ||
             !json_equal(answer_at(&now, "seq"), json_object_get(states[0], "seq")));
    fold_settle(now.body);
    cr_expect(json_equal(states[0], now.body), "%s", now.text);
    while (!json_equal(states[0], states[1])) {
        expect_clocks(own, table.pairing.game, &states[1]);
    }
    answer_free(&now);
    json_decref(states[0]);
    json_decref(states[1]);
    listener_close(game);
    listener_close(own);
    table_free(&table);
}

/* --- a ban ---------------------------------------------------------------------------------------
 */

static void ban(const struct table *table, const struct device *device)
{
    char command[96];
    char output[1024];
    (void)snprintf(command, sizeof command, "ban %s", device->player);
    cr_assert_eq(process_run(table->server, command, output, sizeof output), 0, "%s", output);
}

static void expect_banned(struct listener *listener, const char *game, const char *letter)
{
    json_t *frame = listener_until(listener, "seat");
    json_t *data = frame_data(frame);
    const char *of = json_string_value(json_object_get(frame, "game_id"));
    cr_expect_str_eq(json_string_value(json_object_get(data, "seat")), letter);
    cr_expect_str_eq(json_string_value(json_object_get(data, "control")), "cpu");
    cr_expect_str_eq(json_string_value(json_object_get(data, "reason")), "banned");
    cr_expect_eq(json_integer_value(json_object_get(data, "cpu_level")), 5);
    cr_expect(json_is_null(json_object_get(json_object_get(data, "clock"), "deadline_at")));
    cr_expect((game == NULL) == (of == NULL) && (game == NULL || strcmp(game, of) == 0));
    json_decref(frame);
}

Test(scenario_streams_told,
     that_a_player_was_banned_is_told_to_all_who_watch_and_ends_the_own_streams)
{
    struct table table = table_new();
    struct device *banned = table.pairing.seats[0];
    struct device *other = table.pairing.seats[1];
    struct listener *watcher = listen(&table, table.path, NULL);
    struct listener *opponent = listen(&table, "/v1/me/events?games=all", other);
    struct listener *own = listen(&table, "/v1/me/events", banned);
    struct listener *own_games = listen(&table, "/v1/me/events?games=all", banned);
    json_decref(listener_until(watcher, "snapshot"));
    json_decref(listener_until(opponent, "snapshot"));
    json_decref(listener_until(own, "your_turn"));
    json_decref(listener_until(own_games, "your_turn"));
    ban(&table, banned);
    expect_banned(watcher, NULL, "b");
    expect_banned(opponent, table.pairing.game, "b");
    json_decref(listener_until(own, "revoked"));
    json_decref(listener_until(own_games, "revoked"));
    listener_end(own);
    listener_end(own_games);
    process_control(table.server, "advance 500");
    json_t *frame = listener_until(watcher, "move");
    json_t *made = json_object_get(frame_data(frame), "move");
    cr_expect_str_eq(json_string_value(json_object_get(made, "by")), "cpu");
    json_decref(frame);
    json_decref(listener_until(opponent, "your_turn"));
    listener_close(watcher);
    listener_close(opponent);
    listener_close(own);
    listener_close(own_games);
    table_free(&table);
}

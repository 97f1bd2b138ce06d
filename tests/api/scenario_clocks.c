#include "tests/support/contract.h"
#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deadlines, absence and coming back, as clients see them. Pairs play with 60 seconds a turn.
 *
 * A machine that stalls for over two seconds brings an event of its own, by which the time is given
 * back: nothing here counts events, and what is exact without one is compared only then. */

enum { TURN_MS = 60000, PATIENCE_MS = 30000 };

struct pair {
    struct process *server;
    struct device *seats[2];
    char game[32];
};

static void take_seats(struct pair *pair, struct device *a, struct device *b)
{
    struct pairing pairing = device_pair(a, b);
    pair->seats[0] = pairing.seats[0];
    pair->seats[1] = pairing.seats[1];
    memcpy(pair->game, pairing.game, sizeof pair->game);
}

static struct pair pair_new(void)
{
    struct pair pair = {.server = process_new(NULL)};
    take_seats(&pair, device_new(pair.server), device_new(pair.server));
    return pair;
}

/* Whatever happened: the file is as its moves and events say. */
static void pair_free(struct pair *pair)
{
    process_verify(pair->server);
    device_free(pair->seats[0]);
    device_free(pair->seats[1]);
    process_free(pair->server);
}

static void advance(const struct pair *pair, int64_t ms)
{
    char line[48];
    (void)snprintf(line, sizeof line, "advance %lld", (long long)ms);
    process_control(pair->server, line);
}

/* The game once so many moves were made. */
static struct answer await_ply(const struct pair *pair, int64_t ply)
{
    long long until_ms = test_now_ms() + PATIENCE_MS;
    struct answer answer = device_game(pair->seats[0], pair->game);
    while (answer_integer(&answer, "ply") < ply) {
        cr_assert_lt(test_now_ms(), until_ms, "%s", answer.text);
        answer_free(&answer);
        answer = device_game(pair->seats[0], pair->game);
    }
    return answer;
}

/* The game once the seat is somebody's again. */
static struct answer await_control(const struct pair *pair, const char *where, const char *who)
{
    long long until_ms = test_now_ms() + PATIENCE_MS;
    struct answer answer = device_game(pair->seats[0], pair->game);
    while (strcmp(answer_text(&answer, where), who) != 0) {
        cr_assert_lt(test_now_ms(), until_ms, "%s", answer.text);
        answer_free(&answer);
        answer = device_game(pair->seats[0], pair->game);
    }
    return answer;
}

/* The first line of what a query answers. */
static const char *ask(const struct pair *pair, const char *sql)
{
    static char text[128];
    process_sql(pair->server, sql, text, sizeof text);
    return text;
}

/* The service stood still, and has given the time back. */
static bool was_paused(const struct pair *pair)
{
    return strcmp(ask(pair, "SELECT count(*) FROM game_event WHERE reason = 'pause'"), "0") != 0;
}

static struct answer post(const struct pair *pair, int seat, const char *what)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/%s", pair->game, what);
    return client_post(pair->seats[seat]->client, path, pair->seats[seat]->token, NULL);
}

static struct answer move(const struct pair *pair, int seat, unsigned ply, const char *text)
{
    return device_move(pair->seats[seat], pair->game, ply, text);
}

static void expect_moved(const struct pair *pair, int seat, unsigned ply, const char *text)
{
    struct answer answer = expect(201, move(pair, seat, ply, text));
    int64_t left_ms = answer_integer(&answer, "game.clock.remaining_ms");
    cr_expect_eq(left_ms, TURN_MS, "the next turn has just begun");
    answer_free(&answer);
}

/* --- the deadline --------------------------------------------------------------------------------
 */

/* Two snapshots with some seconds between them, and none given back. */
static void look_twice(const struct pair *pair, struct answer looks[2])
{
    enum { BETWEEN_MS = 5000 };
    looks[1] = device_game(pair->seats[0], pair->game);
    do {
        looks[0] = looks[1];
        advance(pair, BETWEEN_MS);
        looks[1] = device_game(pair->seats[0], pair->game);
        cr_expect_leq(answer_integer(&looks[1], "clock.remaining_ms"),
                      answer_integer(&looks[0], "clock.remaining_ms") - BETWEEN_MS);
    } while (answer_integer(&looks[0], "seq") != answer_integer(&looks[1], "seq"));
}

Test(scenario_clocks, a_snapshot_says_how_long_the_turn_lasts_and_its_tag_does_not_change_with_it)
{
    char tags[2][64];
    struct answer looks[2];
    struct pair pair = pair_new();
    look_twice(&pair, looks);
    int64_t left_ms = answer_integer(&looks[0], "clock.remaining_ms");
    cr_expect_eq(answer_integer(&looks[0], "clock.turn_seconds"), 60);
    cr_expect(left_ms > TURN_MS - PATIENCE_MS && left_ms <= TURN_MS);
    cr_expect_str_eq(answer_text(&looks[1], "clock.deadline_at"),
                     answer_text(&looks[0], "clock.deadline_at"));
    cr_assert(answer_header(&looks[0], "ETag", tags[0], sizeof tags[0]));
    cr_assert(answer_header(&looks[1], "ETag", tags[1], sizeof tags[1]));
    cr_expect_str_eq(tags[1], tags[0]);
    answer_free(&looks[1]);
    answer_free(&looks[0]);
    pair_free(&pair);
}

Test(scenario_clocks, who_plays_is_told_of_the_deadline_with_the_open_games)
{
    struct pair pair = pair_new();
    struct answer game = device_game(pair.seats[0], pair.game);
    struct answer me =
        expect(200, client_get(pair.seats[1]->client, "/v1/me", pair.seats[1]->token));
    cr_expect_eq(answer_integer(&me, "open_games.0.clock.turn_seconds"), 60);
    cr_expect(strcmp(answer_text(&me, "open_games.0.clock.deadline_at"),
                     answer_text(&game, "clock.deadline_at")) == 0 ||
              was_paused(&pair));
    answer_free(&me);
    answer_free(&game);
    pair_free(&pair);
}

Test(scenario_clocks, a_late_move_is_refused_and_the_cpu_has_made_it)
{
    struct pair pair = pair_new();
    advance(&pair, TURN_MS);
    struct answer late = move(&pair, 0, 1, "5i5h");
    cr_expect_eq(late.status, 409);
    bool expired = strcmp(answer_text(&late, "code"), "turn-expired") == 0;
    cr_expect(expired || strcmp(answer_text(&late, "code"), "stale-ply") == 0, "%s", late.text);
    answer_free(&late);
    struct answer game = await_ply(&pair, 1);
    cr_expect_str_eq(answer_text(&game, "turn"), "w");
    cr_expect_str_eq(answer_text(&game, "seats.0.control"), "player");
    answer_free(&game);
    expect_problem(409, "stale-ply", move(&pair, 0, 1, "5i5h"));
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", pair.game);
    struct answer moves = expect(200, client_get(pair.seats[0]->client, path, NULL));
    cr_expect_str_eq(answer_text(&moves, "items.0.by"), "cpu");
    cr_expect(answer_integer(&moves, "items.0.think_ms") == TURN_MS || was_paused(&pair));
    answer_free(&moves);
    pair_free(&pair);
}

/* --- leaving and coming back ---------------------------------------------------------------------
 */

Test(scenario_clocks, who_leaves_is_played_for_until_the_next_move_that_is_asked_for)
{
    struct pair pair = pair_new();
    struct answer left = expect(200, post(&pair, 0, "leave"));
    cr_expect_str_eq(answer_text(&left, "seats.0.control"), "cpu");
    cr_expect_eq(answer_integer(&left, "seats.0.cpu_level"), 5);
    cr_expect(json_is_null(answer_at(&left, "clock.deadline_at")));
    answer_free(&left);
    advance(&pair, 500);
    struct answer game = await_ply(&pair, 1);
    cr_expect_eq(answer_integer(&game, "ply"), 1);
    answer_free(&game);
    expect_problem(409, "not-your-turn", move(&pair, 0, 2, "5i5h"));
    game = await_control(&pair, "seats.0.control", "player");
    cr_expect(json_is_null(answer_at(&game, "seats.0.cpu_level")));
    answer_free(&game);
    expect_moved(&pair, 1, 2, "5a5b");
    pair_free(&pair);
}

Test(scenario_clocks, leaving_twice_is_leaving_once_and_so_is_coming_back)
{
    struct pair pair = pair_new();
    for (int i = 0; i < 2; i++) {
        expect_status(200, post(&pair, 1, "leave"));
    }
    for (int i = 0; i < 2; i++) {
        expect_status(200, post(&pair, 1, "return"));
    }
    struct answer game = device_game(pair.seats[0], pair.game);
    cr_expect_str_eq(answer_text(&game, "seats.1.control"), "player");
    answer_free(&game);
    cr_expect_str_eq(ask(&pair, "SELECT group_concat(reason, ' ') FROM game_event"
                                " WHERE type = 'seat'"),
                     "left returned");
    expect_status(200, device_resign(pair.seats[0], pair.game));
    expect_problem(409, "game-over", post(&pair, 1, "leave"));
    expect_problem(409, "game-over", post(&pair, 1, "return"));
    pair_free(&pair);
}

Test(scenario_clocks, an_idempotency_key_makes_a_repeat_of_leaving_the_same_answer)
{
    static const char key[] = "Idempotency-Key: 1234abcd";
    char path[96];
    struct pair pair = pair_new();
    (void)snprintf(path, sizeof path, "/v1/games/%s/leave", pair.game);
    struct device *device = pair.seats[0];
    struct call call = {.method = "POST", .path = path, .token = device->token, .header = key};
    struct answer first = expect(200, client_send(device->client, &call));
    expect_status(200, post(&pair, 0, "return"));
    struct answer second = expect(200, client_send(device->client, &call));
    cr_expect_str_eq(second.text, first.text);
    cr_expect(answer_replayed(&second));
    answer_free(&second);
    answer_free(&first);
    struct answer game = device_game(device, pair.game);
    cr_expect_str_eq(answer_text(&game, "seats.0.control"), "player", "it was not done again");
    answer_free(&game);
    pair_free(&pair);
}

/* --- not coming ----------------------------------------------------------------------------------
 */

/* The first legal move of the seat on turn. */
static void move_any(const struct pair *pair, int seat)
{
    char path[96];
    char text[16];
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves", pair->game);
    struct answer legal = expect(200, client_get(pair->seats[seat]->client, path, NULL));
    unsigned ply = (unsigned)answer_integer(&legal, "ply") + 1;
    (void)snprintf(text, sizeof text, "%s", answer_text(&legal, "moves.0"));
    answer_free(&legal);
    expect_status(201, move(pair, seat, ply, text));
}

/* Whatever is asked about a game without a result has an answer. */
static void expect_no_places(const struct pair *pair)
{
    char path[96];
    struct client *client = pair->seats[0]->client;
    (void)snprintf(path, sizeof path, "/v1/games/%s/record", pair->game);
    struct answer answer = expect(200, client_get(client, path, NULL));
    cr_expect_str_eq(answer_text(&answer, "status"), "aborted");
    cr_expect(json_is_null(answer_at(&answer, "places")));
    answer_free(&answer);
    (void)snprintf(path, sizeof path, "/v1/games/%s/rating", pair->game);
    answer = expect(200, client_get(client, path, NULL));
    cr_expect_str_eq(answer_text(&answer, "rating_status"), "unrated");
    cr_expect_str_eq(answer_text(&answer, "unrated_reason"), "no_show");
    cr_expect(json_is_null(answer_at(&answer, "seats.0.after")));
    answer_free(&answer);
}

/* One of them does not come to a game of the two. */
static void miss_game(struct pair *pair, const struct device *absent)
{
    take_seats(pair, pair->seats[0], pair->seats[1]);
    int there = pair->seats[0] == absent ? 1 : 0;
    if (there == 0) {
        move_any(pair, there);
    }
    advance(pair, TURN_MS);
    struct answer game = await_ply(pair, there == 0 ? 2 : 1);
    answer_free(&game);
    move_any(pair, there);
    game = device_game(pair->seats[0], pair->game);
    cr_expect_str_eq(answer_text(&game, "status"), "aborted");
    cr_expect_str_eq(answer_text(&game, "result.reason"), "no_show");
    cr_expect_str_eq(answer_text(&game, "unrated_reason"), "no_show");
    cr_expect(json_is_null(answer_at(&game, "result.ranks")));
    answer_free(&game);
    expect_no_places(pair);
}

Test(scenario_clocks, whoever_does_not_come_to_three_games_waits_before_the_next_ticket)
{
    struct pair pair = {.server = process_new(NULL)};
    pair.seats[0] = device_new(pair.server);
    pair.seats[1] = device_new(pair.server);
    struct device *absent = pair.seats[0];
    struct device *there = pair.seats[1];
    for (int i = 0; i < 3; i++) {
        miss_game(&pair, absent);
    }
    char text[32];
    struct answer refused = expect(
        429, client_post(absent->client, "/v1/tickets", absent->token, "{\"pool\":\"yonin\"}"));
    cr_expect_str_eq(answer_text(&refused, "code"), "no-show");
    cr_assert(answer_header(&refused, "Retry-After", text, sizeof text));
    long seconds = strtol(text, NULL, 10);
    cr_expect(seconds > 500 && seconds <= 600, "%s", text);
    answer_free(&refused);
    expect_status(201,
                  client_post(there->client, "/v1/tickets", there->token, "{\"pool\":\"yonin\"}"));
    advance(&pair, (int64_t)seconds * 1000);
    expect_status(
        201, client_post(absent->client, "/v1/tickets", absent->token, "{\"pool\":\"yonin\"}"));
    struct answer results = expect(200, client_get(there->client, "/v1/results?after=0", NULL));
    cr_expect_eq(json_array_size(answer_at(&results, "items")), 0, "aborted games are no results");
    answer_free(&results);
    pair_free(&pair);
}

/* --- a service that stands still, or is not there
 * -------------------------------------------------
 */

static void reconnect(const struct pair *pair)
{
    device_reconnect(pair->seats[0], pair->server);
    device_reconnect(pair->seats[1], pair->server);
}

/* A17 */
Test(scenario_clocks, a_restart_loses_no_clock_and_no_seat_that_the_cpu_plays_for)
{
    struct pair pair = pair_new();
    expect_moved(&pair, 0, 1, "5i5h");
    expect_status(200, post(&pair, 1, "leave"));
    process_kill(pair.server);
    process_start(pair.server, NULL, NULL);
    reconnect(&pair);
    struct answer game = await_ply(&pair, 2);
    cr_expect_str_eq(answer_text(&game, "seats.1.control"), "cpu");
    cr_expect_eq(answer_integer(&game, "ply"), 2);
    answer_free(&game);
    cr_assert_eq(process_stop(pair.server), 0);
    process_start(pair.server, NULL, NULL);
    reconnect(&pair);
    cr_expect_str_neq(ask(&pair, "SELECT count(*) FROM game_event WHERE reason = 'restart'"), "0");
    game = device_game(pair.seats[0], pair.game);
    cr_expect_eq(answer_integer(&game, "ply"), 2);
    cr_expect_gt(answer_integer(&game, "clock.remaining_ms"), TURN_MS - PATIENCE_MS);
    answer_free(&game);
    advance(&pair, TURN_MS);
    game = await_ply(&pair, 3);
    answer_free(&game);
    pair_free(&pair);
}

static int64_t deadline_ms(const struct pair *pair)
{
    return strtoll(ask(pair, "SELECT deadline_at_ms FROM game"), NULL, 10);
}

/* A14 */
Test(scenario_clocks, a_process_that_was_stopped_charges_nobody_for_it)
{
    enum { STOPPED_MS = 3000, LEFT_MS = 20000 };
    struct pair pair = pair_new();
    advance(&pair, TURN_MS - LEFT_MS);
    int64_t due_ms = deadline_ms(&pair);
    cr_assert_eq(kill(pair.server->pid, SIGSTOP), 0);
    test_pause_ms(STOPPED_MS);
    cr_assert_eq(kill(pair.server->pid, SIGCONT), 0);
    long long until_ms = test_now_ms() + PATIENCE_MS;
    while (deadline_ms(&pair) < due_ms + STOPPED_MS) {
        cr_assert_lt(test_now_ms(), until_ms, "nothing is given back");
    }
    expect_status(201, move(&pair, 0, 1, "5i5h"));
    cr_expect_str_eq(ask(&pair, "SELECT group_concat(DISTINCT type || ' ' || reason)"
                                " FROM game_event"),
                     "clock pause");
    pair_free(&pair);
}

/* B21 */
Test(scenario_clocks, a_turn_that_ended_while_the_file_was_locked_ended_at_its_deadline_and_once)
{
    struct pair pair = pair_new();
    sqlite3 *other = NULL;
    cr_assert_eq(sqlite3_open(pair.server->db, &other), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    advance(&pair, TURN_MS);
    struct answer refused = move(&pair, 0, 1, "5i5h");
    cr_expect_eq(refused.status, 503, "%s", refused.text);
    answer_free(&refused);
    cr_assert_eq(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_close(other), SQLITE_OK);
    struct answer game = await_ply(&pair, 1);
    answer_free(&game);
    const char *story = ask(&pair, "SELECT count(*) || ' ' || made_by || ' ' || think_ms || ' ' ||"
                                   " (at_ms - created_at_ms) FROM move JOIN game USING (game_no)");
    cr_expect_eq(strncmp(story, "1 cpu ", 6), 0, "%s", story);
    cr_expect(strcmp(story, "1 cpu 60000 60000") == 0 || was_paused(&pair), "%s", story);
    pair_free(&pair);
}

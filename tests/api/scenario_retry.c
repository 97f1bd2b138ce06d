#include "api/routes.h"
#include "tests/support/board.h"
#include "tests/support/each_game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = "4fa1c0de-7e57";
static const char hasami[] = "{\"pool\":\"hasami\"}";
static const char hasami_30[] = "{\"pool\":\"hasami\",\"turn_seconds\":30}";

static struct answer queue(const struct device *device, const char *with_key, const char *body)
{
    return client_post_keyed(device->client, "/v1/tickets", device->token, with_key, body);
}

static long number_of(struct process *server, const char *sql)
{
    char text[64];
    process_sql(server, sql, text, sizeof text);
    return strtol(text, NULL, 10);
}

/* They meet after the last one's answer. */
static void await_number(struct process *server, const char *sql, long wanted)
{
    long long until_ms = test_now_ms() + TEST_STALL_MS;
    while (number_of(server, sql) != wanted) {
        cr_assert_lt(test_now_ms(), until_ms, "%s is not %ld", sql, wanted);
        test_pause_ms(5);
    }
}

static void expect_same_header(const struct answer *a, const struct answer *b, const char *name)
{
    char values[2][200] = {"", ""};
    cr_expect_eq(answer_header(a, name, values[0], sizeof values[0]),
                 answer_header(b, name, values[1], sizeof values[1]), "%s", name);
    cr_expect_str_eq(values[0], values[1], "%s", name);
}

/* Frees the second. */
static void expect_repeat(const struct answer *first, struct answer second)
{
    cr_expect_eq(second.status, first->status);
    cr_expect_str_eq(second.text, first->text);
    cr_expect_str_eq(second.content_type, first->content_type);
    cr_expect(answer_replayed(&second));
    expect_same_header(first, &second, "Location");
    expect_same_header(first, &second, "Cache-Control");
    answer_free(&second);
}

static struct answer expect_first(long status, struct answer answer)
{
    answer = expect(status, answer);
    cr_expect_not(answer_replayed(&answer));
    return answer;
}

/* --- the same again -------------------------------------------------------------------------- */

TestEachGame(scenario_retry, a_ticket_is_taken_once_and_the_repeat_gets_the_same_bytes)
{
    struct board board = board_new(game);
    const size_t count = game_seat_count(game);
    char body[48];
    char ticket[32];
    (void)snprintf(body, sizeof body, "{\"pool\":\"%s\"}", game->pool);
    struct answer first = expect_first(201, queue(board.devices[0], key, body));
    for (size_t i = 1; i < count; i++) {
        expect_repeat(&first, queue(board.devices[0], key, body));
        device_queue_for(board.devices[i], game->pool, NULL, ticket);
    }
    expect_repeat(&first, queue(board.devices[0], key, body));
    cr_expect_eq(number_of(board.server, "SELECT count(*) FROM ticket"), (long)count);
    await_number(board.server, "SELECT count(*) FROM game", 1);
    answer_free(&first);
    board_free(&board);
}

Test(scenario_retry, a_resignation_is_answered_as_it_was_and_rated_once)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/resign", pairing.game);
    struct answer first =
        expect_first(200, client_post_keyed(a->client, path, a->token, key, NULL));
    process_control(server, "advance 5000");
    expect_repeat(&first, client_post_keyed(a->client, path, a->token, key, NULL));
    expect_problem(409, "game-over", client_post(a->client, path, a->token, NULL));
    cr_expect_eq(number_of(server, "SELECT count(*) FROM rating_event"), 2);
    answer_free(&first);
    device_free(a);
    device_free(b);
    process_free(server);
}

/* Whether a pattern is anywhere in the database or the log. */
static bool is_kept(const struct process *server, const char *pattern)
{
    char command[600];
    (void)snprintf(command, sizeof command, "cat '%s' '%s-wal' '%s' | grep -aq '%s'", server->db,
                   server->db, server->log, pattern);
    return system(command) == 0; /* NOLINT(cert-env33-c) */
}

Test(scenario_retry, a_link_code_is_shown_again_but_can_be_read_nowhere)
{
    static const char path[] = "/v1/me/link-codes";
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct answer first =
        expect_first(201, client_post_keyed(a->client, path, a->token, key, "{}"));
    expect_repeat(&first, client_post_keyed(a->client, path, a->token, key, "{}"));
    cr_expect(is_kept(server, a->player));
    cr_expect_not(is_kept(server, answer_text(&first, "code")));
    cr_expect_not(is_kept(server, key));
    answer_free(&first);
    device_free(a);
    process_free(server);
}

Test(scenario_retry, a_repeat_is_known_after_a_restart)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct answer first = expect_first(201, queue(a, key, hasami));
    cr_assert_eq(process_stop(server), 0);
    process_start(server, NULL, NULL);
    device_reconnect(a, server);
    expect_repeat(&first, queue(a, key, hasami));
    answer_free(&first);
    device_free(a);
    process_free(server);
}

Test(scenario_retry, a_rotated_token_is_the_same_device)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct answer first = expect_first(201, queue(a, key, hasami));
    struct answer rotated = expect(201, client_post(a->client, "/v1/me/token", a->token, NULL));
    (void)snprintf(a->token, sizeof a->token, "%s", answer_text(&rotated, "token"));
    expect_repeat(&first, queue(a, key, hasami));
    answer_free(&rotated);
    answer_free(&first);
    device_free(a);
    process_free(server);
}

Test(scenario_retry, after_a_refusal_the_same_key_tries_again)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    char ticket[32];
    char path[96];
    device_queue(a, ticket);
    for (int i = 0; i < 2; i++) {
        expect_problem(409, "already-queued", queue(a, key, hasami));
    }
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", ticket);
    struct answer gone = expect(
        204, client_send(a->client,
                         &(struct call){.method = "DELETE", .path = path, .token = a->token}));
    answer_free(&gone);
    struct answer first = expect_first(201, queue(a, key, hasami));
    expect_repeat(&first, queue(a, key, hasami));
    answer_free(&first);
    device_free(a);
    process_free(server);
}

Test(scenario_retry, a_receipt_that_was_changed_is_no_answer)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    char command[256];
    struct answer first = expect_first(201, queue(a, key, hasami));
    cr_assert_eq(process_stop(server), 0);
    (void)snprintf(command, sizeof command,
                   "sqlite3 '%s' 'UPDATE receipt SET answer = zeroblob(length(answer))'",
                   server->db);
    cr_assert_eq(system(command), 0); /* NOLINT(cert-env33-c) */
    process_start(server, NULL, NULL);
    device_reconnect(a, server);
    expect_problem(503, "integrity", queue(a, key, hasami));
    struct answer other =
        expect(201, client_post_keyed(a->client, "/v1/me/link-codes", a->token, key, NULL));
    answer_free(&other);
    answer_free(&first);
    device_free(a);
    process_free(server);
}

/* The answer is made before the commit; it must not get out without it. */
Test(scenario_retry, what_cannot_be_committed_is_not_answered)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    char path[160];
    struct answer used = expect(200, client_get(a->client, "/v1/me", a->token));
    answer_free(&used);
    (void)snprintf(path, sizeof path, "%s/moved.db", server->folder);
    cr_assert_eq(rename(server->db, path), 0);
    expect_problem(503, "shutting-down", queue(a, key, hasami));
    cr_expect_eq(process_wait(server), 74);
    (void)snprintf(server->db, sizeof server->db, "%.80s/moved.db", server->folder);
    cr_expect_eq(number_of(server, "SELECT count(*) FROM ticket"), 0);
    cr_expect_eq(number_of(server, "SELECT count(*) FROM receipt"), 0);
    device_free(a);
    process_free(server);
}

/* --- something else --------------------------------------------------------------------------- */

Test(scenario_retry, another_body_is_a_mismatch_and_changes_nothing)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct answer first = expect_first(201, queue(a, key, hasami));
    expect_problem(422, "idempotency-mismatch", queue(a, key, hasami_30));
    expect_problem(422, "idempotency-mismatch", queue(a, key, "{\"pool\": \"hasami\"}"));
    cr_expect_eq(number_of(server, "SELECT count(*) FROM ticket"), 1);
    cr_expect_eq(number_of(server, "SELECT count(*) FROM receipt"), 1);
    expect_repeat(&first, queue(a, key, hasami));
    answer_free(&first);
    device_free(a);
    process_free(server);
}

Test(scenario_retry, a_key_belongs_to_its_device_and_to_its_path)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct device *linked = device_linked(server, a);
    struct answer first = expect_first(201, queue(a, key, hasami));
    struct answer other = expect_first(201, queue(b, key, hasami_30));
    cr_expect_str_neq(answer_text(&first, "id"), answer_text(&other, "id"));
    answer_free(&other);
    expect_problem(409, "already-queued", queue(linked, key, hasami));
    other =
        expect_first(201, client_post_keyed(a->client, "/v1/me/link-codes", a->token, key, NULL));
    answer_free(&other);
    expect_repeat(&first, queue(a, key, hasami));
    answer_free(&first);
    device_free(a);
    device_free(b);
    device_free(linked);
    process_free(server);
}

/* --- keys ---------------------------------------------------------------------------------------
 */

Test(scenario_retry, quotes_and_blanks_are_no_part_of_a_key)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct answer first = expect_first(201, queue(a, key, hasami));
    expect_repeat(&first, queue(a, "\"4fa1c0de-7e57\"", hasami));
    expect_repeat(&first, queue(a, "  4fa1c0de-7e57 \t", hasami));
    answer_free(&first);
    first = expect(409, queue(a, "4FA1C0DE-7E57", hasami));
    answer_free(&first);
    device_free(a);
    process_free(server);
}

Test(scenario_retry, a_key_has_8_to_64_visible_characters)
{
    static const char *const wrong[] = {
        ";",
        "1234567",
        "\"1234567\"",
        "\"\"",
        "\"",
        "12345678\"",
        "1234\"5678",
        "\"\"12345678\"\"",
        "1234 5678",
        "1234\t5678",
        "12345678\x7f",
        "1234567\xc3\xa9",
        "12345678901234567890123456789012345678901234567890123456789012345",
        "12345678\r\nIdempotency-Key: 12345678",
    };
    static const char *const good[] = {
        "12345678",
        "\"!#$%&'()\"",
        "1234567890123456789012345678901234567890123456789012345678901234",
        "\"1234567890123456789012345678901234567890123456789012345678901~|}\"",
    };
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        /* libcurl takes a name with ";" for a header without a value. */
        struct call call = {
            .method = "POST", .path = "/v1/tickets", .token = a->token, .body = hasami};
        char header[128];
        (void)snprintf(header, sizeof header, "Idempotency-Key%s%s", i == 0 ? "" : ": ", wrong[i]);
        call.header = header;
        struct answer answer = client_send(a->client, &call);
        cr_expect_eq(answer.status, 400, "%s", wrong[i]);
        cr_expect_str_eq(answer_text(&answer, "code"), "malformed-request");
        answer_free(&answer);
    }
    cr_expect_eq(number_of(server, "SELECT count(*) FROM ticket"), 0);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct answer answer =
            client_post_keyed(a->client, "/v1/me/link-codes", a->token, good[i], NULL);
        cr_expect_eq(answer.status, 201, "%s", good[i]);
        answer_free(&answer);
    }
    device_free(a);
    process_free(server);
}

/* These need none: what they do twice is done once anyway, or changes nothing. */
static bool needs_no_key(const struct route *route)
{
    static const char *const exempt[] = {"/v1/games/{id}/moves", "/v1/me/token", "/v1/validate"};
    for (size_t i = 0; i < sizeof exempt / sizeof exempt[0]; i++) {
        if (strcmp(route->path, exempt[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A path of the route that leads to nothing. */
static void some_path(const struct route *route, char *path, size_t size)
{
    size_t used = 0;
    for (const char *at = route->path; *at != '\0';) {
        bool variable = *at == '{';
        used += (size_t)snprintf(path + used, size - used, "%c", variable ? '0' : *at);
        cr_assert_lt(used, size);
        at = variable ? strchr(at, '}') + 1 : at + 1;
    }
}

Test(scenario_retry, every_post_but_three_takes_a_key)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    size_t taken = 0;
    for (size_t i = 0; i < routes_count(); i++) {
        const struct route *route = routes_at(i);
        char path[128];
        if (route->method != HTTP_POST) {
            continue;
        }
        some_path(route, path, sizeof path);
        struct answer answer = client_post_keyed(a->client, path, a->token, "short", NULL);
        bool refused =
            answer.status == 400 && strcmp(answer_text(&answer, "code"), "malformed-request") == 0;
        cr_expect_eq(refused, !needs_no_key(route), "%s: %ld", route->path, answer.status);
        taken += refused;
        if (strcmp(route->path, "/v1/me/token") == 0) {
            (void)snprintf(a->token, sizeof a->token, "%s", answer_text(&answer, "token"));
        }
        answer_free(&answer);
    }
    cr_expect_geq(taken, 5);
    device_free(a);
    process_free(server);
}

/* --- time ---------------------------------------------------------------------------------------
 */

Test(scenario_retry, after_a_day_a_key_is_new)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct answer first = expect_first(201, queue(a, key, hasami));
    process_control(server, "advance 86340000");
    expect_repeat(&first, queue(a, key, hasami));
    long long until = test_now_ms() + 5000;
    while (number_of(server, "SELECT count(*) FROM ticket WHERE status = 'waiting'") > 0 &&
           test_now_ms() < until) {
    }
    process_control(server, "advance 60000");
    struct answer second = expect_first(201, queue(a, key, hasami));
    cr_expect_str_neq(answer_text(&second, "id"), answer_text(&first, "id"));
    expect_repeat(&second, queue(a, key, hasami));
    answer_free(&first);
    answer_free(&second);
    device_free(a);
    process_free(server);
}

TestEachGame(scenario_retry, after_a_day_no_move_is_made_twice)
{
    struct board board = board_begun(game);
    struct answer first = board_move(&board, game->line[0]);
    process_control(board.server, "advance 86400000");
    struct answer again = expect(200, device_move(board.seats[0], board.id, 1, game->line[0]));
    cr_expect_str_eq(again.text, first.text);
    cr_expect_eq(number_of(board.server, "SELECT count(*) FROM move WHERE ply = 1"), 1);
    answer_free(&again);
    answer_free(&first);
    board_free(&board);
}

Test(scenario_retry, after_a_day_nobody_resigns_twice)
{
    struct board board = board_begun(games_find("hasami"));
    const struct device *b = board.devices[1];
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/resign", board.id);
    struct answer first =
        expect_first(200, client_post_keyed(b->client, path, b->token, key, NULL));
    answer_free(&first);
    process_control(board.server, "advance 86400000");
    expect_problem(409, "game-over", client_post_keyed(b->client, path, b->token, key, NULL));
    board_free(&board);
}

Test(scenario_retry, what_is_over_does_not_pile_up)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    for (int i = 0; i < 14; i++) {
        char text[32];
        if (i == 12) {
            cr_expect_eq(number_of(server, "SELECT count(*) FROM receipt"), 12);
            process_control(server, "advance 86400000");
        }
        (void)snprintf(text, sizeof text, "key number %d", i);
        text[3] = text[10] = '-';
        struct answer answer = expect_first(
            201, client_post_keyed(a->client, "/v1/me/link-codes", a->token, text, NULL));
        answer_free(&answer);
    }
    cr_expect_eq(number_of(server, "SELECT count(*) FROM receipt"), 2);
    device_free(a);
    process_free(server);
}

#include "tests/support/device.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* What was asked by a token that ends before the writer comes to it. */

enum { WRITES_MAX = 6 };

struct write {
    const char *method;
    char path[96];
    const char *body; /* NULL: none */
    const char *key;  /* an Idempotency-Key; NULL: none */
};

/* A request on a connection of its own. */
static int begin(const struct device *device, int port, const struct write *write)
{
    char text[1024];
    const char *body = write->body == NULL ? "" : write->body;
    int used = snprintf(text, sizeof text,
                        "%s %s HTTP/1.1\r\nHost: b\r\nConnection: close\r\n"
                        "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\n",
                        write->method, write->path, device->token, strlen(body));
    if (write->key != NULL) {
        used += snprintf(text + used, sizeof text - (size_t)used, "Idempotency-Key: %s\r\n",
                         write->key);
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "\r\n%s", body);
    int fd = raw_open(port);
    cr_assert(raw_send(fd, text, (size_t)used));
    return fd;
}

static long end(int fd)
{
    static struct raw_answer answer;
    raw_read(fd, TEST_STALL_MS, &answer);
    raw_close(fd);
    return raw_status(&answer);
}

/* All of them are under way before the first is done: another program holds the file. */
static void expect_ended_by(const struct device *device, const struct process *server,
                            const struct write *ending, const struct write *writes, size_t count)
{
    sqlite3 *other = NULL;
    int fds[WRITES_MAX];
    cr_assert_leq(count, WRITES_MAX);
    /* The first use of a token is a write of its own, and would come before each of these. */
    struct answer known = expect(200, client_get(device->client, "/v1/me", device->token));
    answer_free(&known);
    cr_assert_eq(sqlite3_open(server->db, &other), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    int first = begin(device, server->port, ending);
    client_await(device->client, "banzuke_writer_queued_jobs", 1);
    for (size_t i = 0; i < count; i++) {
        fds[i] = begin(device, server->port, &writes[i]);
        client_await(device->client, "banzuke_writer_queued_jobs", (double)i + 2);
    }
    cr_assert_eq(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_close(other), SQLITE_OK);
    cr_expect_eq(end(first), 204);
    for (size_t i = 0; i < count; i++) {
        long status = end(fds[i]);
        cr_expect_eq(status, 401, "%s %s: %ld", writes[i].method, writes[i].path, status);
    }
}

Test(scenario_identity_late, what_comes_after_the_end_of_a_player_is_not_done)
{
    static const struct write erase = {.method = "DELETE", .path = "/v1/me"};
    static const struct write writes[] = {
        {"PATCH",  "/v1/me",            "{\"name\":\"Ghost\"}",  NULL           },
        {"POST",   "/v1/me/link-codes", "{}",                    NULL           },
        {"POST",   "/v1/me/link-codes", "{}",                    "a-key-of-mine"},
        {"POST",   "/v1/tickets",       "{\"pool\":\"hasami\"}", NULL           },
        {"POST",   "/v1/me/token",      NULL,                    NULL           },
        {"DELETE", "/v1/me",            NULL,                    NULL           },
    };
    char text[64];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    /* Or the note of the token's first use would be among the jobs that are waited for. */
    struct answer used = expect(200, client_get(a->client, "/v1/me", a->token));
    answer_free(&used);
    expect_ended_by(a, server, &erase, writes, sizeof writes / sizeof writes[0]);
    process_sql(server,
                "SELECT (SELECT count(*) FROM player WHERE name IS NOT NULL"
                " OR name_folded IS NOT NULL) || ' ' || (SELECT count(*) FROM link_code) || ' ' ||"
                " (SELECT count(*) FROM ticket) || ' ' || (SELECT count(*) FROM token)",
                text, sizeof text);
    cr_expect_str_eq(text, "0 0 0 0");
    device_free(a);
    process_free(server);
}

Test(scenario_identity_late, what_comes_after_the_end_of_a_device_is_not_done)
{
    char text[64];
    char ticket[32];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    device_queue(a, ticket);
    struct answer answer = expect(200, client_get(a->client, "/v1/me/devices", a->token));
    struct write revoke = {.method = "DELETE"};
    struct write writes[] = {
        {"POST",   "",                  "{\"ply\":1,\"move\":\"5i5e\"}", NULL           },
        {"POST",   "",                  "{}",                            NULL           },
        {"POST",   "",                  "{}",                            "a-key-of-mine"},
        {"DELETE", "",                  NULL,                            NULL           },
        {"POST",   "/v1/me/link-codes", "{}",                            NULL           },
    };
    (void)snprintf(revoke.path, sizeof revoke.path, "/v1/me/devices/%s",
                   answer_text(&answer, "items.0.id"));
    answer_free(&answer);
    (void)snprintf(writes[0].path, sizeof writes[0].path, "/v1/games/%s/moves", pairing.game);
    (void)snprintf(writes[1].path, sizeof writes[1].path, "/v1/games/%s/resign", pairing.game);
    (void)snprintf(writes[2].path, sizeof writes[2].path, "/v1/games/%s/resign", pairing.game);
    (void)snprintf(writes[3].path, sizeof writes[3].path, "/v1/tickets/%s", ticket);
    expect_ended_by(pairing.seats[0], server, &revoke, writes, sizeof writes / sizeof writes[0]);
    process_sql(server,
                "SELECT (SELECT count(*) FROM move) || ' ' || (SELECT status FROM game) || ' ' ||"
                " (SELECT count(*) FROM ticket WHERE status = 'waiting') || ' ' ||"
                " (SELECT count(*) FROM link_code)",
                text, sizeof text);
    cr_expect_str_eq(text, "0 playing 1 0");
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_identity_late, a_code_of_somebody_who_has_gone_is_no_live_code)
{
    sqlite3 *other = NULL;
    char body[64];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct answer answer = expect(201, client_post(a->client, "/v1/me/link-codes", a->token, "{}"));
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", answer_text(&answer, "code"));
    answer_free(&answer);
    /* As an earlier build may have left it. */
    cr_assert_eq(sqlite3_open(server->db, &other), SQLITE_OK);
    cr_assert_eq(
        sqlite3_exec(other, "CREATE TEMP TABLE kept AS SELECT * FROM link_code", NULL, NULL, NULL),
        SQLITE_OK);
    answer = expect(
        204, client_send(a->client,
                         &(struct call){.method = "DELETE", .path = "/v1/me", .token = a->token}));
    answer_free(&answer);
    cr_assert_eq(sqlite3_exec(other, "INSERT INTO link_code SELECT * FROM kept", NULL, NULL, NULL),
                 SQLITE_OK);
    cr_assert_eq(sqlite3_close(other), SQLITE_OK);
    expect_problem(410, "link-code-gone",
                   client_post(b->client, "/v1/link-codes/redeem", NULL, body));
    device_free(a);
    device_free(b);
    process_free(server);
}

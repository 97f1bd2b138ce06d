#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A request with its key, the server killed at every point on the way, and the request again: what
 * it asks for is done once, and where it was done before the kill the answer says so. */

struct stage {
    struct process *server;
    struct device *a;
    struct device *b;
    char path[96];
    char body[64];
};

struct errand {
    const char *name;
    void (*prepare)(struct stage *stage);
    bool with_token; /* a's; else the answer has one */
    long status;
    const char *sql; /* what it makes, counted */
    long made;
};

/* --- errands ------------------------------------------------------------------------------------
 */

static void queue_alone(struct stage *stage)
{
    (void)snprintf(stage->path, sizeof stage->path, "/v1/tickets");
    (void)snprintf(stage->body, sizeof stage->body, "{\"pool\":\"hasami\"}");
}

static void queue_second(struct stage *stage)
{
    char ticket[32];
    device_queue(stage->b, ticket);
    queue_alone(stage);
}

static void resign(struct stage *stage)
{
    struct pairing pairing = device_pair(stage->a, stage->b);
    (void)snprintf(stage->path, sizeof stage->path, "/v1/games/%s/resign", pairing.game);
}

static void make_code(struct stage *stage)
{
    (void)snprintf(stage->path, sizeof stage->path, "/v1/me/link-codes");
}

static void redeem(struct stage *stage)
{
    struct answer answer =
        expect(201, client_post(stage->b->client, "/v1/me/link-codes", stage->b->token, NULL));
    (void)snprintf(stage->path, sizeof stage->path, "/v1/link-codes/redeem");
    (void)snprintf(stage->body, sizeof stage->body, "{\"code\":\"%s\"}",
                   answer_text(&answer, "code"));
    answer_free(&answer);
}

static void enlist(struct stage *stage)
{
    (void)snprintf(stage->path, sizeof stage->path, "/v1/devices");
}

static const struct errand errands[] = {
    {"a ticket",                queue_alone,  true,  201, "SELECT count(*) FROM ticket",       1},
    {"a ticket that completes", queue_second, true,  201, "SELECT count(*) FROM ticket",       1},
    {"a resignation",           resign,       true,  200, "SELECT count(*) FROM rating_event", 2},
    {"a link code",             make_code,    true,  201, "SELECT count(*) FROM link_code",    1},
    {"a linked device",         redeem,       false, 201, "SELECT count(*) FROM device",       1},
    {"a registration",          enlist,       false, 201, "SELECT count(*) FROM player",       1},
};

/* --- the stage ----------------------------------------------------------------------------------
 */

static void note_use(const struct device *device)
{
    struct answer answer = expect(200, client_get(device->client, "/v1/me", device->token));
    answer_free(&answer);
}

static struct stage stage_new(const struct errand *errand)
{
    struct stage stage = {.server = process_new(NULL)};
    stage.a = device_new(stage.server);
    stage.b = device_new(stage.server);
    /* Or the first use of a token would be what goes through the writer first. */
    note_use(stage.a);
    note_use(stage.b);
    errand->prepare(&stage);
    return stage;
}

static void stage_free(struct stage *stage)
{
    device_free(stage->a);
    device_free(stage->b);
    process_free(stage->server);
}

static void start(struct stage *stage, const char *fault)
{
    process_start(stage->server, NULL, fault);
    device_reconnect(stage->a, stage->server);
    device_reconnect(stage->b, stage->server);
}

static struct answer go(struct stage *stage, const struct errand *errand)
{
    return client_try(stage->a->client,
                      &(struct call){.method = "POST",
                                     .path = stage->path,
                                     .token = errand->with_token ? stage->a->token : NULL,
                                     .body = stage->body[0] == '\0' ? NULL : stage->body,
                                     .header = "Idempotency-Key: 8c5f0b7e3d914a26b1f2c4d6e8a09b"
                                               "3c"});
}

static long count(struct stage *stage, const struct errand *errand)
{
    char text[64];
    process_sql(stage->server, errand->sql, text, sizeof text);
    return strtol(text, NULL, 10);
}

/* Twice: as it must be after the kill, and once more. */
static void expect_once(struct stage *stage, const struct errand *errand, bool done)
{
    struct answer first = go(stage, errand);
    struct answer second = go(stage, errand);
    cr_assert_eq(first.status, errand->status, "%s", first.text);
    cr_assert_eq(second.status, errand->status, "%s", second.text);
    cr_expect_eq(answer_replayed(&first), done);
    cr_expect(answer_replayed(&second));
    if (errand->with_token) {
        cr_expect_str_eq(first.text, second.text);
    } else {
        cr_expect_str_eq(answer_text(&first, "device.id"), answer_text(&second, "device.id"));
    }
    answer_free(&first);
    answer_free(&second);
}

static void die_and_repeat(const struct errand *errand, const char *point, bool done)
{
    char fault[64];
    struct stage stage = stage_new(errand);
    long before = count(&stage, errand);
    cr_assert_eq(process_stop(stage.server), 0);
    (void)snprintf(fault, sizeof fault, "kill:%s:1", point);
    start(&stage, fault);
    struct answer none = go(&stage, errand);
    cr_assert_eq(none.status, 0, "%s, %s: %ld", errand->name, point, none.status);
    cr_assert_eq(process_wait(stage.server), -9);
    start(&stage, NULL);
    cr_expect_eq(count(&stage, errand), done ? before + errand->made : before, "%s, %s",
                 errand->name, point);
    expect_once(&stage, errand, done);
    cr_expect_eq(count(&stage, errand), before + errand->made, "%s, %s", errand->name, point);
    stage_free(&stage);
}

static void die_and_repeat_all(const char *point, bool done)
{
    for (size_t i = 0; i < sizeof errands / sizeof errands[0]; i++) {
        die_and_repeat(&errands[i], point, done);
    }
}

Test(kill_retry, between_the_work_and_its_receipt_neither_stays, .timeout = 60)
{
    die_and_repeat_all("mid_receipt", false);
}

Test(kill_retry, with_the_receipt_written_but_not_committed_neither_stays, .timeout = 60)
{
    die_and_repeat_all("mid_batch", false);
}

Test(kill_retry, before_the_commit_neither_stays, .timeout = 60)
{
    die_and_repeat_all("before_commit", false);
}

Test(kill_retry, after_the_commit_both_stay_and_the_repeat_gets_the_lost_answer, .timeout = 60)
{
    die_and_repeat_all("after_commit", true);
}

/* The tickets are stored, the game is not begun. */
Test(kill_retry, two_who_were_to_meet_when_it_was_killed_meet_after_the_restart, .timeout = 60)
{
    static const struct errand meeting = {
        "a meeting", queue_second, true, 201, "SELECT count(*) FROM game", 1};
    struct stage stage = stage_new(&meeting);
    cr_assert_eq(process_stop(stage.server), 0);
    start(&stage, "kill:after_commit:1");
    struct answer none = go(&stage, &meeting);
    cr_assert_eq(none.status, 0, "%ld", none.status);
    cr_assert_eq(process_wait(stage.server), -9);
    cr_assert_eq(count(&stage, &meeting), 0);
    start(&stage, NULL);
    long long until_ms = test_now_ms() + 5000;
    while (count(&stage, &meeting) == 0 && test_now_ms() < until_ms) {
    }
    cr_expect_eq(count(&stage, &meeting), 1);
    process_verify(stage.server);
    stage_free(&stage);
}

#include "tests/support/board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A request with its key, the server killed at every point on the way, and the request again: what
 * it asks for is done once, and where it was done before the kill the answer says so. */

struct stage {
    struct board board;
    struct device *a; /* the first of the board's devices */
    struct device *b;
    char path[96];
    char body[64];
};

struct errand {
    const char *name;
    void (*prepare)(struct stage *stage);
    bool each_game;  /* or hasami will do */
    bool with_token; /* a's; else the answer has one */
    long status;
    const char *sql; /* what it makes, counted */
    long made;
    bool clocked; /* a game is running, to which a start gives its time back: a commit of its own */
};

/* --- errands ------------------------------------------------------------------------------------
 */

static void queue_alone(struct stage *stage)
{
    (void)snprintf(stage->path, sizeof stage->path, "/v1/tickets");
    (void)snprintf(stage->body, sizeof stage->body, "{\"pool\":\"%s\"}", stage->board.game->pool);
}

static void queue_last(struct stage *stage)
{
    char ticket[32];
    for (size_t i = 1; i < game_seat_count(stage->board.game); i++) {
        device_queue_for(stage->board.devices[i], stage->board.game->pool, NULL, ticket);
    }
    queue_alone(stage);
}

static void resign(struct stage *stage)
{
    board_seat(&stage->board);
    (void)snprintf(stage->path, sizeof stage->path, "/v1/games/%s/resign", stage->board.id);
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
    {"a ticket",                queue_alone, true,  true,  201, "SELECT count(*) FROM ticket",       1, false},
    {"a ticket that completes", queue_last,  true,  true,  201, "SELECT count(*) FROM ticket",       1,
     false                                                                                                   },
    {"a resignation",           resign,      false, true,  200, "SELECT count(*) FROM rating_event", 2, true },
    {"a link code",             make_code,   false, true,  201, "SELECT count(*) FROM link_code",    1, false},
    {"a linked device",         redeem,      false, false, 201, "SELECT count(*) FROM device",       1, false},
    {"a registration",          enlist,      false, false, 201, "SELECT count(*) FROM player",       1, false},
};

/* --- the stage ----------------------------------------------------------------------------------
 */

static void note_use(const struct device *device)
{
    struct answer answer = expect(200, client_get(device->client, "/v1/me", device->token));
    answer_free(&answer);
}

static struct stage stage_new(const struct errand *errand, const struct listed_game *game)
{
    struct stage stage = {.board = board_new(game)};
    stage.a = stage.board.devices[0];
    stage.b = stage.board.devices[1];
    /* Or the first use of a token would be what goes through the writer first. */
    for (size_t i = 0; i < game_seat_count(game); i++) {
        note_use(stage.board.devices[i]);
    }
    errand->prepare(&stage);
    return stage;
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
    process_sql(stage->board.server, errand->sql, text, sizeof text);
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

static void die_and_repeat(const struct errand *errand, const struct listed_game *game,
                           const char *point, bool done)
{
    char fault[64];
    struct stage stage = stage_new(errand, game);
    long before = count(&stage, errand);
    bool at_start = errand->clocked && strcmp(point, "mid_receipt") != 0;
    (void)snprintf(fault, sizeof fault, "kill:%s:%d", point, at_start ? 2 : 1);
    board_restart(&stage.board, fault);
    struct answer none = go(&stage, errand);
    cr_assert_eq(none.status, 0, "%s, %s: %ld", errand->name, point, none.status);
    cr_assert_eq(process_wait(stage.board.server), -9);
    board_restart(&stage.board, NULL);
    cr_expect_eq(count(&stage, errand), done ? before + errand->made : before, "%s of %s, %s",
                 errand->name, game->pool, point);
    expect_once(&stage, errand, done);
    cr_expect_eq(count(&stage, errand), before + errand->made, "%s of %s, %s", errand->name,
                 game->pool, point);
    board_free(&stage.board);
}

static void die_and_repeat_all(const char *point, bool done)
{
    for (size_t i = 0; i < sizeof errands / sizeof errands[0]; i++) {
        for (size_t game = 0; game < (errands[i].each_game ? GAMES : 1); game++) {
            die_and_repeat(&errands[i], games_at(game), point, done);
        }
    }
}

Test(kill_retry, between_the_work_and_its_receipt_neither_stays, .timeout = 300)
{
    die_and_repeat_all("mid_receipt", false);
}

Test(kill_retry, with_the_receipt_written_but_not_committed_neither_stays, .timeout = 300)
{
    die_and_repeat_all("mid_batch", false);
}

Test(kill_retry, before_the_commit_neither_stays, .timeout = 300)
{
    die_and_repeat_all("before_commit", false);
}

Test(kill_retry, after_the_commit_both_stay_and_the_repeat_gets_the_lost_answer, .timeout = 300)
{
    die_and_repeat_all("after_commit", true);
}

/* The tickets are stored, the game is not begun. */
Test(kill_retry, those_who_were_to_meet_when_it_was_killed_meet_after_the_restart, .timeout = 300)
{
    static const struct errand meeting = {
        "a meeting", queue_last, true, true, 201, "SELECT count(*) FROM game", 1, false};
    for (size_t i = 0; i < GAMES; i++) {
        struct stage stage = stage_new(&meeting, games_at(i));
        board_restart(&stage.board, "kill:after_commit:1");
        struct answer none = go(&stage, &meeting);
        cr_assert_eq(none.status, 0, "%ld", none.status);
        cr_assert_eq(process_wait(stage.board.server), -9);
        cr_assert_eq(count(&stage, &meeting), 0);
        board_restart(&stage.board, NULL);
        long long until_ms = test_now_ms() + TEST_STALL_MS;
        while (count(&stage, &meeting) == 0 && test_now_ms() < until_ms) {
            test_pause_ms(5);
        }
        cr_expect_eq(count(&stage, &meeting), 1);
        process_verify(stage.board.server);
        board_free(&stage.board);
    }
}

#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where nobody is known yet: a key stands alone, and a token is never the same. */

static const char key[] = "8c5f0b7e3d914a26b1f2c4d6e8a09b3c";
static const char other_key[] = "0d2e4f6a8c1b3d5f7a9c0e2f4b6d8a1c";

static struct answer register_with(struct client *client, const char *with_key, const char *body)
{
    return client_post_keyed(client, "/v1/devices", NULL, with_key, body);
}

static struct answer redeem(struct client *client, const char *with_key, const char *code)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
    return client_post_keyed(client, "/v1/link-codes/redeem", NULL, with_key, body);
}

static void make_code(const struct device *device, char code[16])
{
    struct answer answer =
        expect(201, client_post(device->client, "/v1/me/link-codes", device->token, NULL));
    (void)snprintf(code, 16, "%s", answer_text(&answer, "code"));
    answer_free(&answer);
}

static long number_of(struct process *server, const char *sql)
{
    char text[64];
    process_sql(server, sql, text, sizeof text);
    return strtol(text, NULL, 10);
}

static bool works(struct client *client, const struct answer *registration)
{
    struct answer answer = client_get(client, "/v1/me", answer_text(registration, "token"));
    long status = answer.status;
    cr_expect(status == 200 || status == 401, "%ld", status);
    answer_free(&answer);
    return status == 200;
}

/* The same player and device with another token. */
static void expect_again(const struct answer *first, const struct answer *second)
{
    static const char *const same[] = {"player.id", "player.name", "player.created_at",
                                       "device.id"};
    char cache[32];
    cr_expect_eq(second->status, 201);
    cr_expect(answer_replayed(second));
    cr_expect(answer_header(second, "Cache-Control", cache, sizeof cache));
    cr_expect_str_eq(cache, "no-store");
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        cr_expect_str_eq(answer_text(first, same[i]), answer_text(second, same[i]));
    }
    cr_expect_str_neq(answer_text(first, "token"), answer_text(second, "token"));
}

Test(scenario_retry_identity, a_registration_repeated_is_the_same_player_with_a_fresh_token)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer first = expect(201, register_with(client, key, "{\"name\":\"Haru\"}"));
    cr_expect_not(answer_replayed(&first));
    struct answer second = register_with(client, key, "{\"name\":\"Haru\"}");
    expect_again(&first, &second);
    struct answer third = register_with(client, key, "{\"name\":\"Haru\"}");
    expect_again(&second, &third);
    cr_expect_not(works(client, &first));
    cr_expect_not(works(client, &second));
    cr_expect(works(client, &third));
    cr_expect_eq(number_of(server, "SELECT count(*) FROM player"), 1);
    cr_expect_eq(number_of(server, "SELECT count(*) FROM token"), 1);
    answer_free(&first);
    answer_free(&second);
    answer_free(&third);
    client_free(client);
    process_free(server);
}

Test(scenario_retry_identity, once_a_token_was_used_there_is_no_other)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer first = expect(201, register_with(client, key, NULL));
    cr_expect(works(client, &first));
    for (int i = 0; i < 2; i++) {
        expect_problem(422, "idempotency-mismatch", register_with(client, key, NULL));
    }
    cr_expect(works(client, &first));
    struct answer other = expect(201, register_with(client, other_key, NULL));
    cr_expect_not(answer_replayed(&other));
    cr_expect_str_neq(answer_text(&other, "player.id"), answer_text(&first, "player.id"));
    answer_free(&other);
    answer_free(&first);
    client_free(client);
    process_free(server);
}

Test(scenario_retry_identity, another_body_is_a_mismatch_and_leaves_the_token_as_it_is)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer first = expect(201, register_with(client, key, "{\"name\":\"Haru\"}"));
    expect_problem(422, "idempotency-mismatch", register_with(client, key, "{\"name\":\"Aki\"}"));
    expect_problem(422, "idempotency-mismatch", register_with(client, key, NULL));
    expect_problem(422, "idempotency-mismatch", redeem(client, key, "ABCD-EFGH"));
    cr_expect_eq(number_of(server, "SELECT count(*) FROM player"), 1);
    cr_expect(works(client, &first));
    answer_free(&first);
    client_free(client);
    process_free(server);
}

Test(scenario_retry_identity, a_refused_name_leaves_the_key_free)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    expect_problem(422, "invalid-name", register_with(client, key, "{\"name\":\" \"}"));
    struct answer first = expect(201, register_with(client, key, "{\"name\":\"Haru\"}"));
    cr_expect_not(answer_replayed(&first));
    answer_free(&first);
    client_free(client);
    process_free(server);
}

/* Whoever asks, with a token or without: the key stands alone. */
Test(scenario_retry_identity, a_caller_with_a_token_has_no_keys_of_its_own_here)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct answer first = expect(201, register_with(a->client, key, NULL));
    struct answer second = client_post_keyed(a->client, "/v1/devices", a->token, key, NULL);
    expect_again(&first, &second);
    answer_free(&first);
    answer_free(&second);
    device_free(a);
    process_free(server);
}

Test(scenario_retry_identity, a_key_that_stands_alone_has_32_characters_or_more)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    char text[68];
    for (size_t length = 30; length <= 66; length++) {
        memset(text, 'k', length);
        text[length] = '\0';
        struct answer answer = register_with(client, text, NULL);
        long expected = length < 32 || length > 64 ? 400 : 201;
        cr_expect_eq(answer.status, expected, "%zu: %ld", length, answer.status);
        answer_free(&answer);
        answer = redeem(client, text, "ABCD-EFGH");
        expected = length < 32 || length > 64 ? 400 : 422;
        cr_expect_eq(answer.status, expected, "%zu: %ld", length, answer.status);
        answer_free(&answer);
    }
    cr_expect_eq(number_of(server, "SELECT count(*) FROM player"), 33);
    client_free(client);
    process_free(server);
}

Test(scenario_retry_identity, a_redeemed_code_is_answered_again_until_the_token_is_used)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    char code[16];
    make_code(a, code);
    expect_problem(410, "link-code-gone", redeem(a->client, key, "ABCD-EFGH"));
    struct answer first = expect(201, redeem(a->client, key, code));
    cr_expect_not(answer_replayed(&first));
    cr_expect_str_eq(answer_text(&first, "player.id"), a->player);
    expect_problem(410, "link-code-gone", redeem(a->client, other_key, code));
    struct answer second = redeem(a->client, key, code);
    expect_again(&first, &second);
    cr_expect_not(works(a->client, &first));
    cr_expect(works(a->client, &second));
    expect_problem(422, "idempotency-mismatch", redeem(a->client, key, code));
    cr_expect_eq(number_of(server, "SELECT count(*) FROM device"), 2);
    answer_free(&first);
    answer_free(&second);
    device_free(a);
    process_free(server);
}

Test(scenario_retry_identity, a_revoked_device_gets_no_token_by_its_key)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    char code[16];
    char path[96];
    make_code(a, code);
    struct answer first = expect(201, redeem(a->client, key, code));
    (void)snprintf(path, sizeof path, "/v1/me/devices/%s", answer_text(&first, "device.id"));
    struct answer gone = expect(
        204, client_send(a->client,
                         &(struct call){.method = "DELETE", .path = path, .token = a->token}));
    answer_free(&gone);
    expect_problem(422, "idempotency-mismatch", redeem(a->client, key, code));
    answer_free(&first);
    device_free(a);
    process_free(server);
}

Test(scenario_retry_identity, a_banned_player_gets_no_token_by_its_key)
{
    char command[64];
    char output[256];
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer first = expect(201, register_with(client, key, NULL));
    (void)snprintf(command, sizeof command, "ban %s", answer_text(&first, "player.id"));
    cr_assert_eq(process_run(server, command, output, sizeof output), 0, "%s", output);
    expect_problem(422, "idempotency-mismatch", register_with(client, key, NULL));
    (void)snprintf(command, sizeof command, "unban %s", answer_text(&first, "player.id"));
    cr_assert_eq(process_run(server, command, output, sizeof output), 0, "%s", output);
    struct answer second = register_with(client, key, NULL);
    expect_again(&first, &second);
    cr_expect(works(client, &second));
    answer_free(&second);
    answer_free(&first);
    client_free(client);
    process_free(server);
}

Test(scenario_retry_identity, after_a_day_the_key_makes_another_player)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer first = expect(201, register_with(client, key, NULL));
    process_control(server, "advance 86340000");
    struct answer again = register_with(client, key, NULL);
    expect_again(&first, &again);
    process_control(server, "advance 60000");
    struct answer other = expect(201, register_with(client, key, NULL));
    cr_expect_not(answer_replayed(&other));
    cr_expect_str_neq(answer_text(&other, "player.id"), answer_text(&first, "player.id"));
    cr_expect(works(client, &again));
    cr_expect(works(client, &other));
    answer_free(&first);
    answer_free(&again);
    answer_free(&other);
    client_free(client);
    process_free(server);
}

/* --- at once ------------------------------------------------------------------------------------
 */

enum { RACERS = 20 };

struct racer {
    pthread_t thread;
    const struct process *server;
    struct answer answer;
};

static void *race(void *context)
{
    struct racer *racer = context;
    struct client *client = client_new(racer->server->origin);
    racer->answer = register_with(client, key, NULL);
    client_free(client);
    return NULL;
}

Test(scenario_retry_identity, of_many_at_once_one_player_is_made_and_one_token_works)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct racer racers[RACERS];
    size_t replayed = 0;
    for (size_t i = 0; i < RACERS; i++) {
        racers[i].server = server;
        cr_assert_eq(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
    }
    for (size_t i = 0; i < RACERS; i++) {
        (void)pthread_join(racers[i].thread, NULL);
    }
    size_t working = 0;
    for (size_t i = 0; i < RACERS; i++) {
        cr_expect_eq(racers[i].answer.status, 201);
        cr_expect_str_eq(answer_text(&racers[i].answer, "device.id"),
                         answer_text(&racers[0].answer, "device.id"));
        replayed += answer_replayed(&racers[i].answer);
        working += works(client, &racers[i].answer);
    }
    cr_expect_eq(replayed, RACERS - 1);
    cr_expect_eq(working, 1);
    cr_expect_eq(number_of(server, "SELECT count(*) FROM player"), 1);
    cr_expect_eq(number_of(server, "SELECT count(*) FROM token"), 1);
    for (size_t i = 0; i < RACERS; i++) {
        answer_free(&racers[i].answer);
    }
    client_free(client);
    process_free(server);
}

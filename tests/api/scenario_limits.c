#include "addresses.h"

#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Budgets over HTTP. */

static const char *const behind_a_proxy[] = {"--trusted-proxy", "127.0.0.0/8", NULL};

static struct answer game(struct client *client, const char *address, const char *token)
{
    return address_ask(client, address,
                       (struct call){.method = "GET",
                                     .path = "/v1/games/g_00000000000000000000000000",
                                     .token = token});
}

static void expect_header(const struct answer *answer, const char *name, const char *wanted)
{
    char value[128] = "(none)";
    (void)answer_header(answer, name, value, sizeof value);
    cr_expect_str_eq(value, wanted, "%s: %s, not %s", name, value, wanted);
}

/* 429 by this budget; `seconds` less what the test has taken until now. */
static void expect_limited(const char *policy, long seconds, struct answer answer)
{
    enum { PATIENCE = TEST_STALL_MS / 1000 };
    char after[32] = "";
    char state[128];
    answer = expect(429, answer);
    cr_expect_str_eq(answer_text(&answer, "code"), "rate-limited");
    expect_header(&answer, "RateLimit-Policy", policy);
    cr_expect(answer_header(&answer, "Retry-After", after, sizeof after));
    cr_expect_leq(strtol(after, NULL, 10), seconds);
    cr_expect_geq(strtol(after, NULL, 10), seconds > PATIENCE ? seconds - PATIENCE : 1);
    (void)snprintf(state, sizeof state, "%.*s;r=0;t=%s", (int)strcspn(policy, ";"), policy, after);
    expect_header(&answer, "RateLimit", state);
    answer_free(&answer);
}

/* --- new players ---------------------------------------------------------------------------- */

Test(scenario_limits, the_31st_new_player_of_an_address_in_an_hour_is_refused)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct client *client = client_new(server->origin);
    for (unsigned i = 0; i < 30; i++) {
        expect_status(201, address_register(client, "192.0.2.1"));
    }
    expect_limited("\"registrations\";q=30;w=3600", 120, address_register(client, "192.0.2.1"));
    expect_status(201, address_register(client, "192.0.2.2"));
    expect_status(201, address_register(client, NULL));
    process_control(server, "advance 121000");
    expect_status(201, address_register(client, "192.0.2.1"));
    expect_status(429, address_register(client, "192.0.2.1"));
    addresses_end(client, server);
}

Test(scenario_limits, the_operator_says_how_many_new_players_an_address_may_make)
{
    struct process *server = addresses_serve((const char *const[]){
        "--trusted-proxy", "127.0.0.1", "--registrations-per-hour", "2", NULL});
    struct client *client = client_new(server->origin);
    expect_status(201, address_register(client, "192.0.2.1"));
    expect_status(201, address_register(client, "192.0.2.1"));
    expect_limited("\"registrations\";q=2;w=3600", 1800, address_register(client, "192.0.2.1"));
    addresses_end(client, server);
}

Test(scenario_limits, a_refused_name_is_no_new_player)
{
    struct process *server = addresses_serve((const char *const[]){
        "--trusted-proxy", "127.0.0.1", "--registrations-per-hour", "1", NULL});
    struct client *client = client_new(server->origin);
    for (unsigned i = 0; i < 5; i++) {
        expect_status(422, address_ask(client, "192.0.2.1",
                                       (struct call){.method = "POST",
                                                     .path = "/v1/devices",
                                                     .body = "{\"name\":\"   \"}"}));
    }
    expect_status(201, address_register(client, "192.0.2.1"));
    expect_status(429, address_register(client, "192.0.2.1"));
    addresses_end(client, server);
}

Test(scenario_limits, a_network_of_64_bits_is_one_address)
{
    struct process *server = addresses_serve((const char *const[]){
        "--trusted-proxy", "127.0.0.1", "--registrations-per-hour", "1", NULL});
    struct client *client = client_new(server->origin);
    expect_status(201, address_register(client, "2001:db8:0:1::1"));
    expect_status(429, address_register(client, "2001:db8:0:1:ffff::9"));
    expect_status(201, address_register(client, "2001:db8:0:2::1"));
    expect_status(201, address_register(client, "192.0.2.1"));
    expect_status(429, address_register(client, "::ffff:192.0.2.1"));
    addresses_end(client, server);
}

/* --- link codes ----------------------------------------------------------------------------- */

static void make_code(const struct device *device, char code[16])
{
    struct answer answer =
        expect(201, client_post(device->client, "/v1/me/link-codes", device->token, "{}"));
    (void)snprintf(code, 16, "%s", answer_text(&answer, "code"));
    answer_free(&answer);
}

Test(scenario_limits, after_ten_wrong_codes_an_address_is_not_even_heard)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct device *device = device_new(server);
    struct client *client = device->client;
    char code[16];
    make_code(device, code);
    for (unsigned i = 0; i < 10; i++) {
        expect_status(410,
                      address_redeem(client, "192.0.2.1", i % 2 == 0 ? "ABCD-EFGH" : "nonsense"));
    }
    for (unsigned i = 0; i < 3; i++) {
        expect_limited("\"wrong-codes\";q=10;w=3600", 360,
                       address_redeem(client, "192.0.2.1", i == 0 ? "ABCD-EFGH" : code));
    }
    expect_status(410, address_redeem(client, "192.0.2.2", "ABCD-EFGH"));
    expect_status(201, address_redeem(client, "192.0.2.2", code));
    process_control(server, "advance 361000");
    expect_status(410, address_redeem(client, "192.0.2.1", "ABCD-EFGH"));
    expect_status(429, address_redeem(client, "192.0.2.1", "ABCD-EFGH"));
    device_free(device);
    process_free(server);
}

Test(scenario_limits, right_codes_are_not_counted)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct device *device = device_new(server);
    for (unsigned i = 0; i < 12; i++) {
        char code[16];
        make_code(device, code);
        expect_status(201, address_redeem(device->client, "192.0.2.1", code));
    }
    for (unsigned i = 0; i < 10; i++) {
        expect_status(410, address_redeem(device->client, "192.0.2.1", "ABCD-EFGH"));
    }
    expect_status(429, address_redeem(device->client, "192.0.2.1", "ABCD-EFGH"));
    device_free(device);
    process_free(server);
}

Test(scenario_limits, what_is_no_redemption_is_no_wrong_code)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct client *client = client_new(server->origin);
    struct call call = {.method = "POST", .path = "/v1/link-codes/redeem", .body = "{\"code\":5}"};
    for (unsigned i = 0; i < 12; i++) {
        expect_status(422, address_ask(client, "192.0.2.1", call));
    }
    expect_status(410, address_redeem(client, "192.0.2.1", "ABCD-EFGH"));
    addresses_end(client, server);
}

Test(scenario_limits, a_thousand_wrong_codes_from_everywhere_close_the_door_for_all)
{
    struct process *server = addresses_serve(
        (const char *const[]){"--trusted-proxy", "127.0.0.0/8", "--rate-limit", "off", NULL});
    struct device *device = device_new(server);
    char code[16];
    make_code(device, code);
    long long began_ms = test_now_ms();
    for (unsigned i = 0; i < 1000; i++) {
        char address[32];
        (void)snprintf(address, sizeof address, "192.0.2.%u", i / 10);
        expect_status(410,
                      address_redeem(device->client, i % 2 == 0 ? address : NULL, "ABCD-EFGH"));
    }
    /* A wrong code more for every 60 ms that this has taken. */
    unsigned more = (unsigned)((test_now_ms() - began_ms) / 60) + 1;
    unsigned allowed = 0;
    struct answer answer = address_redeem(device->client, "192.0.2.200", "ABCD-EFGH");
    while (answer.status == 410 && allowed <= more) {
        allowed++;
        answer_free(&answer);
        answer = address_redeem(device->client, NULL, "ABCD-EFGH");
    }
    cr_expect_leq(allowed, more);
    expect_limited("\"wrong-codes-in-all\";q=1000;w=60", 1, answer);
    process_control(server, "advance 1000");
    expect_status(201, address_redeem(device->client, "192.0.2.201", code));
    device_free(device);
    process_free(server);
}

/* --- requests ------------------------------------------------------------------------------- */

/* Asks for a game that there is not until that is refused, or `max` times; how often it was not. */
static unsigned misses(struct client *client, const char *address, const char *token, unsigned max)
{
    unsigned count = 0;
    for (; count < max; count++) {
        struct answer answer = game(client, address, token);
        long status = answer.status;
        answer_free(&answer);
        if (status == 429) {
            break;
        }
        cr_assert_eq(status, 404);
    }
    return count;
}

/* The answer while the budget of the caller is used up: it gets one more every few milliseconds, so
 * that a slow machine may need several attempts. */
static struct answer refused(struct client *client, const char *address, struct call call)
{
    enum { ATTEMPTS = 200, MISSES = 1000 };
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        cr_assert_lt(misses(client, address, call.token, MISSES), MISSES);
        struct answer answer = address_ask(client, address, call);
        if (answer.status == 429) {
            return answer;
        }
        answer_free(&answer);
    }
    test_fail("%s is not refused", call.path);
}

/* A 404 for an id costs as much as 20 requests, so 360 of them are an address's budget. */
Test(scenario_limits, who_guesses_ids_without_a_token_is_slowed_down)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct client *client = client_new(server->origin);
    long long began_ms = test_now_ms();
    unsigned count = misses(client, "192.0.2.1", NULL, 2000);
    cr_expect_geq(count, 7200 / 20);
    cr_expect_leq(count, (7200 + (unsigned)(test_now_ms() - began_ms) * 120 / 1000) / 20 + 1);
    expect_limited("\"address\";q=7200;w=60", 1,
                   refused(client, "192.0.2.1",
                           (struct call){.method = "GET", .path = "/v1/rankings/hasami"}));
    expect_status(404, game(client, "192.0.2.2", NULL));
    addresses_end(client, server);
}

/* Refused with `status` until the budget of the address says no. */
static void expect_to_cost(long status, struct call call)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct client *client = client_new(server->origin);
    cr_expect_lt(misses(client, "192.0.2.1", NULL, 2000), 2000);
    unsigned attempts = 0;
    struct answer answer = address_ask(client, "192.0.2.1", call);
    while (answer.status == status && attempts++ < 10000) {
        answer_free(&answer);
        answer = address_ask(client, "192.0.2.1", call);
    }
    expect_limited("\"address\";q=7200;w=60", 1, answer);
    addresses_end(client, server);
}

Test(scenario_limits, a_token_that_is_none_is_no_way_around_the_budget_of_an_address)
{
    expect_to_cost(401, (struct call){.method = "GET", .path = "/v1/me", .token = "bzd_x"});
}

Test(scenario_limits, a_token_in_a_url_is_no_way_around_it_either)
{
    expect_to_cost(400, (struct call){.method = "GET", .path = "/v1/me?token=bzd_x"});
}

Test(scenario_limits, a_valid_token_is_heard_whatever_else_comes_from_its_address)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct device *device = device_new(server);
    struct call call = {.method = "GET", .path = "/v1/me"};
    struct answer answer = refused(device->client, "192.0.2.1", call);
    answer_free(&answer);
    call.token = device->token;
    expect_status(200, address_ask(device->client, "192.0.2.1", call));
    device_free(device);
    process_free(server);
}

Test(scenario_limits, who_watches_the_service_is_never_refused)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct client *client = client_new(server->origin);
    for (unsigned i = 0; i < 100; i++) {
        (void)misses(client, "192.0.2.1", NULL, 2000);
        struct call call = {.method = "GET", .path = i % 2 == 0 ? "/healthz" : "/readyz"};
        expect_status(200, address_ask(client, "192.0.2.1", call));
    }
    addresses_end(client, server);
}

Test(scenario_limits, this_machine_itself_may_guess_as_long_as_it_likes)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct client *client = client_new(server->origin);
    cr_expect_eq(misses(client, NULL, NULL, 500), 500);
    addresses_end(client, server);
}

Test(scenario_limits, a_device_is_told_what_remains_of_its_budget)
{
    struct process *server = addresses_serve(NULL);
    struct device *device = device_new(server);
    struct answer answer = expect(200, client_get(device->client, "/v1/me", device->token));
    expect_header(&answer, "RateLimit-Policy", "\"device\";q=3600;w=60");
    expect_header(&answer, "RateLimit", "\"device\";r=3599;t=1");
    answer_free(&answer);
    answer = expect(404, game(device->client, NULL, device->token));
    char left[64] = "";
    cr_expect(answer_header(&answer, "RateLimit", left, sizeof left));
    long rest = strtol(left + strlen("\"device\";r="), NULL, 10);
    cr_expect(rest >= 3579 && rest <= 3580, "%s", left); /* one may have flowed in */
    answer_free(&answer);
    /* The rest is 179 misses more. */
    cr_expect_geq(misses(device->client, NULL, device->token, 1000), 3600 / 20 - 1);
    expect_limited(
        "\"device\";q=3600;w=60", 1,
        refused(device->client, NULL,
                (struct call){.method = "GET", .path = "/v1/me", .token = device->token}));
    process_control(server, "advance 60000");
    answer = expect(200, client_get(device->client, "/v1/me", device->token));
    expect_header(&answer, "RateLimit", "\"device\";r=3599;t=1");
    answer_free(&answer);
    device_free(device);
    process_free(server);
}

Test(scenario_limits, what_caches_may_keep_for_everybody_says_nothing_of_a_device)
{
    static const char *const shared[] = {"/v1/rankings/hasami", "/v1/rulesets"};
    struct process *server = addresses_serve(NULL);
    struct device *device = device_new(server);
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        struct answer answer = expect(200, client_get(device->client, shared[i], device->token));
        expect_header(&answer, "RateLimit", "(none)");
        expect_header(&answer, "RateLimit-Policy", "(none)");
        answer_free(&answer);
    }
    struct answer answer =
        expect(400, client_get(device->client, "/v1/rankings/hasami?limit=0", device->token));
    expect_header(&answer, "RateLimit-Policy", "\"device\";q=3600;w=60");
    answer_free(&answer);
    device_free(device);
    process_free(server);
}

Test(scenario_limits, the_budget_of_one_device_is_not_that_of_another)
{
    struct process *server = addresses_serve(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct call call = {.method = "GET", .path = "/v1/me", .token = a->token};
    expect_status(429, refused(a->client, NULL, call));
    expect_status(200, client_get(b->client, "/v1/me", b->token));
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_limits, answers_without_a_token_say_nothing_of_budgets)
{
    struct process *server = addresses_serve(behind_a_proxy);
    struct client *client = client_new(server->origin);
    struct answer answer =
        expect(200, address_ask(client, "192.0.2.1",
                                (struct call){.method = "GET", .path = "/v1/rankings/hasami"}));
    expect_header(&answer, "RateLimit", "(none)");
    expect_header(&answer, "RateLimit-Policy", "(none)");
    answer_free(&answer);
    addresses_end(client, server);
}

Test(scenario_limits, turned_off_nothing_is_limited)
{
    struct process *server = addresses_serve(
        (const char *const[]){"--trusted-proxy", "127.0.0.0/8", "--rate-limit=off", NULL});
    struct device *device = device_new(server);
    cr_expect_eq(misses(device->client, "192.0.2.1", NULL, 500), 500);
    cr_expect_eq(misses(device->client, "192.0.2.1", device->token, 300), 300);
    for (unsigned i = 0; i < 40; i++) {
        expect_status(201, address_register(device->client, "192.0.2.1"));
        expect_status(410, address_redeem(device->client, "192.0.2.1", "ABCD-EFGH"));
    }
    struct answer answer = expect(200, client_get(device->client, "/v1/me", device->token));
    expect_header(&answer, "RateLimit", "(none)");
    answer_free(&answer);
    device_free(device);
    process_free(server);
}

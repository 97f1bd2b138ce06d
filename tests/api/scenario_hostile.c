#include "tests/support/contract.h"
#include "tests/support/mutant.h"
#include "tests/support/sample.h"
#include "walk.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A thousand bodies for every operation that reads one, derived from its schema: some fit it, most
 * do not. Whatever comes is answered, not with 5xx, and as the document says.
 */

enum { BODIES = 1000, SEED = 20260301 };

struct siege {
    struct walk *walk;
    const struct route *route;
    size_t place; /* in the route table */
    char path[WALK_PATH];
    char token[80];
    json_t *schema; /* borrowed */
    json_t *good;   /* a body with which the operation succeeds */
    struct body body;
    size_t succeeded;
    size_t malformed; /* 400 */
    size_t unfit;     /* 422 */
    size_t limited;   /* 429 */
};

/* --- the stage -----------------------------------------------------------------------------------
 */

static json_t *body_of(const struct route *route, const char *key)
{
    json_t *operation = contract_operation(contract(), walk_verb(route), route->path);
    json_t *content = json_object_get(json_object_get(operation, "requestBody"), "content");
    json_t *found = json_object_get(json_object_get(content, "application/json"), key);
    cr_assert_not_null(found, "%s has no %s", route->operation_id, key);
    return contract_follow(contract(), found);
}

static void use_token(struct siege *siege, const char *token)
{
    (void)snprintf(siege->token, sizeof siege->token, "%s", token);
}

/* A code that is good once. */
static void take_link_code(struct siege *siege)
{
    struct device *device = siege->walk->waiting;
    struct answer answer =
        expect(201, client_post(device->client, "/v1/me/link-codes", device->token, NULL));
    (void)json_object_set(siege->good, "code", answer_at(&answer, "code"));
    answer_free(&answer);
}

static void cancel(struct siege *siege, const struct device *device, const char *ticket)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", ticket);
    struct call call = {.method = "DELETE", .path = path, .token = device->token};
    struct answer answer = expect(204, client_send(siege->walk->waiting->client, &call));
    answer_free(&answer);
}

static struct siege *siege_new(size_t place)
{
    struct process *server = process_folder();
    process_start(server, (const char *const[]){"--rate-limit", "off", NULL}, NULL);
    struct siege *siege = calloc(1, sizeof *siege);
    cr_assert_not_null(siege);
    siege->walk = walk_on(server);
    siege->place = place;
    siege->route = routes_at(place);
    siege->schema = body_of(siege->route, "schema");
    siege->good = json_deep_copy(body_of(siege->route, "example"));
    walk_path(siege->walk, siege->route, siege->path);
    use_token(siege, siege->walk->seats[0]->token);
    cancel(siege, siege->walk->waiting, siege->walk->ticket); /* or it would meet those of ours */
    if (strcmp(siege->route->operation_id, "redeemLinkCode") == 0) {
        take_link_code(siege);
    }
    return siege;
}

static void siege_free(struct siege *siege)
{
    json_decref(siege->good);
    walk_free(siege->walk);
    free(siege);
}

/* --- after a success -----------------------------------------------------------------------------
 */

static void after_rotation(struct siege *siege, const struct answer *answer)
{
    use_token(siege, answer_text(answer, "token"));
}

static void after_redemption(struct siege *siege, const struct answer *answer)
{
    (void)answer;
    take_link_code(siege);
}

static void after_ticket(struct siege *siege, const struct answer *answer)
{
    cancel(siege, siege->walk->seats[0], answer_text(answer, "id"));
}

static void after_resignation(struct siege *siege, const struct answer *answer)
{
    struct walk *walk = siege->walk;
    (void)answer;
    struct pairing pairing = device_pair(walk->players[0], walk->players[1]);
    memcpy(walk->game, pairing.game, sizeof walk->game);
    walk_path(walk, siege->route, siege->path);
}

/* Makes good again what a success has used up, so that the next body can have one, too. */
static void recover(struct siege *siege, const struct answer *answer)
{
    static const struct {
        const char *operation_id;
        void (*recover)(struct siege *, const struct answer *);
    } rows[] = {
        {"rotateToken",    after_rotation   },
        {"redeemLinkCode", after_redemption },
        {"createTicket",   after_ticket     },
        {"resignGame",     after_resignation},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].operation_id, siege->route->operation_id) == 0) {
            rows[i].recover(siege, answer);
        }
    }
}

/* --- a body and its answer -----------------------------------------------------------------------
 */

/* A quarter as it should be, the rest changed. */
static void make_body(struct siege *siege, struct dice *dice)
{
    json_t *value = dice_once_in(dice, 2) ? json_deep_copy(siege->good)
                                          : sample(contract(), siege->schema, dice);
    if (dice_once_in(dice, 4)) {
        body_write(&siege->body, value);
    } else {
        body_mutate(&siege->body, value, siege->route->body_limit, dice);
    }
    json_decref(value);
}

static void count(struct siege *siege, const struct answer *answer)
{
    siege->succeeded += answer->status / 100 == 2;
    siege->malformed += answer->status == 400;
    siege->unfit += answer->status == 422;
    siege->limited += answer->status == 429;
}

/* The beginning of the body, readable. */
static void show(const struct body *body, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < body->length && used + 5 < size; i++) {
        unsigned char byte = (unsigned char)body->bytes[i];
        used += (size_t)snprintf(text + used, size - used, isprint(byte) ? "%c" : "\\x%02x", byte);
    }
}

/* False: *complaint says what is wrong with it. */
static bool judge(const char *method, const char *path, const struct answer *answer,
                  char *complaint, size_t size)
{
    if (answer->status >= 500) {
        (void)snprintf(complaint, size, "a failure of the server");
        return false;
    }
    return contract_check(method, path, answer, complaint, size);
}

static void assault(struct siege *siege, uint64_t number)
{
    char complaint[1024];
    char shown[400];
    struct dice dice = dice_of(SEED + siege->place, number);
    make_body(siege, &dice);
    struct call call = {.method = walk_verb(siege->route),
                        .path = siege->path,
                        .token = siege->route->auth == AUTH_TOKEN ? siege->token : NULL,
                        .body = siege->body.bytes,
                        .body_length = siege->body.length};
    struct answer answer = client_try(siege->walk->waiting->client, &call);
    if (!judge(call.method, call.path, &answer, complaint, sizeof complaint)) {
        show(&siege->body, shown, sizeof shown);
        cr_assert_fail("%s, seed %d, body %llu: %ld, %s\n%s\n%s", siege->route->operation_id, SEED,
                       (unsigned long long)number, answer.status, complaint, shown,
                       answer.text == NULL ? "" : answer.text);
    }
    count(siege, &answer);
    if (answer.status / 100 == 2) {
        recover(siege, &answer);
    }
    answer_free(&answer);
}

/* All three kinds of answers come, so that what is behind the parser was reached as well. */
static void besiege(size_t place)
{
    struct siege *siege = siege_new(place);
    const char *name = siege->route->operation_id;
    for (uint64_t number = 0; number < BODIES; number++) {
        assault(siege, number);
    }
    cr_expect_gt(siege->succeeded, BODIES / 20, "%s: %zu good", name, siege->succeeded);
    cr_expect_gt(siege->malformed, BODIES / 20, "%s: %zu malformed", name, siege->malformed);
    cr_expect_gt(siege->unfit, BODIES / 20, "%s: %zu unfit", name, siege->unfit);
    cr_expect_eq(siege->limited, 0, "%s: %zu limited", name, siege->limited);
    siege_free(siege);
}

Test(scenario_hostile, a_thousand_bodies_an_operation_are_answered_as_documented)
{
    size_t besieged = 0;
    for (size_t i = 0; i < routes_count(); i++) {
        if (routes_at(i)->body_limit > 0) {
            besiege(i);
            besieged++;
        }
    }
    cr_assert_geq(besieged, 9);
}

/* --- the control: answers that must not pass -----------------------------------------------------
 */

/* Whether an answer to createDevice with this status, type and body passes. */
static bool passes(long status, const char *content_type, const char *body)
{
    char complaint[1024] = "";
    struct answer answer = {.status = status, .body = json_loads(body, 0, NULL)};
    answer.text = strdup(body);
    answer.length = strlen(body);
    (void)snprintf(answer.content_type, sizeof answer.content_type, "%s", content_type);
    (void)snprintf(answer.headers, sizeof answer.headers, "X-Request-Id: 1a2b3c4d5-0000002a\r\n");
    bool good = judge("POST", "/v1/devices", &answer, complaint, sizeof complaint);
    cr_expect_eq(good, complaint[0] == '\0', "%s: %s", body, complaint);
    answer_free(&answer);
    return good;
}

#define PROBLEM(code, status)                                                                      \
    "{\"type\":\"/problems/" code "\",\"title\":\"T\",\"status\":" status                          \
    ",\"detail\":\"D\",\"instance\":\"/v1/devices#1\",\"code\":\"" code "\"}"

Test(scenario_hostile, an_answer_that_is_not_documented_does_not_pass)
{
    static const char problem[] = "application/problem+json";
    cr_expect(passes(422, problem, PROBLEM("invalid-field", "422")));
    cr_expect_not(passes(500, problem, PROBLEM("internal", "500")));
    cr_expect_not(passes(418, problem, PROBLEM("invalid-field", "418")));
    cr_expect_not(passes(410, problem, PROBLEM("link-code-gone", "410")), "not of this operation");
    cr_expect_not(passes(422, problem, PROBLEM("link-code-gone", "422")), "not of this status");
    cr_expect_not(passes(422, problem, PROBLEM("made-up", "422")));
    cr_expect_not(passes(422, problem, PROBLEM("invalid-field", "400")), "not as the status line");
    cr_expect_not(passes(422, "application/json", PROBLEM("invalid-field", "422")));
    cr_expect_not(passes(422, "text/html", "{}"));
    cr_expect_not(passes(422, problem, "{}"));
    cr_expect_not(passes(201, "application/json", "{\"token\":\"bzd_\"}"));
}

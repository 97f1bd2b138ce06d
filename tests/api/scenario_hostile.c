#include "stage.h"
#include "tests/support/contract.h"
#include "tests/support/mutant.h"
#include "tests/support/sample.h"

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
    struct stage *stage;
    size_t place; /* in the route table */
    struct body body;
    size_t succeeded;
    size_t malformed; /* 400 */
    size_t unfit;     /* 422 */
    size_t limited;   /* 429 */
};

/* --- a body and its answer -----------------------------------------------------------------------
 */

/* A quarter as it should be, the rest changed. */
static void make_body(struct siege *siege, struct dice *dice)
{
    const struct route *route = siege->stage->route;
    json_t *value = dice_once_in(dice, 2)
                        ? json_deep_copy(siege->stage->good)
                        : sample(contract(), stage_content(route, "schema"), dice);
    if (dice_once_in(dice, 4)) {
        body_write(&siege->body, value);
    } else {
        body_mutate(&siege->body, value, route->body_limit, dice);
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
    struct call call = stage_call(siege->stage, siege->body.bytes);
    call.body_length = siege->body.length;
    struct answer answer = client_try(siege->stage->walk->waiting->client, &call);
    if (!judge(call.method, call.path, &answer, complaint, sizeof complaint)) {
        show(&siege->body, shown, sizeof shown);
        cr_assert_fail("%s, seed %d, body %llu: %ld, %s\n%s\n%s", siege->stage->route->operation_id,
                       SEED, (unsigned long long)number, answer.status, complaint, shown,
                       answer.text == NULL ? "" : answer.text);
    }
    count(siege, &answer);
    if (answer.status / 100 == 2) {
        stage_recover(siege->stage, &answer);
    }
    answer_free(&answer);
}

/* All three kinds of answers come, so that what is behind the parser was reached as well. */
static void besiege(size_t place)
{
    struct siege *siege = calloc(1, sizeof *siege);
    cr_assert_not_null(siege);
    siege->place = place;
    siege->stage = stage_new(routes_at(place));
    const char *name = siege->stage->route->operation_id;
    for (uint64_t number = 0; number < BODIES; number++) {
        assault(siege, number);
    }
    cr_expect_gt(siege->succeeded, BODIES / 20, "%s: %zu good", name, siege->succeeded);
    cr_expect_gt(siege->malformed, BODIES / 20, "%s: %zu malformed", name, siege->malformed);
    cr_expect_gt(siege->unfit, BODIES / 20, "%s: %zu unfit", name, siege->unfit);
    cr_expect_eq(siege->limited, 0, "%s: %zu limited", name, siege->limited);
    stage_free(siege->stage);
    free(siege);
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

#include "tests/support/contract.h"

#include "api/problem.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the document shows: an example for everything that may be sent and for every good answer,
 * and one for every problem, in the words of the server. That examples fit their schemas is checked
 * with the rest of the document.
 */

/* The first thing that was found, or "". */
struct lack {
    char text[256];
};

__attribute__((format(printf, 2, 3))) static void lacks(struct lack *lack, const char *format, ...)
{
    va_list arguments;
    if (lack->text[0] != '\0') {
        return;
    }
    va_start(arguments, format);
    /* The checker forgets va_start. NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(lack->text, sizeof lack->text, format, arguments);
    va_end(arguments);
}

static void check_content(json_t *body, const char *of, struct lack *lack)
{
    const char *type = NULL;
    json_t *media = NULL;
    json_object_foreach(json_object_get(body, "content"), type, media)
    {
        if (json_object_get(media, "example") == NULL &&
            json_object_size(json_object_get(media, "examples")) == 0) {
            lacks(lack, "%s: %s has no example", of, type);
        }
    }
}

/* Problems are shown under the status that they have. */
static void check_problem_status(json_t *response, const char *status, struct lack *lack)
{
    const char *code = NULL;
    json_t *example = NULL;
    json_t *media =
        json_object_get(json_object_get(response, "content"), "application/problem+json");
    json_object_foreach(json_object_get(media, "examples"), code, example)
    {
        json_t *shown = json_object_get(json_object_get(example, "value"), "status");
        if (json_integer_value(shown) != strtol(status, NULL, 10)) {
            lacks(lack, "%s is shown as an answer %s", code, status);
        }
    }
}

static void check_operation(json_t *document, json_t *operation, struct lack *lack)
{
    const char *id = json_string_value(json_object_get(operation, "operationId"));
    const char *status = NULL;
    json_t *response = NULL;
    char of[96];
    (void)snprintf(of, sizeof of, "the body of %s", id);
    check_content(json_object_get(operation, "requestBody"), of, lack);
    json_object_foreach(json_object_get(operation, "responses"), status, response)
    {
        json_t *whole = contract_follow(document, response);
        (void)snprintf(of, sizeof of, "the answer %s of %s", status, id);
        check_content(whole, of, lack);
        check_problem_status(whole, status, lack);
    }
}

static void check_operations(json_t *document, struct lack *lack)
{
    const char *path = NULL;
    json_t *item = NULL;
    json_object_foreach(json_object_get(document, "paths"), path, item)
    {
        const char *key = NULL;
        json_t *operation = NULL;
        json_object_foreach(item, key, operation)
        {
            if (json_object_get(operation, "operationId") != NULL) {
                check_operation(document, operation, lack);
            }
        }
    }
}

/* The example of a problem, in whichever shared response it stands; or NULL. */
static json_t *example_of(json_t *document, const char *code)
{
    const char *name = NULL;
    json_t *response = NULL;
    json_t *responses = json_object_get(json_object_get(document, "components"), "responses");
    json_object_foreach(responses, name, response)
    {
        json_t *media =
            json_object_get(json_object_get(response, "content"), "application/problem+json");
        json_t *example = json_object_get(json_object_get(media, "examples"), code);
        if (example != NULL) {
            return json_object_get(example, "value");
        }
    }
    return NULL;
}

/* `detail` is left out: some refusals have a sentence of their own. */
static void check_problem(json_t *document, enum problem problem, struct lack *lack)
{
    static const char *const members[] = {"type", "title", "status", "code"};
    static const struct request request;
    struct reply reply = {0};
    const char *code = problem_code(problem);
    json_t *shown = example_of(document, code);
    (void)reply_problem(&request, &reply, problem, NULL);
    json_t *said = json_loadb(reply.body, reply.length, 0, NULL);
    if (shown == NULL) {
        lacks(lack, "there is no example of %s", code);
    }
    for (size_t i = 0; shown != NULL && i < sizeof members / sizeof members[0]; i++) {
        if (!json_equal(json_object_get(shown, members[i]), json_object_get(said, members[i]))) {
            lacks(lack, "the example of %s has another %s", code, members[i]);
        }
    }
    json_decref(said);
    reply_clear(&reply);
}

static void check_examples(json_t *document, struct lack *lack)
{
    lack->text[0] = '\0';
    check_operations(document, lack);
    for (size_t i = 0; i < PROBLEMS; i++) {
        check_problem(document, (enum problem)i, lack);
    }
}

Test(contract_examples, everything_that_is_sent_and_every_problem_has_an_example)
{
    struct lack lack;
    check_examples(contract(), &lack);
    cr_assert_str_eq(lack.text, "");
}

Test(contract_examples, one_that_is_missing_or_says_something_else_is_reported)
{
#define REFUSED(response)                                                                          \
    "components>responses>" response ">content>application/problem+json>examples>"
#define GONE REFUSED("Gone") "link-code-gone>value>"
    static const struct {
        const char *path;
        const char *value;
        const char *lack;
    } cases[] = {
        {"paths>/v1/tickets>post>requestBody>content>application/json>examples",                NULL,
         "the body of createTicket: application/json has no example"                                                                                                              },
        {"paths>/v1/games/{id}/record>get>responses>200>content>application/x-ndjson>examples",
         NULL,                                                                                              "the answer 200 of getGameRecord: application/x-ndjson has no example"},
        {"components>responses>MoveRepeated>content>application/json>examples",                 "{}",
         "the answer 200 of createMove: application/json has no example"                                                                                                          },
        {REFUSED("Conflict") "game-over",                                                       NULL,       "there is no example of game-over"                                    },
        {GONE "status",                                                                         "404",      "link-code-gone is shown as an answer 410"                            },
        {GONE "title",                                                                          "\"Gone\"", "the example of link-code-gone has another title"                     },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lack lack;
        json_t *document = contract_changed(cases[i].path, cases[i].value);
        check_examples(document, &lack);
        cr_expect_str_eq(lack.text, cases[i].lack);
        json_decref(document);
    }
#undef GONE
#undef REFUSED
}

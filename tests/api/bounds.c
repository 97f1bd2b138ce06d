#include "bounds.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SHOWN = 60 }; /* characters of a value or an answer in a message */

/* "": there is none. */
static const char *text_at(const struct answer *answer, const char *path)
{
    const char *text = json_string_value(answer_at(answer, path));
    return text == NULL ? "" : text;
}

/* Whether a refusal says no more than that a value of this shape does not do now. */
static bool is_later_refusal(const struct stage *stage, const char *place,
                             const struct answer *answer)
{
    static const struct {
        const char *operation_id; /* NULL: any */
        const char *place;        /* NULL: any */
        const char *code;
        const char *reason; /* of the first fault; NULL: any or none */
    } rows[] = {
        {"createMove",      NULL,            "stale-ply",         NULL                      },
        {"createMove",      NULL,            "not-your-turn",     NULL                      },
        {"createMove",      "/move",         "illegal-move",      NULL                      },
        {"redeemLinkCode",  "/code",         "link-code-gone",    NULL                      },
        {"createTicket",    "/partner",      "invalid-field",     "no-partners-in-this-pool"},
        {"createTable",     "/rated",        "invalid-field",     "rated-needs-public"      },
        {"changeTable",     "/rated",        "rated-needs-clock", NULL                      },
        {"changeTable",     "/rated",        "invalid-field",     "rated-needs-public"      },
        {"joinTableByCode", "/code",         "wrong-code",        NULL                      },
        {"takeTableSeat",   "/cpu_level",    "seat-taken",        NULL                      },
        {"takeTableSeat",   "/player",       "invalid-field",     "not-a-member"            },
        {NULL,              "cursor",        "invalid-cursor",    NULL                      },
        {NULL,              "after",         "invalid-parameter", "not-yet-there"           },
        {NULL,              "Last-Event-ID", "invalid-parameter", "not-yet-there"           },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((rows[i].operation_id == NULL ||
             strcmp(rows[i].operation_id, stage->route->operation_id) == 0) &&
            (rows[i].place == NULL || strcmp(rows[i].place, place) == 0) &&
            strcmp(rows[i].code, text_at(answer, "code")) == 0 &&
            (rows[i].reason == NULL ||
             strcmp(rows[i].reason, text_at(answer, "errors.0.reason")) == 0)) {
            return true;
        }
    }
    return false;
}

void bounds_expect_taken(struct stage *stage, const char *place, const char *value,
                         struct answer *take_answer)
{
    bool done = take_answer->status / 100 == 2;
    cr_expect(done || is_later_refusal(stage, place, take_answer),
              "%s takes no %s = %.*s: %ld %s %s", stage->route->operation_id, place, SHOWN, value,
              take_answer->status, text_at(take_answer, "code"),
              text_at(take_answer, "errors.0.reason"));
    if (done) {
        stage_recover(stage, take_answer);
    }
    answer_free(take_answer);
}

/* Whether it points to the place, or to something inside of it. */
static bool is_in(const char *pointer, const char *place)
{
    size_t length = strlen(place);
    return strncmp(pointer, place, length) == 0 &&
           (pointer[length] == '\0' || pointer[length] == '/');
}

void bounds_expect_refused_at(const struct stage *stage, const char *pointer, const char *value,
                              struct answer *take_answer)
{
    cr_expect_eq(take_answer->status, 422, "%s takes %s = %.*s: %ld", stage->route->operation_id,
                 pointer, SHOWN, value, take_answer->status);
    cr_expect(is_in(text_at(take_answer, "errors.0.pointer"), pointer), "%s, %s = %.*s: %s",
              stage->route->operation_id, pointer, SHOWN, value, take_answer->text);
    answer_free(take_answer);
}

void bounds_expect_parameter_refused(const struct stage *stage, const char *name, const char *value,
                                     struct answer *take_answer)
{
    const char *code = text_at(take_answer, "code");
    cr_expect_eq(take_answer->status, 400, "%s takes %s = %.*s: %ld", stage->route->operation_id,
                 name, SHOWN, value, take_answer->status);
    if (strcmp(name, "cursor") != 0 || strcmp(code, "invalid-cursor") != 0) {
        cr_expect_str_eq(code, "invalid-parameter", "%s = %s", name, value);
        cr_expect_str_eq(text_at(take_answer, "errors.0.parameter"), name, "%s, %s = %s",
                         stage->route->operation_id, name, value);
    }
    answer_free(take_answer);
}

void bounds_expect_problem(const struct stage *stage, long status, const char *code,
                           const char *value, struct answer *take_answer)
{
    cr_expect_eq(take_answer->status, status, "%s with %.*s: %ld", stage->route->operation_id,
                 SHOWN, value, take_answer->status);
    cr_expect_str_eq(text_at(take_answer, "code"), code, "%s with %.*s", stage->route->operation_id,
                     SHOWN, value);
    answer_free(take_answer);
}

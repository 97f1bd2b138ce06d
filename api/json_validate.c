#include "json_body.h"
#include "json_engine.h"
#include "json_write.h"
#include "problem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/*
 * POST /v1/validate: the questions `legal` and `play` of `banzuke engine`. What is looked at here
 * is the shape of a question and what bounds its cost; whether it makes sense is the engine's to
 * say.
 */

enum {
    MOVES_MAX = LIMIT_PLIES, /* a served game has no more */
    OPTIONS_MAX = 16,
    POSITION_BYTES_MAX = RULES_POSITION_TEXT_MAX - 1,
    WORD_BYTES_MAX = 64,
};

/* A check says NULL, or why the value does not fit. */
typedef const char *check_fn(const json_t *value);

static const char *check_text(const json_t *value, size_t most)
{
    if (!json_is_string(value)) {
        return "not-a-string";
    }
    return json_string_length(value) > most ? "too-long" : NULL;
}

static const char *check_op(const json_t *value)
{
    const char *op = json_string_value(value);
    if (op == NULL) {
        return "not-a-string";
    }
    return strcmp(op, "legal") == 0 || strcmp(op, "play") == 0 ? NULL : "unknown";
}

static const char *check_game(const json_t *value)
{
    const char *game = json_string_value(value);
    if (game == NULL) {
        return "not-a-string";
    }
    return rules_find(game) == NULL ? "unknown" : NULL;
}

static const char *check_position(const json_t *value)
{
    return check_text(value, POSITION_BYTES_MAX);
}

static const char *check_options(const json_t *value)
{
    if (!json_is_object(value)) {
        return "not-an-object";
    }
    return json_object_size(value) > OPTIONS_MAX ? "too-many" : NULL;
}

static const char *check_option(const json_t *value)
{
    return json_is_integer(value) ? NULL : check_text(value, WORD_BYTES_MAX);
}

static const char *check_moves(const json_t *value)
{
    if (!json_is_array(value)) {
        return "not-an-array";
    }
    return json_array_size(value) > MOVES_MAX ? "too-many" : NULL;
}

static const char *check_move(const json_t *value)
{
    return check_text(value, LIMIT_MOVE_BYTES);
}

/* A member, and what is in it where it is a list or an object. */
static const struct member {
    const char *name;
    bool required;
    check_fn *check;
    check_fn *check_inner;
} members[] = {
    {"op",       true,  check_op,       NULL        },
    {"game",     true,  check_game,     NULL        },
    {"position", false, check_position, NULL        },
    {"options",  false, check_options,  check_option},
    {"moves",    false, check_moves,    check_move  },
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static bool is_known(const char *name)
{
    for (size_t i = 0; i < MEMBERS; i++) {
        if (strcmp(members[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_names(struct request *request, struct reply *reply, json_t *question)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(question, name, value)
    {
        if (!is_known(name)) {
            char pointer[JSON_POINTER_TEXT];
            json_pointer("", name, pointer);
            return json_refuse_unknown(request, reply, pointer);
        }
    }
    return true;
}

static bool refuse_inner(struct request *request, struct reply *reply, const struct member *member,
                         const char *name, const char *reason)
{
    char parent[JSON_POINTER_TEXT];
    char pointer[JSON_POINTER_TEXT];
    json_pointer("", member->name, parent);
    json_pointer(parent, name, pointer);
    return json_refuse_field(request, reply, pointer, reason);
}

static bool check_inner(struct request *request, struct reply *reply, const struct member *member,
                        json_t *container)
{
    const char *name = NULL;
    size_t index = 0;
    json_t *value = NULL;
    json_object_foreach(container, name, value)
    {
        const char *reason = member->check_inner(value);
        if (reason != NULL) {
            return refuse_inner(request, reply, member, name, reason);
        }
    }
    json_array_foreach(container, index, value)
    {
        const char *reason = member->check_inner(value);
        if (reason != NULL) {
            char number[24];
            (void)snprintf(number, sizeof number, "%zu", index);
            return refuse_inner(request, reply, member, number, reason);
        }
    }
    return true;
}

static bool check_member(struct request *request, struct reply *reply, const struct member *member,
                         json_t *question)
{
    json_t *value = json_object_get(question, member->name);
    const char *reason = NULL;
    if (value != NULL) {
        reason = member->check(value);
    } else if (member->required) {
        reason = "required";
    }
    if (reason != NULL) {
        char pointer[JSON_POINTER_TEXT];
        json_pointer("", member->name, pointer);
        return json_refuse_field(request, reply, pointer, reason);
    }
    return value == NULL || member->check_inner == NULL ||
           check_inner(request, reply, member, value);
}

/* False: the reply says what is wrong. */
static bool check_question(struct request *request, struct reply *reply)
{
    json_t *question = json_body(request, reply);
    bool good = question != NULL && check_names(request, reply, question);
    for (size_t i = 0; good && i < MEMBERS; i++) {
        good = check_member(request, reply, &members[i], question);
    }
    json_decref(question);
    return good;
}

enum handled reply_validation(struct request *request, struct reply *reply)
{
    if (!check_question(request, reply)) {
        return HANDLED;
    }
    char *answer = engine_answer(request->body, request->body_length);
    if (answer == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    reply_take(reply, 200, media_text(MEDIA_JSON), answer, strlen(answer));
    return HANDLED;
}

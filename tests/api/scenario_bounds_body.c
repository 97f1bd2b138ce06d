#include "bounds.h"
#include "tests/support/contract.h"
#include "tests/support/edges.h"
#include "tests/support/schema.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every bound of every request body in openapi.yaml: at it, one under and one over it. */

struct trial {
    struct stage *stage;
    char pointer[128]; /* of the member that is tried */
    size_t sent;
};

/* Sets what a pointer leads to; what it leads through is there. Lists have one item. */
static void set_at(json_t *root, const char *pointer, json_t *take_value)
{
    char steps[128];
    char *rest = NULL;
    (void)snprintf(steps, sizeof steps, "%s", pointer);
    json_t *at = root;
    const char *step = strtok_r(steps, "/", &rest);
    for (const char *next; (next = strtok_r(NULL, "/", &rest)) != NULL; step = next) {
        at = json_is_array(at) ? json_array_get(at, 0) : json_object_get(at, step);
    }
    if (json_is_array(at)) {
        (void)json_array_clear(at);
        (void)json_array_append_new(at, take_value);
    } else {
        (void)json_object_set_new(at, step, take_value);
    }
}

/* --- one body ------------------------------------------------------------------------------------
 */

static struct answer ask(struct trial *trial, const json_t *body)
{
    char *text = json_dumps(body, JSON_COMPACT);
    struct call call = stage_call(trial->stage, text);
    struct answer answer = client_send(trial->stage->walk->waiting->client, &call);
    free(text);
    trial->sent++;
    return answer;
}

static void judge(struct trial *trial, const json_t *body, bool fits, const char *value)
{
    struct answer answer = ask(trial, body);
    if (fits) {
        bounds_expect_taken(trial->stage, trial->pointer, value, &answer);
    } else {
        bounds_expect_refused_at(trial->stage, trial->pointer, value, &answer);
    }
}

static void try_value(struct trial *trial, json_t *value, bool fits)
{
    json_t *body = json_deep_copy(trial->stage->good);
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    set_at(body, trial->pointer, json_incref(value));
    judge(trial, body, fits, text);
    free(text);
    json_decref(body);
}

static void try_edge(void *context, const struct edge *edge)
{
    try_value(context, edge->value, edge->fits);
}

/* --- one schema ----------------------------------------------------------------------------------
 */

static void try_schema(struct trial *trial, json_t *schema);

static void try_below(struct trial *trial, const char *step, json_t *schema)
{
    size_t length = strlen(trial->pointer);
    (void)snprintf(trial->pointer + length, sizeof trial->pointer - length, "/%s", step);
    try_schema(trial, schema);
    trial->pointer[length] = '\0';
}

/* Values of all the types, of which the schema takes one or two. */
static void try_types(struct trial *trial, json_t *schema)
{
    static const char *const values[] = {"null", "true", "{\"a\":null}", "[null]", "1.0", "0.5"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char why[256];
        json_t *value = json_loads(values[i], JSON_DECODE_ANY, NULL);
        bool container = (json_is_object(value) && json_object_get(schema, "properties") == NULL &&
                          json_object_get(schema, "additionalProperties") != NULL) ||
                         (json_is_array(value) && json_object_get(schema, "items") != NULL);
        if (!container) { /* what is in it has a pointer of its own */
            try_value(trial, value, schema_check(contract(), schema, value, why, sizeof why));
        }
        json_decref(value);
    }
}

static bool is_required(json_t *schema, const char *name)
{
    size_t index = 0;
    json_t *one = NULL;
    json_array_foreach(json_object_get(schema, "required"), index, one)
    {
        if (strcmp(json_string_value(one), name) == 0) {
            return true;
        }
    }
    return false;
}

/* The members of the body itself: each of them, without it, and one that is not known. */
static void try_members(struct trial *trial, json_t *schema)
{
    const char *name = NULL;
    json_t *member = NULL;
    json_object_foreach(json_object_get(schema, "properties"), name, member)
    {
        json_t *body = json_deep_copy(trial->stage->good);
        try_below(trial, name, contract_follow(contract(), member));
        (void)json_object_del(body, name);
        (void)snprintf(trial->pointer, sizeof trial->pointer, "/%s", name);
        judge(trial, body, !is_required(schema, name), "(absent)");
        trial->pointer[0] = '\0';
        json_decref(body);
    }
    (void)snprintf(trial->pointer, sizeof trial->pointer, "/unheard_of");
    json_t *one = json_integer(1);
    try_value(trial, one, false);
    json_decref(one);
    trial->pointer[0] = '\0';
}

static void try_schema(struct trial *trial, json_t *schema)
{
    json_t *items = json_object_get(schema, "items");
    json_t *others = json_object_get(schema, "additionalProperties");
    edges_each(contract(), schema, try_edge, trial);
    try_types(trial, schema);
    json_t *kept = json_deep_copy(trial->stage->good);
    if (items != NULL) {
        set_at(trial->stage->good, trial->pointer, json_pack("[s]", ""));
        try_below(trial, "0", items);
    } else if (json_is_object(others)) {
        set_at(trial->stage->good, trial->pointer, json_object());
        try_below(trial, "word", others);
    }
    (void)json_object_update(trial->stage->good, kept);
    json_decref(kept);
}

/* --- the length of the body ----------------------------------------------------------------------
 */

static void try_length(struct trial *trial, size_t length, bool fits)
{
    char *text = json_dumps(trial->stage->good, JSON_COMPACT);
    size_t used = strlen(text);
    char *body = malloc(length + 1);
    cr_assert(body != NULL && used < length);
    memset(body, ' ', length);
    memcpy(body, text, used);
    body[length] = '\0';
    struct call call = stage_call(trial->stage, body);
    struct answer answer = client_send(trial->stage->walk->waiting->client, &call);
    if (fits) {
        bounds_expect_taken(trial->stage, "", "a long body", &answer);
    } else {
        bounds_expect_problem(trial->stage, 413, "payload-too-large", "a long body", &answer);
    }
    free(body);
    free(text);
}

static void try_operation(const struct route *route)
{
    struct trial trial = {.stage = stage_new(route), .pointer = ""};
    try_members(&trial, stage_content(route, "schema"));
    cr_expect_gt(trial.sent, 0);
    try_length(&trial, route->body_limit - 1, true);
    try_length(&trial, route->body_limit, true);
    try_length(&trial, route->body_limit + 1, false);
    stage_free(trial.stage);
}

Test(scenario_bounds_body, every_bound_of_a_body_is_kept_to_the_unit)
{
    for (size_t i = 0; i < routes_count(); i++) {
        if (routes_at(i)->body_limit > 0) {
            try_operation(routes_at(i));
        }
    }
}

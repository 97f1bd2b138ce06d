#include "bounds.h"
#include "tests/support/contract.h"
#include "tests/support/edges.h"
#include "tests/support/schema.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every bound of every parameter in openapi.yaml: at it, one under and one over it. */

enum { QUERY = 8192 }; /* bytes */

struct trial {
    struct stage *stage;
    json_t *parameter;
    size_t sent;
};

/* --- parameters in the document ------------------------------------------------------------------
 */

/* The path's own and the operation's, their references followed; a new reference. */
static json_t *parameters_of(const struct route *route)
{
    json_t *all = json_array();
    json_t *item = json_object_get(json_object_get(contract(), "paths"), route->path);
    json_t *const owners[] = {item, stage_operation(route)};
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        size_t index = 0;
        json_t *one = NULL;
        json_array_foreach(json_object_get(owners[i], "parameters"), index, one)
        {
            (void)json_array_append(all, contract_follow(contract(), one));
        }
    }
    return all;
}

static const char *word(json_t *parameter, const char *key)
{
    return json_string_value(json_object_get(parameter, key));
}

static bool is_in(json_t *parameter, const char *where)
{
    return strcmp(word(parameter, "in"), where) == 0;
}

/* A value that the schema takes. */
static const char *good_value(json_t *parameter)
{
    json_t *schema = contract_follow(contract(), json_object_get(parameter, "schema"));
    json_t *words = json_object_get(schema, "enum");
    json_t *examples = json_object_get(schema, "examples");
    const char *value = json_string_value(json_array_get(words == NULL ? examples : words, 0));
    cr_assert_not_null(value, "no example of %s", word(parameter, "name"));
    return value;
}

/* --- one request ---------------------------------------------------------------------------------
 */

static void add_parameter(char query[QUERY], const char *name, const char *value, size_t length)
{
    size_t used = strlen(query);
    used += (size_t)snprintf(query + used, QUERY - used, "%c%s=", used == 0 ? '?' : '&', name);
    for (size_t i = 0; i < length; i++) {
        used += (size_t)snprintf(query + used, QUERY - used, "%%%02X", (unsigned char)value[i]);
        cr_assert_lt(used, QUERY);
    }
}

/* What the operation cannot do without, but for one parameter. */
static void add_needed(const struct trial *trial, char query[QUERY], const char *but)
{
    size_t index = 0;
    json_t *one = NULL;
    json_t *all = parameters_of(trial->stage->route);
    json_array_foreach(all, index, one)
    {
        bool needed = is_in(one, "query") && json_is_true(json_object_get(one, "required"));
        bool opponents = strcmp(but, "opponent") == 0 && strcmp(word(one, "name"), "player") == 0;
        if ((needed || opponents) && strcmp(word(one, "name"), but) != 0) {
            add_parameter(query, word(one, "name"), good_value(one), strlen(good_value(one)));
        }
    }
    json_decref(all);
}

static struct answer ask(struct trial *trial, const char *path, const char *query,
                         const char *header)
{
    char whole[WALK_PATH + QUERY];
    char *body = trial->stage->good == NULL ? NULL : json_dumps(trial->stage->good, JSON_COMPACT);
    struct call call = stage_call(trial->stage, body);
    (void)snprintf(whole, sizeof whole, "%s%s", path, query);
    call.path = whole;
    call.header = header;
    struct answer answer = client_send(trial->stage->walk->waiting->client, &call);
    free(body);
    trial->sent++;
    return answer;
}

/* --- in the query --------------------------------------------------------------------------------
 */

static void try_query(struct trial *trial, const char *value, size_t length, bool fits)
{
    char query[QUERY] = "";
    const char *name = word(trial->parameter, "name");
    add_needed(trial, query, name);
    add_parameter(query, name, value, length);
    struct answer answer = ask(trial, trial->stage->path, query, NULL);
    if (fits) {
        bounds_expect_taken(trial->stage, name, value, &answer);
    } else {
        bounds_expect_parameter_refused(trial->stage, name, value, &answer);
    }
}

static void try_query_edge(void *context, const struct edge *edge)
{
    char number[32];
    const char *text = json_string_value(edge->value);
    if (text == NULL) {
        (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT,
                       json_integer_value(edge->value));
        text = number;
    }
    try_query(context, text, strlen(text), edge->fits);
}

/* Texts that are no whole number and none of the two truths. */
static void try_no_type(struct trial *trial)
{
    static const char *const texts[] = {
        "", "x", "1.0", "+1", "01", " 1", "1 ", "0x1", "1e1", "TRUE", "99999999999999999999999999"};
    json_t *schema = json_object_get(trial->parameter, "schema");
    const char *type = word(contract_follow(contract(), schema), "type");
    bool whole = strcmp(type, "integer") == 0;
    bool truth = strcmp(type, "boolean") == 0;
    for (size_t i = 0; (whole || truth) && i < sizeof texts / sizeof texts[0]; i++) {
        try_query(trial, texts[i], strlen(texts[i]), false);
    }
    if (truth) {
        try_query(trial, "true", 4, true);
        try_query(trial, "false", 5, true);
    }
}

/* Not there, where it must be; and twice. */
static void try_count(struct trial *trial)
{
    char query[QUERY] = "";
    const char *name = word(trial->parameter, "name");
    add_needed(trial, query, name);
    struct answer answer = ask(trial, trial->stage->path, query, NULL);
    if (json_is_true(json_object_get(trial->parameter, "required"))) {
        bounds_expect_parameter_refused(trial->stage, name, "(absent)", &answer);
    } else {
        bounds_expect_taken(trial->stage, name, "(absent)", &answer);
    }
    add_parameter(query, name, "1", 1);
    add_parameter(query, name, "1", 1);
    answer = ask(trial, trial->stage->path, query, NULL);
    bounds_expect_parameter_refused(trial->stage, name, "1 and again 1", &answer);
}

/* --- in a header ---------------------------------------------------------------------------------
 */

static void try_header_edge(void *context, const struct edge *edge)
{
    char header[256];
    struct trial *trial = context;
    const char *name = word(trial->parameter, "name");
    const char *value = json_string_value(edge->value);
    (void)snprintf(header, sizeof header, "%s: %s", name, value);
    struct answer answer = ask(trial, trial->stage->path, "", header);
    if (edge->fits) {
        bounds_expect_taken(trial->stage, name, value, &answer);
    } else if (strcmp(name, "Last-Event-ID") == 0 && strpbrk(value, "\n") == NULL) {
        bounds_expect_parameter_refused(trial->stage, name, value, &answer);
    } else {
        bounds_expect_problem(trial->stage, 400, "malformed-request", value, &answer);
    }
}

/* --- in the path ---------------------------------------------------------------------------------
 */

/* The path with another value for a variable; where the variable begins and ends. */
static void put_in_path(const struct trial *trial, const char *value, char path[WALK_PATH])
{
    char variable[64];
    const char *at = trial->stage->route->path;
    const char *real = trial->stage->path;
    (void)snprintf(variable, sizeof variable, "/{%s}", word(trial->parameter, "name"));
    while (strncmp(at, variable, strlen(variable)) != 0) {
        at += 1 + strcspn(at + 1, "/");
        real += 1 + strcspn(real + 1, "/");
    }
    (void)snprintf(path, WALK_PATH, "%.*s/%s%s", (int)(real - trial->stage->path),
                   trial->stage->path, value, real + 1 + strcspn(real + 1, "/"));
}

/* What stands in the path for the variable. */
static void real_value(const struct trial *trial, char value[64])
{
    char marked[WALK_PATH];
    put_in_path(trial, "", marked);
    size_t same = strspn(marked, "/");
    while (marked[same] == trial->stage->path[same] && marked[same] != '\0') {
        same++;
    }
    while (same > 0 && trial->stage->path[same - 1] != '/') {
        same--;
    }
    (void)snprintf(value, 64, "%.*s", (int)strcspn(trial->stage->path + same, "/"),
                   trial->stage->path + same);
}

static void try_path(struct trial *trial, const char *value)
{
    char path[WALK_PATH];
    char query[QUERY] = "";
    char why[256];
    json_t *text = json_string(value);
    bool fits = schema_check(contract(), json_object_get(trial->parameter, "schema"), text, why,
                             sizeof why);
    json_decref(text);
    put_in_path(trial, value, path);
    add_needed(trial, query, "");
    struct answer answer = ask(trial, path, query, NULL);
    if (fits) {
        bounds_expect_taken(trial->stage, word(trial->parameter, "name"), value, &answer);
    } else {
        bounds_expect_problem(trial->stage, 404, "not-found", value, &answer);
    }
}

/* Around what is there, and last the thing itself, which may end by it. */
static void try_paths(struct trial *trial)
{
    char real[64];
    char changed[80];
    real_value(trial, real);
    size_t length = strlen(real);
    cr_assert_gt(length, 0);
    if (length > 1) {
        (void)snprintf(changed, sizeof changed, "%.*s", (int)length - 1, real);
        try_path(trial, changed);
    }
    (void)snprintf(changed, sizeof changed, "%s%c", real, real[length - 1]);
    try_path(trial, changed);
    (void)snprintf(changed, sizeof changed, "%s.", real);
    try_path(trial, changed);
    (void)snprintf(changed, sizeof changed, "%s%%20", real);
    try_path(trial, changed);
    (void)snprintf(changed, sizeof changed, "%s", real);
    changed[0] = (char)(changed[0] ^ 0x20);
    try_path(trial, changed);
    try_path(trial, real);
}

/* --- all of them ---------------------------------------------------------------------------------
 */

static void try_parameter(struct trial *trial)
{
    json_t *schema = json_object_get(trial->parameter, "schema");
    if (is_in(trial->parameter, "query")) {
        edges_each(contract(), schema, try_query_edge, trial);
        try_no_type(trial);
        try_count(trial);
    } else if (is_in(trial->parameter, "header")) {
        edges_each(contract(), schema, try_header_edge, trial);
    } else {
        cr_assert(is_in(trial->parameter, "path"));
        try_paths(trial);
    }
}

static size_t try_operation(const struct route *route)
{
    struct trial trial = {.stage = stage_new(route)};
    size_t index = 0;
    json_t *parameters = parameters_of(route);
    char query[QUERY] = "";
    add_needed(&trial, query, "");
    add_parameter(query, "unheard_of", "1", 1);
    struct answer answer = ask(&trial, trial.stage->path, query, NULL);
    bounds_expect_parameter_refused(trial.stage, "unheard_of", "1", &answer);
    json_array_foreach(parameters, index, trial.parameter)
    {
        try_parameter(&trial);
    }
    json_decref(parameters);
    stage_free(trial.stage);
    return trial.sent;
}

Test(scenario_bounds_query, every_bound_of_a_parameter_is_kept_to_the_unit)
{
    for (size_t i = 0; i < routes_count(); i++) {
        cr_expect_gt(try_operation(routes_at(i)), 0);
    }
}

#include "tests/support/contract.h"

#include "api/problem.h"
#include "api/routes.h"
#include "tests/support/process.h"
#include "tests/support/schema.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * The document against the route table, the list of problems and itself. Every check takes the
 * document as a parameter, so that the controls at the end can show that it sees a wrong one.
 */

/* A line for everything found, as far as there is room. */
struct finding {
    char text[4096];
};

__attribute__((format(printf, 2, 3))) static void find(struct finding *finding, const char *format,
                                                       ...)
{
    va_list arguments;
    char line[512];
    size_t used = strlen(finding->text);
    va_start(arguments, format);
    /* The checker forgets va_start. NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    (void)snprintf(finding->text + used, sizeof finding->text - used, "%s\n", line);
}

/* --- the route table -----------------------------------------------------------------------------
 */

static const char *verb_of(enum http_method method)
{
    static const char *const verbs[HTTP_METHODS] = {
        [HTTP_GET] = "get",
        [HTTP_POST] = "post",
        [HTTP_PATCH] = "patch",
        [HTTP_DELETE] = "delete",
    };
    return verbs[method];
}

static bool is_verb(const char *key)
{
    return strcmp(key, "parameters") != 0 && strcmp(key, "summary") != 0 &&
           strcmp(key, "description") != 0;
}

/* A token is needed where the only alternative of `security` is the bearer scheme. */
static bool needs_token(json_t *operation)
{
    json_t *security = json_object_get(operation, "security");
    return json_array_size(security) == 1 &&
           json_object_get(json_array_get(security, 0), "bearer") != NULL;
}

static void check_statuses(const struct route *route, json_t *operation, struct finding *finding)
{
    static const char *const everywhere[] = {"400", "401", "405", "413", "500", "501", "503", NULL};
    static const char *const typed[] = {"406", NULL};
    static const char *const with_body[] = {"415", "422", NULL};
    static const char *const limited[] = {"429", NULL};
    bool watched = route->handler == handle_health || route->handler == handle_ready;
    const char *const *const lists[] = {everywhere, route->own_type ? everywhere : typed,
                                        route->body_limit == 0 ? everywhere : with_body,
                                        watched ? everywhere : limited};
    json_t *responses = json_object_get(operation, "responses");
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (const char *const *status = lists[i]; *status != NULL; status++) {
            if (json_object_get(responses, *status) == NULL) {
                find(finding, "%s lacks the answer %s", route->operation_id, *status);
            }
        }
    }
}

static void check_route(json_t *document, const struct route *route, struct finding *finding)
{
    json_t *item = json_object_get(json_object_get(document, "paths"), route->path);
    json_t *operation = json_object_get(item, verb_of(route->method));
    const char *id = json_string_value(json_object_get(operation, "operationId"));
    if (operation == NULL) {
        find(finding, "%s %s is not in the document", verb_of(route->method), route->path);
        return;
    }
    if (id == NULL || strcmp(id, route->operation_id) != 0) {
        find(finding, "%s is %s in the document", route->operation_id, id == NULL ? "?" : id);
    }
    if (needs_token(operation) != (route->auth == AUTH_TOKEN)) {
        find(finding, "%s: the document and the table differ on the token", route->operation_id);
    }
    if ((json_object_get(operation, "requestBody") != NULL) != (route->body_limit > 0)) {
        find(finding, "%s: the document and the table differ on the body", route->operation_id);
    }
    check_statuses(route, operation, finding);
}

static void check_routes(json_t *document, struct finding *finding)
{
    size_t operations = 0;
    const char *path = NULL;
    json_t *item = NULL;
    json_object_foreach(json_object_get(document, "paths"), path, item)
    {
        const char *key = NULL;
        json_t *value = NULL;
        json_object_foreach(item, key, value)
        {
            operations += is_verb(key);
        }
    }
    if (operations != routes_count()) {
        find(finding, "%zu operations in the document, %zu routes", operations, routes_count());
    }
    for (size_t i = 0; i < routes_count(); i++) {
        check_route(document, routes_at(i), finding);
    }
}

/* --- problems ------------------------------------------------------------------------------------
 */

static bool lists(json_t *codes, const char *code)
{
    size_t index = 0;
    json_t *one = NULL;
    json_array_foreach(codes, index, one)
    {
        if (strcmp(json_string_value(one), code) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_answered(const char *code)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        if (strcmp(problem_code((enum problem)i), code) == 0) {
            return true;
        }
    }
    return false;
}

static void check_codes(json_t *document, struct finding *finding)
{
    /* What the HTTP library refuses in its own way before the service sees it. */
    static const char *const transport[] = {"uri-too-long", "headers-too-large"};
    json_t *codes =
        json_object_get(schema_resolve(document, "#/components/schemas/ProblemCode"), "enum");
    for (size_t i = 0; i < PROBLEMS; i++) {
        if (!lists(codes, problem_code((enum problem)i))) {
            find(finding, "the document lacks the code %s", problem_code((enum problem)i));
        }
    }
    size_t index = 0;
    json_t *code = NULL;
    json_array_foreach(codes, index, code)
    {
        const char *text = json_string_value(code);
        if (!is_answered(text) && strcmp(text, transport[0]) != 0 &&
            strcmp(text, transport[1]) != 0) {
            find(finding, "no problem has the code %s", text);
        }
    }
    if (json_array_size(codes) != PROBLEMS + sizeof transport / sizeof transport[0]) {
        find(finding, "a code is missing or comes twice");
    }
}

/* --- words ---------------------------------------------------------------------------------------
 */

static bool says(json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));
    return text != NULL && text[0] != '\0';
}

static void check_operation_words(json_t *document, json_t *operation, struct finding *finding)
{
    const char *status = NULL;
    json_t *response = NULL;
    size_t index = 0;
    json_t *parameter = NULL;
    const char *id = json_string_value(json_object_get(operation, "operationId"));
    if (!says(operation, "summary") || !says(operation, "description")) {
        find(finding, "%s has no summary or no description", id);
    }
    json_object_foreach(json_object_get(operation, "responses"), status, response)
    {
        if (!says(contract_follow(document, response), "description")) {
            find(finding, "%s: the answer %s has no description", id, status);
        }
    }
    json_array_foreach(json_object_get(operation, "parameters"), index, parameter)
    {
        if (!says(contract_follow(document, parameter), "description")) {
            find(finding, "%s: parameter %zu has no description", id, index);
        }
    }
}

static void check_words(json_t *document, struct finding *finding)
{
    const char *path = NULL;
    json_t *item = NULL;
    json_object_foreach(json_object_get(document, "paths"), path, item)
    {
        const char *key = NULL;
        json_t *operation = NULL;
        json_object_foreach(item, key, operation)
        {
            if (is_verb(key)) {
                check_operation_words(document, operation, finding);
            }
        }
    }
}

/* --- references, keywords, examples --------------------------------------------------------------
 */

static void check_references(json_t *document, json_t *value, struct finding *finding)
{
    const char *key = NULL;
    json_t *member = NULL;
    size_t index = 0;
    json_t *item = NULL;
    const char *reference = json_string_value(json_object_get(value, "$ref"));
    if (reference != NULL && schema_resolve(document, reference) == NULL) {
        find(finding, "%s leads nowhere", reference);
    }
    json_object_foreach(value, key, member)
    {
        check_references(document, member, finding);
    }
    json_array_foreach(value, index, item)
    {
        check_references(document, item, finding);
    }
}

static void check_schema(json_t *document, json_t *schema, struct finding *finding);

static void check_schemas(json_t *document, json_t *schemas, struct finding *finding)
{
    const char *key = NULL;
    json_t *member = NULL;
    size_t index = 0;
    json_t *item = NULL;
    json_object_foreach(schemas, key, member)
    {
        check_schema(document, member, finding);
    }
    json_array_foreach(schemas, index, item)
    {
        check_schema(document, item, finding);
    }
}

/* Objects say which members they may have; what is an example fits. */
static void check_schema(json_t *document, json_t *schema, struct finding *finding)
{
    static const char *const combinations[] = {"properties", "allOf", "anyOf"};
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;
    json_t *example = NULL;
    char why[256];
    json_object_foreach(schema, key, value)
    {
        if (!schema_known(key)) {
            find(finding, "unknown keyword %s", key);
        }
    }
    if (json_object_get(schema, "properties") != NULL &&
        !json_is_false(json_object_get(schema, "additionalProperties"))) {
        find(finding, "an object schema does not close its members");
    }
    json_array_foreach(json_object_get(schema, "examples"), index, example)
    {
        if (!schema_check(document, schema, example, why, sizeof why)) {
            find(finding, "an example: %s", why);
        }
    }
    for (size_t i = 0; i < sizeof combinations / sizeof combinations[0]; i++) {
        check_schemas(document, json_object_get(schema, combinations[i]), finding);
    }
    if (json_object_get(schema, "items") != NULL) {
        check_schema(document, json_object_get(schema, "items"), finding);
    }
}

static void check_named_examples(json_t *document, json_t *media, struct finding *finding)
{
    json_t *schema = json_object_get(media, "schema");
    const char *name = NULL;
    json_t *example = NULL;
    char why[256];
    json_object_foreach(json_object_get(media, "examples"), name, example)
    {
        json_t *value = json_object_get(contract_follow(document, example), "value");
        if (value == NULL) {
            find(finding, "the example %s has no value", name);
        } else if (!schema_check(document, schema, value, why, sizeof why)) {
            find(finding, "the example %s: %s", name, why);
        }
    }
}

/* Everything below a `content`, wherever it stands. */
static void check_media(json_t *document, json_t *value, struct finding *finding)
{
    const char *key = NULL;
    json_t *member = NULL;
    char why[256];
    json_object_foreach(value, key, member)
    {
        json_t *schema = json_object_get(member, "schema");
        json_t *example = json_object_get(member, "example");
        if (schema != NULL && strchr(key, '/') != NULL) {
            check_schema(document, schema, finding);
            check_named_examples(document, member, finding);
            if (example != NULL && !schema_check(document, schema, example, why, sizeof why)) {
                find(finding, "the example of %s: %s", key, why);
            }
        }
        check_media(document, member, finding);
    }
}

static void check_all_schemas(json_t *document, struct finding *finding)
{
    json_t *components = json_object_get(document, "components");
    check_schemas(document, json_object_get(components, "schemas"), finding);
    check_media(document, document, finding);
}

static void check_all(json_t *document, struct finding *finding)
{
    finding->text[0] = '\0';
    check_routes(document, finding);
    check_codes(document, finding);
    check_words(document, finding);
    check_references(document, document, finding);
    check_all_schemas(document, finding);
}

/* --- the tests -----------------------------------------------------------------------------------
 */

Test(contract, document_route_table_and_problems_say_the_same)
{
    struct finding finding;
    check_all(contract(), &finding);
    cr_assert_str_eq(finding.text, "");
}

Test(contract, the_document_names_no_other_host)
{
    json_t *servers = json_object_get(contract(), "servers");
    char *text = json_dumps(contract(), 0);
    cr_assert_eq(json_array_size(servers), 1);
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(servers, 0), "url")), "/");
    cr_assert_null(strstr(text, "://"));
    free(text);
}

Test(contract, a_changed_document_is_reported)
{
    static const struct {
        const char *path;
        const char *value;
        const char *finding; /* a part of it */
    } cases[] = {
        {"paths>/v1/me",                                  NULL,                   "get /v1/me is not in the document"       },
        {"paths>/v1/extra",                               "{\"get\":{}}",         " operations in the document"             },
        {"paths>/v1/tickets/{id}>delete",                 NULL,                   "delete /v1/tickets/{id}"                 },
        {"paths>/v1/tickets/{id}>patch",                  "{}",                   " operations in the document"             },
        {"paths>/v1/me>get>operationId",                  "\"getMyself\"",        "getMe is getMyself"                      },
        {"paths>/v1/me>get>security",                     "[{},{\"bearer\":[]}]", "getMe: the document and the table"       },
        {"paths>/v1/games>get>security",                  "[{\"bearer\":[]}]",    "listGames: the document and"             },
        {"paths>/v1/tickets>post>requestBody",            NULL,                   "createTicket: the document and the table"},
        {"paths>/v1/tickets>post>responses>413",          NULL,                   "createTicket lacks the answer 413"       },
        {"paths>/v1/tickets>post>responses>415",          NULL,                   "createTicket lacks the answer 415"       },
        {"paths>/v1/games>get>responses>401",             NULL,                   "listGames lacks the answer 401"          },
        {"paths>/v1/games>get>responses>200>description", "\"\"",                 "listGames: the answer 200"               },
        {"paths>/v1/games>get>summary",                   NULL,                   "listGames has no summary"                },
        {"components>responses>NotFound>description",     NULL,                   "the answer 404 has no description"       },
        {"components>parameters>Wait>description",        NULL,                   "getTicket: parameter 0"                  },
        {"components>schemas>ProblemCode>enum",           "[\"internal\"]",       "a code is missing"                       },
        {"components>schemas>Clock",                      NULL,                   "#/components/schemas/Clock leads nowhere"},
        {"components>schemas>Clock>minProperties",        "1",                    "unknown keyword minProperties"           },
        {"components>schemas>Seat>additionalProperties",  NULL,                   "does not close its members"              },
        {"components>schemas>GameId>examples",            "[\"g_1\"]",            "an example: /: 'g_1'"                    },
        {"components>schemas>Points>type",                "\"string\"",           "the example of application/json"         },
        {"components>examples>Me>value>ticket",           "1",                    "the example afterThreeGames: /ticket"    },
        {"components>examples>EmptyList>value",           NULL,                   "the example noGame has no value"         },
        {"components>examples>EmptyList",                 NULL,                   "the example noGame has no value"         },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct finding finding;
        json_t *document = contract_changed(cases[i].path, cases[i].value);
        check_all(document, &finding);
        cr_expect_not_null(strstr(finding.text, cases[i].finding), "%s: '%s'", cases[i].path,
                           finding.text);
        json_decref(document);
    }
}

Test(contract, a_code_too_many_or_too_few_is_reported)
{
    struct finding finding = {.text = ""};
    json_t *document = json_deep_copy(contract());
    json_t *codes =
        json_object_get(schema_resolve(document, "#/components/schemas/ProblemCode"), "enum");
    (void)json_array_append_new(codes, json_string("no-such-code"));
    check_codes(document, &finding);
    cr_expect_not_null(strstr(finding.text, "no problem has the code no-such-code"));
    (void)json_array_set_new(codes, 0, json_string("internal"));
    check_codes(document, &finding);
    cr_expect_not_null(strstr(finding.text, "the document lacks the code malformed-json"));
    cr_expect_not_null(strstr(finding.text, "a code is missing or comes twice"));
    json_decref(document);
}

/* --- answers -------------------------------------------------------------------------------------
 */

static const char headers[] = "HTTP/1.1 200 OK\r\nx-request-id: 1a2b3c4d5-0000002a\r\n\r\n";

/* An answer with this body to GET /healthz; whether it fits the document. */
static bool health_fits(long status, const char *type, const char *head, const char *body)
{
    char complaint[512];
    struct answer answer = {.status = status, .body = json_loads(body, 0, NULL)};
    answer.length = strlen(body);
    (void)snprintf(answer.content_type, sizeof answer.content_type, "%s", type);
    (void)snprintf(answer.headers, sizeof answer.headers, "%s", head);
    bool fits = contract_check("GET", "/healthz", &answer, complaint, sizeof complaint);
    json_decref(answer.body);
    return fits;
}

Test(contract, an_answer_that_differs_from_the_document_is_reported)
{
    static const char json[] = "application/json";
    static const char good[] = "{\"status\":\"ok\"}";
    cr_expect(health_fits(200, json, headers, good));
    cr_expect(health_fits(200, "application/json; charset=utf-8", headers, good));
    cr_expect_not(health_fits(202, json, headers, good));
    cr_expect_not(health_fits(200, "text/html", headers, good));
    cr_expect_not(health_fits(200, json, headers, "{\"status\":\"bad\"}"));
    cr_expect_not(health_fits(200, json, headers, "{\"status\":\"ok\",\"more\":1}"));
    cr_expect_not(health_fits(200, json, headers, "{}"));
    cr_expect_not(health_fits(200, json, headers, ""));
    cr_expect_not(health_fits(200, json, "HTTP/1.1 200 OK\r\n\r\n", good));
    cr_expect_not(health_fits(200, json, "HTTP/1.1 200 OK\r\nX-Request-Id: 7\r\n\r\n", good));
}

Test(contract, an_operation_is_found_by_its_template)
{
    json_t *document = contract();
    cr_expect_not_null(contract_operation(document, "GET", "/v1/games/g_1/moves?limit=1"));
    cr_expect_not_null(contract_operation(document, "HEAD", "/v1/games"));
    cr_expect_null(contract_operation(document, "DELETE", "/v1/games"));
    cr_expect_null(contract_operation(document, "GET", "/v1/games/"));
    cr_expect_null(contract_operation(document, "GET", "/v1/games/g_1/moves/1"));
    cr_expect_null(contract_operation(document, "GET", "/v2/games"));
}

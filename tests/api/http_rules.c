#include "tests/support/contract.h"
#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What holds for every path: methods, media types, sizes, tokens, bodies and their order. */

#define ZEROS "00000000000000000000000000"

static struct answer ask(struct client *client, const struct call *call)
{
    return client_send(client, call);
}

/* --- operations ----------------------------------------------------------------------------------
 */

Test(http_rules, health_and_readiness_are_json_whatever_accept_says)
{
    static const char *const paths[] = {"/healthz", "/readyz"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < 2; i++) {
        struct answer answer = expect(
            200,
            ask(client,
                &(struct call){.method = "GET", .path = paths[i], .header = "Accept: text/html"}));
        cr_expect_str_eq(answer_text(&answer, "status"), "ok");
        answer_free(&answer);
    }
    client_free(client);
    process_free(server);
}

Test(http_rules, the_document_is_served_as_it_is_in_the_repository)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer answer = expect(200, client_get(client, "/openapi.yaml", NULL));
    FILE *file = fopen("openapi.yaml", "rbe");
    cr_assert_not_null(file);
    char *text = malloc(answer.length + 1);
    cr_assert_not_null(text);
    size_t length = fread(text, 1, answer.length + 1, file);
    cr_assert_eq(length, answer.length);
    cr_assert_eq(memcmp(text, answer.text, length), 0);
    (void)fclose(file);
    free(text);
    answer_free(&answer);
    client_free(client);
    process_free(server);
}

Test(http_rules, every_answer_has_a_request_id_of_its_own)
{
    char first[64];
    char second[64];
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer answer = client_get(client, "/v1/games", NULL);
    cr_assert(answer_header(&answer, "X-Request-Id", first, sizeof first));
    answer_free(&answer);
    answer = client_get(client, "/v1/games?limit=0", NULL);
    cr_assert(answer_header(&answer, "X-Request-Id", second, sizeof second));
    cr_assert_str_neq(first, second);
    const char *instance = answer_text(&answer, "instance");
    cr_assert_geq(strlen(instance), strlen(second));
    cr_assert_str_eq(instance + strlen(instance) - strlen(second), second);
    answer_free(&answer);
    client_free(client);
    process_free(server);
}

/* --- methods -------------------------------------------------------------------------------------
 */

Test(http_rules, a_known_method_on_the_wrong_path_is_405_with_what_is_allowed)
{
    static const struct {
        const char *method;
        const char *path;
        const char *allow;
    } cases[] = {
        {"DELETE", "/healthz",                     "GET, HEAD, OPTIONS"               },
        {"GET",    "/v1/devices",                  "POST, OPTIONS"                    },
        {"PUT",    "/v1/me",                       "GET, HEAD, PATCH, DELETE, OPTIONS"},
        {"PUT",    "/v1/tickets",                  "POST, OPTIONS"                    },
        {"POST",   "/v1/tickets/q_" ZEROS,         "GET, HEAD, DELETE, OPTIONS"       },
        {"DELETE", "/v1/games/g_" ZEROS,           "GET, HEAD, OPTIONS"               },
        {"DELETE", "/v1/games/g_" ZEROS "/moves",  "GET, HEAD, POST, OPTIONS"         },
        {"GET",    "/v1/games/g_" ZEROS "/resign", "POST, OPTIONS"                    },
        {"POST",   "/v1/rankings/hasami",          "GET, HEAD, OPTIONS"               },
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char allow[64] = "";
        struct answer answer = expect(405, ask(client, &(struct call){.method = cases[i].method,
                                                                      .path = cases[i].path,
                                                                      .unchecked = true}));
        cr_expect_str_eq(answer_text(&answer, "code"), "method-not-allowed");
        cr_expect(answer_header(&answer, "Allow", allow, sizeof allow));
        cr_expect_str_eq(allow, cases[i].allow);
        answer_free(&answer);
        answer = expect(204, ask(client, &(struct call){.method = "OPTIONS",
                                                        .path = cases[i].path,
                                                        .unchecked = true}));
        cr_expect(answer_header(&answer, "Allow", allow, sizeof allow));
        cr_expect_str_eq(allow, cases[i].allow);
        answer_free(&answer);
    }
    client_free(client);
    process_free(server);
}

Test(http_rules, head_is_get_without_the_body)
{
    static const char *const paths[] = {"/healthz", "/openapi.yaml", "/v1/games", "/v1/me",
                                        "/v1/rankings/hasami"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char lengths[2][32] = {"", ""};
        struct answer get = client_get(client, paths[i], NULL);
        struct answer head = ask(client, &(struct call){.method = "HEAD", .path = paths[i]});
        cr_expect_eq(head.status, get.status);
        cr_expect_eq(head.length, 0);
        cr_expect_str_eq(head.content_type, get.content_type);
        cr_expect(answer_header(&get, "Content-Length", lengths[0], sizeof lengths[0]));
        cr_expect(answer_header(&head, "Content-Length", lengths[1], sizeof lengths[1]));
        cr_expect_str_eq(lengths[0], lengths[1], "%s", paths[i]);
        answer_free(&get);
        answer_free(&head);
    }
    client_free(client);
    process_free(server);
}

/* --- the order of refusals, up to the body -------------------------------------------------------
 */

/* Every case has the faults of all that follow it too. */
Test(http_rules, of_several_faults_the_first_in_the_order_is_answered)
{
    static char large[5000];
    memset(large, '{', sizeof large - 1);
    const struct {
        struct call call;
        long status;
        const char *code;
    } cases[] = {
        {{.method = "BREW", .path = "/v1/nothing", .header = "Accept: a/b", .unchecked = true},
         501,                                                                                        "not-implemented"       },
        {{.method = "POST",
          .path = "/v1/nothing",
          .header = "Accept: a/b",
          .body = large,
          .content_type = "a/b",
          .unchecked = true},
         404,                                                                                        "not-found"             },
        {{.method = "PATCH",
          .path = "/v1/tickets",
          .header = "Accept: a/b",
          .body = large,
          .content_type = "a/b",
          .unchecked = true},
         405,                                                                                        "method-not-allowed"    },
        {{.method = "POST",
          .path = "/v1/tickets",
          .header = "Accept: a/b",
          .body = large,
          .content_type = "a/b"},
         406,                                                                                        "not-acceptable"        },
        {{.method = "POST", .path = "/v1/tickets", .body = large, .content_type = "a/b"},
         415,                                                                                        "unsupported-media-type"},
        {{.method = "POST", .path = "/v1/tickets", .body = large},                              413, "payload-too-large"     },
        {{.method = "POST", .path = "/v1/tickets?x=1", .body = "{"},                            401, "unauthenticated"       },
        {{.method = "POST", .path = "/v1/tickets?x=1", .body = "{", .token = "bzd_x"},
         401,                                                                                        "invalid-token"         },
        {{.method = "GET", .path = "/v1/games/x?x=1"},                                          400, "invalid-parameter"     },
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = ask(client, &cases[i].call);
        cr_expect_eq(answer.status, cases[i].status, "case %zu: %ld", i, answer.status);
        cr_expect_str_eq(answer_text(&answer, "code"), cases[i].code, "case %zu", i);
        answer_free(&answer);
    }
    client_free(client);
    process_free(server);
}

Test(http_rules, a_body_is_uncompressed_json_in_utf_8)
{
    static const char *const types[] = {"text/plain", "application/json; charset=latin1",
                                        "application/x-www-form-urlencoded",
                                        "application/problem+json"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        expect_problem(415, "unsupported-media-type",
                       ask(client, &(struct call){.method = "POST",
                                                  .path = "/v1/devices",
                                                  .body = "{}",
                                                  .content_type = types[i]}));
    }
    expect_problem(415, "unsupported-media-type",
                   ask(client, &(struct call){.method = "POST",
                                              .path = "/v1/devices",
                                              .body = "{}",
                                              .header = "Content-Encoding: gzip"}));
    struct answer answer =
        expect(201, ask(client, &(struct call){.method = "POST",
                                               .path = "/v1/devices",
                                               .body = "{}",
                                               .content_type = "application/json; charset=UTF-8"}));
    answer_free(&answer);
    client_free(client);
    process_free(server);
}

/* --- tokens --------------------------------------------------------------------------------------
 */

Test(http_rules, a_token_is_good_or_refused_also_where_none_is_needed)
{
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    struct client *client = device->client;
    char bad[4][96];
    (void)snprintf(bad[0], sizeof bad[0], "%.40s", device->token);
    (void)snprintf(bad[1], sizeof bad[1], "%sx", device->token);
    for (size_t i = 2; i < 4; i++) {
        (void)snprintf(bad[i], sizeof bad[i], "%s", device->token);
    }
    bad[2][20] = bad[2][20] == 'A' ? 'B' : 'A';
    bad[3][0] = 'B';
    for (size_t i = 0; i < 4; i++) {
        expect_problem(401, "invalid-token", client_get(client, "/v1/me", bad[i]));
        expect_problem(401, "invalid-token", client_get(client, "/v1/games", bad[i]));
        expect_problem(401, "invalid-token", client_get(client, "/healthz", bad[i]));
    }
    struct answer answer = client_get(client, "/v1/me", bad[0]);
    char challenge[64];
    cr_expect(answer_header(&answer, "WWW-Authenticate", challenge, sizeof challenge));
    cr_expect_str_eq(challenge, "Bearer error=\"invalid_token\"");
    answer_free(&answer);
    answer = client_get(client, "/v1/me", NULL);
    cr_expect(answer_header(&answer, "WWW-Authenticate", challenge, sizeof challenge));
    cr_expect_str_eq(challenge, "Bearer");
    answer_free(&answer);
    expect_problem(401, "unauthenticated",
                   ask(client, &(struct call){.method = "GET",
                                              .path = "/v1/me",
                                              .header = "Authorization: Basic YTpi"}));
    expect_problem(400, "malformed-request",
                   ask(client, &(struct call){.method = "GET",
                                              .path = "/v1/me",
                                              .token = device->token,
                                              .header = "authorization: Bearer bzd_y"}));
    device_free(device);
    process_free(server);
}

Test(http_rules, no_token_is_ever_in_the_log_or_in_the_file)
{
    char line[64];
    char command[256];
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    char path[160];
    (void)snprintf(path, sizeof path, "/v1/games?token=%s", device->token);
    expect_problem(400, "malformed-request", client_get(device->client, path, NULL));
    expect_problem(404, "not-found", client_get(device->client, "/v1/games/a%22%7d", NULL));
    (void)snprintf(command, sizeof command, "grep -a -c -F -s -- '%.30s' %s %s*", device->token,
                   server->log, server->db);
    FILE *grep = popen(command, "re");
    cr_assert_not_null(grep);
    while (fgets(line, sizeof line, grep) != NULL) {
        cr_expect_not_null(strstr(line, ":0\n"), "%s", line);
    }
    (void)pclose(grep);
    device_free(device);
    process_free(server);
}

/* --- bodies --------------------------------------------------------------------------------------
 */

Test(http_rules, a_body_that_is_not_one_json_object_is_malformed)
{
    static const char *const bodies[] = {
        "null",
        "5",
        "\"x\"",
        "[]",
        "{",
        "}",
        "{}{}",
        "{} x",
        "{\"name\":}",
        "{'name':1}",
        "{\"name\":\"a\",}",
        "{\"name\":\"a\",\"name\":\"b\"}",
        "{\"name\":\"a\",\"n\\u0061me\":1}",
        "{\"name\":\"\xff\"}",
        "{\"name\":\"\xc0\xaf\"}",
        "{\"name\":\"\\ud800\"}",
        "{\"name\":\"\\u0000\"}",
        "{\"name\":01}",
        "{\"name\":NaN}",
        "\xef\xbb\xbf{}",
        "{\"name\":\"\n\"}",
        "{\"a\":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}",
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct answer answer = client_post(client, "/v1/devices", NULL, bodies[i]);
        cr_expect_eq(answer.status, 400, "%s: %ld", bodies[i], answer.status);
        cr_expect_str_eq(answer_text(&answer, "code"), "malformed-json", "%s", bodies[i]);
        answer_free(&answer);
    }
    client_free(client);
    process_free(server);
}

Test(http_rules, a_body_cut_off_anywhere_is_malformed_and_changes_nothing)
{
    static const char whole[] = "{\"pool\":\"hasami\",\"turn_seconds\":60}";
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        char body[sizeof whole];
        (void)snprintf(body, sizeof body, "%.*s", (int)length, whole);
        struct answer answer = client_post(device->client, "/v1/tickets", device->token, body);
        cr_expect_eq(answer.status, 400, "%zu bytes: %ld", length, answer.status);
        answer_free(&answer);
    }
    char count[32];
    process_sql(server, "SELECT count(*) FROM ticket", count, sizeof count);
    cr_assert_str_eq(count, "0");
    device_free(device);
    process_free(server);
}

Test(http_rules, names_are_checked_and_reasons_given)
{
    static const struct {
        const char *body;
        const char *code; /* NULL: accepted */
    } cases[] = {
        {"{\"name\":\"Haru\"}",                      NULL           },
        {"{\"name\":\"\\u5927\\u5730 \\u3042\"}",    NULL           },
        {"{\"name\":\"e\\u0301\"}",                  NULL           },
        {"{\"name\":\"ABCDEFGHIJKLMNOPQRSTUVWX\"}",  NULL           },
        {"{\"name\":\"ABCDEFGHIJKLMNOPQRSTUVWXY\"}", "invalid-name" },
        {"{\"name\":\"\"}",                          "invalid-name" },
        {"{\"name\":\"   \"}",                       "invalid-name" },
        {"{\"name\":\" a\"}",                        "invalid-name" },
        {"{\"name\":\"a--b\"}",                      "invalid-name" },
        {"{\"name\":\"AdMiN\"}",                     "invalid-name" },
        {"{\"name\":\"a\\u202eb\"}",                 "invalid-name" },
        {"{\"name\":\"a\\u200db\"}",                 "invalid-name" },
        {"{\"name\":\"\\uffff\"}",                   "invalid-name" },
        {"{\"name\":\"' OR 1=1--\"}",                "invalid-name" },
        {"{\"name\":\"a\\u0007\"}",                  "invalid-name" },
        {"{\"name\":7}",                             "invalid-field"},
        {"{\"name\":null}",                          "invalid-field"},
        {"{\"name\":9223372036854775808}",           "invalid-field"},
        {"{\"name\":1e400}",                         "invalid-field"},
        {"{\"nick\":\"Haru\"}",                      "unknown-field"},
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = client_post(client, "/v1/devices", NULL, cases[i].body);
        const char *code = cases[i].code;
        cr_expect_eq(answer.status, code == NULL ? 201 : 422, "%s", cases[i].body);
        if (code != NULL) {
            cr_expect_str_eq(answer_text(&answer, "code"), code, "%s", cases[i].body);
            cr_expect_not_null(answer_text(&answer, "errors.0.reason"));
        }
        if (code != NULL && strcmp(code, "invalid-name") == 0) {
            cr_expect_str_eq(answer_text(&answer, "errors.0.pointer"), "/name");
        }
        answer_free(&answer);
    }
    client_free(client);
    process_free(server);
}

/* --- identifiers ---------------------------------------------------------------------------------
 */

Test(http_rules, a_malformed_or_unknown_identifier_is_not_found)
{
    static const char *const ids[] = {
        "x",
        "g_",
        "g_0",
        "g_" ZEROS,
        "g_" ZEROS "0",
        "G_" ZEROS,
        "p_" ZEROS,
        "q_" ZEROS,
        "g_0000000000000000000000000U",
        "g_0000000000000000000000000i",
        "%27%20OR%201=1",
        "%25",
    };
    static const char *const templates[] = {"/v1/games/%s", "/v1/games/%s/moves",
                                            "/v1/games/%s/legal-moves", "/v1/tickets/%s"};
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        for (size_t k = 0; k < sizeof templates / sizeof templates[0]; k++) {
            char path[160];
            const char *gap = strstr(templates[k], "%s");
            (void)snprintf(path, sizeof path, "%.*s%s%s", (int)(gap - templates[k]), templates[k],
                           ids[i], gap + 2);
            expect_problem(404, "not-found", client_get(device->client, path, device->token));
        }
        char path[160];
        (void)snprintf(path, sizeof path, "/v1/games/%s/resign", ids[i]);
        expect_problem(404, "not-found", client_post(device->client, path, device->token, NULL));
    }
    expect_problem(
        404, "not-found",
        ask(device->client, &(struct call){.method = "GET", .path = "/v1", .unchecked = true}));
    device_free(device);
    process_free(server);
}

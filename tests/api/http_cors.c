#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* What browsers let pages of other origins do: by the answers' headers, and by nothing else. */

#define EXPOSED                                                                                    \
    "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, "             \
    "X-Request-Id, Link"
#define SENDABLE "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID"

static struct answer ask(struct client *client, const char *method, const char *path,
                         const char *header)
{
    return client_send(
        client,
        &(struct call){.method = method, .path = path, .header = header, .unchecked = true});
}

/* A header's value, or that it did not come (NULL). */
static void expect_header(const struct answer *answer, const char *name, const char *expected)
{
    char value[256] = "";
    bool present = answer_header(answer, name, value, sizeof value);
    if (expected == NULL) {
        cr_expect_not(present, "%s: %s", name, value);
    } else {
        cr_expect(present, "no %s", name);
        cr_expect_str_eq(value, expected, "%s: %s", name, value);
    }
}

/* The whole of what an answer says to pages; NULL: it lets none in. Frees it. */
static void expect_open_to(const char *origin, struct answer answer)
{
    expect_header(&answer, "Access-Control-Allow-Origin", origin);
    expect_header(&answer, "Access-Control-Expose-Headers", origin == NULL ? NULL : EXPOSED);
    expect_header(&answer, "Access-Control-Allow-Methods", NULL);
    expect_header(&answer, "Access-Control-Allow-Headers", NULL);
    expect_header(&answer, "Access-Control-Max-Age", NULL);
    expect_header(&answer, "Access-Control-Allow-Credentials", NULL);
    answer_free(&answer);
}

/* The same for what a browser asks in advance. */
static void expect_sendable(const char *origin, const char *methods, struct answer answer)
{
    answer = expect(204, answer);
    expect_header(&answer, "Access-Control-Allow-Origin", origin);
    expect_header(&answer, "Access-Control-Expose-Headers", NULL);
    expect_header(&answer, "Access-Control-Allow-Methods", origin == NULL ? NULL : methods);
    expect_header(&answer, "Access-Control-Allow-Headers", origin == NULL ? NULL : SENDABLE);
    expect_header(&answer, "Access-Control-Max-Age", origin == NULL ? NULL : "7200");
    expect_header(&answer, "Access-Control-Allow-Credentials", NULL);
    expect_header(&answer, "Allow", methods);
    cr_expect_eq(answer.length, 0);
    answer_free(&answer);
}

/* Two header lines in one, as curl passes them on. */
static struct answer ask_first(struct client *client, const char *path, const char *origin)
{
    char header[160];
    (void)snprintf(header, sizeof header,
                   "Origin: %s\r\nAccess-Control-Request-Method: POST\r\n"
                   "Access-Control-Request-Headers: authorization",
                   origin);
    return ask(client, "OPTIONS", path, header);
}

static struct process *with_cors(const char *cors)
{
    const char *const arguments[] = {"--cors", cors, NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    return server;
}

Test(http_cors, every_page_may_read_and_send_by_default)
{
    static const char *const origins[] = {"https://a.example", "null", "http://localhost:3000"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < 3; i++) {
        char header[64];
        (void)snprintf(header, sizeof header, "Origin: %s", origins[i]);
        struct answer answer = expect(200, ask(client, "GET", "/v1/games", header));
        expect_header(&answer, "Vary", "Accept-Encoding");
        expect_open_to("*", answer);
        expect_sendable("*", "POST, OPTIONS", ask_first(client, "/v1/devices", origins[i]));
    }
    expect_open_to("*", ask(client, "GET", "/v1/games", NULL));
    expect_sendable("*", "GET, HEAD, PATCH, DELETE, OPTIONS",
                    ask_first(client, "/v1/me", "https://a.example"));
    client_free(client);
    process_free(server);
}

Test(http_cors, pages_may_read_refusals_too)
{
    static const struct {
        const char *method;
        const char *path;
        long status;
    } cases[] = {
        {"GET",  "/v1/nothing",                            404},
        {"PUT",  "/v1/games",                              405},
        {"BREW", "/v1/games",                              501},
        {"GET",  "/v1/me",                                 401},
        {"GET",  "/v1/games?limit=0",                      400},
        {"GET",  "/v1/%ff",                                400},
        {"GET",  "/v1/games/g_00000000000000000000000000", 404},
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_open_to("*", expect(cases[i].status, ask(client, cases[i].method, cases[i].path,
                                                        "Origin: https://a.example")));
    }
    expect_open_to("*", expect(415, client_send(client, &(struct call){.method = "POST",
                                                                       .path = "/v1/devices",
                                                                       .body = "{}",
                                                                       .content_type = "a/b"})));
    client_free(client);
    process_free(server);
}

Test(http_cors, a_listed_page_is_named_and_no_other_is)
{
    static const char *const others[] = {
        "null",
        "https://a.example.evil.test",
        "https://evila.example",
        "https://a.example:8443",
        "https://A.example",
        "https://a.example/",
        "http://a.example",
        "http://localhost:3001",
    };
    struct process *server = with_cors("https://a.example,http://localhost:3000");
    struct client *client = client_new(server->origin);
    struct answer answer =
        expect(200, ask(client, "GET", "/v1/games", "Origin: https://a.example"));
    expect_header(&answer, "Vary", "Origin, Accept-Encoding");
    expect_open_to("https://a.example", answer);
    expect_open_to("http://localhost:3000",
                   ask(client, "GET", "/v1/nothing", "Origin: http://localhost:3000"));
    expect_sendable("https://a.example", "POST, OPTIONS",
                    ask_first(client, "/v1/devices", "https://a.example"));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char header[64];
        (void)snprintf(header, sizeof header, "Origin: %s", others[i]);
        answer = expect(200, ask(client, "GET", "/v1/games", header));
        expect_header(&answer, "Vary", "Origin, Accept-Encoding");
        expect_open_to(NULL, answer);
        expect_sendable(NULL, "POST, OPTIONS", ask_first(client, "/v1/devices", others[i]));
    }
    answer = expect(200, ask(client, "GET", "/v1/games", NULL));
    expect_header(&answer, "Vary", "Origin, Accept-Encoding");
    expect_open_to(NULL, answer);
    expect_open_to(NULL, ask(client, "GET", "/v1/games",
                             "Origin: https://a.example\r\nOrigin: https://a.example"));
    client_free(client);
    process_free(server);
}

Test(http_cors, options_without_a_question_only_lists_methods)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer answer =
        expect(204, ask(client, "OPTIONS", "/v1/games", "Origin: https://a.example"));
    expect_header(&answer, "Allow", "GET, HEAD, OPTIONS");
    expect_open_to("*", answer);
    expect_problem(404, "not-found", ask_first(client, "/v1/nothing", "https://a.example"));
    client_free(client);
    process_free(server);
}

Test(http_cors, a_list_that_no_browser_would_match_is_a_usage_error)
{
    struct process *server = process_folder();
    static const char *const bad[] = {"https://a.example/", "a.example", "*,https://a.example"};
    for (size_t i = 0; i < 3; i++) {
        const char *const arguments[] = {"--cors", bad[i], NULL};
        cr_expect_eq(process_start_fails(server, arguments), 64, "%s", bad[i]);
    }
    process_free(server);
}

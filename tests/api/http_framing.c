#include "tests/support/device.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Requests that no HTTP library sends, from tests/data/http. None of them may be taken for two
 * requests: those that carry a second one in their body (it would register a player) are counted.
 */

enum { REQUEST_MAX = 16 * 1024 };

/* What comes until so many answers are whole or the server closes. */
static struct raw_answer *send_for(int port, const char *bytes, size_t length, unsigned answers)
{
    static struct raw_answer answer;
    int fd = raw_open(port);
    (void)raw_send(fd, bytes, length);
    raw_read_answers(fd, answers, &answer);
    raw_close(fd);
    return &answer;
}

/* What comes until the server closes. */
static struct raw_answer *send_bytes(int port, const char *bytes, size_t length)
{
    static struct raw_answer answer;
    int fd = raw_open(port);
    (void)raw_send(fd, bytes, length);
    raw_read(fd, TEST_STALL_MS, &answer);
    raw_close(fd);
    return &answer;
}

/* The same for what is refused: the server closes at once, not when the request's time is over. A
 * machine with other things to do can spoil an attempt, a server that waits spoils them all. */
static struct raw_answer *send_refused(int port, const char *bytes, size_t length)
{
    enum { ATTEMPTS = 4, ALLOWED_MS = 2500 };
    struct raw_answer *answer = send_bytes(port, bytes, length);
    for (int i = 1; i < ATTEMPTS && answer->took_ms >= ALLOWED_MS; i++) {
        answer = send_bytes(port, bytes, length);
    }
    cr_expect_lt(answer->took_ms, ALLOWED_MS);
    return answer;
}

static struct raw_answer *send_text(int port, const char *text)
{
    return send_bytes(port, text, strlen(text));
}

/* `head`, `count` times `part`, `tail`; malloc'd. */
static char *repeated(const char *head, size_t count, const char *part, const char *tail)
{
    size_t head_length = strlen(head);
    size_t part_length = strlen(part);
    size_t tail_length = strlen(tail);
    char *text = malloc(head_length + count * part_length + tail_length + 1);
    cr_assert_not_null(text);
    char *at = text + head_length;
    (void)snprintf(text, head_length + 1, "%s", head);
    for (size_t i = 0; i < count; i++, at += part_length) {
        memcpy(at, part, part_length);
    }
    (void)snprintf(at, tail_length + 1, "%s", tail);
    return text;
}

static void expect_alive(struct client *client, const char *after)
{
    struct answer answer = client_get(client, "/healthz", NULL);
    cr_assert_eq(answer.status, 200, "after %s", after);
    answer_free(&answer);
}

static long players(struct process *server)
{
    char text[32];
    process_sql(server, "SELECT count(*) FROM player", text, sizeof text);
    return strtol(text, NULL, 10);
}

struct framing_case {
    const char *file; /* without folder and suffix */
    long status;      /* of the first answer; 0: none */
};

/* Sends a file; its answer must have the status and the server must have closed. */
static void try_file(int port, const struct framing_case *one, struct raw_answer **answer)
{
    static char bytes[REQUEST_MAX];
    char path[128];
    (void)snprintf(path, sizeof path, "tests/data/http/%s.http", one->file);
    size_t length = raw_file(path, bytes, sizeof bytes);
    bool refused = one->status / 100 != 2;
    *answer = refused ? send_refused(port, bytes, length) : send_bytes(port, bytes, length);
    cr_expect_eq(raw_status(*answer), one->status, "%s: %ld", one->file, raw_status(*answer));
    cr_expect((*answer)->closed, "%s: not closed", one->file);
}

Test(http_framing, a_request_that_is_framed_wrongly_is_refused_and_the_connection_closed)
{
    static const struct framing_case cases[] = {
        {"missing-host",                 400},
        {"two-hosts",                    400},
        {"length-and-chunked",           400},
        {"chunked-and-length",           400},
        {"two-lengths",                  400},
        {"two-equal-lengths",            400},
        {"length-with-plus",             400},
        {"length-negative",              400},
        {"length-list",                  400},
        {"length-hexadecimal",           400},
        {"length-empty",                 400},
        {"length-2-to-the-64",           413},
        {"length-over-the-limit",        413},
        {"chunked-x",                    400},
        {"chunked-gzip",                 400},
        {"chunked-twice",                400},
        {"chunked-identity",             400},
        {"chunk-size-2-to-the-68",       413},
        {"chunk-size-letters",           400},
        {"chunk-size-negative",          400},
        {"chunk-over-the-limit",         413},
        {"space-before-colon",           400},
        {"space-before-colon-of-length", 400},
        {"name-with-blank",              400},
        {"name-with-bracket",            400},
        {"name-in-utf-8",                400},
        {"name-empty",                   400},
        {"name-empty-before-request",    400},
        {"name-and-value-empty",         400},
        {"line-without-colon",           400},
        {"line-feed-alone",              400},
        {"folded-header",                400},
        {"nul-in-header",                400},
        {"nul-in-token",                 400},
        {"nul-in-target",                400},
        {"absolute-form",                400},
        {"authority-form",               400},
        {"asterisk-form",                400},
        {"target-with-blank",            400},
        {"target-empty",                 400},
        {"version-0-9",                  400},
        {"version-1-2",                  400},
        {"version-2-preface",            505},
        {"version-3-0",                  505},
        {"two-authorizations",           400},
        {"two-content-types",            400},
        {"random-bytes",                 0  },
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct raw_answer *answer = NULL;
        try_file(server->port, &cases[i], &answer);
        cr_expect_null(strstr(answer->text, "HTTP/1.1 2"), "%s: something was done", cases[i].file);
        expect_alive(client, cases[i].file);
    }
    cr_assert_eq(players(server), 0, "a smuggled request was executed");
    client_free(client);
    process_free(server);
}

/* Of these, libmicrohttpd hides the colon before a line feed: it leaves no trace, and is taken for
 * the blank line. */
Test(http_framing, what_is_only_odd_is_one_request_with_one_answer)
{
    static const struct framing_case cases[] = {
        {"colon-and-line-feed", 200},
        {"version-1-0",         200},
        {"chunk-good",          201},
        {"chunk-trailer",       201},
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct raw_answer *answer = NULL;
        try_file(server->port, &cases[i], &answer);
        cr_expect_eq(raw_answers(answer), 1, "%s", cases[i].file);
        expect_alive(client, cases[i].file);
    }
    cr_assert_eq(players(server), 2);
    client_free(client);
    process_free(server);
}

/* The guard counts bytes where the head lies: it must not stumble over how it came to lie there. */
Test(http_framing, a_long_head_is_read_well_however_it_arrives)
{
    static const size_t pieces[] = {1, 97, 1000, 20000};
    static struct raw_answer answer;
    struct process *server = process_new(NULL);
    char *first = repeated("GET /healthz HTTP/1.1\r\nHost: b\r\n", 40,
                           "X-Long: 0123456789 0123456789 0123456789 0123456789\r\nX-Empty:\r\n",
                           "Cookie: a=b\r\nX-Blank: \t a  \r\n\r\n");
    char *both = repeated("", 2, first, "");
    size_t length = strlen(both);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        int fd = raw_open(server->port);
        for (size_t at = 0; at < length; at += pieces[i]) {
            size_t left = length - at;
            (void)raw_send(fd, both + at, left < pieces[i] ? left : pieces[i]);
        }
        raw_read_answers(fd, 2, &answer);
        raw_close(fd);
        cr_expect_eq(raw_status(&answer), 200, "pieces of %zu", pieces[i]);
        cr_expect_eq(raw_answers(&answer), 2, "pieces of %zu", pieces[i]);
        cr_expect_null(strstr(answer.text, "HTTP/1.1 4"));
    }
    free(both);
    free(first);
    process_free(server);
}

Test(http_framing, methods_that_the_server_does_not_know_are_501)
{
    static const char *const files[] = {"method-unknown", "method-lower-case", "method-trace"};
    static char bytes[REQUEST_MAX];
    struct process *server = process_new(NULL);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "tests/data/http/%s.http", files[i]);
        size_t length = raw_file(path, bytes, sizeof bytes);
        struct raw_answer *answer = send_for(server->port, bytes, length, 1);
        cr_expect_eq(raw_status(answer), 501, "%s", files[i]);
        cr_expect_not_null(strstr(answer->text, "not-implemented"));
    }
    process_free(server);
}

Test(http_framing, pipelined_requests_are_answered_in_order)
{
    static char bytes[REQUEST_MAX];
    struct process *server = process_new(NULL);
    size_t length = raw_file("tests/data/http/pipelined.http", bytes, sizeof bytes);
    struct raw_answer *answer = send_bytes(server->port, bytes, length);
    cr_expect_eq(raw_answers(answer), 4);
    cr_expect(answer->closed);
    char mixed[2048] = "";
    for (int i = 0; i < 20; i++) {
        size_t used = strlen(mixed);
        (void)snprintf(mixed + used, sizeof mixed - used, "GET %s HTTP/1.1\r\nHost: b\r\n\r\n",
                       i % 2 == 0 ? "/healthz" : "/nothing");
    }
    answer = send_for(server->port, mixed, strlen(mixed), 20);
    const char *at = answer->text;
    for (int i = 0; i < 20; i++) {
        at = strstr(at, "HTTP/1.1 ");
        cr_assert_not_null(at, "answer %d", i);
        cr_expect_eq(strtol(at + 9, NULL, 10), i % 2 == 0 ? 200 : 404, "answer %d", i);
        at++;
    }
    process_free(server);
}

/* --- what is too much ----------------------------------------------------------------------------
 */

Test(http_framing, a_head_or_body_that_is_too_large_is_refused_at_once)
{
    static const struct {
        const char *head;
        size_t count;
        const char *part;
        const char *tail;
        long status;
    } cases[] = {
        {"GET /healthz HTTP/1.1\r\nHost: b\r\nX: ",       40000,   "a",        "\r\n\r\n",                     431},
        {"GET /healthz HTTP/1.1\r\nHost: b\r\n",          3000,    "X: 1\r\n", "\r\n",                         431},
        {"GET /",                                         40000,   "a",        " HTTP/1.1\r\nHost: b\r\n\r\n", 414},
        {"POST /v1/devices HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\n"
         "Content-Length: 1000000\r\n\r\n",      1000000, " ",        "",                             413},
        {"POST /v1/devices HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\n"
         "Transfer-Encoding: chunked\r\n\r\n",   400,     "100\r\n",  "",                             400},
 /* The library's own word for a line of a chunk that does not fit; no call of ours before.
  */
        {"POST /v1/devices HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\n"
         "Transfer-Encoding: chunked\r\n\r\n2;", 1000000, "a",        "\r\n{}\r\n0\r\n\r\n",          500},
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = repeated(cases[i].head, cases[i].count, cases[i].part, cases[i].tail);
        struct raw_answer *answer = send_text(server->port, text);
        cr_expect(answer->closed, "case %zu", i);
        cr_expect_eq(raw_status(answer), cases[i].status, "case %zu: %ld", i, raw_status(answer));
        free(text);
        expect_alive(client, "too much");
    }
    cr_assert_eq(players(server), 0);
    client_free(client);
    process_free(server);
}

/* A chunked body of `kilobytes` in chunks of one, behind a head; malloc'd. */
static char *chunked(const char *head, size_t kilobytes)
{
    enum { KILOBYTE = 1024 };
    char chunk[KILOBYTE + sizeof "400\r\n" + sizeof "\r\n"];
    (void)snprintf(chunk, sizeof chunk, "400\r\n%*s\r\n", KILOBYTE, "");
    return repeated(head, kilobytes, chunk, "0\r\n\r\n");
}

#define CHUNKED "Host: b\r\nTransfer-Encoding: chunked\r\n"

Test(http_framing, too_large_a_body_is_answered_before_the_connection_is_closed)
{
    static const struct {
        const char *head; /* with a length: 100000 bytes follow; else 100 KiB in chunks */
        long status;
    } cases[] = {
        {"GET /healthz HTTP/1.1\r\nHost: b\r\nContent-Length: 100000\r\n\r\n",             413},
        {"DELETE /v1/tickets/q HTTP/1.1\r\nHost: b\r\nContent-Length: 100000\r\n\r\n",     413},
        {"POST /v1/nothing HTTP/1.1\r\nHost: b\r\nContent-Length: 100000\r\n\r\n",         404},
        {"GET /healthz HTTP/1.1\r\n" CHUNKED "\r\n",                                       413},
        {"POST /v1/devices HTTP/1.1\r\n" CHUNKED "Content-Type: application/json\r\n\r\n", 413},
        {"POST /v1/devices HTTP/1.1\r\n" CHUNKED "Content-Type: text/plain\r\n\r\n",       415},
        {"POST /v1/devices HTTP/1.1\r\n" CHUNKED "Accept: text/html\r\n\r\n",              406},
        {"POST /v1/nothing HTTP/1.1\r\n" CHUNKED "\r\n",                                   404},
    };
    struct process *server = process_new(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool sized = strstr(cases[i].head, "Content-Length") != NULL;
        char *text = sized ? repeated(cases[i].head, 100000, " ", "") : chunked(cases[i].head, 100);
        struct raw_answer *answer = send_text(server->port, text);
        cr_expect_eq(raw_status(answer), cases[i].status, "case %zu: %ld", i, raw_status(answer));
        cr_expect_eq(raw_answers(answer), 1, "case %zu", i);
        cr_expect_not_null(strstr(answer->text, "Connection: close"), "case %zu", i);
        cr_expect(answer->closed, "case %zu", i);
        free(text);
    }
    cr_assert_eq(players(server), 0);
    process_free(server);
}

Test(http_framing, a_chunked_body_without_measure_ends_the_connection_without_an_answer)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    char *text = chunked(
        "POST /v1/devices HTTP/1.1\r\n" CHUNKED "Content-Type: application/json\r\n\r\n", 2048);
    struct raw_answer *answer = send_refused(server->port, text, strlen(text));
    cr_expect_eq(answer->length, 0);
    cr_expect(answer->closed);
    free(text);
    expect_alive(client, "two megabytes");
    cr_assert_eq(players(server), 0);
    client_free(client);
    process_free(server);
}

Test(http_framing, a_small_body_where_none_is_wanted_is_passed_over)
{
    static const char requests[] =
        "GET /healthz HTTP/1.1\r\nHost: b\r\nContent-Length: 4\r\n\r\nbody"
        "GET /healthz HTTP/1.1\r\n" CHUNKED "\r\n4\r\nbody\r\n0\r\n\r\n"
        "GET /healthz HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n";
    struct process *server = process_new(NULL);
    struct raw_answer *answer = send_text(server->port, requests);
    cr_expect_eq(raw_status(answer), 200);
    cr_expect_eq(raw_answers(answer), 3);
    process_free(server);
}

Test(http_framing, too_large_a_body_that_waits_for_leave_does_not_get_it)
{
    static const char head[] = "POST /v1/devices HTTP/1.1\r\nHost: b\r\nExpect: 100-continue\r\n"
                               "Content-Type: application/json\r\nContent-Length: ";
    char request[256];
    struct process *server = process_new(NULL);
    (void)snprintf(request, sizeof request, "%s4097\r\n\r\n", head);
    struct raw_answer *answer = send_text(server->port, request);
    cr_expect_eq(raw_status(answer), 413);
    cr_expect_null(strstr(answer->text, "100 Continue"));
    cr_expect(answer->closed);
    (void)snprintf(request, sizeof request, "%s2\r\n\r\n", head);
    answer = send_for(server->port, request, strlen(request), 1);
    cr_expect_eq(raw_status(answer), 100);
    process_free(server);
}

/* --- paths and queries ---------------------------------------------------------------------------
 */

Test(http_framing, a_path_is_taken_as_it_is_or_refused)
{
    static const struct {
        const char *target;
        long status;
    } cases[] = {
        {"/%2e%2e%2fetc/passwd",      400},
        {"//",                        404},
        {"//v1/me",                   404},
        {"/./healthz",                404},
        {"/v1/../healthz",            404},
        {"/healthz/",                 404},
        {"/healthz%00",               400},
        {"/healthz%0d%0aX:1",         400},
        {"/%zz",                      400},
        {"/%",                        400},
        {"/%c0%af",                   400},
        {"/%ed%a0%80",                400},
        {"/v1/games/g%2f",            400},
        {"/v1/games/%5c",             400},
        {"/v1/games/%f0%9f%98%80",    404},
        {"/healthz;a=b",              404},
        {"/healthz.",                 404},
        {"/HEALTHZ",                  404},
        {"/v1/rankings/hasami%20",    404},
        {"/healthz?",                 200},
        {"/healthz?a",                400},
        {"/healthz?a=1",              400},
        {"/healthz?%zz",              400},
        {"/v1/games?limit=%31",       200},
        {"/v1/games?li%6dit=1",       200},
        {"/v1/games?limit=1&",        400},
        {"/v1/games?limit=1%00",      400},
        {"/v1/games?limit=1;limit=2", 400},
        {"/v1/games?limit=%d9%a1",    400},
        {"/v1/games?access_token=x",  400},
    };
    struct process *server = process_new(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char request[256];
        (void)snprintf(request, sizeof request,
                       "GET %s HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n", cases[i].target);
        struct raw_answer *answer = send_text(server->port, request);
        cr_expect_eq(raw_status(answer), cases[i].status, "%s: %ld", cases[i].target,
                     raw_status(answer));
        cr_expect_eq(raw_answers(answer), 1, "%s", cases[i].target);
    }
    process_free(server);
}

/* --- clients that go away ------------------------------------------------------------------------
 */

Test(http_framing, a_client_that_leaves_in_the_middle_harms_nobody)
{
    static const char request[] = "POST /v1/devices HTTP/1.1\r\nHost: b\r\n"
                                  "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    static struct raw_answer answer;
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t length = 1; length < sizeof request - 1; length += 9) {
        int fd = raw_open(server->port);
        (void)raw_send(fd, request, length);
        raw_close(fd);
        expect_alive(client, "a client that left");
    }
    long before = players(server);
    int fd = raw_open(server->port);
    (void)raw_send(fd, request, sizeof request - 1);
    raw_end(fd);
    raw_read(fd, TEST_STALL_MS, &answer);
    raw_close(fd);
    /* Half closed is as good as gone to the library: what was complete may be done, unanswered. */
    cr_expect(raw_status(&answer) == 201 || answer.length == 0);
    cr_expect(answer.closed);
    cr_expect_leq(players(server), before + 1);
    expect_alive(client, "half a close");
    client_free(client);
    process_free(server);
}

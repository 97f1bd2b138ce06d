#include "tests/support/raw.h"
#include "walk.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Methods, on every path of the route table. */

static struct answer ask(const struct walk *walk, const char *method, const char *path,
                         const char *token)
{
    return client_send(
        walk->waiting->client,
        &(struct call){.method = method, .path = path, .token = token, .unchecked = true});
}

static void expect_allow(const struct answer *answer, const char *path, const char *expected)
{
    char allow[64] = "";
    cr_expect(answer_header(answer, "Allow", allow, sizeof allow), "%s", path);
    cr_expect_str_eq(allow, expected, "%s: %s", path, allow);
}

/* "GET, HEAD, OPTIONS" lists no "POST". */
static bool lists(const char *allow, const char *method)
{
    const char *found = strstr(allow, method);
    return found != NULL && strchr(", ", found[strlen(method)]) != NULL;
}

Test(http_methods, a_method_that_a_path_has_not_is_405_with_those_that_it_has)
{
    static const char *const methods[] = {"GET", "HEAD", "POST", "PATCH", "DELETE", "PUT"};
    struct walk *walk = walk_new(games_find("hasami"));
    for (size_t i = 0; i < routes_count(); i++) {
        char path[WALK_PATH];
        char allow[64];
        walk_path(walk, routes_at(i), path);
        walk_allow(routes_at(i)->path, allow);
        for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
            if (lists(allow, methods[k])) {
                continue;
            }
            struct answer answer = ask(walk, methods[k], path, NULL);
            cr_expect_eq(answer.status, 405, "%s %s: %ld", methods[k], path, answer.status);
            expect_allow(&answer, path, allow);
            answer_free(&answer);
        }
        struct answer answer = expect(204, ask(walk, "OPTIONS", path, NULL));
        expect_allow(&answer, path, allow);
        cr_expect_eq(answer.length, 0);
        answer_free(&answer);
    }
    walk_free(walk);
}

Test(http_methods, an_unknown_method_is_501_on_every_path)
{
    static const char *const methods[] = {"TRACE", "BREW", "get", "GETS", "PROPFIND", "M-SEARCH"};
    struct walk *walk = walk_new(games_find("hasami"));
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char path[WALK_PATH];
        walk_path(walk, routes_at(i % routes_count()), path);
        expect_problem(501, "not-implemented", ask(walk, methods[i], path, NULL));
        expect_problem(501, "not-implemented", ask(walk, methods[i], "/v1/nothing", NULL));
    }
    walk_free(walk);
}

/* --- HEAD ----------------------------------------------------------------------------------------
 */

/* What is another one on every answer: also the packed length of a body with the time in it. */
static bool is_own(const char *line, const struct answer *one, const struct answer *other)
{
    char coding[16];
    bool packed = answer_header(one, "Content-Encoding", coding, sizeof coding);
    const char *text = one->text == NULL ? other->text : one->text;
    bool timed = strstr(text, "server_now") != NULL || strstr(text, "as_of") != NULL;
    bool streams = strstr(one->headers, "X-Accel-Buffering") != NULL; /* a HEAD says no length */
    /* Every request changes the metrics; a window opens and a clock runs all the time. */
    bool counts = strstr(text, "# HELP") != NULL || strstr(text, "\"window\"") != NULL ||
                  strstr(text, "\"remaining_ms\"") != NULL;
    return strncasecmp(line, "X-Request-Id:", 13) == 0 || strncasecmp(line, "Date:", 5) == 0 ||
           strncasecmp(line, "RateLimit:", 10) == 0 ||
           (streams && (strncasecmp(line, "Transfer-Encoding:", 18) == 0 ||
                        strncasecmp(line, "Connection:", 11) == 0)) ||
           (((packed && timed) || counts) && strncasecmp(line, "Content-Length:", 15) == 0);
}

/* Every other line of one head is in the other. */
static void expect_lines_in(const struct answer *one, const struct answer *other, const char *path)
{
    char head[sizeof one->headers];
    char *rest = NULL;
    (void)snprintf(head, sizeof head, "%s", one->headers);
    for (char *line = strtok_r(head, "\r\n", &rest); line != NULL;
         line = strtok_r(NULL, "\r\n", &rest)) {
        char whole[320];
        (void)snprintf(whole, sizeof whole, "%s\r\n", line);
        cr_expect(is_own(line, one, other) || strstr(other->headers, whole) != NULL, "%s: %s", path,
                  line);
    }
}

Test(http_methods, head_is_get_without_the_body_on_every_read)
{
    static const char *const codings[] = {NULL, "gzip"};
    struct walk *walk = walk_new(games_find("hasami"));
    struct client *client = walk->waiting->client;
    for (size_t i = 0; i < 2 * routes_count(); i++) {
        const struct route *route = routes_at(i / 2);
        char path[WALK_PATH];
        if (route->method != HTTP_GET) {
            continue;
        }
        walk_read_path(walk, route, path);
        struct call call = {.method = "GET",
                            .path = path,
                            .token = walk_token(walk, route),
                            .codings = codings[i % 2]};
        struct answer get = expect(200, client_send(client, &call));
        call.method = "HEAD";
        struct answer head = expect(200, client_send(client, &call));
        cr_expect_gt(get.length, 0, "%s", path);
        cr_expect_eq(head.length, 0, "%s", path);
        expect_lines_in(&get, &head, path);
        expect_lines_in(&head, &get, path);
        answer_free(&get);
        answer_free(&head);
    }
    walk_free(walk);
}

Test(http_methods, head_of_what_is_refused_is_the_refusal_without_its_body)
{
    static const char *const paths[] = {"/v1/me", "/v1/nothing", "/v1/games?limit=0"};
    struct walk *walk = walk_new(games_find("hasami"));
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct answer get = ask(walk, "GET", paths[i], NULL);
        struct answer head = ask(walk, "HEAD", paths[i], NULL);
        cr_expect_geq(get.status, 400);
        cr_expect_eq(head.status, get.status);
        cr_expect_eq(head.length, 0);
        expect_lines_in(&get, &head, paths[i]);
        expect_lines_in(&head, &get, paths[i]);
        answer_free(&get);
        answer_free(&head);
    }
    walk_free(walk);
}

/* --- the server as a whole -----------------------------------------------------------------------
 */

Test(http_methods, options_of_the_server_lists_every_method_there_is)
{
    static struct raw_answer answer;
    static char bytes[1024];
    struct process *server = process_new(NULL);
    size_t length = raw_file("tests/data/http/asterisk-options.http", bytes, sizeof bytes);
    int fd = raw_open(server->port);
    cr_assert(raw_send(fd, bytes, length));
    raw_read_answers(fd, 1, &answer);
    cr_expect_eq(raw_status(&answer), 204, "%s", answer.text);
    cr_expect_not_null(
        strstr(answer.text, "\r\nAllow: GET, HEAD, POST, PATCH, DELETE, OPTIONS\r\n"), "%s",
        answer.text);
    cr_expect_not(answer.closed, "the connection can go on");
    raw_close(fd);
    process_free(server);
}

#include "walk.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* What caches are told, on every route. */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Exactly one Cache-Control, which is what the rule or the handler said. */
static void read_control(const struct answer *answer, const char *path, char control[64])
{
    control[0] = '\0';
    cr_assert(answer_header(answer, "Cache-Control", control, 64), "%s has no Cache-Control", path);
    const char *first = strstr(answer->headers, "Cache-Control:");
    cr_expect(first == NULL || strstr(first + 1, "Cache-Control:") == NULL, "%s has two", path);
}

static const char *expected_of(const struct route *route)
{
    if (begins(route->path, "/v1/rankings/")) {
        return "public, max-age=5";
    }
    if (begins(route->path, "/v1/rulesets") || begins(route->path, "/v1/rating-rules")) {
        return "public, max-age=300";
    }
    if (route_streams(route)) {
        return "no-store";
    }
    return route->auth == AUTH_TOKEN ? "private, no-cache" : "no-cache";
}

Test(http_caching, every_read_says_who_may_keep_it)
{
    struct walk *walk = walk_new(games_find("hasami"));
    for (size_t i = 0; i < routes_count(); i++) {
        const struct route *route = routes_at(i);
        char path[WALK_PATH];
        char control[64];
        char vary[96] = "";
        if (route->method != HTTP_GET) {
            continue;
        }
        walk_read_path(walk, route, path);
        struct answer answer =
            expect(200, client_get(walk->waiting->client, path, walk_token(walk, route)));
        /* A player's games: for some who ask there are private ones. */
        bool own = route->auth == AUTH_TOKEN || strstr(route->path, "/players/{id}/games") != NULL;
        read_control(&answer, path, control);
        cr_expect_str_eq(control, expected_of(route), "%s: %s", path, control);
        cr_expect(answer_header(&answer, "Vary", vary, sizeof vary), "%s", path);
        cr_expect_not_null(strstr(vary, "Accept-Encoding"), "%s: %s", path, vary);
        cr_expect_eq(strstr(vary, "Authorization") != NULL, own, "%s: %s", path, vary);
        answer_free(&answer);
    }
    walk_free(walk);
}

/* Asks as somebody who may, with a body that will do. */
static struct answer ask_as_owner(const struct walk *walk, const struct route *route)
{
    static const char *const methods[HTTP_METHODS] = {"GET", "POST", "PATCH", "DELETE"};
    char path[WALK_PATH];
    bool plays = begins(route->path, "/v1/games") || strcmp(route->path, "/v1/tickets") == 0;
    const struct device *device = plays ? walk->board.devices[0] : walk->waiting;
    const char *body = NULL;
    if (route->body_limit > 0) {
        body = strcmp(route->operation_id, "createTicket") == 0  ? "{\"pool\":\"hasami\"}"
               : strcmp(route->operation_id, "changeMe") == 0    ? "{\"name\":\"Haru\"}"
               : strcmp(route->operation_id, "createTable") == 0 ? "{\"game\":\"hasami\"}"
                                                                 : "{}";
    }
    walk_path(walk, route, path);
    return client_send(device->client, &(struct call){.method = methods[route->method],
                                                      .path = path,
                                                      .token = device->token,
                                                      .body = body});
}

Test(http_caching, nothing_that_needs_a_token_is_for_shared_caches)
{
    struct walk *walk = walk_new(games_find("hasami"));
    size_t answered = 0;
    for (size_t i = 0; i < routes_count(); i++) {
        const struct route *route = routes_at(i);
        char control[64];
        if (route->auth != AUTH_TOKEN) {
            continue;
        }
        struct answer answer = ask_as_owner(walk, route);
        read_control(&answer, route->path, control);
        bool good = answer.status < 300;
        bool kept_secret = strcmp(control, "no-store") == 0;
        answered += good;
        cr_expect(kept_secret || (good && strcmp(control, "private, no-cache") == 0), "%s: %ld %s",
                  route->operation_id, answer.status, control);
        if (answer.text != NULL && strstr(answer.text, "\"token\":") != NULL) {
            cr_expect(kept_secret, "%s", route->operation_id);
        }
        answer_free(&answer);
        if (route->method != HTTP_GET) { /* which may have ended what is asked for next */
            walk_free(walk);
            walk = walk_new(games_find("hasami"));
        }
    }
    cr_expect_geq(answered, 10, "only %zu were done", answered);
    walk_free(walk);
}

Test(http_caching, new_credentials_are_not_kept)
{
    static const char *const paths[] = {"/v1/devices", "/v1/me/token", "/v1/me/link-codes"};
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    char control[64];
    char body[64] = "";
    for (size_t i = 0; i < 3; i++) {
        struct answer answer =
            expect(201, client_post(device->client, paths[i], i == 0 ? NULL : device->token, NULL));
        read_control(&answer, paths[i], control);
        cr_expect_str_eq(control, "no-store", "%s", paths[i]);
        if (i == 2) {
            (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", answer_text(&answer, "code"));
        }
        answer_free(&answer);
    }
    struct answer answer =
        expect(201, client_post(device->client, "/v1/link-codes/redeem", NULL, body));
    read_control(&answer, "redeem", control);
    cr_expect_str_eq(control, "no-store");
    answer_free(&answer);
    device_free(device);
    process_free(server);
}

Test(http_caching, problems_are_not_kept_and_say_their_language)
{
    static const char *const paths[] = {"/v1/nothing", "/v1/me", "/v1/rankings/chess",
                                        "/v1/rankings/hasami?limit=0",
                                        "/v1/games/g_00000000000000000000000000"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char control[64];
        char language[16] = "";
        struct answer answer = client_send(
            client, &(struct call){.method = "GET", .path = paths[i], .unchecked = i == 0});
        cr_expect_geq(answer.status, 400);
        read_control(&answer, paths[i], control);
        cr_expect_str_eq(control, "no-store", "%s", paths[i]);
        cr_expect(answer_header(&answer, "Content-Language", language, sizeof language));
        cr_expect_str_eq(language, "en");
        answer_free(&answer);
    }
    client_free(client);
    process_free(server);
}

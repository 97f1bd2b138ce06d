#include "api/routes.h"

#include <criterion/criterion.h>
#include <string.h>

static struct route_match find(enum http_method method, const char *path)
{
    struct route_match match;
    routes_find(method, path, strlen(path), &match);
    return match;
}

static void expect_operation(enum http_method method, const char *path, const char *operation)
{
    struct route_match match = find(method, path);
    cr_assert(match.route != NULL, "%s", path);
    cr_expect_str_eq(match.route->operation_id, operation);
}

Test(routes, every_template_finds_its_own_route)
{
    for (size_t i = 0; i < routes_count(); i++) {
        const struct route *route = routes_at(i);
        cr_expect_eq(find(route->method, route->path).route, route, "%s", route->path);
    }
}

Test(routes, operations_have_names_of_their_own)
{
    for (size_t i = 0; i < routes_count(); i++) {
        for (size_t other = i + 1; other < routes_count(); other++) {
            cr_expect_str_neq(routes_at(i)->operation_id, routes_at(other)->operation_id);
        }
    }
}

Test(routes, only_writes_read_a_body)
{
    for (size_t i = 0; i < routes_count(); i++) {
        const struct route *route = routes_at(i);
        bool writes = route->method == HTTP_POST || route->method == HTTP_PATCH;
        size_t limit = strcmp(route->operation_id, "validate") == 0 ? 32768U : 4096U;
        cr_expect_eq(route->body_limit, writes ? limit : 0U, "%s", route->path);
    }
}

Test(routes, variables_are_found_where_they_stand)
{
    struct route_match match = find(HTTP_GET, "/v1/rankings/hasami/players/p_1");
    cr_assert(match.route != NULL);
    cr_assert_eq(match.param_count, 2);
    cr_expect_eq(match.params[0].length, strlen("hasami"));
    cr_expect(memcmp(match.params[0].at, "hasami", 6) == 0);
    cr_expect_eq(match.params[1].length, 3);
    cr_expect(memcmp(match.params[1].at, "p_1", 3) == 0);
    expect_operation(HTTP_POST, "/v1/games/g_1/moves", "createMove");
    expect_operation(HTTP_GET, "/v1/games/g_1/moves", "listMoves");
    expect_operation(HTTP_GET, "/v1/games", "listGames");
}

Test(routes, a_path_that_is_almost_one_is_none)
{
    static const char *const paths[] = {
        "",           "/",          "//",           "healthz",       "/healthz/",
        "/health",    "/healthz.",  "/v1",          "/v1/",          "/v1/me/",
        "/v1//games", "/v1/games/", "/v1/games//",  "/v1/games/g/",  "/v1/games//moves",
        "/V1/me",     "/v1/me?x",   "/v1/tickets/", "/v1/rankings/", "/v1/games/g/moves/1",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct route_match match = find(HTTP_GET, paths[i]);
        cr_expect_not(match.path_known, "%s", paths[i]);
        cr_expect(match.route == NULL, "%s", paths[i]);
    }
}

Test(routes, a_known_path_lists_its_methods)
{
    struct route_match match = find(HTTP_DELETE, "/v1/games/g_1/moves");
    cr_expect(match.route == NULL);
    cr_expect(match.path_known);
    cr_expect_eq(match.methods, 1U << HTTP_GET | 1U << HTTP_POST);
    match = find(HTTP_METHODS, "/v1/tickets/q_1");
    cr_expect(match.route == NULL);
    cr_expect_eq(match.methods, 1U << HTTP_GET | 1U << HTTP_DELETE);
}

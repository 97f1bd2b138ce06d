#include "api/routes.h"
#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A private game, asked for by everybody there is on every route that a game has: it is there for
 * its table's members and its own players, and for nobody else. */

enum viewer { NOBODY, STRANGER, MEMBER, OWNER, GONE_OWNER, VIEWERS };

static const char *const viewer_names[VIEWERS] = {
    [NOBODY] = "nobody",  [STRANGER] = "a stranger",          [MEMBER] = "a member who watches",
    [OWNER] = "a player", [GONE_OWNER] = "a player who left",
};

struct scene {
    struct process *server;
    struct device *viewers[VIEWERS]; /* NULL: without a token */
    struct client *client;
    struct party party;
    char game[32];
    bool ended;
};

/* OWNER is host at b; GONE_OWNER sits at w and has left the table since. The CPU takes its time. */
static void scene_enter(struct scene *scene, const char *body)
{
    static const char *const arguments[] = {"--cpu-delay-ms", "60000", NULL};
    *scene = (struct scene){.server = process_folder()};
    process_start(scene->server, arguments, NULL);
    scene->client = client_new(scene->server->origin);
    for (size_t i = STRANGER; i < VIEWERS; i++) {
        scene->viewers[i] = device_new(scene->server);
    }
    scene->party = party_open(scene->viewers[OWNER], body);
    party_join(scene->viewers[MEMBER], &scene->party);
    party_join(scene->viewers[GONE_OWNER], &scene->party);
    party_sit(scene->viewers[OWNER], &scene->party, 'b');
    party_sit(scene->viewers[GONE_OWNER], &scene->party, 'w');
    party_start(scene->viewers[OWNER], &scene->party, scene->game);
    struct answer answer =
        expect(204, party_post(scene->viewers[GONE_OWNER], &scene->party, "/leave", NULL));
    answer_free(&answer);
}

static void scene_leave(struct scene *scene)
{
    for (size_t i = STRANGER; i < VIEWERS; i++) {
        device_free(scene->viewers[i]);
    }
    client_free(scene->client);
    process_free(scene->server);
}

static struct answer ask(const struct scene *scene, enum viewer viewer, struct call call)
{
    call.token = viewer == NOBODY ? NULL : scene->viewers[viewer]->token;
    return client_send(scene->client, &call);
}

static const char *code_of(const struct answer *answer)
{
    const char *code = json_string_value(json_object_get(answer->body, "code"));
    return code == NULL ? "" : code;
}

/* --- by its identifier ---------------------------------------------------------------------------
 */

struct expectation {
    const char *operation_id;
    const char *query; /* with which a read is 200 */
    const char *body;
    long member; /* who sees it, but has no seat */
    long owner;
    long ended;              /* the same once the game has ended */
    const char *member_code; /* "": none */
};

/* clang-format off */
static const struct expectation expectations[] = {
    {"getGame",         "?include=legal_moves", NULL,                            200, 200, 200, ""},
    {"listMoves",       "",                     NULL,                            200, 200, 200, ""},
    {"listLegalMoves",  "",                     NULL,                            200, 200, 200, ""},
    {"getGameRating",   "",                     NULL,                            200, 200, 200, ""},
    {"getGameRecord",   "",                     NULL,                            200, 200, 200, ""},
    {"streamGame",      "?wait=0",              NULL,                            200, 200, 200, ""},
    {"createMove",      "",                     "{\"ply\":9,\"move\":\"5i5e\"}", 403, 409, 409, "not-your-seat"},
    {"leaveGame",       "",                     NULL,                            403, 200, 409, "not-your-seat"},
    {"returnToGame",    "",                     NULL,                            403, 200, 409, "not-your-seat"},
    {"askRematch",      "",                     NULL,                            403, 409, 409, "not-your-seat"},
    {"takeBackRematch", "",                     NULL,                            403, 204, 204, "not-your-seat"},
    {"resignGame",      "",                     NULL,                            403, 0,   0,   "not-your-seat"},
};
/* clang-format on */
enum { EXPECTATIONS = sizeof expectations / sizeof expectations[0] };

static const struct expectation *expectation_of(const struct route *route)
{
    for (size_t i = 0; i < EXPECTATIONS; i++) {
        if (strcmp(expectations[i].operation_id, route->operation_id) == 0) {
            return &expectations[i];
        }
    }
    cr_assert_fail("scenario_private.c does not say who may do %s", route->operation_id);
    return NULL;
}

/* The same of a game that there is not: down to the byte, but for its name and the request's. */
static void expect_unknown(const struct scene *scene, enum viewer viewer, struct call call,
                           const struct answer *found)
{
    char path[160];
    const char *tail = call.path + strlen("/v1/games/") + strlen(scene->game);
    (void)snprintf(path, sizeof path, "/v1/games/g_00000000000000000000000000%s", tail);
    call.path = path;
    struct answer unknown = ask(scene, viewer, call);
    cr_expect_eq(found->status, unknown.status, "%s: %ld", call.path, found->status);
    (void)json_object_del(found->body, "instance");
    (void)json_object_del(unknown.body, "instance");
    cr_expect(json_equal(found->body, unknown.body), "%s: %s", call.path, found->text);
    answer_free(&unknown);
}

static void ask_as(const struct scene *scene, const struct route *route, enum viewer viewer)
{
    const struct expectation *expectation = expectation_of(route);
    const long owner = scene->ended ? expectation->ended : expectation->owner;
    const char *tail = strchr(route->path, '}') + 1;
    char path[160];
    (void)snprintf(path, sizeof path, "/v1/games/%s%s%s", scene->game, tail, expectation->query);
    static const char *const methods[HTTP_METHODS] = {"GET", "POST", "PATCH", "DELETE"};
    struct call call = {.method = methods[route->method], .path = path, .body = expectation->body};
    bool owns = viewer == OWNER || viewer == GONE_OWNER;
    if (owns && owner == 0) {
        return; /* it would end the game */
    }
    struct answer answer = ask(scene, viewer, call);
    if (viewer == NOBODY || viewer == STRANGER) {
        bool writes = route->auth == AUTH_TOKEN && viewer == NOBODY;
        cr_expect_eq(answer.status, writes ? 401 : 404, "%s by %s: %ld", path, viewer_names[viewer],
                     answer.status);
        expect_unknown(scene, viewer, call, &answer);
    } else {
        cr_expect_eq(answer.status, owns ? owner : expectation->member, "%s by %s: %ld %s", path,
                     viewer_names[viewer], answer.status, code_of(&answer));
        cr_expect(owns || strcmp(code_of(&answer), expectation->member_code) == 0, "%s",
                  answer.text);
    }
    answer_free(&answer);
}

static void ask_all(const struct scene *scene)
{
    size_t asked = 0;
    for (size_t i = 0; i < routes_count(); i++) {
        const struct route *route = routes_at(i);
        if (strncmp(route->path, "/v1/games/{id}", 14) != 0) {
            continue;
        }
        for (enum viewer viewer = NOBODY; viewer < VIEWERS; viewer++) {
            ask_as(scene, route, viewer);
        }
        asked++;
    }
    cr_assert_eq(asked, EXPECTATIONS, "an expectation without a route");
}

Test(scenario_private, a_private_game_is_there_for_its_own_people_on_every_route)
{
    struct scene scene;
    scene_enter(&scene, "{\"game\":\"hasami\"}");
    ask_all(&scene);
    /* Ended ones are read another way. */
    struct answer answer = expect(200, device_resign(scene.viewers[OWNER], scene.game));
    answer_free(&answer);
    scene.ended = true;
    ask_all(&scene);
    scene_leave(&scene);
}

Test(scenario_private, a_game_stays_what_its_table_was_when_it_began)
{
    struct scene scene;
    char hidden[32];
    char shown[32];
    scene_enter(&scene, "{\"game\":\"hasami\"}");
    struct device *host = scene.viewers[OWNER];
    memcpy(hidden, scene.game, sizeof hidden);
    struct answer answer = expect(200, device_resign(host, hidden));
    answer_free(&answer);
    answer = expect(200, party_change(host, &scene.party, "{\"public\":true}"));
    answer_free(&answer);
    party_sit(host, &scene.party, 'b');
    party_sit(scene.viewers[MEMBER], &scene.party, 'w');
    party_start(host, &scene.party, shown);
    answer = expect(200, device_resign(host, shown));
    answer_free(&answer);
    answer = expect(200, party_change(host, &scene.party, "{\"public\":false}"));
    answer_free(&answer);
    answer = device_game(scene.viewers[STRANGER], shown); /* without a token */
    cr_expect_str_eq(answer_text(&answer, "table_id"), scene.party.id);
    answer_free(&answer);
    memcpy(scene.game, hidden, sizeof hidden);
    scene.ended = true;
    ask_all(&scene);
    /* What a public table shows of its games leaves the private one out. */
    answer = expect(200, party_change(host, &scene.party, "{\"public\":true}"));
    cr_expect_eq(json_array_size(answer_at(&answer, "games")), 2);
    answer_free(&answer);
    answer = expect(200, party_get(scene.viewers[STRANGER], &scene.party, ""));
    cr_expect_eq(json_array_size(answer_at(&answer, "games")), 1);
    cr_expect_str_eq(answer_text(&answer, "games.0"), shown);
    answer_free(&answer);
    scene_leave(&scene);
}

/* --- in lists ------------------------------------------------------------------------------------
 */

static size_t listed(const struct scene *scene, enum viewer viewer, const char *path)
{
    struct answer answer =
        expect(200, ask(scene, viewer, (struct call){.method = "GET", .path = path}));
    size_t count = json_array_size(answer_at(&answer, "items"));
    answer_free(&answer);
    return count;
}

static void expect_lists(const struct scene *scene)
{
    static const char *const everybodys[] = {"/v1/games",
                                             "/v1/games?game=hasami",
                                             "/v1/games?pool=hasami",
                                             "/v1/games?status=playing",
                                             "/v1/games?status=finished",
                                             "/v1/games?game=hasami&status=finished",
                                             "/v1/games?pool=hasami&status=playing",
                                             "/v1/results",
                                             "/v1/results?pool=hasami"};
    const char *b = scene->viewers[OWNER]->player;
    const char *w = scene->viewers[GONE_OWNER]->player;
    char of_one[3][160];
    (void)snprintf(of_one[0], sizeof of_one[0], "/v1/games?player=%s", b);
    (void)snprintf(of_one[1], sizeof of_one[1], "/v1/games?player=%s&opponent=%s", w, b);
    (void)snprintf(of_one[2], sizeof of_one[2], "/v1/players/%s/games", w);
    for (enum viewer viewer = NOBODY; viewer < VIEWERS; viewer++) {
        for (size_t i = 0; i < sizeof everybodys / sizeof everybodys[0]; i++) {
            cr_expect_eq(listed(scene, viewer, everybodys[i]), 0, "%s by %s", everybodys[i],
                         viewer_names[viewer]);
        }
        for (size_t i = 0; i < 3; i++) {
            cr_expect_eq(listed(scene, viewer, of_one[i]), viewer >= MEMBER, "%s by %s", of_one[i],
                         viewer_names[viewer]);
        }
    }
}

Test(scenario_private, lists_leave_out_what_the_caller_may_not_see)
{
    struct scene scene;
    scene_enter(&scene, "{\"game\":\"hasami\"}");
    expect_lists(&scene);
    struct answer answer = expect(200, device_resign(scene.viewers[OWNER], scene.game));
    answer_free(&answer);
    expect_lists(&scene);
    scene_leave(&scene);
}

Test(scenario_private, games_of_a_public_table_are_everybodys)
{
    struct scene scene;
    scene_enter(&scene, "{\"game\":\"hasami\",\"public\":true}");
    struct answer answer = expect(200, device_resign(scene.viewers[OWNER], scene.game));
    answer_free(&answer);
    cr_expect_eq(listed(&scene, NOBODY, "/v1/games"), 1);
    cr_expect_eq(listed(&scene, NOBODY, "/v1/results"), 1);
    answer = device_game(scene.viewers[STRANGER], scene.game);
    answer_free(&answer);
    scene_leave(&scene);
}

/* --- caches --------------------------------------------------------------------------------------
 */

static void expect_control(const struct scene *scene, enum viewer viewer, const char *tail,
                           const char *expected)
{
    char path[160];
    char value[96] = "";
    (void)snprintf(path, sizeof path, "/v1/games/%s%s", scene->game, tail);
    struct answer answer =
        expect(200, ask(scene, viewer, (struct call){.method = "GET", .path = path}));
    cr_expect(answer_header(&answer, "Cache-Control", value, sizeof value));
    cr_expect_str_eq(value, expected, "%s: %s", tail, value);
    cr_expect(answer_header(&answer, "Vary", value, sizeof value));
    cr_expect_not_null(strstr(value, "Authorization"), "%s: %s", tail, value);
    answer_free(&answer);
}

Test(scenario_private, shared_caches_keep_nothing_of_a_private_game)
{
    static const char *const tails[] = {"", "/moves", "/legal-moves", "/rating", "/record"};
    struct scene scene;
    scene_enter(&scene, "{\"game\":\"hasami\"}");
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        expect_control(&scene, MEMBER, tails[i], "private, no-cache");
    }
    struct answer answer = expect(200, device_resign(scene.viewers[OWNER], scene.game));
    answer_free(&answer);
    expect_control(&scene, MEMBER, "/record", "private, max-age=31536000, immutable");
    expect_control(&scene, MEMBER, "", "private, no-cache");
    scene_leave(&scene);
}

#include "walk.h"

#include "tests/support/each_game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/*
 * Whose is it? Every operation with an identifier in its path, asked by everybody there is. The
 * owner asks last: what is still there then has survived the others.
 */

enum caller {
    CALLER_OTHER,   /* a player in good standing whom it does not belong to */
    CALLER_NOBODY,  /* without a token */
    CALLER_REVOKED, /* a device that the owner has taken the token from */
    CALLER_ERASED,  /* a player who has left */
    CALLER_OWNER,
    CALLERS
};

static const char *const caller_names[CALLERS] = {
    [CALLER_OTHER] = "another player", [CALLER_NOBODY] = "nobody",
    [CALLER_REVOKED] = "revoked",      [CALLER_ERASED] = "an erased player",
    [CALLER_OWNER] = "the owner",
};

/* What belongs to whom, and so who gets what; the owner gets what the operation gives. */
enum access {
    ACCESS_PUBLIC,
    ACCESS_HIDDEN, /* to others it is not even there */
    ACCESS_SEATED, /* others may look, but not touch */
    ACCESSES
};

struct verdict {
    long status;
    const char *code;
};

/* A bad token is refused also where none is needed. */
static const struct verdict verdicts[ACCESSES][CALLER_OWNER] = {
    [ACCESS_PUBLIC] = {{200, NULL},            {200, NULL}, {401, "invalid-token"}, {401, "invalid-token"}},
    [ACCESS_HIDDEN] = {{404, "not-found"},
                       {401, "unauthenticated"},
                       {401, "invalid-token"},
                       {401, "invalid-token"}                                                             },
    [ACCESS_SEATED] = {{403, "not-your-seat"},
                       {401, "unauthenticated"},
                       {401, "invalid-token"},
                       {401, "invalid-token"}                                                             },
};

struct expectation {
    const char *operation_id;
    enum access access;
    long owner; /* the status for the owner */
};

/* clang-format off */
static const struct expectation expectations[] = {
    {"revokeDevice",      ACCESS_HIDDEN, 204},
    {"getTicket",         ACCESS_HIDDEN, 200},
    {"cancelTicket",      ACCESS_HIDDEN, 204},
    {"getTable",          ACCESS_HIDDEN, 200},
    {"changeTable",       ACCESS_HIDDEN, 200},
    {"joinTable",         ACCESS_HIDDEN, 200},
    {"takeTableSeat",     ACCESS_HIDDEN, 200},
    {"leaveTableSeat",    ACCESS_HIDDEN, 204},
    {"startTableGame",    ACCESS_HIDDEN, 201},
    {"leaveTable",        ACCESS_HIDDEN, 204},
    {"getGame",           ACCESS_PUBLIC, 200},
    {"createMove",        ACCESS_SEATED, 201},
    {"listMoves",         ACCESS_PUBLIC, 200},
    {"listLegalMoves",    ACCESS_PUBLIC, 200},
    {"streamGame",        ACCESS_PUBLIC, 200},
    {"resignGame",        ACCESS_SEATED, 200},
    {"leaveGame",         ACCESS_SEATED, 200},
    {"returnToGame",      ACCESS_SEATED, 200},
    {"askRematch",        ACCESS_SEATED, 409},
    {"takeBackRematch",   ACCESS_SEATED, 204},
    {"getGameRating",     ACCESS_PUBLIC, 200},
    {"getGameRecord",     ACCESS_PUBLIC, 200},
    {"getRanking",        ACCESS_PUBLIC, 200},
    {"getStanding",       ACCESS_PUBLIC, 200},
    {"getPlayer",         ACCESS_PUBLIC, 200},
    {"listPlayerGames",   ACCESS_PUBLIC, 200},
    {"listRatingHistory", ACCESS_PUBLIC, 200},
};
/* clang-format on */
enum { EXPECTATIONS = sizeof expectations / sizeof expectations[0] };

static const struct expectation *expectation_of(const char *operation_id)
{
    for (size_t i = 0; i < EXPECTATIONS; i++) {
        if (strcmp(expectations[i].operation_id, operation_id) == 0) {
            return &expectations[i];
        }
    }
    return NULL;
}

/* Not every game can be resigned; but that is told to its players only. */
static struct verdict verdict_on(const struct walk *walk, const struct expectation *expectation,
                                 enum caller caller)
{
    if (caller != CALLER_OWNER) {
        return verdicts[expectation->access][caller];
    }
    if (strcmp(expectation->operation_id, "resignGame") == 0 && !walk->board.game->resigns) {
        return (struct verdict){422, "resign-not-allowed"};
    }
    return (struct verdict){expectation->owner, NULL};
}

/* The first move of the game, or a change of the table, where a body is needed at all. */
static const char *body_of(const struct walk *walk, const struct route *route, char body[64])
{
    if (strcmp(route->operation_id, "changeTable") == 0) {
        return "{\"rotate_first\":false}";
    }
    if (strcmp(route->operation_id, "createMove") != 0) {
        return NULL;
    }
    (void)snprintf(body, 64, "{\"ply\":1,\"move\":\"%s\"}", walk->board.game->line[0]);
    return body;
}

static bool has_identifier(const struct route *route)
{
    return strchr(route->path, '{') != NULL;
}

/* --- who asks ------------------------------------------------------------------------------------
 */

/* Whose the things in the path are. */
static struct device *owner_of(const struct walk *walk, const struct route *route)
{
    if (strstr(route->path, "/games/{id}") != NULL) {
        return walk->board.seats[0];
    }
    return strstr(route->path, "/players/{id}") != NULL ? walk->board.devices[0] : walk->waiting;
}

/* A device of the owner's from which the owner has taken the token. */
static struct device *revoked(const struct walk *walk, const struct device *owner)
{
    char path[96];
    struct device *device = device_linked(walk->board.server, owner);
    struct answer list = expect(200, client_get(device->client, "/v1/me/devices", device->token));
    bool first = json_is_true(answer_at(&list, "items.0.current"));
    (void)snprintf(path, sizeof path, "/v1/me/devices/%s",
                   answer_text(&list, first ? "items.0.id" : "items.1.id"));
    answer_free(&list);
    struct call end = {.method = "DELETE", .path = path, .token = owner->token};
    struct answer answer = expect(204, client_send(owner->client, &end));
    answer_free(&answer);
    return device;
}

static struct device *erased(const struct walk *walk)
{
    struct device *device = device_new(walk->board.server);
    struct call end = {.method = "DELETE", .path = "/v1/me", .token = device->token};
    struct answer answer = expect(204, client_send(device->client, &end));
    answer_free(&answer);
    return device;
}

/* --- what comes of it ----------------------------------------------------------------------------
 */

static void ask(const struct walk *walk, const struct route *route, enum caller caller,
                const char *token)
{
    char path[WALK_PATH];
    char body[64];
    const char *pool = walk->board.game->pool;
    const struct verdict verdict = verdict_on(walk, expectation_of(route->operation_id), caller);
    if (route->method == HTTP_GET) {
        walk_read_path(walk, route, path);
    } else {
        walk_path(walk, route, path);
    }
    struct answer answer =
        client_send(walk->waiting->client, &(struct call){.method = walk_verb(route),
                                                          .path = path,
                                                          .token = token,
                                                          .body = body_of(walk, route, body)});
    const char *code = json_string_value(json_object_get(answer.body, "code"));
    cr_expect_eq(answer.status, verdict.status, "%s, %s by %s: %ld, not %ld", pool,
                 route->operation_id, caller_names[caller], answer.status, verdict.status);
    cr_expect(verdict.code == NULL || (code != NULL && strcmp(code, verdict.code) == 0),
              "%s, %s by %s: %s, not %s", pool, route->operation_id, caller_names[caller],
              code == NULL ? "no code" : code, verdict.code);
    answer_free(&answer);
}

/* Everybody asks on a server of its own, for the last one may end what the path names. */
static void ask_all(const struct listed_game *game, const struct route *route)
{
    struct walk *walk = walk_new(game);
    struct device *owner = owner_of(walk, route);
    struct device *gone[] = {revoked(walk, owner), erased(walk)};
    const char *const tokens[CALLERS] = {
        [CALLER_OTHER] =
            owner == walk->waiting ? walk->board.seats[0]->token : walk->waiting->token,
        [CALLER_REVOKED] = gone[0]->token,
        [CALLER_ERASED] = gone[1]->token,
        [CALLER_OWNER] = owner->token,
    };
    for (enum caller caller = 0; caller < CALLERS; caller++) {
        ask(walk, route, caller, tokens[caller]);
    }
    device_free(gone[0]);
    device_free(gone[1]);
    walk_free(walk);
}

TestEachGame(scenario_owners, an_identifier_opens_nothing_to_whom_it_does_not_belong)
{
    size_t asked = 0;
    for (size_t i = 0; i < routes_count(); i++) {
        const struct route *route = routes_at(i);
        if (!has_identifier(route)) {
            continue;
        }
        cr_assert_not_null(expectation_of(route->operation_id),
                           "scenario_owners.c does not say who may do %s", route->operation_id);
        ask_all(game, route);
        asked++;
    }
    cr_assert_eq(asked, EXPECTATIONS, "an expectation without a route");
}

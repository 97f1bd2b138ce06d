#include "routes.h"

#include <assert.h>
#include <string.h>

enum {
    BODY_LIMIT = 4096,          /* bytes; no request of ours needs a tenth of it */
    VALIDATE_LIMIT = 32 * 1024, /* but for one: the moves of the longest game that is served */
};

/* clang-format off */
static const struct route routes[] = {
    {HTTP_GET,    "/healthz",                         handle_health,           AUTH_NONE,  true,  0,              "getHealth"},
    {HTTP_GET,    "/readyz",                          handle_ready,            AUTH_NONE,  true,  0,              "getReadiness"},
    {HTTP_GET,    "/metrics",                         handle_metrics,          AUTH_NONE,  true,  0,              "getMetrics"},
    {HTTP_GET,    "/openapi.yaml",                    handle_openapi,          AUTH_NONE,  true,  0,              "getOpenapi"},
    {HTTP_POST,   "/v1/devices",                      handle_device_create,    AUTH_NONE,  false, BODY_LIMIT,     "createDevice"},
    {HTTP_GET,    "/v1/me",                           handle_me,               AUTH_TOKEN, false, 0,              "getMe"},
    {HTTP_PATCH,  "/v1/me",                           handle_me_change,        AUTH_TOKEN, false, BODY_LIMIT,     "changeMe"},
    {HTTP_DELETE, "/v1/me",                           handle_me_erase,         AUTH_TOKEN, false, 0,              "eraseMe"},
    {HTTP_POST,   "/v1/me/token",                     handle_token_rotate,     AUTH_TOKEN, false, BODY_LIMIT,     "rotateToken"},
    {HTTP_GET,    "/v1/me/devices",                   handle_devices,          AUTH_TOKEN, false, 0,              "listDevices"},
    {HTTP_DELETE, "/v1/me/devices/{id}",              handle_device_revoke,    AUTH_TOKEN, false, 0,              "revokeDevice"},
    {HTTP_GET,    "/v1/me/events",                    handle_me_events,        AUTH_TOKEN, false, 0,              "streamMe"},
    {HTTP_POST,   "/v1/me/link-codes",                handle_link_code_create, AUTH_TOKEN, false, BODY_LIMIT,     "createLinkCode"},
    {HTTP_POST,   "/v1/link-codes/redeem",            handle_link_code_redeem, AUTH_NONE,  false, BODY_LIMIT,     "redeemLinkCode"},
    {HTTP_GET,    "/v1/rulesets",                     handle_rulesets,         AUTH_NONE,  false, 0,              "listRulesets"},
    {HTTP_GET,    "/v1/rating-rules",                 handle_rating_rules,     AUTH_NONE,  false, 0,              "getRatingRules"},
    {HTTP_POST,   "/v1/validate",                     handle_validate,         AUTH_NONE,  false, VALIDATE_LIMIT, "validate"},
    {HTTP_POST,   "/v1/tickets",                      handle_ticket_create,    AUTH_TOKEN, false, BODY_LIMIT,     "createTicket"},
    {HTTP_GET,    "/v1/tickets/{id}",                 handle_ticket,           AUTH_TOKEN, false, 0,              "getTicket"},
    {HTTP_DELETE, "/v1/tickets/{id}",                 handle_ticket_cancel,    AUTH_TOKEN, false, 0,              "cancelTicket"},
    {HTTP_GET,    "/v1/tables",                       handle_tables,           AUTH_TOKEN, false, 0,              "listTables"},
    {HTTP_POST,   "/v1/tables",                       handle_table_create,     AUTH_TOKEN, false, BODY_LIMIT,     "createTable"},
    {HTTP_POST,   "/v1/tables/join",                  handle_table_join_code,  AUTH_TOKEN, false, BODY_LIMIT,     "joinTableByCode"},
    {HTTP_GET,    "/v1/tables/{id}",                  handle_table,            AUTH_TOKEN, false, 0,              "getTable"},
    {HTTP_PATCH,  "/v1/tables/{id}",                  handle_table_change,     AUTH_TOKEN, false, BODY_LIMIT,     "changeTable"},
    {HTTP_POST,   "/v1/tables/{id}/join",             handle_table_join,       AUTH_TOKEN, false, BODY_LIMIT,     "joinTable"},
    {HTTP_POST,   "/v1/tables/{id}/seats/{seat}",     handle_table_sit,        AUTH_TOKEN, false, BODY_LIMIT,     "takeTableSeat"},
    {HTTP_DELETE, "/v1/tables/{id}/seats/{seat}",     handle_table_stand,      AUTH_TOKEN, false, 0,              "leaveTableSeat"},
    {HTTP_POST,   "/v1/tables/{id}/start",            handle_table_start,      AUTH_TOKEN, false, BODY_LIMIT,     "startTableGame"},
    {HTTP_POST,   "/v1/tables/{id}/leave",            handle_table_leave,      AUTH_TOKEN, false, BODY_LIMIT,     "leaveTable"},
    {HTTP_GET,    "/v1/games",                        handle_games,            AUTH_NONE,  false, 0,              "listGames"},
    {HTTP_GET,    "/v1/games/{id}",                   handle_game,             AUTH_NONE,  false, 0,              "getGame"},
    {HTTP_POST,   "/v1/games/{id}/moves",             handle_move_create,      AUTH_TOKEN, false, BODY_LIMIT,     "createMove"},
    {HTTP_GET,    "/v1/games/{id}/moves",             handle_moves,            AUTH_NONE,  false, 0,              "listMoves"},
    {HTTP_GET,    "/v1/games/{id}/legal-moves",       handle_legal_moves,      AUTH_NONE,  false, 0,              "listLegalMoves"},
    {HTTP_GET,    "/v1/games/{id}/events",            handle_game_events,      AUTH_NONE,  false, 0,              "streamGame"},
    {HTTP_POST,   "/v1/games/{id}/resign",            handle_resign,           AUTH_TOKEN, false, BODY_LIMIT,     "resignGame"},
    {HTTP_POST,   "/v1/games/{id}/leave",             handle_leave,            AUTH_TOKEN, false, BODY_LIMIT,     "leaveGame"},
    {HTTP_POST,   "/v1/games/{id}/return",            handle_return,           AUTH_TOKEN, false, BODY_LIMIT,     "returnToGame"},
    {HTTP_POST,   "/v1/games/{id}/rematch",           handle_rematch,          AUTH_TOKEN, false, BODY_LIMIT,     "askRematch"},
    {HTTP_DELETE, "/v1/games/{id}/rematch",           handle_rematch_take_back, AUTH_TOKEN, false, 0,             "takeBackRematch"},
    {HTTP_GET,    "/v1/games/{id}/rating",            handle_explanation,      AUTH_NONE,  false, 0,              "getGameRating"},
    {HTTP_GET,    "/v1/games/{id}/record",            handle_record,           AUTH_NONE,  false, 0,              "getGameRecord"},
    {HTTP_GET,    "/v1/results",                      handle_results,          AUTH_NONE,  false, 0,              "listResults"},
    {HTTP_GET,    "/v1/rankings/{pool}",              handle_ranking,          AUTH_NONE,  false, 0,              "getRanking"},
    {HTTP_GET,    "/v1/rankings/{pool}/players/{id}", handle_standing,         AUTH_NONE,  false, 0,              "getStanding"},
    {HTTP_GET,    "/v1/players",                      handle_players,          AUTH_NONE,  false, 0,              "listPlayers"},
    {HTTP_GET,    "/v1/players/{id}",                 handle_profile,          AUTH_NONE,  false, 0,              "getPlayer"},
    {HTTP_GET,    "/v1/players/{id}/games",           handle_player_games,     AUTH_NONE,  false, 0,              "listPlayerGames"},
    {HTTP_GET,    "/v1/players/{id}/rating-history",  handle_rating_history,   AUTH_NONE,  false, 0,              "listRatingHistory"},
};
/* clang-format on */

/* Operations that leave the choice of more than one media type to Accept. */
static const struct {
    handler_fn *handler;
    unsigned media;
} negotiated[] = {
    {handle_record,         1U << MEDIA_JSON | 1U << MEDIA_NDJSON | 1U << MEDIA_PLAIN },
    {handle_rating_history, 1U << MEDIA_JSON | 1U << MEDIA_CSV                        },
    {handle_game_events,    1U << MEDIA_JSON | 1U << MEDIA_EVENTS | 1U << MEDIA_NDJSON},
    {handle_me_events,      1U << MEDIA_JSON | 1U << MEDIA_EVENTS | 1U << MEDIA_NDJSON},
};

size_t routes_count(void)
{
    return sizeof routes / sizeof routes[0];
}

const struct route *routes_at(size_t index)
{
    assert(index < routes_count());
    return &routes[index];
}

unsigned route_media(const struct route *route)
{
    assert(route != NULL);
    for (size_t i = 0; i < sizeof negotiated / sizeof negotiated[0]; i++) {
        if (negotiated[i].handler == route->handler) {
            return negotiated[i].media;
        }
    }
    return 1U << MEDIA_JSON;
}

bool route_streams(const struct route *route)
{
    assert(route != NULL);
    return route->handler == handle_game_events || route->handler == handle_me_events;
}

/* Where the segment that begins at `from` ends. */
static size_t segment_end(const char *path, size_t length, size_t from)
{
    const char *slash = memchr(path + from, '/', length - from);
    return slash == NULL ? length : (size_t)(slash - path);
}

/* Compares segment by segment; a variable takes any segment that is not empty. */
static bool fits(const char *template, const char *path, size_t length, struct route_match *found)
{
    size_t template_length = strlen(template);
    size_t at = 1;
    size_t template_at = 1;
    found->param_count = 0;
    for (;;) {
        size_t end = segment_end(path, length, at);
        size_t template_end = segment_end(template, template_length, template_at);
        bool variable = template[template_at] == '{';
        if (variable && end > at) {
            assert(found->param_count < REQUEST_PARAMS_MAX);
            found->params[found->param_count].at = path + at;
            found->params[found->param_count].length = end - at;
            found->param_count++;
        } else if (end - at != template_end - template_at || variable ||
                   memcmp(path + at, template + template_at, end - at) != 0) {
            return false;
        }
        if (end == length || template_end == template_length) {
            return end == length && template_end == template_length;
        }
        at = end + 1;
        template_at = template_end + 1;
    }
}

void routes_find(enum http_method method, const char *path, size_t length,
                 struct route_match *match)
{
    assert(path != NULL && match != NULL);
    memset(match, 0, sizeof *match);
    if (length == 0 || path[0] != '/') {
        return;
    }
    bool literal = false;
    for (size_t i = 0; i < routes_count(); i++) {
        struct route_match found = {0};
        if (!fits(routes[i].path, path, length, &found) || (literal && found.param_count > 0)) {
            continue;
        }
        if (!literal && found.param_count == 0) {
            memset(match, 0, sizeof *match); /* what is spelled out is no identifier */
            literal = true;
        }
        match->path_known = true;
        match->methods |= 1U << routes[i].method;
        if (routes[i].method == method) {
            match->route = &routes[i];
            match->param_count = found.param_count;
            memcpy(match->params, found.params, sizeof match->params);
        }
    }
}

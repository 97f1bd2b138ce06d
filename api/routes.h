#ifndef API_ROUTES_H
#define API_ROUTES_H

/*
 * THE table of operations, and finding one in it. openapi.yaml says the same; a test compares.
 * Constant data, any thread.
 */

#include "request.h"

#include <stdbool.h>
#include <stddef.h>

enum http_method { HTTP_GET, HTTP_POST, HTTP_PATCH, HTTP_DELETE, HTTP_METHODS };

enum auth_level {
    AUTH_NONE, /* a token is not needed, but a bad one is refused */
    AUTH_TOKEN,
};

/* What an operation answers in; problems are always JSON. */
enum route_types {
    TYPES_JSON, /* false in the table */
    TYPES_OWN,  /* true in the table: a media type of its own, whatever Accept says */
    TYPES_JSON_OR_CSV,
};

struct route {
    enum http_method method;
    const char *path; /* template: /v1/games/{id}/moves */
    handler_fn *handler;
    enum auth_level auth;
    enum route_types types;
    size_t body_limit; /* bytes; 0 where no body is read */
    const char *operation_id;
};

size_t routes_count(void);
const struct route *routes_at(size_t index);

/* Looks up an escaped path as it came. `params` are offsets into it, not yet decoded. */
struct route_match {
    const struct route *route; /* NULL: none for this method */
    bool path_known;           /* some method has this path */
    unsigned methods;          /* bit set of enum http_method that the path has */
    size_t param_count;
    struct {
        const char *at;
        size_t length;
    } params[REQUEST_PARAMS_MAX];
};
void routes_find(enum http_method method, const char *path, size_t length,
                 struct route_match *match);

/* The handlers, by resource. */
handler_fn handle_health, handle_ready, handle_openapi;               /* operations.c */
handler_fn handle_device_create, handle_me;                           /* devices.c */
handler_fn handle_ticket_create, handle_ticket, handle_ticket_cancel; /* tickets.c */
handler_fn handle_game, handle_move_create, handle_moves, handle_legal_moves,
    handle_resign;                            /* games.c, moves.c */
handler_fn handle_games, handle_player_games; /* game_lists.c */
handler_fn handle_results;                    /* results.c */
handler_fn handle_rating_history;             /* history.c */
handler_fn handle_players, handle_profile;    /* players.c */
handler_fn handle_ranking, handle_standing;   /* rankings.c */

#endif

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

struct route {
    enum http_method method;
    const char *path; /* template: /v1/games/{id}/moves */
    handler_fn *handler;
    enum auth_level auth;
    bool own_type;     /* answers in a media type of its own, whatever Accept says */
    size_t body_limit; /* bytes; 0 where no body is read */
    const char *operation_id;
};

size_t routes_count(void);
const struct route *routes_at(size_t index);

/* The media types that a route has, as a bit set of enum media: JSON but where routes.c says so. */
unsigned route_media(const struct route *route);

/* Whether it answers with a stream, unless it is asked to wait for JSON. */
bool route_streams(const struct route *route);

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
handler_fn handle_game_events, handle_me_events;                        /* event_streams.c */
handler_fn handle_health, handle_ready, handle_metrics, handle_openapi; /* operations.c */
handler_fn handle_device_create, handle_me;                             /* devices.c */
handler_fn handle_me_change, handle_me_erase, handle_token_rotate, handle_devices,
    handle_device_revoke;                                                         /* me.c */
handler_fn handle_link_code_create, handle_link_code_redeem;                      /* link_codes.c */
handler_fn handle_ticket_create, handle_ticket, handle_ticket_cancel;             /* tickets.c */
handler_fn handle_tables, handle_table_create, handle_table, handle_table_change; /* tables.c */
handler_fn handle_table_join_code, handle_table_join, handle_table_sit, handle_table_stand,
    handle_table_start, handle_table_leave;                       /* table_deeds.c */
handler_fn handle_game, handle_legal_moves;                       /* games.c */
handler_fn handle_games, handle_player_games;                     /* game_lists.c */
handler_fn handle_move_create, handle_moves;                      /* moves.c */
handler_fn handle_leave, handle_return, handle_resign;            /* seats.c */
handler_fn handle_rematch, handle_rematch_take_back;              /* rematches.c */
handler_fn handle_explanation;                                    /* explanations.c */
handler_fn handle_record;                                         /* records.c */
handler_fn handle_results;                                        /* results.c */
handler_fn handle_rulesets, handle_rating_rules, handle_validate; /* rulesets.c */
handler_fn handle_players, handle_profile;                        /* players.c */
handler_fn handle_rating_history;                                 /* history.c */
handler_fn handle_ranking, handle_standing;                       /* rankings.c */

#endif

#include "cursor.h"
#include "ids.h"
#include "json_write.h"
#include "problem.h"
#include "routes.h"

#include <stdio.h>

/* GET /v1/games, and the same of one player: GET /v1/players/{id}/games. */

struct game_list {
    struct match_game_filter filter;
    int64_t limit;
    char list[CURSOR_LIST_TEXT]; /* what the cursor is bound to */
    struct game_page page;
};

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static bool read_words(struct request *request, struct reply *reply,
                       struct match_game_filter *filter)
{
    static const char *const statuses[] = {"playing", "finished", "aborted", NULL};
    return request_query_game(request, reply, &filter->game) &&
           request_query_pool(request, reply, &filter->pool) &&
           request_query_word(request, reply, "status", statuses, &filter->status);
}

static bool read_opponent(struct request *request, struct reply *reply,
                          struct match_game_filter *filter)
{
    return request_query_id(request, reply, "opponent", 'p', &filter->opponent.id,
                            &filter->by_opponent);
}

static bool read_players(struct request *request, struct reply *reply,
                         struct match_game_filter *filter)
{
    if (!request_query_id(request, reply, "player", 'p', &filter->player.id, &filter->by_player) ||
        !read_opponent(request, reply, filter)) {
        return false;
    }
    if (filter->by_opponent && !filter->by_player) {
        (void)reply_problem(
            request, reply, PROBLEM_INVALID_PARAMETER,
            &(struct problem_details){.pointer = "opponent", .reason = "needs-player"});
        return false;
    }
    return true;
}

/* What both lists have; the players are known. `name` is the list's. */
static bool read_rest(struct request *request, struct reply *reply, const char *name,
                      struct game_list *list)
{
    struct match_game_filter *filter = &list->filter;
    struct cursor cursor = {0, 0};
    bool present = false;
    list->limit = LIMIT_PAGE_DEFAULT;
    if (!read_words(request, reply, filter) ||
        !request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &list->limit)) {
        return false;
    }
    (void)snprintf(list->list, sizeof list->list, "%s/%s/%s/%s/%s/%s", name,
                   filter->by_player ? filter->player.id.text : "",
                   filter->by_opponent ? filter->opponent.id.text : "", or_empty(filter->game),
                   or_empty(filter->pool), or_empty(filter->status));
    if (!request_cursor(request, reply, list->list, &cursor, &present)) {
        return false;
    }
    filter->before_game_no = present ? cursor.first : 0;
    filter->viewer_no = request_viewer(request);
    return true;
}

static enum handled answer(struct request *request, struct reply *reply,
                           const struct game_list *list, enum match_status status)
{
    char next[CURSOR_TEXT] = "";
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    if (list->page.next_before != 0) {
        cursor_format(match_secrets(request->match), list->list,
                      (struct cursor){list->page.next_before, 0}, next);
    }
    /* A player's list has private games for some who ask. */
    bool own = list->filter.by_player && request->has_identity;
    reply_header(reply, "Cache-Control", own ? "private, no-cache" : "no-cache");
    if (list->filter.by_player) {
        reply_header(reply, "Vary", "Authorization");
    }
    return reply_games(request, reply, list->page.views, list->page.count, next);
}

enum handled handle_games(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"player", "opponent", "game",   "pool",
                                             "status", "limit",    "cursor", NULL};
    struct game_list *list = request_alloc(request, sizeof *list);
    if (list == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_only(request, reply, parameters) ||
        !read_players(request, reply, &list->filter) || !read_rest(request, reply, "games", list)) {
        return HANDLED;
    }
    return answer(request, reply, list,
                  match_games(request->match, &list->filter, (size_t)list->limit, &list->page));
}

/* The path is looked at before the cursor is, which is bound to it; what is wrong with the query
 * goes first all the same. */
enum handled handle_player_games(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"opponent", "game",   "pool", "status",
                                             "limit",    "cursor", NULL};
    struct game_list *list = request_alloc(request, sizeof *list);
    if (list == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    list->filter.by_player = path_id(request, 0, 'p', &list->filter.player.id);
    if (!request_query_only(request, reply, parameters) ||
        !read_opponent(request, reply, &list->filter) ||
        !read_rest(request, reply, "player-games", list)) {
        return HANDLED;
    }
    if (!list->filter.by_player) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    return answer(
        request, reply, list,
        match_player_games(request->match, &list->filter, (size_t)list->limit, &list->page));
}

#include "cursor.h"
#include "ids.h"
#include "json_write.h"
#include "problem.h"
#include "routes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static enum handled refuse(const struct request *request, struct reply *reply,
                           enum match_status status)
{
    return reply_problem(request, reply, problem_of(status), NULL);
}

/* --- GET /v1/games/{id} ----------------------------------------------------------------------- */

struct snapshot {
    struct game_id id;
    struct game_view view;
    struct legal_view *legal; /* NULL: not asked for */
};

enum handled handle_game(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"include", NULL};
    static const char *const includes[] = {"legal_moves", NULL};
    const char *include = NULL;
    struct snapshot *snapshot = request_alloc(request, sizeof *snapshot);
    if (snapshot == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_only(request, reply, parameters) ||
        !request_query_word(request, reply, "include", includes, &include)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &snapshot->id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    if (include != NULL) {
        snapshot->legal = request_alloc(request, sizeof *snapshot->legal);
        if (snapshot->legal == NULL) {
            return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
        }
    }
    enum match_status status =
        match_game(request->match, &snapshot->id, &snapshot->view, snapshot->legal);
    if (status != MATCH_OK) {
        return refuse(request, reply, status);
    }
    return reply_game(request, reply, &snapshot->view, snapshot->legal);
}

/* --- GET /v1/games/{id}/legal-moves ----------------------------------------------------------- */

/* A square ("5i") or a piece in hand ("P*"): both are what a move's text begins with. */
static bool is_origin(const char *text)
{
    bool square = text[0] >= '1' && text[0] <= '9' && text[1] >= 'a' && text[1] <= 'i';
    bool piece = text[0] >= 'A' && text[0] <= 'Z' && text[1] == '*';
    return (square || piece) && text[2] == '\0';
}

enum handled handle_legal_moves(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"from", NULL};
    struct game_id id;
    struct legal_view *view = request_alloc(request, sizeof *view);
    if (view == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_only(request, reply, parameters)) {
        return HANDLED;
    }
    const char *from = request_query(request, "from");
    if (from != NULL && !is_origin(from)) {
        return reply_problem(
            request, reply, PROBLEM_INVALID_PARAMETER,
            &(struct problem_details){.pointer = "from", .reason = "not-a-square"});
    }
    if (!path_id(request, 0, 'g', &id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    enum match_status status = match_legal_moves(request->match, &id, from, view);
    if (status != MATCH_OK) {
        return refuse(request, reply, status);
    }
    return reply_legal_moves(request, reply, view);
}

/* --- GET /v1/games ---------------------------------------------------------------------------- */

/* One more than a page: whether there is a next one. */
struct game_list {
    struct match_game_filter filter;
    int64_t limit;
    char list[CURSOR_LIST_TEXT]; /* what the cursor is bound to */
    struct game_view views[LIMIT_PAGE + 1];
};

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

/* Every word that the rules know, from their table. */
static bool read_words(struct request *request, struct reply *reply,
                       struct match_game_filter *filter)
{
    enum { WORDS_MAX = 16 };
    static const char *const statuses[] = {"playing", "finished", "aborted", NULL};
    const char *games[WORDS_MAX] = {NULL};
    const char *pools[WORDS_MAX] = {NULL};
    size_t pool_count = 0;
    assert(rules_count() < WORDS_MAX);
    for (size_t i = 0; i < rules_count(); i++) {
        games[i] = rules_at(i)->key;
        for (size_t j = 0; j < rules_at(i)->pool_count; j++) {
            assert(pool_count < WORDS_MAX - 1);
            pools[pool_count++] = rules_at(i)->pools[j].key;
        }
    }
    return request_query_word(request, reply, "game", games, &filter->game) &&
           request_query_word(request, reply, "pool", pools, &filter->pool) &&
           request_query_word(request, reply, "status", statuses, &filter->status);
}

static bool read_players(struct request *request, struct reply *reply,
                         struct match_game_filter *filter)
{
    if (!request_query_id(request, reply, "player", 'p', &filter->player.id, &filter->by_player) ||
        !request_query_id(request, reply, "opponent", 'p', &filter->opponent.id,
                          &filter->by_opponent)) {
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

static bool read_filter(struct request *request, struct reply *reply, struct game_list *list)
{
    static const char *const parameters[] = {"player", "opponent", "game",   "pool",
                                             "status", "limit",    "cursor", NULL};
    struct match_game_filter *filter = &list->filter;
    struct cursor cursor = {0, 0};
    bool present = false;
    list->limit = LIMIT_PAGE_DEFAULT;
    if (!request_query_only(request, reply, parameters) || !read_players(request, reply, filter) ||
        !read_words(request, reply, filter) ||
        !request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &list->limit)) {
        return false;
    }
    (void)snprintf(list->list, sizeof list->list, "games/%s/%s/%s/%s/%s",
                   filter->by_player ? filter->player.id.text : "",
                   filter->by_opponent ? filter->opponent.id.text : "", or_empty(filter->game),
                   or_empty(filter->pool), or_empty(filter->status));
    if (!request_cursor(request, reply, list->list, &cursor, &present)) {
        return false;
    }
    filter->before_game_no = present ? cursor.first : 0;
    return true;
}

enum handled handle_games(struct request *request, struct reply *reply)
{
    char next[CURSOR_TEXT] = "";
    size_t count = 0;
    struct game_list *list = request_alloc(request, sizeof *list);
    if (list == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!read_filter(request, reply, list)) {
        return HANDLED;
    }
    size_t limit = (size_t)list->limit;
    enum match_status status =
        match_games(request->match, &list->filter, list->views, limit + 1, &count);
    if (status != MATCH_OK) {
        return refuse(request, reply, status);
    }
    assert(count <= limit + 1);
    if (count > limit) {
        count = limit;
        cursor_format(match_secrets(request->match), list->list,
                      (struct cursor){list->views[count - 1].game.game_no, 0}, next);
    }
    return reply_games(request, reply, list->views, count, next);
}

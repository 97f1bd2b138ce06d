#include "cursor.h"
#include "ids.h"
#include "json_write.h"
#include "problem.h"
#include "routes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How many seats the game of a pool has; 0: no such pool. */
static size_t seats_of_pool(const char *key)
{
    const struct pool_rules *pool = NULL;
    const struct game_rules *rules = rules_find_pool(key, &pool);
    return rules == NULL ? 0 : rules->seat_count;
}

/* --- tags ------------------------------------------------------------------------------------- */

static uint64_t mix_text(uint64_t tag, const char *text)
{
    return text == NULL ? tag : tag_mix(tag, text, strlen(text));
}

/* The version of the pool and all that was asked. */
static uint64_t tag_of(const struct request *request, const struct pool_version *version)
{
    enum { DAY_MS = 24 * 60 * 60 * 1000 };
    uint64_t tag = tag_mix(0, version, sizeof *version);
    for (size_t i = 0; i < REQUEST_PARAMS_MAX; i++) {
        tag = mix_text(tag, request->params[i]);
    }
    for (size_t i = 0; i < request->query_count; i++) {
        tag = mix_text(mix_text(tag, request->query[i].name), request->query[i].value);
    }
    if (request_query(request, "active_days") != NULL) {
        /* Who was active lately is another question every day. */
        int64_t day = request->at_ms / DAY_MS;
        tag = tag_mix(tag, &day, sizeof day);
    }
    return tag;
}

/* Whether the client has the answer, which is then there without having been looked up. */
static bool is_known(const struct request *request, struct reply *reply)
{
    struct pool_version version;
    return request->none_match.count > 0 &&
           match_pool_version(request->match, request->params[0], &version) == MATCH_OK &&
           reply_tag_known(request, reply, tag_of(request, &version));
}

/* --- GET /v1/rankings/{pool} ------------------------------------------------------------------ */

struct ranking_request {
    int64_t limit;
    struct ranking_query query;
    char list[CURSOR_LIST_TEXT];
    struct ranking_page page;
};

/* `start_rank` is a place in the whole list: it says nothing where rows are left out. */
static bool read_start(struct request *request, struct reply *reply, struct ranking_query *query)
{
    if (!request_query_integer(request, reply, "start_rank", 1, LIMIT_START_RANK,
                               &query->start_rank) ||
        !request_query_integer(request, reply, "active_days", 1, LIMIT_ACTIVE_DAYS,
                               &query->active_days)) {
        return false;
    }
    if (query->start_rank == 0 || query->active_days == 0) {
        return true;
    }
    (void)reply_problem(
        request, reply, PROBLEM_INVALID_PARAMETER,
        &(struct problem_details){.pointer = "active_days", .reason = "not-with-start-rank"});
    return false;
}

static bool read_ranking(struct request *request, struct reply *reply,
                         struct ranking_request *wanted)
{
    static const char *const parameters[] = {"limit",      "cursor",      "provisional",
                                             "start_rank", "active_days", NULL};
    struct ranking_query *query = &wanted->query;
    struct cursor cursor = {0, 0};
    wanted->limit = LIMIT_PAGE_DEFAULT;
    query->pool = request->params[0];
    if (!request_query_only(request, reply, parameters) ||
        !request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &wanted->limit) ||
        !request_query_bool(request, reply, "provisional", &query->provisional) ||
        !read_start(request, reply, query)) {
        return false;
    }
    (void)snprintf(wanted->list, sizeof wanted->list, "ranking/%.32s/%d/%" PRId64 "/%" PRId64,
                   query->pool, query->provisional, query->start_rank, query->active_days);
    if (!request_cursor(request, reply, wanted->list, &cursor, &query->has_after)) {
        return false;
    }
    query->after = (struct db_rank_key){cursor.first, cursor.second};
    return true;
}

enum handled handle_ranking(struct request *request, struct reply *reply)
{
    char next[CURSOR_TEXT] = "";
    struct ranking_request *wanted = request_alloc(request, sizeof *wanted);
    if (wanted == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!read_ranking(request, reply, wanted)) {
        return HANDLED;
    }
    const struct ranking_page *page = &wanted->page;
    size_t seats = seats_of_pool(request->params[0]);
    if (seats == 0) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    reply_header(reply, "Cache-Control", "public, max-age=5");
    if (is_known(request, reply)) {
        return HANDLED;
    }
    enum match_status status =
        match_ranking(request->match, &wanted->query, (size_t)wanted->limit, &wanted->page);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    if (reply_tag(request, reply, tag_of(request, &page->version))) {
        return HANDLED;
    }
    if (page->goes_on) {
        cursor_format(match_secrets(request->match), wanted->list,
                      (struct cursor){page->next.rating_milli, page->next.player_no}, next);
    }
    const struct ranking_reply ranking = {request->params[0], seats, page, page->count, next};
    return reply_ranking(request, reply, &ranking);
}

/* --- GET /v1/rankings/{pool}/players/{id} ----------------------------------------------------- */

enum handled handle_standing(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"radius", "provisional", NULL};
    int64_t radius = LIMIT_RADIUS_DEFAULT;
    bool provisional = false;
    struct player_id player;
    struct standing_view *view = request_alloc(request, sizeof *view);
    if (view == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_only(request, reply, parameters) ||
        !request_query_integer(request, reply, "radius", 0, LIMIT_RADIUS, &radius) ||
        !request_query_bool(request, reply, "provisional", &provisional)) {
        return HANDLED;
    }
    size_t seats = seats_of_pool(request->params[0]);
    if (seats == 0 || !path_id(request, 1, 'p', &player.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    reply_header(reply, "Cache-Control", "public, max-age=5");
    if (is_known(request, reply)) {
        return HANDLED;
    }
    enum match_status status = match_standing(request->match, request->params[0], &player,
                                              provisional, (size_t)radius, view);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    if (reply_tag(request, reply, tag_of(request, &view->version))) {
        return HANDLED;
    }
    return reply_standing(request, reply, seats, view);
}

#include "match/history.h"

#include "cursor.h"
#include "ids.h"
#include "json_write.h"
#include "notation.h"
#include "problem.h"
#include "routes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* GET /v1/players/{id}/rating-history, as JSON or CSV. */

struct history_request {
    int64_t limit;
    struct history_query query;
    char list[CURSOR_LIST_TEXT];
    struct history_page page;
};

static bool refuse(struct request *request, struct reply *reply, const char *name,
                   const char *reason)
{
    (void)reply_problem(request, reply, PROBLEM_INVALID_PARAMETER,
                        &(struct problem_details){.pointer = name, .reason = reason});
    return false;
}

/* A time that we could write ourselves. */
static bool read_time(struct request *request, struct reply *reply, const char *name,
                      int64_t *at_ms)
{
    char ours[NOTATION_TIME];
    const char *text = request_query(request, name);
    return text == NULL || (notation_parse_time(text, at_ms) && notation_time(*at_ms, ours)) ||
           refuse(request, reply, name, "not-a-time");
}

static bool read_range(struct request *request, struct reply *reply, struct history_query *query)
{
    static const char *const orders[] = {"desc", "asc", NULL};
    static const char *const resolutions[] = {"game", "day", NULL};
    const char *order = NULL;
    const char *resolution = NULL;
    query->from_ms = INT64_MIN;
    query->below_ms = INT64_MAX;
    if (!request_query_pool(request, reply, &query->pool) ||
        !read_time(request, reply, "since", &query->from_ms) ||
        !read_time(request, reply, "until", &query->below_ms) ||
        !request_query_word(request, reply, "order", orders, &order) ||
        !request_query_word(request, reply, "resolution", resolutions, &resolution)) {
        return false;
    }
    query->descending = order == NULL || order == orders[0];
    query->by_day = resolution == resolutions[1];
    return query->pool != NULL || refuse(request, reply, "pool", "required");
}

static bool read_history(struct request *request, struct reply *reply,
                         struct history_request *wanted)
{
    static const char *const parameters[] = {"pool",       "since", "until",  "order",
                                             "resolution", "limit", "cursor", NULL};
    struct history_query *query = &wanted->query;
    struct cursor cursor = {0, 0};
    wanted->limit = LIMIT_PAGE_DEFAULT;
    if (!request_query_only(request, reply, parameters) || !read_range(request, reply, query) ||
        !request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &wanted->limit)) {
        return false;
    }
    int length =
        snprintf(wanted->list, sizeof wanted->list,
                 "history/%.32s/%s/%" PRId64 "/%" PRId64 "/%d/%d", request->params[0], query->pool,
                 query->from_ms, query->below_ms, query->descending, query->by_day);
    assert(length > 0 && (size_t)length < sizeof wanted->list);
    if (!request_cursor(request, reply, wanted->list, &cursor, &query->has_after)) {
        return false;
    }
    query->after = (struct db_change_place){cursor.first, cursor.second};
    return true;
}

/* --- the link to the next page, for who reads no JSON --------------------------------------------
 */

struct link {
    size_t length;
    char text[384];
};

static void add_parameter(struct link *link, const char *name, const char *value)
{
    size_t room = sizeof link->text - link->length;
    int length = snprintf(link->text + link->length, room, "&%s=%s", name, value);
    assert(length > 0 && (size_t)length < room);
    link->length += (size_t)length;
}

static void add_time(struct link *link, const char *name, int64_t at_ms)
{
    char text[NOTATION_TIME];
    if (at_ms != INT64_MIN && at_ms != INT64_MAX) {
        bool written = notation_time(at_ms, text);
        assert(written); /* it was when it was read */
        (void)written;
        add_parameter(link, name, text);
    }
}

static void add_link(struct reply *reply, const struct history_request *wanted, const char *next)
{
    const struct history_query *query = &wanted->query;
    struct link link = {.length = 0};
    char limit[8];
    int length = snprintf(link.text, sizeof link.text, "</v1/players/%s/rating-history?pool=%s",
                          query->player.id.text, query->pool);
    assert(length > 0 && (size_t)length < sizeof link.text);
    link.length = (size_t)length;
    add_time(&link, "since", query->from_ms);
    add_time(&link, "until", query->below_ms);
    add_parameter(&link, "order", query->descending ? "desc" : "asc");
    add_parameter(&link, "resolution", query->by_day ? "day" : "game");
    (void)snprintf(limit, sizeof limit, "%d", (int)wanted->limit);
    add_parameter(&link, "limit", limit);
    add_parameter(&link, "cursor", next);
    (void)snprintf(link.text + link.length, sizeof link.text - link.length, ">; rel=\"next\"");
    reply_header(reply, "Link", link.text);
}

static enum handled answer(struct request *request, struct reply *reply,
                           const struct history_request *wanted)
{
    char next[CURSOR_TEXT] = "";
    const struct history_page *page = &wanted->page;
    if (page->goes_on) {
        cursor_format(match_secrets(request->match), wanted->list,
                      (struct cursor){page->next.at_ms, page->next.event_no}, next);
    }
    reply_header(reply, "Cache-Control", "no-cache");
    reply_header(reply, "Vary", "Accept");
    if (request->media != MEDIA_CSV) {
        return reply_history(request, reply, page, wanted->query.by_day, next);
    }
    if (page->goes_on) {
        add_link(reply, wanted, next);
    }
    return reply_history_csv(request, reply, page, wanted->query.by_day);
}

enum handled handle_rating_history(struct request *request, struct reply *reply)
{
    struct history_request *wanted = request_alloc(request, sizeof *wanted);
    if (wanted == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!read_history(request, reply, wanted)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'p', &wanted->query.player.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    enum match_status status =
        match_history(request->match, &wanted->query, (size_t)wanted->limit, &wanted->page);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    return answer(request, reply, wanted);
}

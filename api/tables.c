#include "config.h"
#include "cursor.h"
#include "ids.h"
#include "json_read.h"
#include "json_write.h"
#include "problem.h"
#include "retry.h"
#include "routes.h"
#include "table_requests.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- POST /v1/tables, PATCH /v1/tables/{id} --------------------------------------------------- */

struct rules_request {
    char game[DB_WORD_TEXT];
    struct table_wish wish;
    bool has_options; /* nobody asks */
};
/* clang-format off */
static const struct field rules_fields[] = {
    {.name = "game",             .type = FIELD_TEXT,    .offset = offsetof(struct rules_request, game),                  .size = DB_WORD_TEXT, .required = true},
    {.name = "options",          .type = FIELD_OPTIONS, .offset = offsetof(struct rules_request, wish.options)},
    {.name = "turn_seconds",     .type = FIELD_INTEGER, .offset = offsetof(struct rules_request, wish.turn_seconds),     .min = 0, .max = CONFIG_TURN_SECONDS_LONGEST, .present = offsetof(struct rules_request, wish.has_turn_seconds)},
    {.name = "show_legal_moves", .type = FIELD_BOOL,    .offset = offsetof(struct rules_request, wish.show_legal_moves), .present = offsetof(struct rules_request, wish.has_show_legal_moves)},
    {.name = "rotate_first",     .type = FIELD_BOOL,    .offset = offsetof(struct rules_request, wish.rotate_first),     .present = offsetof(struct rules_request, wish.has_rotate_first)},
    {.name = "rated",            .type = FIELD_BOOL,    .offset = offsetof(struct rules_request, wish.rated),            .present = offsetof(struct rules_request, wish.has_rated)},
    {.name = "public",           .type = FIELD_BOOL,    .offset = offsetof(struct rules_request, wish.is_public),        .present = offsetof(struct rules_request, wish.has_public)},
};
/* clang-format on */
enum {
    RULES_FIELDS = sizeof rules_fields / sizeof rules_fields[0],
    CHANGE_FIELDS = RULES_FIELDS - 1
};

static bool check_seconds(struct request *request, struct reply *reply,
                          const struct table_wish *wish)
{
    if (!wish->has_turn_seconds || config_offers_table(request->config, wish->turn_seconds)) {
        return true;
    }
    (void)reply_problem(
        request, reply, PROBLEM_INVALID_FIELD,
        &(struct problem_details){.pointer = "/turn_seconds", .reason = "not-offered"});
    return false;
}

static enum handled created(struct request *request, struct reply *reply)
{
    const struct match_table_deed *command = request->state;
    if (command->op.status != MATCH_OK) {
        return table_refused(request, reply, command);
    }
    reply_location(reply, "/v1/tables/", &command->view.row.id.id);
    return reply_table(request, reply, 201, &command->view);
}

enum handled handle_table_create(struct request *request, struct reply *reply)
{
    struct rules_request body = {.has_options = false};
    struct match_table_deed *command = table_deed_new(request, reply, TABLE_CREATE, false);
    if (command == NULL || !retry_key(request, reply, RETRY_OF_DEVICE) ||
        !json_decode(request, reply, rules_fields, RULES_FIELDS, &body)) {
        return HANDLED;
    }
    command->rules = rules_find(body.game);
    if (command->rules == NULL) {
        return reply_problem(
            request, reply, PROBLEM_INVALID_FIELD,
            &(struct problem_details){.pointer = "/game", .reason = "unknown-game"});
    }
    if (!check_seconds(request, reply, &body.wish)) {
        return HANDLED;
    }
    command->wish = body.wish;
    if (!body.wish.has_turn_seconds) {
        command->wish.has_turn_seconds = true;
        command->wish.turn_seconds = config_table_seconds(request->config);
    }
    return table_post(request, reply, command, created);
}

enum handled handle_table_change(struct request *request, struct reply *reply)
{
    struct rules_request body = {.has_options = false};
    struct match_table_deed *command = table_deed_new(request, reply, TABLE_CHANGE, true);
    if (command == NULL || !json_decode(request, reply, rules_fields + 1, CHANGE_FIELDS, &body) ||
        !check_seconds(request, reply, &body.wish)) {
        return HANDLED;
    }
    command->wish = body.wish;
    return table_write(request, reply, command, table_shown);
}

/* --- GET /v1/tables/{id} ---------------------------------------------------------------------- */

struct table_poll {
    struct table_id id;
    int64_t deadline_ms;
    struct event_waiter waiter;
    struct table_view view;
};

static enum match_status table_read(struct request *request, struct table_poll *poll)
{
    return match_table(request->match, &poll->id, request_viewer(request), &poll->view);
}

static enum handled table_answer(struct request *request, struct reply *reply,
                                 const struct table_poll *poll, enum match_status status)
{
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    return reply_table(request, reply, 200, &poll->view);
}

static enum handled table_woken(struct request *request, struct reply *reply);

/* Watch, then read again, then sleep: a change in between is not missed. */
static enum handled table_wait(struct request *request, struct reply *reply,
                               struct table_poll *poll)
{
    uint32_t revision = poll->view.row.revision;
    if (!request_may_wait(request, reply)) {
        return HANDLED;
    }
    poll->waiter = request_waiter(request, poll->deadline_ms);
    match_table_watch(request->match, &poll->view, &poll->waiter);
    enum match_status status = table_read(request, poll);
    bool waits = status == MATCH_OK && poll->view.row.revision == revision;
    if (!waits && match_unwatch(request->match, &poll->waiter)) {
        return table_answer(request, reply, poll, status);
    }
    return request_await(request, table_woken, poll);
}

/* Whatever the reason, what is true now is the answer. */
static enum handled table_woken(struct request *request, struct reply *reply)
{
    struct table_poll *poll = request->state;
    enum match_status status = table_read(request, poll);
    return table_answer(request, reply, poll, status);
}

/* Who names the state that it has (If-None-Match) is told at once where it is another one by now.
 */
static enum handled table_news(struct request *request, struct reply *reply,
                               struct table_poll *poll)
{
    if (request->none_match.count > 0) {
        (void)table_answer(request, reply, poll, MATCH_OK);
        if (reply->status != 304) {
            return HANDLED;
        }
        reply_clear(reply);
    }
    return table_wait(request, reply, poll);
}

enum handled handle_table(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"wait", NULL};
    int64_t seconds = 0;
    struct table_poll *poll = request_alloc(request, sizeof *poll);
    if (poll == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_only(request, reply, parameters) ||
        !request_query_integer(request, reply, "wait", 0, LIMIT_WAIT_SECONDS, &seconds)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 't', &poll->id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    poll->deadline_ms = request->at_ms + seconds * 1000;
    enum match_status status = table_read(request, poll);
    return status == MATCH_OK && seconds > 0 ? table_news(request, reply, poll)
                                             : table_answer(request, reply, poll, status);
}

/* --- GET /v1/tables --------------------------------------------------------------------------- */

struct table_list {
    struct match_tables_query query;
    int64_t limit;
    char list[CURSOR_LIST_TEXT]; /* what the cursor is bound to */
    struct tables_page page;
};

static bool read_list(struct request *request, struct reply *reply, struct table_list *list)
{
    static const char *const parameters[] = {"mine", "limit", "cursor", NULL};
    struct cursor cursor = {0, 0};
    bool present = false;
    list->limit = LIMIT_PAGE_DEFAULT;
    list->query.player_no = request_viewer(request);
    if (!request_query_only(request, reply, parameters) ||
        !request_query_bool(request, reply, "mine", &list->query.mine) ||
        !request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &list->limit)) {
        return false;
    }
    (void)snprintf(list->list, sizeof list->list, "tables/%s",
                   list->query.mine ? request->identity.player_id.id.text : "");
    if (!request_cursor(request, reply, list->list, &cursor, &present)) {
        return false;
    }
    list->query.before = present ? cursor.first : 0;
    return true;
}

enum handled handle_tables(struct request *request, struct reply *reply)
{
    char next[CURSOR_TEXT] = "";
    struct table_list *list = request_alloc(request, sizeof *list);
    if (list == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!read_list(request, reply, list)) {
        return HANDLED;
    }
    enum match_status status =
        match_tables(request->match, &list->query, (size_t)list->limit, &list->page);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    if (list->page.next_before != 0) {
        cursor_format(match_secrets(request->match), list->list,
                      (struct cursor){list->page.next_before, 0}, next);
    }
    return reply_tables(request, reply, list->page.views, list->page.count, next);
}

#include "cursor.h"
#include "ids.h"
#include "json_read.h"
#include "json_write.h"
#include "problem.h"
#include "routes.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- POST /v1/games/{id}/moves ---------------------------------------------------------------- */

struct move_wish {
    int64_t ply;
    char move[LIMIT_MOVE_BYTES + 1];
};
/* clang-format off */
static const struct field move_fields[] = {
    {.name = "ply",  .type = FIELD_INTEGER, .offset = offsetof(struct move_wish, ply),  .min = 1, .max = INT32_MAX, .required = true},
    {.name = "move", .type = FIELD_TEXT,    .offset = offsetof(struct move_wish, move), .size = LIMIT_MOVE_BYTES + 1, .required = true},
};
/* clang-format on */
enum { MOVE_FIELDS = sizeof move_fields / sizeof move_fields[0] };

/* Refusals say where the game stands; an illegal move also why. */
static enum handled move_refused(const struct request *request, struct reply *reply,
                                 const struct match_move *command)
{
    struct problem_details details = {0};
    if (command->standing.status[0] != '\0') {
        details.current = &command->standing;
    }
    if (command->op.status == MATCH_ILLEGAL_MOVE) {
        details.illegal = &command->illegal;
    }
    return reply_problem(request, reply, problem_of(command->op.status), &details);
}

static enum handled moved(struct request *request, struct reply *reply)
{
    const struct match_move *command = request->state;
    assert(command->op.status != MATCH_WAIT);
    char location[96];
    if (command->op.status != MATCH_OK && command->op.status != MATCH_REPEATED) {
        return move_refused(request, reply, command);
    }
    bool created = command->op.status == MATCH_OK;
    if (created) {
        (void)snprintf(location, sizeof location, "/v1/games/%s/moves?after=%u&limit=1",
                       command->game_id.id.text, command->ply - 1);
        reply_header(reply, "Location", location);
    }
    return reply_move(request, reply, created ? 201 : 200, &command->answer);
}

enum handled handle_move_create(struct request *request, struct reply *reply)
{
    struct move_wish wish = {0};
    struct match_move *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) ||
        !json_decode(request, reply, move_fields, MOVE_FIELDS, &wish)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &command->game_id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    assert(request->has_identity);
    command->player_no = request->identity.player_no;
    command->ply = (uint32_t)wish.ply;
    command->at_ms = request->at_ms;
    static_assert(sizeof command->text >= sizeof wish.move, "a move as it may be asked for");
    memcpy(command->text, wish.move, sizeof wish.move);
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op, match_move_begin(request->match, command),
                           moved);
}

/* --- GET /v1/games/{id}/moves ----------------------------------------------------------------- */

struct move_page {
    struct game_id id;
    int64_t after;
    int64_t limit;
    char list[CURSOR_LIST_TEXT];
    struct db_move moves[LIMIT_PAGE + 1];
};

/* `after` is where a list begins; a cursor goes on from where the page before it ended. */
static bool read_page(struct request *request, struct reply *reply, struct move_page *page)
{
    static const char *const parameters[] = {"after", "limit", "cursor", NULL};
    struct cursor cursor = {0, 0};
    bool present = false;
    page->limit = LIMIT_PAGE_DEFAULT;
    if (!request_query_only(request, reply, parameters) ||
        !request_query_integer(request, reply, "after", 0, INT32_MAX, &page->after) ||
        !request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &page->limit)) {
        return false;
    }
    (void)snprintf(page->list, sizeof page->list, "moves/%s/%lld", request->params[0],
                   (long long)page->after);
    if (!request_cursor(request, reply, page->list, &cursor, &present)) {
        return false;
    }
    page->after = present ? cursor.first : page->after;
    return true;
}

enum handled handle_moves(struct request *request, struct reply *reply)
{
    char next[CURSOR_TEXT] = "";
    size_t count = 0;
    struct move_page *page = request_alloc(request, sizeof *page);
    if (page == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!read_page(request, reply, page)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &page->id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    size_t limit = (size_t)page->limit;
    struct match_moves_query query = {.viewer_no = request_viewer(request),
                                      .after_ply = (uint32_t)page->after};
    enum match_status status =
        match_moves(request->match, &page->id, &query, page->moves, limit + 1, &count);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    assert(count <= limit + 1);
    if (count > limit) {
        count = limit;
        cursor_format(match_secrets(request->match), page->list,
                      (struct cursor){page->moves[count - 1].ply, 0}, next);
    }
    if (query.is_private) {
        reply_private(reply);
    }
    return reply_moves(request, reply, page->moves, count, next);
}

#include "cursor.h"
#include "ids.h"
#include "json_read.h"
#include "json_write.h"
#include "match/devices.h"
#include "match/names.h"
#include "problem.h"
#include "routes.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The caller's own: name, token, devices, and the end of it all. */

/* --- PATCH /v1/me ----------------------------------------------------------------------------- */

enum { NAME_BYTES = 4096 + 1 }; /* the domain's own rule answers, not a byte count */

struct wanted_name {
    char name[NAME_BYTES];
};
/* clang-format off */
static const struct field name_fields[] = {
    {.name = "name", .type = FIELD_TEXT, .required = true, .offset = offsetof(struct wanted_name, name), .size = NAME_BYTES},
};
/* clang-format on */

static enum handled renamed(struct request *request, struct reply *reply)
{
    const struct match_rename *command = request->state;
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    return reply_me(request, reply, &command->view);
}

enum handled handle_me_change(struct request *request, struct reply *reply)
{
    struct wanted_name body;
    struct text_error error;
    struct match_rename *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) ||
        !json_decode(request, reply, name_fields, 1, &body)) {
        return HANDLED;
    }
    if (!name_normalise(body.name, strlen(body.name), command->name, &error)) {
        return reply_problem(request, reply, PROBLEM_INVALID_NAME,
                             &(struct problem_details){
                                 .detail = error.text, .pointer = "/name", .reason = error.text});
    }
    command->player_no = request->identity.player_no;
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op,
                           match_rename_begin(request->match, command), renamed);
}

/* --- DELETE /v1/me ---------------------------------------------------------------------------- */

static enum handled erased(struct request *request, struct reply *reply)
{
    const struct match_erase *command = request->state;
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    reply_empty(reply, 204);
    return HANDLED;
}

enum handled handle_me_erase(struct request *request, struct reply *reply)
{
    struct match_erase *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    command->player_no = request->identity.player_no;
    command->at_ms = request->at_ms;
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op, match_erase_begin(request->match, command),
                           erased);
}

/* --- POST /v1/me/token ------------------------------------------------------------------------ */

static enum handled rotated(struct request *request, struct reply *reply)
{
    const struct match_rotate *command = request->state;
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    reply_header(reply, "Location", "/v1/me");
    reply_header(reply, "Cache-Control", "no-store");
    return reply_token(request, reply, command->token);
}

enum handled handle_token_rotate(struct request *request, struct reply *reply)
{
    struct match_rotate *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) || !json_decode(request, reply, NULL, 0, command)) {
        return HANDLED;
    }
    command->identity = request->identity;
    command->at_ms = request->at_ms;
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op,
                           match_rotate_begin(request->match, command), rotated);
}

/* --- GET /v1/me/devices ----------------------------------------------------------------------- */

struct device_page {
    struct db_device devices[LIMIT_PAGE + 1];
    char next[CURSOR_TEXT];
};

enum handled handle_devices(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"limit", "cursor", NULL};
    char list[CURSOR_LIST_TEXT];
    int64_t limit = LIMIT_PAGE_DEFAULT;
    struct cursor cursor = {0, 0};
    bool present = false;
    size_t count = 0;
    struct device_page *page = request_alloc(request, sizeof *page);
    if (page == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    (void)snprintf(list, sizeof list, "devices/%s", request->identity.player_id.id.text);
    if (!request_query_only(request, reply, parameters) ||
        !request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &limit) ||
        !request_cursor(request, reply, list, &cursor, &present)) {
        return HANDLED;
    }
    enum match_status status =
        match_devices(request->match, request->identity.player_no, cursor.first, page->devices,
                      (size_t)limit + 1, &count);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    if (count > (size_t)limit) {
        count = (size_t)limit;
        cursor_format(match_secrets(request->match), list,
                      (struct cursor){page->devices[count - 1].device_no, 0}, page->next);
    }
    return reply_devices(request, reply, page->devices, count, page->next);
}

/* --- DELETE /v1/me/devices/{id} --------------------------------------------------------------- */

static enum handled revoked(struct request *request, struct reply *reply)
{
    const struct match_revoke *command = request->state;
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    reply_empty(reply, 204);
    return HANDLED;
}

enum handled handle_device_revoke(struct request *request, struct reply *reply)
{
    struct match_revoke *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'd', &command->device_id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    command->player_no = request->identity.player_no;
    command->at_ms = request->at_ms;
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op,
                           match_revoke_begin(request->match, command), revoked);
}

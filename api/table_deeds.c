#include "ids.h"
#include "json_read.h"
#include "json_write.h"
#include "problem.h"
#include "rate_limit.h"
#include "retry.h"
#include "routes.h"
#include "table_requests.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What is done to a table, but for its rules (tables.c). */

/* --- what all of them do ---------------------------------------------------------------------- */

struct match_table_deed *table_deed_new(struct request *request, struct reply *reply,
                                        enum table_deed deed, bool by_path)
{
    struct match_table_deed *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        (void)reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
        return NULL;
    }
    assert(request->has_identity);
    command->deed = deed;
    command->player_no = request->identity.player_no;
    command->at_ms = request->at_ms;
    if (!request_query_none(request, reply)) {
        return NULL;
    }
    if (by_path && !path_id(request, 0, 't', &command->id.id)) {
        command->id.id.text[0] =
            '\0'; /* none has this id: what is wrong with the body goes first */
    }
    return command;
}

/* A sentence for what a status means here; NULL: the code's own. */
static const char *detail_of(enum match_status status, enum table_deed deed)
{
    static_assert(LIMIT_TABLES_JOINED == 32 && LIMIT_TABLES_HOSTED == 8, "what the refusal says");
    if (status == MATCH_TOO_MANY_TABLES) {
        return "A player is a member of at most 32 tables, and host of at most 8 when opening one.";
    }
    if (status == MATCH_TOO_MANY_GAMES) {
        return "Somebody at the table has as many running games as a player may have.";
    }
    if (status == MATCH_GAME_RUNNING) {
        return "Rules and seats change, and games start, between the games of a table.";
    }
    if (status == MATCH_NOT_YOUR_SEAT) {
        return deed == TABLE_SIT ? "Seats are for the members of the table: join it first."
                                 : "The seat is somebody else's, and only the host may free it.";
    }
    return NULL;
}

/* Enough for a pointer to an option, every character escaped. */
enum { POINTER_TEXT = sizeof "/options/" + TABLE_WORD_TEXT + TABLE_WORD_TEXT };

/* A name that no game has for an option may have any characters. */
static void write_pointer(const struct table_fault *fault, char pointer[POINTER_TEXT])
{
    int used =
        snprintf(pointer, POINTER_TEXT, "/%s%s", fault->field, fault->option[0] == '\0' ? "" : "/");
    char *to = pointer + used;
    for (const char *at = fault->option; *at != '\0'; at++) {
        if (*at == '~' || *at == '/') {
            memcpy(to, *at == '~' ? "~0" : "~1", 2);
            to += 2;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
}

enum handled table_refused(const struct request *request, struct reply *reply,
                           const struct match_table_deed *command)
{
    enum match_status status = command->op.status;
    char pointer[POINTER_TEXT];
    struct problem_details details = {.detail = detail_of(status, command->deed)};
    if (status == MATCH_UNKNOWN_FIELD || status == MATCH_INVALID_FIELD ||
        status == MATCH_RATED_NEEDS_CLOCK) {
        write_pointer(&command->fault, pointer);
        details.pointer = pointer;
        details.reason = command->fault.reason;
    }
    return reply_problem(request, reply, problem_of(status), &details);
}

static bool is_nowhere(const struct match_table_deed *command)
{
    return command->deed != TABLE_CREATE && command->code[0] == '\0' &&
           command->id.id.text[0] == '\0';
}

enum handled table_post(struct request *request, struct reply *reply,
                        struct match_table_deed *command, handler_fn *then)
{
    if (is_nowhere(command)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    retry_owns(request, reply, &command->op, then);
    return retry_command(request, reply, &command->op, match_table_begin(request->match, command),
                         then);
}

enum handled table_write(struct request *request, struct reply *reply,
                         struct match_table_deed *command, handler_fn *then)
{
    if (is_nowhere(command)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op, match_table_begin(request->match, command),
                           then);
}

enum handled table_shown(struct request *request, struct reply *reply)
{
    const struct match_table_deed *command = request->state;
    return command->op.status == MATCH_OK ? reply_table(request, reply, 200, &command->view)
                                          : table_refused(request, reply, command);
}

enum handled table_done(struct request *request, struct reply *reply)
{
    const struct match_table_deed *command = request->state;
    if (command->op.status != MATCH_OK) {
        return table_refused(request, reply, command);
    }
    reply_empty(reply, 204);
    return HANDLED;
}

/* --- POST /v1/tables/join, /v1/tables/{id}/join ----------------------------------------------- */

enum { TYPED_BYTES = 64 + 1 };

struct invitation {
    char code[TYPED_BYTES];
};
/* clang-format off */
static const struct field invitation_fields[] = {
    {.name = "code", .type = FIELD_TEXT, .required = true, .offset = offsetof(struct invitation, code), .size = TYPED_BYTES},
};
/* clang-format on */

enum handled handle_table_join_code(struct request *request, struct reply *reply)
{
    struct invitation body;
    struct match_table_deed *command = table_deed_new(request, reply, TABLE_JOIN, false);
    if (command == NULL || !retry_key(request, reply, RETRY_OF_DEVICE) ||
        !json_decode(request, reply, invitation_fields, 1, &body) ||
        !rate_limit_code(request, reply)) {
        return HANDLED;
    }
    if (!code_normalise(body.code, command->code)) {
        return reply_problem(request, reply, PROBLEM_WRONG_CODE, NULL);
    }
    return table_post(request, reply, command, table_shown);
}

/* A deed that has nothing to say. */
static enum handled bare_post(struct request *request, struct reply *reply, enum table_deed deed,
                              handler_fn *then)
{
    struct match_table_deed *command = table_deed_new(request, reply, deed, true);
    if (command == NULL || !retry_key(request, reply, RETRY_OF_DEVICE) ||
        !json_decode(request, reply, NULL, 0, command)) {
        return HANDLED;
    }
    return table_post(request, reply, command, then);
}

enum handled handle_table_join(struct request *request, struct reply *reply)
{
    return bare_post(request, reply, TABLE_JOIN, table_shown);
}

enum handled handle_table_leave(struct request *request, struct reply *reply)
{
    return bare_post(request, reply, TABLE_LEAVE, table_done);
}

/* --- POST /v1/tables/{id}/start --------------------------------------------------------------- */

static enum handled started(struct request *request, struct reply *reply)
{
    const struct match_table_deed *command = request->state;
    if (command->op.status != MATCH_OK) {
        return table_refused(request, reply, command);
    }
    reply_location(reply, "/v1/games/", &command->game.game.id.id);
    return reply_new_game(request, reply, &command->game);
}

enum handled handle_table_start(struct request *request, struct reply *reply)
{
    return bare_post(request, reply, TABLE_START, started);
}

/* --- POST and DELETE /v1/tables/{id}/seats/{seat} --------------------------------------------- */

/* A letter; a segment of any other length is no seat. */
static char seat_of_path(const struct request *request)
{
    const char *text = request->params[1];
    bool one = text[0] != '\0' && text[1] == '\0';
    return text[one ? 0 : strlen(text)];
}

struct seat_request {
    int64_t cpu_level;
    char player[DB_ID_TEXT];
    bool has_player;
};
/* clang-format off */
static const struct field seat_fields[] = {
    {.name = "cpu_level", .type = FIELD_INTEGER, .offset = offsetof(struct seat_request, cpu_level), .min = 1, .max = LIMIT_CPU_LEVEL},
    {.name = "player",    .type = FIELD_TEXT,    .offset = offsetof(struct seat_request, player),    .size = DB_ID_TEXT, .present = offsetof(struct seat_request, has_player)},
};
/* clang-format on */
enum { SEAT_FIELDS = sizeof seat_fields / sizeof seat_fields[0] };

/* NULL, or what is wrong with whom the seat is for. */
static const char *read_sitter(const struct seat_request *body, struct match_table_deed *command)
{
    command->cpu_level = (uint8_t)body->cpu_level;
    if (!body->has_player) {
        return NULL;
    }
    if (body->cpu_level != 0) {
        return "not-with-cpu-level";
    }
    return secrets_id_parse(body->player, strlen(body->player), 'p', &command->person.id)
               ? NULL
               : "not-a-member";
}

enum handled handle_table_sit(struct request *request, struct reply *reply)
{
    struct seat_request body = {.cpu_level = 0};
    struct match_table_deed *command = table_deed_new(request, reply, TABLE_SIT, true);
    if (command == NULL || !retry_key(request, reply, RETRY_OF_DEVICE) ||
        !json_decode(request, reply, seat_fields, SEAT_FIELDS, &body)) {
        return HANDLED;
    }
    const char *reason = read_sitter(&body, command);
    if (reason != NULL) {
        return reply_problem(request, reply, PROBLEM_INVALID_FIELD,
                             &(struct problem_details){.pointer = "/player", .reason = reason});
    }
    command->seat = seat_of_path(request);
    return table_post(request, reply, command, table_shown);
}

enum handled handle_table_stand(struct request *request, struct reply *reply)
{
    struct match_table_deed *command = table_deed_new(request, reply, TABLE_STAND, true);
    if (command == NULL) {
        return HANDLED;
    }
    command->seat = seat_of_path(request);
    return table_write(request, reply, command, table_done);
}

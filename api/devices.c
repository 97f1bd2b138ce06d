#include "json_read.h"
#include "json_write.h"
#include "network.h"
#include "problem.h"
#include "routes.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* --- POST /v1/devices ------------------------------------------------------------------------- */

/* Longer than any name may be: the domain's own rule answers, not a byte count. */
enum { NAME_BYTES = 4096 + 1 };

struct registration {
    char name[NAME_BYTES];
};
static const struct field registration_fields[] = {
    {"name", FIELD_TEXT, false, offsetof(struct registration, name), NAME_BYTES, 0, 0},
};
/* No JSON text can be this, so it stays where the field is absent. */
static const char absent[] = "\xff";

static enum handled registered(struct request *request, struct reply *reply)
{
    const struct match_register *command = request->state;
    assert(command->op.status != MATCH_WAIT);
    const struct problem_details name = {
        .detail = command->name_error.text, .pointer = "/name", .reason = command->name_error.text};
    if (command->op.status == MATCH_INVALID_NAME) {
        return reply_problem(request, reply, PROBLEM_INVALID_NAME, &name);
    }
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    reply_header(reply, "Location", "/v1/me");
    reply_header(reply, "Cache-Control", "no-store");
    return reply_registration(request, reply, &command->player, &command->device, command->token);
}

enum handled handle_device_create(struct request *request, struct reply *reply)
{
    struct registration body;
    struct match_register *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    memcpy(body.name, absent, sizeof absent);
    if (!request_query_none(request, reply) ||
        !json_decode(request, reply, registration_fields, 1, &body)) {
        return HANDLED;
    }
    command->has_network = network_of(request->remote, command->network);
    command->wanted_name = strcmp(body.name, absent) == 0 ? NULL : body.name;
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op,
                           match_register_begin(request->match, command), registered);
}

/* --- GET /v1/me ------------------------------------------------------------------------------- */

enum handled handle_me(struct request *request, struct reply *reply)
{
    struct me_view *view = request_alloc(request, sizeof *view);
    if (view == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    assert(request->has_identity);
    enum match_status status = match_me(request->match, request->identity.player_no, view);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    reply_header(reply, "Cache-Control", "private, no-cache");
    return reply_me(request, reply, view);
}

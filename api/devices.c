#include "json_read.h"
#include "json_write.h"
#include "network.h"
#include "problem.h"
#include "rate_limit.h"
#include "retry.h"
#include "routes.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* --- POST /v1/devices ------------------------------------------------------------------------- */

/* Longer than any name may be: the domain's own rule answers, not a byte count. */
enum { NAME_BYTES = 4096 + 1 };

struct registration {
    char name[NAME_BYTES];
    bool has_name;
};
/* clang-format off */
static const struct field registration_fields[] = {
    {.name = "name", .type = FIELD_TEXT, .offset = offsetof(struct registration, name), .size = NAME_BYTES, .present = offsetof(struct registration, has_name)},
};
/* clang-format on */

static enum handled registered(struct request *request, struct reply *reply)
{
    const struct match_register *command = request->state;
    assert(command->op.status != MATCH_WAIT);
    const struct problem_details name = {
        .detail = command->name_error.text, .pointer = "/name", .reason = command->name_error.text};
    if (command->op.status != MATCH_OK) {
        rate_limit_registration_failed(request);
    }
    if (command->op.status == MATCH_INVALID_NAME) {
        return reply_problem(request, reply, PROBLEM_INVALID_NAME, &name);
    }
    bool repeated = command->op.status == MATCH_REPEATED;
    if (command->op.status != MATCH_OK && !repeated) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    if (repeated) {
        retry_mark(reply);
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
    if (!request_query_none(request, reply) || !retry_key(request, reply, RETRY_ALONE) ||
        !json_decode(request, reply, registration_fields, 1, &body) ||
        !rate_limit_registration(request, reply)) {
        return HANDLED;
    }
    command->has_network = network_of(&request->client, command->network);
    command->wanted_name = body.has_name ? body.name : NULL;
    retry_owns(request, reply, &command->op, registered);
    return retry_command(request, reply, &command->op,
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
    return reply_me(request, reply, view);
}

#include "json_read.h"
#include "json_write.h"
#include "match/devices.h"
#include "problem.h"
#include "rate_limit.h"
#include "retry.h"
#include "routes.h"

#include <assert.h>
#include <stddef.h>

/* --- POST /v1/me/link-codes ------------------------------------------------------------------- */

static enum handled linked(struct request *request, struct reply *reply)
{
    const struct match_link *command = request->state;
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    reply_header(reply, "Location", "/v1/link-codes/redeem");
    reply_header(reply, "Cache-Control", "no-store");
    return reply_link_code(request, reply, command);
}

enum handled handle_link_code_create(struct request *request, struct reply *reply)
{
    struct match_link *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) || !retry_key(request, reply, RETRY_OF_DEVICE) ||
        !json_decode(request, reply, NULL, 0, command)) {
        return HANDLED;
    }
    command->player_no = request->identity.player_no;
    command->at_ms = request->at_ms;
    retry_owns(request, reply, &command->op, linked);
    return retry_command(request, reply, &command->op, match_link_begin(request->match, command),
                         linked);
}

/* --- POST /v1/link-codes/redeem --------------------------------------------------------------- */

enum { TYPED_BYTES = 64 + 1 };

struct redemption {
    char code[TYPED_BYTES];
};
/* clang-format off */
static const struct field redemption_fields[] = {
    {.name = "code", .type = FIELD_TEXT, .required = true, .offset = offsetof(struct redemption, code), .size = TYPED_BYTES},
};
/* clang-format on */

static_assert(LIMIT_DEVICES == 16, "what the refusal says");
static const char too_many_devices[] =
    "The player has 16 devices: once one of them is revoked, the code works.";

static enum handled redeemed(struct request *request, struct reply *reply)
{
    const struct match_redeem *command = request->state;
    if (command->op.status != MATCH_CODE_GONE) {
        rate_limit_code_not_wrong(request);
    }
    bool repeated = command->op.status == MATCH_REPEATED;
    if (command->op.status == MATCH_TOO_MANY_DEVICES) {
        return reply_problem(request, reply, problem_of(command->op.status),
                             &(struct problem_details){.detail = too_many_devices});
    }
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

enum handled handle_link_code_redeem(struct request *request, struct reply *reply)
{
    struct redemption body;
    struct match_redeem *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) || !retry_key(request, reply, RETRY_ALONE) ||
        !json_decode(request, reply, redemption_fields, 1, &body) ||
        !rate_limit_code(request, reply)) {
        return HANDLED;
    }
    if (!code_normalise(body.code, command->code)) {
        return reply_problem(request, reply, PROBLEM_LINK_CODE_GONE, NULL);
    }
    command->at_ms = request->at_ms;
    retry_owns(request, reply, &command->op, redeemed);
    return retry_command(request, reply, &command->op, match_redeem_begin(request->match, command),
                         redeemed);
}

#include "config.h"
#include "ids.h"
#include "json_read.h"
#include "json_write.h"
#include "problem.h"
#include "retry.h"
#include "routes.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* --- POST /v1/tickets ------------------------------------------------------------------------- */

#define NO_SUCH_PLAYER "no-such-player"

struct wish {
    char pool[DB_WORD_TEXT];
    int64_t turn_seconds; /* 0: not said */
    char partner[DB_ID_TEXT];
    bool has_partner;
};
/* clang-format off */
static const struct field wish_fields[] = {
    {.name = "pool",         .type = FIELD_TEXT,    .offset = offsetof(struct wish, pool),         .size = DB_WORD_TEXT, .required = true},
    {.name = "turn_seconds", .type = FIELD_INTEGER, .offset = offsetof(struct wish, turn_seconds), .min = 1, .max = CONFIG_TURN_SECONDS_LONGEST},
    {.name = "partner",      .type = FIELD_TEXT,    .offset = offsetof(struct wish, partner),      .size = DB_ID_TEXT, .present = offsetof(struct wish, has_partner)},
};
/* clang-format on */
enum { WISH_FIELDS = sizeof wish_fields / sizeof wish_fields[0] };

/* NULL: the wish can be granted. Else the field that is in the way. */
static const char *wish_fault(const struct request *request, const struct wish *wish,
                              struct player_id *partner, const char **reason)
{
    const struct pool_rules *pool = NULL;
    const struct game_rules *rules = rules_find_pool(wish->pool, &pool);
    if (rules == NULL) {
        *reason = "unknown-pool";
        return "/pool";
    }
    if (wish->turn_seconds != 0 && !config_offers(request->config, wish->turn_seconds)) {
        *reason = "not-offered";
        return "/turn_seconds";
    }
    if (wish->has_partner && !pool_has_pairs(rules, pool)) {
        *reason = "no-partners-in-this-pool";
        return "/partner";
    }
    if (wish->has_partner &&
        !secrets_id_parse(wish->partner, strlen(wish->partner), 'p', &partner->id)) {
        *reason = NO_SUCH_PLAYER;
        return "/partner";
    }
    return NULL;
}

static enum handled enqueued(struct request *request, struct reply *reply)
{
    const struct match_enqueue *command = request->state;
    assert(command->op.status != MATCH_WAIT);
    if (command->op.status == MATCH_NO_SUCH_PARTNER) {
        return reply_problem(
            request, reply, PROBLEM_INVALID_FIELD,
            &(struct problem_details){.pointer = "/partner", .reason = NO_SUCH_PLAYER});
    }
    if (command->op.status == MATCH_NO_SHOW) {
        int64_t wait_ms = command->retry_at_ms - command->at_ms;
        return reply_problem(
            request, reply, PROBLEM_NO_SHOW,
            &(struct problem_details){.retry_after_seconds = (unsigned)((wait_ms + 999) / 1000)});
    }
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    reply_location(reply, "/v1/tickets/", &command->ticket.row.id.id);
    return reply_ticket(request, reply, 201, &command->ticket);
}

enum handled handle_ticket_create(struct request *request, struct reply *reply)
{
    struct wish wish = {.turn_seconds = 0};
    const char *reason = NULL;
    struct match_enqueue *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) || !retry_key(request, reply, RETRY_OF_DEVICE) ||
        !json_decode(request, reply, wish_fields, WISH_FIELDS, &wish)) {
        return HANDLED;
    }
    const char *field = wish_fault(request, &wish, &command->partner, &reason);
    if (field != NULL) {
        return reply_problem(request, reply, PROBLEM_INVALID_FIELD,
                             &(struct problem_details){.pointer = field, .reason = reason});
    }
    memcpy(command->pool, wish.pool, sizeof command->pool);
    assert(request->has_identity);
    command->player_no = request->identity.player_no;
    command->at_ms = request->at_ms;
    command->turn_seconds =
        wish.turn_seconds != 0 ? (uint16_t)wish.turn_seconds : config_turn_seconds(request->config);
    retry_owns(request, reply, &command->op, enqueued);
    return retry_command(request, reply, &command->op, match_enqueue_begin(request->match, command),
                         enqueued);
}

/* --- GET /v1/tickets/{id} --------------------------------------------------------------------- */

struct ticket_poll {
    struct ticket_id id;
    struct event_waiter waiter;
    struct ticket_view view;
};

static enum handled ticket_answer(struct request *request, struct reply *reply,
                                  struct ticket_poll *poll)
{
    return reply_ticket(request, reply, 200, &poll->view);
}

static bool is_waiting(const struct ticket_poll *poll)
{
    return strcmp(poll->view.row.status, "waiting") == 0;
}

static enum match_status ticket_read(struct request *request, struct ticket_poll *poll)
{
    assert(request->has_identity);
    return match_ticket(request->match, &poll->id, request->identity.player_no, &poll->view);
}

/* After the wake: whatever the reason, what is true now is the answer. */
static enum handled ticket_woken(struct request *request, struct reply *reply)
{
    struct ticket_poll *poll = request->state;
    enum match_status status = ticket_read(request, poll);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    return ticket_answer(request, reply, poll);
}

/* Watch, then read again, then sleep: an end in between is not missed. */
static enum handled ticket_wait(struct request *request, struct reply *reply,
                                struct ticket_poll *poll, int64_t seconds)
{
    assert(seconds > 0 && seconds <= LIMIT_WAIT_SECONDS);
    if (!request_may_wait(request, reply)) {
        return HANDLED;
    }
    poll->waiter = request_waiter(request, request->at_ms + seconds * 1000);
    match_ticket_watch(request->match, &poll->view, &poll->waiter);
    bool waits = ticket_read(request, poll) == MATCH_OK && is_waiting(poll);
    if (!waits && match_unwatch(request->match, &poll->waiter)) {
        request->state = poll;
        return ticket_woken(request, reply);
    }
    return request_await(request, ticket_woken, poll);
}

enum handled handle_ticket(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"wait", NULL};
    int64_t seconds = 0;
    struct ticket_poll *poll = request_alloc(request, sizeof *poll);
    if (poll == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_only(request, reply, parameters) ||
        !request_query_integer(request, reply, "wait", 0, LIMIT_WAIT_SECONDS, &seconds)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'q', &poll->id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    enum match_status status = ticket_read(request, poll);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    return is_waiting(poll) && seconds > 0 ? ticket_wait(request, reply, poll, seconds)
                                           : ticket_answer(request, reply, poll);
}

/* --- DELETE /v1/tickets/{id} ------------------------------------------------------------------ */

static enum handled cancelled(struct request *request, struct reply *reply)
{
    const struct match_cancel *command = request->state;
    assert(command->op.status != MATCH_WAIT);
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    reply_empty(reply, 204);
    return HANDLED;
}

enum handled handle_ticket_cancel(struct request *request, struct reply *reply)
{
    struct match_cancel *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'q', &command->ticket_id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    assert(request->has_identity);
    command->player_no = request->identity.player_no;
    command->at_ms = request->at_ms;
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op,
                           match_cancel_begin(request->match, command), cancelled);
}

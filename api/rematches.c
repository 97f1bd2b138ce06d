#include "match/rematch.h"

#include "ids.h"
#include "json_read.h"
#include "json_write.h"
#include "problem.h"
#include "retry.h"
#include "routes.h"

#include <assert.h>

/* POST and DELETE /v1/games/{id}/rematch */

static const char of_table[] =
    "The game was played at a table, where its host starts the next one.";
static const char too_many[] =
    "Somebody of the game has as many running games as a player may have.";
static const char gone[] = "Somebody who sat in the game is gone.";
static const char running[] = "The game is not over yet.";

static enum handled refused(const struct request *request, struct reply *reply,
                            const struct match_rematch *command)
{
    struct problem_details details = {0};
    enum match_status status = command->op.status;
    if (command->refusal == REMATCH_OF_TABLE) {
        details.detail = of_table;
    } else if (status == MATCH_TOO_MANY_GAMES) {
        details.detail = too_many;
    } else if (status == MATCH_SEAT_EMPTY) {
        details.detail = gone;
    } else if (status == MATCH_GAME_RUNNING) {
        details.detail = running;
    }
    return reply_problem(request, reply, problem_of(status), &details);
}

static enum handled asked(struct request *request, struct reply *reply)
{
    const struct match_rematch *command = request->state;
    return command->op.status == MATCH_OK ? reply_rematch(request, reply, &command->view)
                                          : refused(request, reply, command);
}

static enum handled taken_back(struct request *request, struct reply *reply)
{
    const struct match_rematch *command = request->state;
    if (command->op.status != MATCH_OK) {
        return refused(request, reply, command);
    }
    reply_empty(reply, 204);
    return HANDLED;
}

/* False: a problem is in the reply. */
static bool fill(struct request *request, struct reply *reply, struct match_rematch *command)
{
    if (!path_id(request, 0, 'g', &command->game_id.id)) {
        (void)reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
        return false;
    }
    assert(request->has_identity);
    command->player_no = request->identity.player_no;
    command->at_ms = request->at_ms;
    return true;
}

enum handled handle_rematch(struct request *request, struct reply *reply)
{
    struct match_rematch *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) || !retry_key(request, reply, RETRY_OF_DEVICE) ||
        !json_decode(request, reply, NULL, 0, command) || !fill(request, reply, command)) {
        return HANDLED;
    }
    retry_owns(request, reply, &command->op, asked);
    return retry_command(request, reply, &command->op, match_rematch_begin(request->match, command),
                         asked);
}

enum handled handle_rematch_take_back(struct request *request, struct reply *reply)
{
    struct match_rematch *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) || !fill(request, reply, command)) {
        return HANDLED;
    }
    command->takes_back = true;
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op,
                           match_rematch_begin(request->match, command), taken_back);
}

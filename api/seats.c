#include "match/seats.h"

#include "ids.h"
#include "json_read.h"
#include "json_write.h"
#include "problem.h"
#include "retry.h"
#include "routes.h"

#include <assert.h>

/* --- POST /v1/games/{id}/leave, /return, /resign ---------------------------------------------- */

static enum handled seat_posted(struct request *request, struct reply *reply)
{
    const struct match_seat *command = request->state;
    assert(command->op.status != MATCH_WAIT);
    struct problem_details details = {0};
    if (command->op.status == MATCH_GAME_OVER) {
        details.current = &command->standing;
    }
    if (command->op.status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(command->op.status), &details);
    }
    return reply_game(request, reply, &command->view, NULL);
}

static enum handled seat_post(struct request *request, struct reply *reply,
                              enum match_status (*begin)(struct match *, struct match_seat *))
{
    struct match_seat *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply) || !retry_key(request, reply, RETRY_OF_DEVICE) ||
        !json_decode(request, reply, NULL, 0, command)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &command->game_id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    assert(request->has_identity);
    command->player_no = request->identity.player_no;
    command->at_ms = request->at_ms;
    retry_owns(request, reply, &command->op, seat_posted);
    return retry_command(request, reply, &command->op, begin(request->match, command), seat_posted);
}

enum handled handle_leave(struct request *request, struct reply *reply)
{
    return seat_post(request, reply, match_leave_begin);
}

enum handled handle_return(struct request *request, struct reply *reply)
{
    return seat_post(request, reply, match_return_begin);
}

enum handled handle_resign(struct request *request, struct reply *reply)
{
    return seat_post(request, reply, match_resign_begin);
}

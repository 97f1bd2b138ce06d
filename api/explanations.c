#include "match/explanation.h"

#include "ids.h"
#include "json_write.h"
#include "problem.h"
#include "routes.h"

/* --- GET /v1/games/{id}/rating ---------------------------------------------------------------- */

enum handled handle_explanation(struct request *request, struct reply *reply)
{
    struct game_id id;
    struct explanation_view *view = request_alloc(request, sizeof *view);
    if (view == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    enum match_status status =
        match_explanation(request->match, &id, request_viewer(request), view);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    if (view->game.game.is_private) {
        reply_private(reply);
    } else {
        reply_header(reply, "Cache-Control", "no-cache");
    }
    return reply_explanation(request, reply, view);
}

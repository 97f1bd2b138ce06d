#include "ids.h"
#include "json_write.h"
#include "problem.h"
#include "routes.h"

static enum handled refuse(const struct request *request, struct reply *reply,
                           enum match_status status)
{
    return reply_problem(request, reply, problem_of(status), NULL);
}

/* --- GET /v1/games/{id} ----------------------------------------------------------------------- */

struct snapshot {
    struct game_id id;
    struct game_view view;
    struct legal_view *legal; /* NULL: not asked for */
};

enum handled handle_game(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"include", NULL};
    static const char *const includes[] = {"legal_moves", NULL};
    const char *include = NULL;
    struct snapshot *snapshot = request_alloc(request, sizeof *snapshot);
    if (snapshot == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_only(request, reply, parameters) ||
        !request_query_word(request, reply, "include", includes, &include)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &snapshot->id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    if (include != NULL) {
        snapshot->legal = request_alloc(request, sizeof *snapshot->legal);
        if (snapshot->legal == NULL) {
            return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
        }
    }
    enum match_status status = match_game(request->match, &snapshot->id, request_viewer(request),
                                          &snapshot->view, snapshot->legal);
    if (status != MATCH_OK) {
        return refuse(request, reply, status);
    }
    if (snapshot->view.game.is_private) {
        reply_private(reply);
    }
    return reply_game(request, reply, &snapshot->view, snapshot->legal);
}

/* --- GET /v1/games/{id}/legal-moves ----------------------------------------------------------- */

/* A square ("5i") or a piece in hand ("P*"): both are what a move's text begins with. */
static bool is_origin(const char *text)
{
    bool square = text[0] >= '1' && text[0] <= '9' && text[1] >= 'a' && text[1] <= 'i';
    bool piece = text[0] >= 'A' && text[0] <= 'Z' && text[1] == '*';
    return (square || piece) && text[2] == '\0';
}

enum handled handle_legal_moves(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"from", NULL};
    struct game_id id;
    struct legal_view *view = request_alloc(request, sizeof *view);
    if (view == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!request_query_only(request, reply, parameters)) {
        return HANDLED;
    }
    const char *from = request_query(request, "from");
    if (from != NULL && !is_origin(from)) {
        (void)request_query_refuse(request, reply, "from", "not-a-square");
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    enum match_status status =
        match_legal_moves(request->match, &id, request_viewer(request), from, view);
    if (status != MATCH_OK) {
        return refuse(request, reply, status);
    }
    if (view->is_private) {
        reply_private(reply);
    }
    return reply_legal_moves(request, reply, view);
}

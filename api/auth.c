#include "auth.h"

#include "match/devices.h"
#include "problem.h"
#include "routes.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

const char *auth_bearer(const char *authorization, size_t *length)
{
    static const char scheme[] = "bearer";
    assert(authorization != NULL && length != NULL);
    size_t scheme_length = sizeof scheme - 1;
    if (strncasecmp(authorization, scheme, scheme_length) != 0) {
        return NULL;
    }
    const char *token = authorization + scheme_length;
    if (*token != ' ' && *token != '\0') {
        return NULL;
    }
    token += strspn(token, " ");
    *length = strlen(token);
    return token;
}

bool auth_token_in_query(const struct request *request)
{
    assert(request != NULL);
    return request_query(request, "access_token") != NULL ||
           request_query(request, "token") != NULL;
}

/* After the use was noted. A storage that cannot is no reason to refuse a good token: the next
 * request tries again. */
static enum handled noted(struct request *request, struct reply *reply)
{
    const struct match_use *command = request->state;
    if (command->op.status == MATCH_INVALID_TOKEN || command->op.status == MATCH_SHUTTING_DOWN) {
        return reply_problem(request, reply, problem_of(command->op.status), NULL);
    }
    return request->route->handler(request, reply);
}

enum handled auth_note_use(struct request *request, struct reply *reply)
{
    struct match_use *command = request_alloc(request, sizeof *command);
    if (command == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    command->identity = request->identity;
    command->at_ms = request->at_ms;
    request_owns(request, &command->op);
    return request_command(request, reply, &command->op, match_use_begin(request->match, command),
                           noted);
}

bool auth_check(struct request *request, struct reply *reply, const char *authorization)
{
    assert(request != NULL && request->route != NULL && reply != NULL);
    size_t length = 0;
    const char *token = authorization == NULL ? NULL : auth_bearer(authorization, &length);
    if (token == NULL) {
        if (request->route->auth == AUTH_TOKEN) {
            reply_problem(request, reply, PROBLEM_UNAUTHENTICATED, NULL);
            return false;
        }
        return true;
    }
    bool ended = false;
    enum match_status status =
        match_identify(request->match, token, length, &request->identity, &ended);
    request->security = ended ? "token-reuse" : NULL;
    if (status != MATCH_OK) {
        reply_problem(request, reply, problem_of(status), NULL);
        return false;
    }
    request->has_identity = true;
    return true;
}

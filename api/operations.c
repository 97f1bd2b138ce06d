#include "health.h"
#include "problem.h"
#include "routes.h"

#include <assert.h>

/* openapi.yaml, embedded at build time. */
extern const unsigned char openapi_document[];
extern const size_t openapi_document_length;
extern const unsigned char openapi_packed[];
extern const size_t openapi_packed_length;

static enum handled reply_good(struct reply *reply)
{
    static const char good[] = "{\"status\":\"ok\"}";
    reply_fixed(reply, 200, "application/json", good, sizeof good - 1);
    return HANDLED;
}

enum handled handle_health(struct request *request, struct reply *reply)
{
    assert(request != NULL && reply != NULL);
    if (!request_query_only(request, reply, (const char *const[]){NULL})) {
        return HANDLED;
    }
    const struct health *health = request->health;
    if (health != NULL && atomic_load(&health->storage_failed)) {
        return reply_problem(request, reply, PROBLEM_INTERNAL,
                             &(struct problem_details){.detail = "The storage has failed."});
    }
    return reply_good(reply);
}

enum handled handle_ready(struct request *request, struct reply *reply)
{
    assert(request != NULL && reply != NULL);
    const struct health *health = request->health;
    if (health != NULL && atomic_load(&health->damaged)) {
        return reply_problem(request, reply, PROBLEM_INTEGRITY, NULL);
    }
    if (request_stopping(request)) {
        return reply_problem(request, reply, PROBLEM_SHUTTING_DOWN, NULL);
    }
    return handle_health(request, reply);
}

enum handled handle_openapi(struct request *request, struct reply *reply)
{
    assert(reply != NULL && openapi_document_length > 0);
    if (!request_query_only(request, reply, (const char *const[]){NULL})) {
        return HANDLED;
    }
    reply_fixed(reply, 200, "application/yaml; charset=utf-8", (const char *)openapi_document,
                openapi_document_length);
    reply->fixed_packed = (const char *)openapi_packed;
    reply->packed_length = openapi_packed_length;
    return HANDLED;
}

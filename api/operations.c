#include "cli.h"
#include "health.h"
#include "metrics.h"
#include "problem.h"
#include "routes.h"
#include "stream.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* Pages of this process in memory, by the kernel's own account; 0: it would not say. */
static int64_t resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) {
        return 0;
    }
    char line[128];
    if (fgets(line, sizeof line, file) != NULL) {
        char *rest = NULL;
        (void)strtol(line, &rest, 10); /* the whole of its address space */
        pages = strtol(rest, NULL, 10);
    }
    (void)fclose(file);
    return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

static int64_t cpu_us(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 0;
    }
    return ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
           usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

enum handled handle_metrics(struct request *request, struct reply *reply)
{
    assert(request != NULL && reply != NULL && request->metrics != NULL);
    struct metrics_sources sources = {
        .started_at_ms = request->health->started_at_ms,
        .resident_bytes = resident_bytes(),
        .cpu_us = cpu_us(),
        .version = BANZUKE_VERSION,
        .streams = streams_open(request->streams),
    };
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    match_stats(request->match, &sources.match);
    for (size_t i = 0; i < BUDGETS; i++) {
        sources.refused[i] = budgets_refused(request->budgets, (enum budget)i);
    }
    reply->body = metrics_text(request->metrics, &sources, &reply->length);
    if (reply->body == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    reply->status = 200;
    reply->content_type = "text/plain; version=0.0.4; charset=utf-8";
    return HANDLED;
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

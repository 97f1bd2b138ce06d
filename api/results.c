#include "match/results.h"

#include "ids.h"
#include "json_write.h"
#include "problem.h"
#include "routes.h"

/* GET /v1/results: a page, or a long poll for the next ones. */

/* What any client can hold as a number. */
static const int64_t SEQ_MAX = INT64_C(9007199254740991);

struct results_poll {
    int64_t after;
    int64_t limit;
    int64_t seconds;
    const char *pool; /* NULL: all */
    int64_t deadline_ms;
    struct event_waiter waiter;
    struct results_page page;
};

static enum match_status read_page(struct request *request, struct results_poll *poll)
{
    return match_results(request->match, poll->after, poll->pool, (size_t)poll->limit, &poll->page);
}

static enum handled answer(struct request *request, struct reply *reply,
                           const struct results_poll *poll, enum match_status status)
{
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    reply_header(reply, "Cache-Control", "no-cache");
    return reply_results(request, reply, &poll->page);
}

static enum handled woken(struct request *request, struct reply *reply);

/* Watch, then read again, then sleep: a result in between is not missed. */
static enum handled sleep_until_news(struct request *request, struct reply *reply,
                                     struct results_poll *poll)
{
    if (!request_may_wait(request, reply)) {
        return HANDLED;
    }
    poll->waiter = request_waiter(request, poll->deadline_ms);
    match_results_watch(request->match, &poll->waiter);
    enum match_status status = read_page(request, poll);
    bool waits = status == MATCH_OK && poll->page.count == 0;
    if (!waits && match_unwatch(request->match, &poll->waiter)) {
        return answer(request, reply, poll, status);
    }
    return request_await(request, woken, poll);
}

/* The result may have been one of another pool: then there is still time to wait. */
static enum handled woken(struct request *request, struct reply *reply)
{
    struct results_poll *poll = request->state;
    enum match_status status = read_page(request, poll);
    bool waits = status == MATCH_OK && poll->page.count == 0 && !request_stopping(request) &&
                 match_now_ms(request->match) < poll->deadline_ms;
    return waits ? sleep_until_news(request, reply, poll) : answer(request, reply, poll, status);
}

static bool read_poll(struct request *request, struct reply *reply, struct results_poll *poll)
{
    static const char *const parameters[] = {"after", "pool", "wait", "limit", NULL};
    poll->limit = LIMIT_PAGE_DEFAULT;
    return request_query_only(request, reply, parameters) &&
           request_query_integer(request, reply, "after", 0, SEQ_MAX, &poll->after) &&
           request_query_pool(request, reply, &poll->pool) &&
           request_query_integer(request, reply, "wait", 0, LIMIT_WAIT_SECONDS, &poll->seconds) &&
           request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &poll->limit);
}

enum handled handle_results(struct request *request, struct reply *reply)
{
    struct results_poll *poll = request_alloc(request, sizeof *poll);
    if (poll == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!read_poll(request, reply, poll)) {
        return HANDLED;
    }
    poll->deadline_ms = request->at_ms + poll->seconds * 1000;
    enum match_status status = read_page(request, poll);
    bool waits = status == MATCH_OK && poll->page.count == 0 && poll->seconds > 0;
    return waits ? sleep_until_news(request, reply, poll) : answer(request, reply, poll, status);
}

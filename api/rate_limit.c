#include "rate_limit.h"

#include "problem.h"
#include "routes.h"

#include <assert.h>
#include <string.h>

static enum budget budget_of_requests(const struct request *request)
{
    return request->has_identity ? BUDGET_DEVICE : BUDGET_ADDRESS;
}

static bool take(struct request *request, struct reply *reply, enum budget budget)
{
    assert(request != NULL && reply != NULL);
    if (request->budgets == NULL) {
        return true;
    }
    struct budget_note note;
    struct budget_owner owner = request_owner(request);
    bool granted = budgets_take(request->budgets, budget, &owner, request->at_ms, &note);
    /* An answer to an address may be kept by caches, for which its budget would be a wrong one. */
    if (!granted || budget == BUDGET_DEVICE) {
        request->budget_note = note;
    }
    if (!granted) {
        (void)reply_problem(request, reply, PROBLEM_RATE_LIMITED,
                            &(struct problem_details){.detail = budget_detail(budget),
                                                      .retry_after_seconds = note.seconds});
    }
    return granted;
}

static void give_back(struct request *request, enum budget budget)
{
    assert(request != NULL);
    struct budget_owner owner = request_owner(request);
    if (request->budgets != NULL) {
        budgets_give_back(request->budgets, budget, &owner);
    }
}

bool rate_limit_request(struct request *request, struct reply *reply)
{
    assert(request != NULL && request->route != NULL);
    /* Who watches the service shall not be told that it is asked too often to say how it is. */
    const struct route *route = request->route;
    bool watched = route->handler == handle_health || route->handler == handle_ready;
    return watched || take(request, reply, budget_of_requests(request));
}

bool rate_limit_registration(struct request *request, struct reply *reply)
{
    return take(request, reply, BUDGET_REGISTRATIONS);
}

void rate_limit_registration_failed(struct request *request)
{
    give_back(request, BUDGET_REGISTRATIONS);
}

bool rate_limit_code(struct request *request, struct reply *reply)
{
    if (!take(request, reply, BUDGET_WRONG_CODES)) {
        return false;
    }
    bool granted = take(request, reply, BUDGET_WRONG_CODES_IN_ALL);
    if (!granted) {
        give_back(request, BUDGET_WRONG_CODES);
    }
    request->code_taken = granted;
    return granted;
}

void rate_limit_code_not_wrong(struct request *request)
{
    if (request->code_taken) {
        request->code_taken = false;
        give_back(request, BUDGET_WRONG_CODES);
        give_back(request, BUDGET_WRONG_CODES_IN_ALL);
    }
}

/* Here, where every answer passes once, also one that was kept from the first time. */
static void settle_code(struct request *request, const struct reply *reply)
{
    const char *code = reply->problem_code;
    bool wrong = code != NULL && (strcmp(code, problem_code(PROBLEM_WRONG_CODE)) == 0 ||
                                  strcmp(code, problem_code(PROBLEM_LINK_CODE_GONE)) == 0);
    if (!wrong) {
        rate_limit_code_not_wrong(request);
    }
}

void rate_limit_answer(struct request *request, const struct reply *reply)
{
    assert(request != NULL && reply != NULL);
    settle_code(request, reply);
    bool missed = reply->status == 404 && request->route != NULL && request->params[0] != NULL;
    if (!missed || request->budgets == NULL) {
        return;
    }
    struct budget_note note = {.known = false};
    struct budget_owner owner = request_owner(request);
    budgets_charge(request->budgets, budget_of_requests(request), &owner, request->at_ms,
                   BUDGET_MISS_REQUESTS - 1, &note);
    if (request->has_identity) {
        request->budget_note = note;
    }
}

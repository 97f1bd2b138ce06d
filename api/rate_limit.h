#ifndef API_RATE_LIMIT_H
#define API_RATE_LIMIT_H

/*
 * How a request meets the budgets. Where one is used up, the reply is 429 `rate-limited` with
 * Retry-After, RateLimit and RateLimit-Policy.
 *
 * Threads: those of the request.
 */

#include "request.h"

/* One request of the device's budget, or of the address's where no valid token came. False: 429 is
 * in the reply, in place of whatever was. */
bool rate_limit_request(struct request *request, struct reply *reply);

/* One new player of the address's budget. It is taken before it is tried, so that many at the same
 * time get no more than one after the other; false: 429 is in the reply. */
bool rate_limit_registration(struct request *request, struct reply *reply);
/* It came to nothing, and does not count. */
void rate_limit_registration_failed(struct request *request);

/* The same for a code that may be wrong. */
bool rate_limit_code(struct request *request, struct reply *reply);
/* It was right, or not looked up, though the answer says otherwise. */
void rate_limit_code_not_wrong(struct request *request);

/* The answer is known: one that found nothing by its id weighs more, and a code that was not wrong
 * nothing. */
void rate_limit_answer(struct request *request, const struct reply *reply);

#endif

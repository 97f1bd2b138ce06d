#ifndef API_RETRY_H
#define API_RETRY_H

/*
 * `Idempotency-Key`: a POST that comes again with its key gets the answer of the first time. A
 * handler reads the key before it looks at the body, and begins its command between retry_owns and
 * retry_command; without a key these are request_owns and request_command.
 *
 * With a key, `then` makes the answer to MATCH_OK inside the writer's transaction, so that exactly
 * what is sent is kept: it must need nothing but the command, and only the headers Location and
 * Cache-Control, JSON or no body. MATCH_OK is the command's only success.
 *
 * Threads: those of the request.
 */

#include "request.h"

enum retry_scope {
    RETRY_OF_DEVICE, /* a key belongs to a device, a method and a path */
    /* Nobody is known yet, and the answer has a token: a key stands alone, must be hard to guess,
     * and `then` is called with MATCH_REPEATED for a repeat. */
    RETRY_ALONE,
};

/* False: the key is malformed, a problem is in the reply. */
bool retry_key(struct request *request, struct reply *reply, enum retry_scope scope);

void retry_owns(struct request *request, struct reply *reply, struct match_op *op,
                handler_fn *then);
enum handled retry_command(struct request *request, struct reply *reply, struct match_op *op,
                           enum match_status begun, handler_fn *then);

/* The header that tells a repeat from the first time. */
void retry_mark(struct reply *reply);

#endif

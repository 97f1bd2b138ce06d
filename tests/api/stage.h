#ifndef TESTS_API_STAGE_H
#define TESTS_API_STAGE_H

/*
 * One operation of the route table on a server of its own, with all that it needs to succeed again
 * and again: a path, a token, a body.
 *
 * Threads: one. Ownership: stage_new/stage_free.
 */

#include "walk.h"

struct stage {
    struct walk *walk;
    const struct route *route;
    char path[WALK_PATH]; /* without a query */
    char token[80];       /* "": none needed */
    json_t *good;         /* a body with which it succeeds; NULL: it reads none */
};

/* No budget is in the way, and tickets may ask for 1, 2, 3599 or 3600 seconds. */
struct stage *stage_new(const struct route *route);
void stage_free(struct stage *stage);

/* The operation in the document, and the schema or the example of its body; borrowed. */
json_t *stage_operation(const struct route *route);
json_t *stage_content(const struct route *route, const char *key);

/* Method, path and token; the body (or NULL) is the caller's. */
struct call stage_call(const struct stage *stage, const char *body);
/* After a 2xx: makes good again what the success has used up. */
void stage_recover(struct stage *stage, const struct answer *answer);

#endif

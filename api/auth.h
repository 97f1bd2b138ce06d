#ifndef API_AUTH_H
#define API_AUTH_H

/*
 * From the Authorization header to a player.
 * Threads: pure but for match_identify; the request is the caller's.
 */

#include "request.h"

#include <stdbool.h>
#include <stddef.h>

/* The credentials of the scheme Bearer, or NULL: another scheme. */
const char *auth_bearer(const char *authorization, size_t *length);

/* A token has no place in a URL, where logs and histories keep it. */
bool auth_token_in_query(const struct request *request);

/* Sets the identity from the header (NULL: none). False: a problem is in the reply. */
bool auth_check(struct request *request, struct reply *reply, const char *authorization);

/* For an identity that is `unnoted`: notes the use, then runs the route's handler. */
enum handled auth_note_use(struct request *request, struct reply *reply);

#endif

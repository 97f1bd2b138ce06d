#ifndef API_CACHING_H
#define API_CACHING_H

/*
 * What caches are told about answers: one rule for all routes, from what the table says of them.
 * A handler whose answers need another Cache-Control says so with reply_header, and adds a Vary of
 * its own for what only it looks at.
 *
 * Threads: pure, any.
 */

#include "routes.h"

#include <stdbool.h>

/* The Cache-Control of a reply that has none: what needs a token is for its owner alone and, like
 * all that can change, asked for again every time; problems are not kept. `route` NULL: none. */
const char *caching_control(const struct route *route, unsigned status);

/* Whether a handler may say this: what needs a token is never for caches that many share. */
bool caching_allows(const struct route *route, const char *control);

/* Whether caches that many share may keep it whoever asked. */
bool caching_is_shared(const char *control);

/* The request headers that a reply hangs on; NULL: none. `by_origin`: not all pages may read it. */
const char *caching_vary(const struct route *route, bool by_origin);

#endif

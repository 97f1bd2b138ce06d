#ifndef API_URL_H
#define API_URL_H

/*
 * The one strict decoder of request targets. Pure, any thread; all buffers are the caller's.
 *
 * Refused: broken percent escapes, control bytes and blanks however they are written, text that is
 * no UTF-8, and in paths %2f, %5c, backslash and `#`, which would make two readers see two paths.
 * A `+` is a plus.
 */

#include "request.h"

#include <stdbool.h>
#include <stddef.h>

enum url_part { URL_PATH, URL_QUERY };

/* `out` takes at most length + 1 bytes with the NUL. */
bool url_decode(enum url_part part, const char *text, size_t length, char *out);

/* Why a query is refused. */
struct query_fault {
    const char *name; /* of the parameter, as the pairs' names; NULL: it has none to be read */
    const char *reason;
};

/* Splits and decodes a query without its `?`. Refuses a repeated or empty name and more than
 * REQUEST_QUERY_MAX pairs. `out` (at most length + 2 bytes) holds what the pairs point to. False:
 * *fault says why. */
bool url_query(const char *text, size_t length, char *out,
               struct query_pair pairs[REQUEST_QUERY_MAX], size_t *count,
               struct query_fault *fault);

/* Writes a decoded path so that it can stand in a URI reference; cut off to fit. */
void url_encode(const char *path, char *out, size_t size);

#endif

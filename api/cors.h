#ifndef API_CORS_H
#define API_CORS_H

/*
 * Which pages in browsers may read the answers. There are no cookies, so all of them may unless the
 * operator lists some.
 *
 * Threads: pure, any.
 */

#include <stdbool.h>

enum { CORS_TEXT = 1024 }; /* the operator's list, with its NUL */

/* `*`, or origins as browsers write them, separated by commas: a scheme, a host in lower case and,
 * unless it is the scheme's own, a port. */
bool cors_is_valid(const char *cors);

/* All origins: then nothing depends on who asks. */
bool cors_is_open(const char *cors);

/* What Access-Control-Allow-Origin says to a page of this origin (NULL: not said); NULL: nothing.
 * Both texts are compared byte by byte: browsers know one spelling. */
const char *cors_allow(const char *cors, const char *origin);

#endif

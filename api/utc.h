#ifndef API_UTC_H
#define API_UTC_H

/* Times as text: RFC 3339 in UTC with milliseconds. Pure, any thread. */

#include <stdbool.h>
#include <stdint.h>

enum { UTC_TEXT = 25 }; /* "2026-01-02T03:04:05.678Z" with the NUL */

/* False: no time that has such a text (before 1970, or in a year over 9999). */
bool utc_format(int64_t at_ms, char text[UTC_TEXT]);

#endif

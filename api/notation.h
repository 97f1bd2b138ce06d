#ifndef API_NOTATION_H
#define API_NOTATION_H

/* Times and rating points as texts, the same in every media type. Pure, any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NOTATION_TIME = 25, /* 2026-03-01T12:00:00.000Z and NUL */
    NOTATION_DAY = 11,
    NOTATION_POINTS = 32,
};

/* RFC 3339 in UTC with milliseconds; false: not in the years 0 to 9999. */
bool notation_time(int64_t at_ms, char text[NOTATION_TIME]);
/* The date alone, of days since 1970. */
bool notation_day(int64_t day, char text[NOTATION_DAY]);

/* A date and time of RFC 3339, with any offset and any number of decimals; what is finer than a
 * millisecond is rounded up, so that "from" and "before" this time keep their meaning. False: it is
 * none, to the letter. */
bool notation_parse_time(const char *text, int64_t *at_ms);

/* Thousandths with at most three decimals: 1507766 is 1507.766, 1500000 is 1500. */
/* Returns the length. */
size_t notation_points(int64_t milli, char text[NOTATION_POINTS]);

#endif

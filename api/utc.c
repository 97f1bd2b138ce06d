#include "utc.h"

#include <assert.h>
#include <stddef.h>
#include <time.h>

/* Decimal digits with leading zeros; returns where the next character goes. */
static char *put_digits(char *at, unsigned value, unsigned digits)
{
    for (unsigned i = digits; i > 0; i--) {
        at[i - 1] = (char)('0' + value % 10);
        value /= 10;
    }
    return at + digits;
}

/* By hand: this is done for every request, and strftime takes as long as all the rest of a line. */
bool utc_format(int64_t at_ms, char text[UTC_TEXT])
{
    enum { LAST_YEAR = 9999 };
    time_t seconds = (time_t)(at_ms / 1000);
    struct tm utc;
    if (at_ms < 0 || gmtime_r(&seconds, &utc) == NULL || utc.tm_year + 1900 > LAST_YEAR) {
        return false;
    }
    const struct {
        unsigned value;
        unsigned digits;
        char after;
    } parts[] = {
        {(unsigned)utc.tm_year + 1900, 4, '-'},
        {(unsigned)utc.tm_mon + 1,     2, '-'},
        {(unsigned)utc.tm_mday,        2, 'T'},
        {(unsigned)utc.tm_hour,        2, ':'},
        {(unsigned)utc.tm_min,         2, ':'},
        {(unsigned)utc.tm_sec,         2, '.'},
        {(unsigned)(at_ms % 1000),     3, 'Z'},
    };
    char *at = text;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        at = put_digits(at, parts[i].value, parts[i].digits);
        *at++ = parts[i].after;
    }
    assert(at - text == UTC_TEXT - 1);
    *at = '\0';
    return true;
}

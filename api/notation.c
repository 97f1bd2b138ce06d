#include "notation.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    SECOND_MS = 1000,
    MINUTE_MS = 60 * SECOND_MS,
    HOUR_MS = 60 * MINUTE_MS,
    DAY_MS = 24 * HOUR_MS,
    YEAR_MAX = 9999,
};

/* --- the calendar: days since 1970 and dates, by Howard Hinnant's reckoning ----------------------
 */

struct date {
    int64_t year;
    int month; /* 1.. */
    int day;   /* 1.. */
};

/* Years begin in March here, so that the leap day is the last one; an era is 400 of them. */
enum { ERA_DAYS = 146097, ERA_YEARS = 400, DAYS_TO_1970 = 719468 };

static int64_t floor_div(int64_t value, int64_t by)
{
    return value / by - (value % by < 0 ? 1 : 0);
}

static int64_t day_of(struct date date)
{
    int64_t year = date.month <= 2 ? date.year - 1 : date.year;
    int64_t era = floor_div(year, ERA_YEARS);
    int64_t year_of_era = year - era * ERA_YEARS;
    int64_t day_of_year = (153 * ((date.month + 9) % 12) + 2) / 5 + date.day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * ERA_DAYS + day_of_era - DAYS_TO_1970;
}

static struct date date_of(int64_t day)
{
    day += DAYS_TO_1970;
    int64_t era = floor_div(day, ERA_DAYS);
    int64_t day_of_era = day - era * ERA_DAYS;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int month_from_march = (int)((5 * day_of_year + 2) / 153);
    struct date date = {
        .month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9,
        .day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1),
    };
    date.year = year_of_era + era * ERA_YEARS + (date.month <= 2 ? 1 : 0);
    return date;
}

static bool is_date(struct date date)
{
    struct date same = date_of(day_of(date));
    return date.month >= 1 && date.month <= 12 && date.day >= 1 && same.month == date.month &&
           same.day == date.day;
}

/* --- writing -------------------------------------------------------------------------------------
 */

static void put_digits(char *text, size_t width, int64_t value)
{
    assert(value >= 0);
    for (size_t i = width; i > 0; i--) {
        text[i - 1] = (char)('0' + value % 10);
        value /= 10;
    }
}

bool notation_day(int64_t day, char text[NOTATION_DAY])
{
    struct date date = date_of(day);
    if (date.year < 0 || date.year > YEAR_MAX) {
        return false;
    }
    memcpy(text, "0000-00-00", NOTATION_DAY);
    put_digits(text, 4, date.year);
    put_digits(text + 5, 2, date.month);
    put_digits(text + 8, 2, date.day);
    return true;
}

bool notation_time(int64_t at_ms, char text[NOTATION_TIME])
{
    static const char form[NOTATION_TIME - NOTATION_DAY + 1] = "T00:00:00.000Z";
    int64_t day = floor_div(at_ms, DAY_MS);
    int64_t rest = at_ms - day * DAY_MS;
    if (!notation_day(day, text)) {
        return false;
    }
    text += NOTATION_DAY - 1;
    memcpy(text, form, sizeof form);
    put_digits(text + 1, 2, rest / HOUR_MS);
    put_digits(text + 4, 2, rest / MINUTE_MS % 60);
    put_digits(text + 7, 2, rest / SECOND_MS % 60);
    put_digits(text + 10, 3, rest % SECOND_MS);
    return true;
}

/* Backwards, without printf: every answer has some of these. */
size_t notation_points(int64_t milli, char text[NOTATION_POINTS])
{
    enum { DECIMALS = 3 };
    char backwards[NOTATION_POINTS];
    size_t used = 0;
    assert(milli > INT64_MIN);
    int64_t rest = milli < 0 ? -milli : milli;
    for (int place = 0; place < DECIMALS; place++, rest /= 10) {
        if (used > 0 || rest % 10 != 0) {
            backwards[used++] = (char)('0' + rest % 10);
        }
    }
    if (used > 0) {
        backwards[used++] = '.';
    }
    do {
        backwards[used++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (milli < 0) {
        backwards[used++] = '-';
    }
    for (size_t i = 0; i < used; i++) {
        text[i] = backwards[used - 1 - i];
    }
    text[used] = '\0';
    return used;
}

/* --- reading -------------------------------------------------------------------------------------
 */

/* Exactly `width` digits at *text, which moves on; -1: they are not there. */
static int take_digits(const char **text, size_t width)
{
    int value = 0;
    for (size_t i = 0; i < width; i++) {
        if ((*text)[i] < '0' || (*text)[i] > '9') {
            return -1;
        }
        value = value * 10 + ((*text)[i] - '0');
    }
    *text += width;
    return value;
}

/* One character, whose letters may be of either case. */
static bool take(const char **text, char expected)
{
    bool letter = expected >= 'A' && expected <= 'Z';
    if (**text != expected && !(letter && **text == expected + ('a' - 'A'))) {
        return false;
    }
    (*text)++;
    return true;
}

static bool take_date(const char **text, struct date *date)
{
    date->year = take_digits(text, 4);
    if (date->year < 0 || !take(text, '-')) {
        return false;
    }
    date->month = take_digits(text, 2);
    if (date->month < 0 || !take(text, '-')) {
        return false;
    }
    date->day = take_digits(text, 2);
    return date->day >= 0 && is_date(*date);
}

/* Hours and minutes, and no later than 23:59. */
static bool take_minutes(const char **text, int *minutes)
{
    int hour = take_digits(text, 2);
    if (hour < 0 || hour > 23 || !take(text, ':')) {
        return false;
    }
    int minute = take_digits(text, 2);
    *minutes = hour * 60 + minute;
    return minute >= 0 && minute <= 59;
}

/* Milliseconds; any digit that follows them and is not 0 makes it one more. */
static bool take_decimals(const char **text, int *milli)
{
    int digits = 0;
    bool more = false;
    *milli = 0;
    if (!take(text, '.')) {
        return true;
    }
    for (; **text >= '0' && **text <= '9'; (*text)++, digits++) {
        int digit = **text - '0';
        if (digits < 3) {
            *milli = *milli * 10 + digit;
        }
        more = more || (digits >= 3 && digit > 0);
    }
    for (int i = digits; i < 3; i++) {
        *milli *= 10;
    }
    *milli += more ? 1 : 0;
    return digits > 0;
}

static bool take_offset(const char **text, int *minutes)
{
    *minutes = 0;
    if (take(text, 'Z')) {
        return true;
    }
    bool west = **text == '-';
    if (!west && **text != '+') {
        return false;
    }
    (*text)++;
    bool good = take_minutes(text, minutes);
    *minutes = west ? -*minutes : *minutes;
    return good;
}

bool notation_parse_time(const char *text, int64_t *at_ms)
{
    struct date date;
    int minutes = 0;
    int milli = 0;
    int offset = 0;
    assert(text != NULL && at_ms != NULL);
    if (!take_date(&text, &date) || !take(&text, 'T') || !take_minutes(&text, &minutes) ||
        !take(&text, ':')) {
        return false;
    }
    int second = take_digits(&text, 2);
    if (second < 0 || second > 60 || !take_decimals(&text, &milli) ||
        !take_offset(&text, &offset) || *text != '\0') {
        return false;
    }
    int64_t minute_ms = day_of(date) * DAY_MS + (int64_t)(minutes - offset) * MINUTE_MS;
    /* A leap second is only ever the last of a day in UTC; here it is the first of the next one. */
    if (second == 60 && floor_div(minute_ms, DAY_MS) == floor_div(minute_ms + MINUTE_MS, DAY_MS)) {
        return false;
    }
    *at_ms = minute_ms + (int64_t)second * SECOND_MS + milli;
    return true;
}

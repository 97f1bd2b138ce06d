#include "api/notation.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t DAY_MS = INT64_C(86400000);

/* What the C library makes of the same moment. */
static void reference(int64_t at_ms, char text[40])
{
    struct tm parts;
    time_t seconds = (time_t)((at_ms - (at_ms % 1000 + 1000) % 1000) / 1000);
    cr_assert_not_null(gmtime_r(&seconds, &parts));
    size_t length = strftime(text, 40, "%Y-%m-%dT%H:%M:%S", &parts);
    (void)snprintf(text + length, 40 - length, ".%03dZ", (int)((at_ms % 1000 + 1000) % 1000));
}

Test(notation, every_day_of_four_centuries_is_written_and_read_back)
{
    char text[NOTATION_TIME];
    char expected[40];
    int64_t back = 0;
    for (int64_t day = -60000; day < 90000; day++) {
        int64_t at_ms = day * DAY_MS + (day * 7919 % DAY_MS + DAY_MS) % DAY_MS;
        cr_assert(notation_time(at_ms, text));
        reference(at_ms, expected);
        cr_assert_str_eq(text, expected);
        cr_assert(notation_parse_time(text, &back), "%s", text);
        cr_assert_eq(back, at_ms, "%s", text);
    }
}

/* D69 */
Test(notation, the_machines_time_zone_changes_nothing_nor_does_the_end_of_any_counter)
{
    static const struct {
        int64_t at_ms;
        const char *text;
    } rows[] = {
        {INT64_C(1483228799999), "2016-12-31T23:59:59.999Z"}, /* before a leap second */
        {INT64_C(1483228800000), "2017-01-01T00:00:00.000Z"},
        {INT64_C(2147483647999), "2038-01-19T03:14:07.999Z"},
        {INT64_C(2147483648000), "2038-01-19T03:14:08.000Z"},
        {INT64_C(4294967296000), "2106-02-07T06:28:16.000Z"},
    };
    static const char *const zones[] = {"Asia/Kolkata", "America/St_Johns", "UTC-14"};
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        char text[NOTATION_TIME];
        cr_assert_eq(setenv("TZ", zones[i], 1), 0);
        tzset();
        for (size_t j = 0; j < sizeof rows / sizeof rows[0]; j++) {
            cr_assert(notation_time(rows[j].at_ms, text));
            cr_expect_str_eq(text, rows[j].text, "%s", zones[i]);
        }
    }
}

Test(notation, years_have_four_digits)
{
    char text[NOTATION_TIME];
    cr_expect(notation_time(INT64_C(253402300799999), text));
    cr_expect_str_eq(text, "9999-12-31T23:59:59.999Z");
    cr_expect_not(notation_time(INT64_C(253402300800000), text));
    cr_expect(notation_time(INT64_C(-62167219200000), text));
    cr_expect_str_eq(text, "0000-01-01T00:00:00.000Z");
    cr_expect_not(notation_time(INT64_C(-62167219200001), text));
    cr_expect(notation_day(0, text));
    cr_expect_str_eq(text, "1970-01-01");
}

static void expect_time(const char *text, int64_t expected)
{
    int64_t at_ms = -1;
    cr_expect(notation_parse_time(text, &at_ms), "%s", text);
    cr_expect_eq(at_ms, expected, "%s: %" PRId64, text, at_ms);
}

Test(notation, any_time_of_the_standard_is_read)
{
    expect_time("1970-01-01T00:00:00Z", 0);
    expect_time("1970-01-01t00:00:01z", 1000);
    expect_time("1970-01-02T00:00:00.5Z", DAY_MS + 500);
    expect_time("1970-01-01T00:00:00.123Z", 123);
    expect_time("1970-01-01T00:00:00.1230000Z", 123);
    expect_time("1970-01-01T00:00:00.1230001Z", 124);
    expect_time("1970-01-01T00:00:59.9999Z", 60000);
    expect_time("1970-01-01T02:30:00+02:30", 0);
    expect_time("1969-12-31T21:00:00-03:00", 0);
    expect_time("1970-01-01T00:00:00-00:00", 0);
    expect_time("2000-02-29T12:00:00Z", INT64_C(951825600000));
    expect_time("2016-12-31T23:59:60Z", INT64_C(1483228800000));
    expect_time("2017-01-01T05:29:60+05:30", INT64_C(1483228800000));
    expect_time("0000-01-01T00:00:00Z", INT64_C(-62167219200000));
}

Test(notation, anything_else_is_no_time)
{
    static const char *const bad[] = {
        "",
        "2026",
        "2026-03-01",
        "2026-03-01T12:00Z",
        "2026-03-01T12:00:00",
        "2026-03-01 12:00:00Z",
        "2026-3-01T12:00:00Z",
        "26-03-01T12:00:00Z",
        "12026-03-01T12:00:00Z",
        "+2026-03-01T12:00:00Z",
        "2026-00-01T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-02-29T12:00:00Z",
        "1900-02-29T12:00:00Z",
        "2026-04-31T12:00:00Z",
        "2026-03-00T12:00:00Z",
        "2026-03-32T12:00:00Z",
        "2026-03-01T24:00:00Z",
        "2026-03-01T12:60:00Z",
        "2026-03-01T12:00:61Z",
        "2026-03-01T12:00:60Z",
        "2016-12-31T23:59:60+01:00",
        "2026-03-01T12:00:00.Z",
        "2026-03-01T12:00:00,5Z",
        "2026-03-01T12:00:00+0200",
        "2026-03-01T12:00:00+24:00",
        "2026-03-01T12:00:00+02:60",
        "2026-03-01T12:00:00+2:00",
        "2026-03-01T12:00:00 02:00",
        "2026-03-01T12:00:00ZZ",
        "2026-03-01T12:00:00Z ",
        " 2026-03-01T12:00:00Z",
        "1772366400000",
        "now",
    };
    int64_t at_ms = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(notation_parse_time(bad[i], &at_ms), "%s", bad[i]);
    }
}

Test(notation, points_have_no_more_decimals_than_they_need)
{
    static const struct {
        int64_t milli;
        const char *text;
    } cases[] = {
        {1507766, "1507.766"},
        {1500000, "1500"    },
        {1520500, "1520.5"  },
        {0,       "0"       },
        {-20,     "-0.02"   },
        {-1000,   "-1"      },
        {999,     "0.999"   },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NOTATION_POINTS];
        notation_points(cases[i].milli, text);
        cr_expect_str_eq(text, cases[i].text);
    }
}

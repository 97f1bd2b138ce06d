#include "api/media.h"

#include <criterion/criterion.h>

/* What Accept and Accept-Encoding ask for; which types bodies may have is in test_framing.c. */

/* How much a type is wanted, in thousandths. */
static int quality(const char *value, enum media media)
{
    struct accept accept = {0};
    accept_add(&accept, value);
    return accept.ranges[media].quality;
}

Test(media, the_most_precise_range_gives_the_quality)
{
    static const struct {
        const char *value;
        enum media media;
        int quality;
    } cases[] = {
        {"application/json",                               MEDIA_JSON,   1000},
        {"application/json;q=0.5",                         MEDIA_JSON,   500 },
        {"application/json ; q=0.25, application/*",       MEDIA_JSON,   250 },
        {"*/*;q=0.1, application/*;q=0.2",                 MEDIA_JSON,   200 },
        {"*/*;q=0.1, text/*;q=0.2",                        MEDIA_JSON,   100 },
        {"text/*;q=0.2, text/csv;q=0.9, */*;q=0.4",        MEDIA_CSV,    900 },
        {"text/*;q=0.2, text/csv;q=0.9, */*;q=0.4",        MEDIA_PLAIN,  200 },
        {"text/*;q=0.2, text/csv;q=0.9, */*;q=0.4",        MEDIA_JSON,   400 },
        {"application/json;q=0.2,application/json;q=0.7",  MEDIA_JSON,   700 },
        {"application/json;q=0.7,application/json;q=0.2",  MEDIA_JSON,   700 },
        {"application/json;q=1.000",                       MEDIA_JSON,   1000},
        {"application/json;q=0.123",                       MEDIA_JSON,   123 },
        {"application/json;Q=0.5",                         MEDIA_JSON,   500 },
        {"application/json;q=1.5",                         MEDIA_JSON,   1000},
        {"application/json;q=",                            MEDIA_JSON,   1000},
        {"application/json;q=x",                           MEDIA_JSON,   1000},
        {"application/json;charset=utf-8;q=0.5;version=2", MEDIA_JSON,   500 },
        {"application/x-ndjson, application/json;q=0.9",   MEDIA_NDJSON, 1000},
        {"application/x-ndjson, application/json;q=0.9",   MEDIA_PLAIN,  0   },
        {"",                                               MEDIA_JSON,   0   },
        {",;,",                                            MEDIA_JSON,   0   },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int found = quality(cases[i].value, cases[i].media);
        cr_expect_eq(found, cases[i].quality, "%s: %d", cases[i].value, found);
    }
}

Test(media, several_lines_are_one_list)
{
    struct accept accept = {0};
    accept_add(&accept, "text/html");
    cr_expect_eq(accept.ranges[MEDIA_JSON].quality, 0);
    accept_add(&accept, "application/json;q=0.4");
    cr_expect_eq(accept.ranges[MEDIA_JSON].quality, 400);
    accept_add(&accept, "application/json;q=0.8");
    cr_expect_eq(accept.ranges[MEDIA_JSON].quality, 800);
}

static bool takes_gzip(const char *value)
{
    struct codings codings = {0};
    codings_add(&codings, value);
    return codings_take_gzip(&codings);
}

Test(media, gzip_is_for_those_who_ask_for_it)
{
    static const char *const good[] = {
        "gzip",
        "GZIP",
        "x-gzip",
        "deflate, gzip, br",
        "*",
        "gzip;q=0.1",
        "gzip;q=1.0",
        "identity, gzip",
        "*;q=0, gzip;q=0.01",
        "br;q=1, *;q=0.1",
        "gzip ;q=0.5",
        "*;q=0.5",
        "identity;q=0, *",
        "identity;q=0.5, gzip;q=0.5",
    };
    static const char *const bad[] = {
        "",
        "identity",
        "br, deflate",
        "gzip;q=0",
        "*;q=0",
        "gzipped",
        "gzip;q=0.000",
        "gzip;q=0, *",
        "identity;q=1, gzip;q=0.5",
        "*;q=0.2, identity;q=0.9",
    };
    struct codings none = {0};
    cr_expect_not(codings_take_gzip(&none));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect(takes_gzip(good[i]), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(takes_gzip(bad[i]), "%s", bad[i]);
    }
}

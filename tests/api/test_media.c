#include "api/media.h"

#include <criterion/criterion.h>

/* What Accept and Accept-Encoding ask for; which types bodies may have is in test_framing.c. */

static struct accept line(const char *value)
{
    struct accept accept = {0};
    accept_add(&accept, value);
    return accept;
}

Test(media, the_most_precise_range_gives_the_quality)
{
    static const struct {
        const char *value;
        const char *type;
        unsigned quality;
    } cases[] = {
        {"application/json",                               "application/json", 1000},
        {"application/json;q=0.5",                         "application/json", 500 },
        {"application/json ; q=0.25, application/*",       "application/json", 250 },
        {"*/*;q=0.1, application/*;q=0.2",                 "application/json", 200 },
        {"*/*;q=0.1, text/*;q=0.2",                        "application/json", 100 },
        {"text/*;q=0.2, text/csv;q=0.9, */*;q=0.4",        "text/csv",         900 },
        {"text/*;q=0.2, text/csv;q=0.9, */*;q=0.4",        "text/plain",       200 },
        {"text/*;q=0.2, text/csv;q=0.9, */*;q=0.4",        "application/json", 400 },
        {"application/json;q=0.2,application/json;q=0.7",  "application/json", 700 },
        {"application/json;q=0.7,application/json;q=0.2",  "application/json", 700 },
        {"application/json;q=1.000",                       "application/json", 1000},
        {"application/json;q=0.123",                       "application/json", 123 },
        {"application/json;q=0.1239",                      "application/json", 123 },
        {"application/json;Q=0.5",                         "application/json", 500 },
        {"application/json;q=1.5",                         "application/json", 1000},
        {"application/json;q=",                            "application/json", 1000},
        {"application/json;q=x",                           "application/json", 1000},
        {"application/json;charset=utf-8;q=0.5;version=2", "application/json", 500 },
        {"application/x-ndjson, application/json;q=0.9",   "application/json", 900 },
        {"application/x-ndjson, application/json;q=0.9",   "text/plain",       0   },
        {"",                                               "application/json", 0   },
        {",;,",                                            "application/json", 0   },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct accept accept = line(cases[i].value);
        cr_expect_eq(accept_quality(&accept, cases[i].type), cases[i].quality, "%s of %s: %u",
                     cases[i].type, cases[i].value, accept_quality(&accept, cases[i].type));
    }
}

Test(media, several_lines_are_one_list)
{
    struct accept accept = line("text/html");
    cr_expect_eq(accept_quality(&accept, "application/json"), 0);
    accept_add(&accept, "application/json;q=0.4");
    cr_expect_eq(accept_quality(&accept, "application/json"), 400);
    for (int i = 0; i < ACCEPT_LINES; i++) {
        accept_add(&accept, "application/json;q=0.8");
    }
    cr_expect_eq(accept.count, ACCEPT_LINES);
    cr_expect_eq(accept_quality(&accept, "application/json"), 800);
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
    struct accept none = {0};
    cr_expect_not(accept_gzip(&none));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct accept codings = line(good[i]);
        cr_expect(accept_gzip(&codings), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct accept codings = line(bad[i]);
        cr_expect_not(accept_gzip(&codings), "%s", bad[i]);
    }
}

#include "api/cors.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_allowed(const char *cors, const char *origin, const char *expected)
{
    const char *allowed = cors_allow(cors, origin);
    if (expected == NULL) {
        cr_expect_null(allowed, "%s among %s", origin == NULL ? "no origin" : origin, cors);
    } else {
        cr_assert_not_null(allowed, "%s among %s", origin == NULL ? "no origin" : origin, cors);
        cr_expect_str_eq(allowed, expected);
    }
}

Test(cors, all_pages_are_let_in_without_being_named)
{
    expect_allowed("*", "https://a.example", "*");
    expect_allowed("*", "null", "*");
    expect_allowed("*", NULL, "*");
}

Test(cors, of_a_list_the_very_origin_is_let_in_and_nothing_like_it)
{
    static const char list[] = "https://a.example,http://localhost:5173";
    static const char *const others[] = {
        "https://a.example.evil.test",
        "https://evila.example",
        "https://evil.test/https://a.example",
        "https://a.exampl",
        "https://sub.a.example",
        "https://a.example:8443",
        "https://a.example:443",
        "https://a.example/",
        "https://A.example",
        "HTTPS://a.example",
        "http://a.example",
        "http://localhost",
        "http://localhost:51733",
        "http://localhost:517",
        "https://a.example,http://localhost:5173",
        "https://a.example,",
        "null",
        "*",
        "",
        ",",
        " https://a.example",
        "a.example",
    };
    expect_allowed(list, "https://a.example", "https://a.example");
    expect_allowed(list, "http://localhost:5173", "http://localhost:5173");
    expect_allowed(list, NULL, NULL);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        expect_allowed(list, others[i], NULL);
    }
}

Test(cors, an_origin_is_written_as_browsers_write_it)
{
    static const char *const good[] = {
        "*",
        "https://a.example",
        "https://a.example,http://localhost:5173",
        "http://127.0.0.1:8080",
        "http://[::1]:8080",
        "https://[2001:db8::1]",
        "https://xn--bcher-kva.example",
        "https://a.example:80",
        "http://a.example:443",
        "capacitor://localhost",
        "chrome-extension://abcdefgh",
        "https://a.example:65535",
    };
    static const char *const bad[] = {
        "",
        "a.example",
        "https://",
        "https://a.example/",
        "https://a.example/path",
        "https://A.example",
        "HTTPS://a.example",
        "https://a.example:443",
        "http://a.example:80",
        "https://a.example:",
        "https://a.example:0",
        "https://a.example:08",
        "https://a.example:65536",
        "https://a.example:99999999999",
        "https://a.example:80x",
        "https://*.example",
        "https://a.example,*",
        "*,https://a.example",
        "https://a.example,",
        ",https://a.example",
        "https://a.example, https://b.example",
        "https://a.example https://b.example",
        "https://user@a.example",
        "https://a.example?x",
        "https://[::1",
        "https://[]",
        "https:a.example",
        "://a.example",
        "1a://b",
        "null",
        "**",
        "https://\xc3\xa9.example",
        "https://a.example\r\nX: y",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect(cors_is_valid(good[i]), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(cors_is_valid(bad[i]), "%s", bad[i]);
    }
}

Test(cors, a_list_has_a_longest_length)
{
    char list[CORS_TEXT + 1];
    memset(list, 'a', sizeof list);
    memcpy(list, "https://", 8);
    list[CORS_TEXT - 1] = '\0';
    cr_expect(cors_is_valid(list));
    list[CORS_TEXT - 1] = 'a';
    list[CORS_TEXT] = '\0';
    cr_expect_not(cors_is_valid(list));
}

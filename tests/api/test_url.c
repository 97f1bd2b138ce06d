#include "api/url.h"

#include <criterion/criterion.h>
#include <string.h>

static bool decodes(enum url_part part, const char *text, const char *expected)
{
    char out[256];
    bool good = url_decode(part, text, strlen(text), out);
    return expected == NULL ? !good : good && strcmp(out, expected) == 0;
}

Test(url, escapes_are_decoded_once)
{
    cr_expect(decodes(URL_PATH, "/v1/games/g%5F1", "/v1/games/g_1"));
    cr_expect(decodes(URL_PATH, "/%2541", "/%41"));
    cr_expect(decodes(URL_PATH, "/%e3%81%82", "/\xe3\x81\x82"));
    cr_expect(decodes(URL_QUERY, "a/b%2Fc%5c", "a/b/c\\"));
}

Test(url, a_plus_is_a_plus)
{
    cr_expect(decodes(URL_QUERY, "a+b%2b%20", "a+b+ "));
}

Test(url, broken_escapes_are_refused)
{
    static const char *const texts[] = {"%", "%4", "%zz", "%4g", "%g4", "a%", "%%41"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect(decodes(URL_PATH, texts[i], NULL), "%s", texts[i]);
        cr_expect(decodes(URL_QUERY, texts[i], NULL), "%s", texts[i]);
    }
}

Test(url, control_bytes_are_refused_however_they_are_written)
{
    static const char *const texts[] = {"%00", "%0d%0a", "%1f", "%7f", "\x01", "\x7f", "a b"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect(decodes(URL_PATH, texts[i], NULL), "%s", texts[i]);
        cr_expect(decodes(URL_QUERY, texts[i], NULL), "%s", texts[i]);
    }
}

Test(url, what_would_make_another_path_is_refused)
{
    static const char *const texts[] = {"/a%2fb", "/a%2Fb", "/a%5cb", "/a%5Cb", "/a\\b", "/a#b"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect(decodes(URL_PATH, texts[i], NULL), "%s", texts[i]);
    }
}

Test(url, text_that_is_no_utf8_is_refused)
{
    static const char *const texts[] = {"%ff",          "%c0%af", "%ed%a0%80",
                                        "%f4%90%80%80", "%e3%81", "\xc3"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect(decodes(URL_PATH, texts[i], NULL), "%s", texts[i]);
    }
}

static bool query(const char *text, struct query_pair pairs[REQUEST_QUERY_MAX], size_t *count)
{
    /* Exactly as much room as url_query asks for, so that a sanitizer sees one byte more. */
    static char out[2][512];
    size_t length = strlen(text);
    char *room = out[0];
    cr_assert(length + 2 <= sizeof out[0]);
    memset(out, 'x', sizeof out);
    struct query_fault fault = {NULL, NULL};
    bool good = url_query(text, length, room, pairs, count, &fault);
    cr_expect_eq(good, fault.reason == NULL, "%s", text);
    cr_expect_eq(room[length + 2], 'x', "%s", text);
    return good;
}

Test(url, a_query_is_taken_apart)
{
    struct query_pair pairs[REQUEST_QUERY_MAX];
    size_t count;
    cr_assert(query("a=1&b%63=&flag&d=x=y", pairs, &count));
    cr_assert_eq(count, 4);
    cr_expect_str_eq(pairs[0].name, "a");
    cr_expect_str_eq(pairs[0].value, "1");
    cr_expect_str_eq(pairs[1].name, "bc");
    cr_expect_str_empty(pairs[1].value);
    cr_expect_str_eq(pairs[2].name, "flag");
    cr_expect_str_empty(pairs[2].value);
    cr_expect_str_eq(pairs[3].value, "x=y");
    cr_assert(query("", pairs, &count));
    cr_expect_eq(count, 0);
}

Test(url, a_name_that_comes_twice_or_not_at_all_is_refused)
{
    static const char *const texts[] = {"a=1&a=2", "a&%61", "=1", "&", "a=1&&b=2", "a=1&", "&a=1"};
    struct query_pair pairs[REQUEST_QUERY_MAX];
    size_t count;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect_not(query(texts[i], pairs, &count), "%s", texts[i]);
    }
}

Test(url, a_refused_query_names_the_parameter_that_is_to_blame)
{
    static const struct {
        const char *text;
        const char *name; /* "": none that can be read */
        const char *reason;
    } cases[] = {
        {"a=1&b=2&a=3",                       "a", "repeated" },
        {"a=1&b=%zz",                         "b", "malformed"},
        {"a=1&%62=%0a",                       "b", "malformed"},
        {"a=1&%ff=2",                         "",  "malformed"},
        {"a=1&=2",                            "",  "malformed"},
        {"a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q", "",  "too-many" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[64];
        size_t count;
        struct query_pair pairs[REQUEST_QUERY_MAX];
        struct query_fault fault;
        cr_assert_not(url_query(cases[i].text, strlen(cases[i].text), out, pairs, &count, &fault));
        cr_expect_str_eq(fault.name == NULL ? "" : fault.name, cases[i].name, "%s", cases[i].text);
        cr_expect_str_eq(fault.reason, cases[i].reason, "%s", cases[i].text);
    }
}

Test(url, a_query_has_at_most_sixteen_parameters)
{
    struct query_pair pairs[REQUEST_QUERY_MAX];
    size_t count;
    cr_expect(query("a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p", pairs, &count));
    cr_expect_eq(count, REQUEST_QUERY_MAX);
    cr_expect_not(query("a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q", pairs, &count));
}

Test(url, an_encoded_path_is_a_uri_reference_that_fits)
{
    char out[16];
    url_encode("/a b\"\xc3\xa9", out, sizeof out);
    cr_expect_str_eq(out, "/a%20b%22%C3%A9");
    url_encode("/a b\"\xc3\xa9", out, sizeof out - 1);
    cr_expect_str_eq(out, "/a%20b%22%C3");
    url_encode("/v1/me", out, sizeof out);
    cr_expect_str_eq(out, "/v1/me");
}

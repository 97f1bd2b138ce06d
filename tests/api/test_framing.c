#include "api/auth.h"
#include "api/framing.h"

#include <criterion/criterion.h>
#include <string.h>

/* The fault of a request with these headers (names and values in turn, up to NULL). */
static bool is_fault(const char *const *headers)
{
    struct framing framing = {0};
    for (; *headers != NULL; headers += 2) {
        framing_header(&framing, headers[0], strlen(headers[0]), headers[1]);
    }
    return framing_fault(&framing, "/", "HTTP/1.1") != NULL;
}

#define FAULT(...) is_fault((const char *const[]){__VA_ARGS__, NULL})

Test(framing, a_proper_head_passes)
{
    cr_expect_not(FAULT("Host", "x"));
    cr_expect_not(FAULT("host", "", "Content-Length", "0", "X-!#$%&'*+.^_`|~9", "anything"));
    cr_expect_not(FAULT("Host", "x", "Transfer-Encoding", "Chunked"));
}

Test(framing, there_is_exactly_one_host)
{
    cr_expect(FAULT("Accept", "*/*"));
    cr_expect(FAULT("Host", "x", "HOST", "x"));
}

Test(framing, a_length_is_said_once_in_digits)
{
    static const char *const lengths[] = {"",   "+5", "-1",  "5,5", "0x5",
                                          " 5", "5 ", "5.0", "1e3", "1234567890123456789"};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        cr_expect(FAULT("Host", "x", "Content-Length", lengths[i]), "%s", lengths[i]);
    }
    cr_expect(FAULT("Host", "x", "Content-Length", "5", "Content-Length", "5"));
    cr_expect(FAULT("Host", "x", "Content-Length", "y", "Content-Length", "5"));
}

Test(framing, a_transfer_encoding_is_chunked_alone_and_without_length)
{
    static const char *const encodings[] = {
        "", "xchunked", "gzip", "gzip, chunked", "chunked, chunked", "identity"};
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        cr_expect(FAULT("Host", "x", "Transfer-Encoding", encodings[i]), "%s", encodings[i]);
    }
    cr_expect(FAULT("Host", "x", "Transfer-Encoding", "chunked", "Content-Length", "0"));
    cr_expect(FAULT("Host", "x", "Transfer-Encoding", "chunked", "Transfer-Encoding", "chunked"));
}

Test(framing, names_are_tokens)
{
    static const char *const names[] = {"",   "X ",       " X", "X Y",  "X\t",
                                        "X(", "\xc3\xa9", "X:", "X\x01"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cr_expect(FAULT("Host", "x", names[i], "1"), "%s", names[i]);
    }
}

/* A head as the library leaves it: NULs over colons and line ends. */
static bool is_hidden_in(const char *head, size_t length, const char *value)
{
    struct framing framing = {.target_end = head + 1};
    framing_head(&framing, head + 2, head + length);
    framing_header(&framing, head + 12, 4, value);
    return framing_fault(&framing, "/", "HTTP/1.1") != NULL;
}

#define HIDDEN(head, value_at) is_hidden_in(head, sizeof(head) - 1, (head) + (value_at))

Test(framing, every_byte_of_the_head_is_in_a_name_or_a_value)
{
    static const char proper[] = "/\0HTTP/1.1\0\0Host\0 b\0\0\0\0";
    static const char nameless[] = "/\0HTTP/1.1\0\0Host\0 b\0\0\0 1\0\0";
    static const char colon[] = "/\0HTTP/1.1\0\0Host\0 b\0\0\0\0\0";
    static const char line_feed[] = "/\0HTTP/1.1\0\0Host\0 b\0\0\0";
    static const char nul[] = "/\0HTTP/1.1\0\0Host\0 b\0c\0\0\0\0";
    cr_expect_not(HIDDEN(proper, 18));
    cr_expect(HIDDEN(nameless, 18));
    cr_expect(HIDDEN(colon, 18));
    cr_expect(HIDDEN(line_feed, 18));
    cr_expect(HIDDEN(nul, 18));
    struct framing framing = {.target_end = proper};
    framing_head(&framing, proper + 2, proper + sizeof proper - 1);
    framing_header(&framing, proper + 12, 4, proper + 18);
    cr_expect_not_null(framing_fault(&framing, "/", "HTTP/1.1"), "a NUL in the target");
}

Test(framing, credentials_and_content_types_come_once)
{
    cr_expect(FAULT("Host", "x", "Authorization", "Bearer a", "authorization", "Bearer a"));
    cr_expect(FAULT("Host", "x", "Content-Type", "a/b", "Content-Type", "a/b"));
}

Test(framing, lines_of_proxies_are_kept_in_their_order_as_far_as_there_is_room)
{
    static const char name[] = "X-FORWARDED-for";
    static const char *const values[] = {"a", "b", NULL};
    struct framing framing = {0};
    for (size_t i = 0; i < 3; i++) {
        framing_header(&framing, name, sizeof name - 1, values[i]);
    }
    cr_assert_eq(framing.forwarded_count, 3);
    cr_expect_str_eq(framing.forwarded[0], "a");
    cr_expect_str_eq(framing.forwarded[1], "b");
    cr_expect_str_eq(framing.forwarded[2], "");
    for (size_t i = 3; i < FRAMING_FORWARDED_MAX + 2; i++) {
        framing_header(&framing, name, sizeof name - 1, "c");
    }
    cr_expect_eq(framing.forwarded_count, FRAMING_FORWARDED_MAX + 2);
}

Test(framing, targets_begin_with_a_slash_and_versions_are_known)
{
    struct framing framing = {0};
    framing_header(&framing, "Host", 4, "x");
    cr_expect(framing_fault(&framing, "/", "HTTP/1.0") == NULL);
    cr_expect(framing_fault(&framing, "http://x/", "HTTP/1.1") != NULL);
    cr_expect(framing_fault(&framing, "*", "HTTP/1.1") != NULL);
    cr_expect(framing_fault(&framing, "", "HTTP/1.1") != NULL);
    cr_expect(framing_fault(&framing, "/", "HTTP/1.2") != NULL);
    framing.bad_target = true;
    cr_expect(framing_fault(&framing, "/", "HTTP/1.1") != NULL);
}

static bool accepts(const char *value)
{
    struct accept accept = {0};
    accept_add(&accept, value);
    return accept_best(&accept, 1U << MEDIA_JSON) == MEDIA_JSON;
}

Test(framing, the_most_precise_range_says_whether_json_is_acceptable)
{
    struct accept nothing = {0};
    cr_expect_eq(accept_best(&nothing, 1U << MEDIA_JSON), MEDIA_JSON);
    static const char *const good[] = {
        "*/*",
        "application/json",
        "Application/*",
        "text/html, */*;q=0.1",
        "a/b ,application/json ; q=1",
        "*/*;q=0, application/json",
        "application/json;charset=utf-8",
        "application/*;q=0.001",
        "application/json;q=0, APPLICATION/json;q=0.3",
    };
    static const char *const bad[] = {
        "",
        "text/html",
        "application/jsonx",
        "application/json;q=0",
        "*/*;q=0.000",
        "application/json;q=0, */*",
        "text/*",
        "json",
        "application/problem+json",
        "application/*;q=0, */*",
        "appl/*",
        "*",
        "application/*json",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect(accepts(good[i]), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(accepts(bad[i]), "%s", bad[i]);
    }
}

/* Of all types there are. */
static enum media best(const char *value)
{
    struct accept accept = {0};
    accept_add(&accept, value);
    return accept_best(&accept, (1U << MEDIA_TYPES) - 1);
}

Test(framing, of_several_types_the_client_gets_the_one_it_likes_best)
{
    static const struct {
        const char *value;
        enum media best;
    } cases[] = {
        {"*/*",                                         MEDIA_JSON  },
        {"application/*",                               MEDIA_JSON  },
        {"text/*",                                      MEDIA_EVENTS},
        {"text/plain",                                  MEDIA_PLAIN },
        {"TEXT/Plain;charset=utf-8",                    MEDIA_PLAIN },
        {"application/x-ndjson",                        MEDIA_NDJSON},
        {"application/json, text/plain, */*",           MEDIA_JSON  },
        {"text/plain, */*",                             MEDIA_PLAIN },
        {"text/plain;q=0.5, application/json;q=0.4",    MEDIA_PLAIN },
        {"text/plain;q=0.5, application/json;q=0.500",  MEDIA_JSON  },
        {"text/plain;q=0.25, */*;q=0.3",                MEDIA_JSON  },
        {"application/*;q=0.9, application/json;q=0.1", MEDIA_NDJSON},
        {"*/*, application/json;q=0",                   MEDIA_EVENTS},
        {"text/event-stream, application/json;q=0.9",   MEDIA_EVENTS},
        {"text/html, application/xhtml+xml, */*;q=0.8", MEDIA_JSON  },
        {"text/plain;q=junk",                           MEDIA_PLAIN },
        {"text/plain;q=0.0",                            MEDIA_TYPES },
        {"text/html",                                   MEDIA_TYPES },
        {"",                                            MEDIA_TYPES },
    };
    struct accept nothing = {0};
    cr_expect_eq(accept_best(&nothing, 1U << MEDIA_PLAIN), MEDIA_PLAIN);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(best(cases[i].value), cases[i].best, "%s", cases[i].value);
    }
}

Test(framing, qualities_are_read_to_the_thousandth)
{
    cr_expect_eq(best("text/plain;q=0.101, application/json;q=0.1"), MEDIA_PLAIN);
    cr_expect_eq(best("text/plain;q=1.000, application/json;q=0.999"), MEDIA_PLAIN);
    cr_expect_eq(best("text/plain;q=0.001"), MEDIA_PLAIN);
    cr_expect_eq(best("text/plain;q=1.5, application/json;q=0.9"), MEDIA_PLAIN, "no number is 1");
}

Test(framing, a_body_is_json_in_utf8)
{
    static const char *const good[] = {"application/json", "Application/JSON; charset=utf-8",
                                       "application/json;charset=\"UTF-8\""};
    static const char *const bad[] = {"",
                                      "text/json",
                                      "application/json; charset=latin1",
                                      "application/json; charset=",
                                      "application/json; a=b",
                                      "application/jsonx",
                                      "application/problem+json"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect(media_is_json(good[i]), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(media_is_json(bad[i]), "%s", bad[i]);
    }
}

Test(framing, only_the_bearer_scheme_carries_a_token)
{
    size_t length = 0;
    cr_expect_str_eq(auth_bearer("Bearer abc", &length), "abc");
    cr_expect_eq(length, 3);
    cr_expect_str_eq(auth_bearer("bEARER  abc", &length), "abc");
    cr_expect_str_eq(auth_bearer("Bearer", &length), "");
    cr_expect_eq(length, 0);
    cr_expect(auth_bearer("Basic abc", &length) == NULL);
    cr_expect(auth_bearer("Bearerabc", &length) == NULL);
    cr_expect(auth_bearer("", &length) == NULL);
}

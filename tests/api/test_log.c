#include "api/log.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

/* What was written for a line with one foreign member. */
static void line_of(const char *bytes, size_t length, char text[LOG_LINE_MAX + 1])
{
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    struct logger logger = {.fd = fds[1], .level = LOG_REQUESTS_ALL};
    struct log_line line;
    log_begin(&line, "test", 1700000000123);
    log_bytes(&line, "x", bytes, length);
    log_write(&logger, &line);
    ssize_t count = read(fds[0], text, LOG_LINE_MAX);
    cr_assert(count > 0);
    text[count] = '\0';
    close(fds[0]);
    close(fds[1]);
}

static void expect_member(const char *bytes, size_t length, const char *written)
{
    static const char before[] = "{\"event\":\"test\",\"at\":\"2023-11-14T22:13:20.123Z\",\"x\":\"";
    char text[LOG_LINE_MAX + 1];
    line_of(bytes, length, text);
    size_t start = sizeof before - 1;
    cr_expect_eq(strncmp(text, before, start), 0, "%s", text);
    cr_expect_eq(strncmp(text + start, written, strlen(written)), 0, "%s", text);
    cr_expect_str_eq(text + start + strlen(written), "\"}\n");
    json_t *parsed = json_loads(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    cr_expect(parsed != NULL, "%s", text);
    json_decref(parsed);
}

static void expect_text(const char *text, const char *written)
{
    expect_member(text, strlen(text), written);
}

Test(log, plain_text_stays_as_it_is)
{
    expect_text("/v1/games", "/v1/games");
    expect_text("\xe9\xa7\x92", "\xe9\xa7\x92");
    expect_text("", "");
}

Test(log, nothing_can_end_the_string_or_the_line)
{
    expect_text("\"},{\"a\":\"b", "\\\"},{\\\"a\\\":\\\"b");
    expect_text("a\nb\rc\td", "a\\u000ab\\u000dc\\u0009d");
    expect_text("back\\slash", "back\\\\slash");
    expect_text("\x1b[31m\x7f", "\\u001b[31m\\u007f");
    expect_member("a\0b", 3, "a\\u0000b");
}

Test(log, characters_that_move_or_hide_text_are_escaped)
{
    expect_text("\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029");
    expect_text("\xe2\x80\xae"
                "abc",
                "\\u202eabc");
    expect_text("\xc2\x85", "\\u0085");
}

Test(log, bytes_that_are_no_text_are_shown_as_such)
{
    expect_text("\xff", "\\\\xff");
    expect_text("\xc0\xaf", "\\\\xc0\\\\xaf");
    expect_text("\xed\xa0\x80", "\\\\xed\\\\xa0\\\\x80");
    expect_text("\xe3\x81", "\\\\xe3\\\\x81");
}

Test(log, a_long_text_is_cut_off_and_the_line_is_still_json)
{
    char bytes[2000];
    memset(bytes, '\n', sizeof bytes);
    char text[LOG_LINE_MAX + 1];
    line_of(bytes, sizeof bytes, text);
    cr_expect(strstr(text, "...\"}\n") != NULL);
    json_t *parsed = json_loads(text, 0, NULL);
    cr_assert(parsed != NULL);
    size_t length = json_string_length(json_object_get(parsed, "x"));
    cr_expect_eq(length, LOG_FIELD_MAX + strlen("..."));
    json_decref(parsed);
}

Test(log, a_line_that_is_full_leaves_members_out)
{
    char bytes[LOG_FIELD_MAX];
    memset(bytes, 1, sizeof bytes);
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    struct logger logger = {.fd = fds[1], .level = LOG_REQUESTS_ALL};
    struct log_line line;
    log_begin(&line, "test", 0);
    for (int i = 0; i < 10; i++) {
        log_bytes(&line, "x", bytes, sizeof bytes);
        log_integer(&line, "n", INT64_MIN);
        log_null(&line, "none");
    }
    cr_expect(line.length < LOG_LINE_MAX);
    log_write(&logger, &line);
    char text[LOG_LINE_MAX + 1];
    ssize_t count = read(fds[0], text, LOG_LINE_MAX);
    cr_assert(count > 0);
    text[count] = '\0';
    cr_expect(strstr(text, "-9223372036854775808") != NULL);
    json_t *parsed = json_loads(text, 0, NULL);
    cr_expect(parsed != NULL, "%s", text);
    json_decref(parsed);
    close(fds[0]);
    close(fds[1]);
}

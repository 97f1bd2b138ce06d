#include "api/json_read.h"
#include "api/problem.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct target {
    int64_t ply;
    char move[9];
    bool yes;
    bool has_move;
};

/* clang-format off */
static const struct field fields[] = {
    {.name = "ply",  .type = FIELD_INTEGER, .offset = offsetof(struct target, ply),  .min = 1, .max = 100, .required = true},
    {.name = "move", .type = FIELD_TEXT,    .offset = offsetof(struct target, move), .size = sizeof(char[9]), .present = offsetof(struct target, has_move)},
    {.name = "yes",  .type = FIELD_BOOL,    .offset = offsetof(struct target, yes)},
};
/* clang-format on */

enum { FIELDS = sizeof fields / sizeof fields[0] };

/* The code of the refusal, or "" where the body is taken; the problem's text goes to `body`. */
static const char *decode_text(const char *text, size_t length, struct target *target,
                               char body[1024])
{
    struct request request = {.id = "test", .body = text, .body_length = length};
    struct reply reply = {0};
    memset(target, 0, sizeof *target);
    bool good = json_decode(&request, &reply, fields, FIELDS, target);
    const char *code = good ? "" : reply.problem_code;
    cr_assert(good == (reply.status == 0));
    (void)snprintf(body, 1024, "%.*s", (int)reply.length, reply.body == NULL ? "" : reply.body);
    reply_clear(&reply);
    return code;
}

static const char *decode(const char *text)
{
    struct target target;
    char body[1024];
    return decode_text(text, strlen(text), &target, body);
}

static void expect_in_problem(const char *text, const char *part)
{
    struct target target;
    char body[1024];
    (void)decode_text(text, strlen(text), &target, body);
    cr_expect(strstr(body, part) != NULL, "%s in %s", part, body);
}

Test(json_read, a_body_that_fits_fills_the_struct)
{
    struct target target;
    char body[1024];
    const char *text = " {\"move\":\"7g7f+\",\"yes\":true,\"ply\":100}\n";
    cr_expect_str_empty(decode_text(text, strlen(text), &target, body));
    cr_expect_eq(target.ply, 100);
    cr_expect_str_eq(target.move, "7g7f+");
    cr_expect(target.yes);
}

Test(json_read, whatever_is_not_exactly_one_object_is_malformed)
{
    static const char *const texts[] = {
        "",
        " ",
        "null",
        "5",
        "\"x\"",
        "[]",
        "{}{}",
        "{} x",
        "{",
        "{\"ply\"",
        "{\"ply\":1",
        "{'ply':1}",
        "{ply:1}",
        "{\"ply\":}",
        "{\"ply\":1,}",
        "\xef\xbb\xbf{\"ply\":1}",
        "{\"move\":\"\xff\"}",
        "{\"move\":\"\\ud800\"}",
        "{\"move\":\"\\u0000\"}",
        "{\"ply\":NaN}",
        "{\"ply\":01}",
        "{\"move\":\"a\nb\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect_str_eq(decode(texts[i]), "malformed-json", "%s", texts[i]);
    }
}

Test(json_read, a_truncated_body_is_malformed_at_every_byte)
{
    static const char text[] = "{\"ply\":12,\"move\":\"7g7f\",\"yes\":false}";
    struct target target;
    char body[1024];
    for (size_t length = 0; length + 1 < sizeof text; length++) {
        cr_expect_str_eq(decode_text(text, length, &target, body), "malformed-json", "%zu", length);
    }
    cr_expect_str_empty(decode(text));
}

Test(json_read, a_field_that_comes_twice_is_malformed_even_when_escaped)
{
    cr_expect_str_eq(decode("{\"ply\":1,\"ply\":1}"), "malformed-json");
    cr_expect_str_eq(decode("{\"ply\":1,\"p\\u006cy\":1}"), "malformed-json");
}

Test(json_read, sixteen_levels_are_looked_at_and_seventeen_are_malformed)
{
    char text[128] = "{\"ply\":";
    size_t start = strlen(text);
    for (size_t depth = 2; depth <= 17; depth++) {
        size_t inner = depth - 1;
        memset(text + start, '[', inner);
        memset(text + start + inner, ']', inner);
        memcpy(text + start + 2 * inner, "}", 2);
        cr_expect_str_eq(decode(text), depth <= 16 ? "invalid-field" : "malformed-json", "%zu",
                         depth);
    }
    cr_expect_str_eq(decode("{\"ply\":1,\"move\":\"[[[[[[[[[[[[[[[[[[[[\"}"), "invalid-field");
    cr_expect_str_empty(decode("{\"ply\":1,\"move\":\"\\\"[{[{[\"}"));
}

Test(json_read, an_unknown_field_is_named_and_escaped)
{
    cr_expect_str_eq(decode("{\"ply\":1,\"x\":1}"), "unknown-field");
    expect_in_problem("{\"ply\":1,\"x\":1}", "\"pointer\":\"/x\"");
    expect_in_problem("{\"a~/b\":1}", "\"pointer\":\"/a~0~1b\"");
    expect_in_problem("{\"\\u202e\\\"\\u0007\":1}", "\"pointer\":\"/\\u202E\\\"\\u0007\"");
}

Test(json_read, a_long_unknown_name_is_cut_between_characters)
{
    char name[301] = "";
    for (size_t i = 0; i + 1 < sizeof name; i++) {
        name[i] = "\xe9\xa7\x92"[i % 3];
    }
    char text[400];
    (void)snprintf(text, sizeof text, "{\"a%s\":1}", name);
    cr_expect_str_eq(decode(text), "unknown-field");
    struct target target;
    char body[1024];
    (void)decode_text(text, strlen(text), &target, body);
    cr_expect(strlen(body) < 800);
}

Test(json_read, a_required_field_must_be_there)
{
    cr_expect_str_eq(decode("{}"), "invalid-field");
    expect_in_problem("{\"move\":\"1a\"}", "\"pointer\":\"/ply\",\"reason\":\"required\"");
}

Test(json_read, an_integer_is_an_integer_within_its_limits)
{
    static const char *const wrong[] = {"0",
                                        "101",
                                        "-1",
                                        "1.0",
                                        "1e1",
                                        "\"1\"",
                                        "null",
                                        "[1]",
                                        "true",
                                        "{}",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "-9223372036854775809"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "{\"ply\":%s}", wrong[i]);
        cr_expect_str_eq(decode(text), "invalid-field", "%s", text);
    }
    cr_expect_str_empty(decode("{\"ply\":1}"));
    cr_expect_str_empty(decode("{\"ply\":100}"));
}

Test(json_read, a_number_that_nothing_holds_hides_no_malformed_body)
{
    static const char *const malformed[] = {
        "{\"ply\":99999999999999999999",
        "[99999999999999999999]",
        "99999999999999999999",
        "99999999999999999999 garbage",
        "{\"ply\":99999999999999999999,\"ply\":1}",
        "{\"ply\":99999999999999999999,\"move\":\"\xff\"}",
        "{\"ply\":1e400,,,",
        "{\"ply\":1e400,\"ply\":1}",
        "{\"ply\":099999999999999999999}",
        "{\"ply\":99999999999999999999.}",
        "{\"ply\":1e400,\"move\":\"\\\"}",
    };
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        cr_expect_str_eq(decode(malformed[i]), "malformed-json", "%s", malformed[i]);
    }
    static const char *const large[] = {
        "{\"ply\":99999999999999999999,\"x\":[-99999999999999999999]}",
        "{\"ply\":1e400}",
        "{\"ply\":-99999999999999999999.000e+00400, \"move\":\"\\\"0000\\\\\"}",
    };
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        expect_in_problem(large[i], "\"pointer\":\"\",\"reason\":\"out-of-range\"");
    }
}

Test(json_read, a_text_may_be_as_long_as_its_room_and_no_longer)
{
    cr_expect_str_empty(decode("{\"ply\":1,\"move\":\"12345678\"}"));
    expect_in_problem("{\"ply\":1,\"move\":\"123456789\"}", "\"reason\":\"too-long\"");
    expect_in_problem("{\"ply\":1,\"move\":5}", "\"reason\":\"not-a-string\"");
    expect_in_problem("{\"ply\":1,\"yes\":1}", "\"reason\":\"not-a-boolean\"");
}

Test(json_read, a_field_that_did_not_come_is_told_from_an_empty_one)
{
    struct target target;
    char body[1024];
    const char *empty = "{\"ply\":1,\"move\":\"\"}";
    const char *absent = "{\"ply\":1}";
    cr_expect_str_empty(decode_text(empty, strlen(empty), &target, body));
    cr_expect(target.has_move);
    cr_expect_str_empty(decode_text(absent, strlen(absent), &target, body));
    cr_expect_not(target.has_move);
}

Test(json_read, where_nothing_came_nothing_is_present)
{
    struct request request = {.id = "test"};
    struct reply reply = {0};
    struct target target = {.has_move = true, .move = "before"};
    cr_expect(json_decode(&request, &reply, fields + 1, FIELDS - 1, &target));
    cr_expect_not(target.has_move);
    cr_expect_str_eq(target.move, "before");
    target.has_move = true;
    request.body = "{\"yes\":true}";
    request.body_length = strlen(request.body);
    cr_expect(json_decode(&request, &reply, fields + 1, FIELDS - 1, &target));
    cr_expect_not(target.has_move);
}

Test(json_read, no_body_will_do_where_nothing_is_required)
{
    struct request request = {.id = "test"};
    struct reply reply = {0};
    struct target target = {0};
    cr_expect(json_decode(&request, &reply, fields + 1, FIELDS - 1, &target));
    cr_expect_eq(reply.status, 0);
    cr_expect_not(json_decode(&request, &reply, fields, FIELDS, &target));
    cr_expect_str_eq(reply.problem_code, "malformed-json");
    reply_clear(&reply);
}

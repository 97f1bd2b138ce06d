#include "api/json_out.h"
#include "api/request.h"
#include "api/routes.h"
#include "api/tag.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* --- hashes -----------------------------------------------------------------------------------
 */

Test(tag, a_change_of_any_bit_changes_the_hash)
{
    unsigned char bytes[40];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 7);
    }
    for (size_t length = 1; length <= sizeof bytes; length++) {
        uint64_t before = tag_mix(0, bytes, length);
        cr_expect_eq(tag_mix(0, bytes, length), before);
        for (size_t bit = 0; bit < 8 * length; bit++) {
            bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ 1U << bit % 8);
            cr_expect_neq(tag_mix(0, bytes, length), before, "bit %zu of %zu bytes", bit, length);
            bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ 1U << bit % 8);
        }
    }
}

Test(tag, where_one_piece_ends_makes_a_difference)
{
    uint64_t whole = tag_mix(0, "abcd", 4);
    cr_expect_neq(tag_mix(tag_mix(0, "ab", 2), "cd", 2), whole);
    cr_expect_neq(tag_mix(tag_mix(0, "abc", 3), "d", 1), tag_mix(tag_mix(0, "ab", 2), "cd", 2));
    cr_expect_neq(tag_mix(whole, "", 0), whole);
    cr_expect_neq(tag_mix(0, "a", 1), tag_mix(0, "a\0", 2));
}

Test(tag, a_tag_is_weak_and_has_all_sixteen_digits)
{
    char text[TAG_TEXT];
    tag_format(0, text);
    cr_expect_str_eq(text, "W/\"0000000000000000\"");
    tag_format(0x0123456789abcdef, text);
    cr_expect_str_eq(text, "W/\"0123456789abcdef\"");
}

/* --- If-None-Match ----------------------------------------------------------------------------
 */

#define TAG "W/\"0123456789abcdef\""

static bool has(const char *line)
{
    struct none_match none_match = {0};
    none_match_add(&none_match, line);
    return none_match_has(&none_match, TAG);
}

Test(tag, a_list_names_a_tag_weakly_or_strongly)
{
    static const char *const good[] = {
        TAG,       "\"0123456789abcdef\"", "\"x\", " TAG, "\"x\",W/\"y\" ,\t" TAG " , \"z\"",
        ",, " TAG, "\"\", \"a,b\", " TAG,  "*",           "* ",
    };
    static const char *const bad[] = {
        "",
        ",",
        "0123456789abcdef",
        "\"0123456789abcdef",
        "w/\"0123456789abcdef\"",
        "\"0123456789ABCDEF\"",
        "\"0123456789abcde\"",
        "\"0123456789abcdef0\"",
        "W/\"x\", \"y\"",
        "x, W/\"0123456789abcdef\"",
        "\"x, 0123456789abcdef\"",
        "\"*\"",
        "\"\"0123456789abcdef\"\"",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect(has(good[i]), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(has(bad[i]), "%s", bad[i]);
    }
}

Test(tag, several_lines_are_one_list_and_too_many_are_left_out)
{
    struct none_match none_match = {0};
    for (size_t i = 0; i + 1 < NONE_MATCH_LINES; i++) {
        none_match_add(&none_match, "\"x\"");
    }
    cr_expect_not(none_match_has(&none_match, TAG));
    none_match_add(&none_match, TAG);
    cr_expect(none_match_has(&none_match, TAG));
    none_match_add(&none_match, "*");
    cr_expect_not(none_match_has(&none_match, "W/\"f\""));
}

Test(tag, a_star_is_no_tag)
{
    struct none_match none_match = {0};
    cr_expect_not(none_match_has(&none_match, TAG));
    none_match_add(&none_match, "*");
    cr_expect_not(none_match_lists(&none_match, TAG));
    cr_expect(none_match_has(&none_match, TAG));
}

/* --- replies ----------------------------------------------------------------------------------
 */

static struct request request_of(enum http_method method, const char *none_match)
{
    static const struct route routes[HTTP_METHODS] = {
        [HTTP_GET] = {.method = HTTP_GET},
        [HTTP_POST] = {.method = HTTP_POST},
    };
    struct request request = {.route = &routes[method]};
    none_match_add(&request.none_match, none_match);
    return request;
}

Test(tag, a_read_is_named_and_a_write_is_not)
{
    struct reply reply = {0};
    struct request get = request_of(HTTP_GET, "\"x\"");
    struct request post = request_of(HTTP_POST, "*");
    cr_expect_not(reply_tag(&post, &reply, 5));
    cr_expect_str_eq(reply.tag, "");
    cr_expect_not(reply_tag(&get, &reply, 5));
    cr_expect_str_eq(reply.tag, "W/\"0000000000000005\"");
    cr_expect_eq(reply.status, 0);
    reply_clear(&reply);
    cr_expect_str_eq(reply.tag, "");
}

Test(tag, what_the_client_has_is_304_without_a_body)
{
    struct reply reply = {0};
    struct request request = request_of(HTTP_GET, "\"0000000000000005\"");
    cr_expect_not(reply_tag_known(&request, &reply, 6));
    cr_expect_str_eq(reply.tag, "", "nothing is said before the answer is known");
    cr_expect(reply_tag_known(&request, &reply, 5));
    cr_expect_eq(reply.status, 304);
    cr_expect_eq(reply.length, 0);
    cr_expect_null(reply.content_type);
    cr_expect_str_eq(reply.tag, "W/\"0000000000000005\"");
    struct request any = request_of(HTTP_GET, "*");
    cr_expect_not(reply_tag_known(&any, &reply, 5), "there may be nothing at all");
    cr_expect(reply_tag(&any, &reply, 5));
}

/* --- documents --------------------------------------------------------------------------------
 */

static uint64_t tag_of(int64_t ply, int64_t now)
{
    size_t length = 0;
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_integer(&out, "ply", ply);
    json_out_live_begin(&out);
    json_out_integer(&out, "now", now);
    json_out_live_end(&out);
    json_out_text(&out, "turn", "b");
    json_out_live_begin(&out);
    json_out_integer(&out, "left", now + 1000000);
    json_out_live_end(&out);
    json_out_end(&out);
    uint64_t tag = json_out_tag(&out);
    free(json_out_take(&out, &length));
    return tag;
}

Test(tag, live_members_do_not_count_and_all_others_do)
{
    cr_expect_eq(tag_of(1, 5), tag_of(1, 6));
    cr_expect_eq(tag_of(1, 5), tag_of(1, 123456789));
    cr_expect_neq(tag_of(1, 5), tag_of(2, 5));
}

Test(tag, a_document_that_failed_has_no_tag_to_speak_of)
{
    struct json_out out = json_out_begin();
    json_out_drop(&out);
    json_out_live_begin(&out);
    json_out_live_end(&out);
    cr_expect_eq(json_out_tag(&out), 0);
}

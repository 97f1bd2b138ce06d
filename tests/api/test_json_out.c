#include "api/json_out.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Closes nothing: the document must be whole. */
static void expect_text(struct json_out *out, const char *expected)
{
    size_t length = 0;
    char *text = json_out_take(out, &length);
    cr_assert_not_null(text);
    cr_expect_str_eq(text, expected);
    cr_expect_eq(length, strlen(text));
    free(text);
}

static void expect_points(int64_t milli, const char *expected)
{
    struct json_out out = json_out_begin();
    json_out_points(&out, NULL, milli);
    expect_text(&out, expected);
}

static void expect_integer(int64_t value, const char *expected)
{
    struct json_out out = json_out_begin();
    json_out_integer(&out, NULL, value);
    expect_text(&out, expected);
}

static void expect_time(int64_t at_ms, const char *expected)
{
    struct json_out out = json_out_begin();
    json_out_time(&out, NULL, at_ms);
    expect_text(&out, expected);
}

static void expect_string(const char *text, const char *expected)
{
    struct json_out out = json_out_begin();
    json_out_text(&out, NULL, text);
    expect_text(&out, expected);
}

Test(json_out, points_have_the_decimals_they_need_and_no_more)
{
    expect_points(1234567, "1234.567");
    expect_points(1507766, "1507.766");
    expect_points(1500000, "1500");
    expect_points(100000, "100");
    expect_points(1500500, "1500.5");
    expect_points(1500050, "1500.05");
    expect_points(1000, "1");
    expect_points(1, "0.001");
    expect_points(0, "0");
}

Test(json_out, negative_points_keep_their_sign_under_one)
{
    expect_points(-1, "-0.001");
    expect_points(-234, "-0.234");
    expect_points(-8000, "-8");
    expect_points(-16010, "-16.01");
    expect_points(-100000, "-100");
}

/* A double of fifteen digits is what a client reads these numbers into. */
Test(json_out, points_read_as_the_double_next_to_them)
{
    for (int64_t milli = -20000; milli < 4000000; milli += 1237) {
        size_t length = 0;
        struct json_out out = json_out_begin();
        json_out_points(&out, NULL, milli);
        char *text = json_out_take(&out, &length);
        cr_assert_eq(strtod(text, NULL), (double)milli / 1000.0, "%s", text);
        free(text);
    }
}

Test(json_out, integers_reach_to_both_ends)
{
    expect_integer(0, "0");
    expect_integer(-7, "-7");
    expect_integer(10, "10");
    expect_integer(INT64_MAX, "9223372036854775807");
    expect_integer(INT64_MIN, "-9223372036854775808");
}

Test(json_out, times_are_utc_with_milliseconds)
{
    expect_time(1790000000123, "\"2026-09-21T14:13:20.123Z\"");
    expect_time(1709164800000, "\"2024-02-29T00:00:00.000Z\"");
    expect_time(1735689599999, "\"2024-12-31T23:59:59.999Z\"");
    expect_time(7, "\"1970-01-01T00:00:00.007Z\"");
    expect_time(0, "null");
}

Test(json_out, texts_are_escaped_where_json_asks_for_it)
{
    expect_string("", "\"\"");
    expect_string("Amber Heron 417", "\"Amber Heron 417\"");
    expect_string("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    expect_string("\n\x01\x1f\x7f", "\"\\u000a\\u0001\\u001f\x7f\"");
    expect_string("番付 é \xf0\x9f\x8f\x86", "\"番付 é \xf0\x9f\x8f\x86\"");
}

Test(json_out, what_is_no_utf_8_becomes_a_question_mark)
{
    expect_string("a\xff", "\"a?\"");
    expect_string("cut \xc3", "\"cut ?\"");
    expect_string("\xe7\x95", "\"??\"");
    expect_string("\xc0\xaf\xed\xa0\x80", "\"?????\"");
}

Test(json_out, commas_stand_between_values_and_nowhere_else)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_object(&out, "empty");
    json_out_end(&out);
    json_out_array(&out, "list");
    json_out_array(&out, NULL);
    json_out_end(&out);
    json_out_text(&out, NULL, "{");
    json_out_integer(&out, NULL, 1);
    json_out_end(&out);
    json_out_text(&out, "open", "[");
    json_out_bool(&out, "yes", true);
    json_out_bool(&out, "no", false);
    json_out_null(&out, "nothing");
    json_out_end(&out);
    expect_text(&out, "{\"empty\":{},\"list\":[[],\"{\",1],\"open\":\"[\",\"yes\":true,"
                      "\"no\":false,\"nothing\":null}");
}

Test(json_out, what_is_not_there_is_null)
{
    struct json_out out = json_out_begin();
    json_out_array(&out, NULL);
    json_out_text_or_null(&out, NULL, NULL);
    json_out_text_or_null(&out, NULL, "");
    json_out_text_or_null(&out, NULL, "b");
    json_out_integer_or_null(&out, NULL, false, 5);
    json_out_integer_or_null(&out, NULL, true, 5);
    json_out_end(&out);
    expect_text(&out, "[null,null,\"b\",null,5]");
}

Test(json_out, a_document_can_be_a_value_of_another)
{
    struct json_out inner = json_out_begin();
    struct json_out out = json_out_begin();
    json_out_array(&inner, NULL);
    json_out_integer(&inner, NULL, 1);
    json_out_end(&inner);
    json_out_object(&out, NULL);
    json_out_integer(&out, "before", 0);
    json_out_document(&out, "inner", &inner);
    json_out_integer(&out, "after", 2);
    json_out_end(&out);
    expect_text(&out, "{\"before\":0,\"inner\":[1],\"after\":2}");
}

Test(json_out, a_long_document_grows)
{
    enum { COUNT = 20000 };
    size_t length = 0;
    struct json_out out = json_out_begin();
    json_out_array(&out, NULL);
    for (int i = 0; i < COUNT; i++) {
        json_out_text(&out, NULL, "5i5e");
    }
    json_out_end(&out);
    char *text = json_out_take(&out, &length);
    json_t *list = json_loads(text, 0, NULL);
    cr_expect_eq(json_array_size(list), COUNT);
    cr_expect_eq(length, (size_t)COUNT * 7 + 1);
    json_decref(list);
    free(text);
}

Test(json_out, without_memory_there_is_no_document)
{
    size_t length = 0;
    struct json_out dropped = json_out_begin();
    struct json_out out = json_out_begin();
    json_out_drop(&dropped);
    json_out_object(&out, NULL);
    json_out_document(&out, "gone", &dropped);
    json_out_integer(&out, "more", 1);
    json_out_end(&out);
    cr_expect_null(json_out_take(&out, &length));
    cr_expect_eq(length, 0);
}

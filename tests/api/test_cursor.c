#include "api/cursor.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST "games/p_2kq7z0n5w8r3c1m9x4vbt6hdye//hasami//"

/* A test is a process of its own. */
static char folder[64];
static struct secrets *secrets;

static void all_alike(void *context, void *bytes, size_t count)
{
    memset(bytes, *(const char *)context, count);
}

/* Secrets of a new key; all its bytes are `byte`. */
static struct secrets *make_secrets(char byte)
{
    struct match_env env = {.random = all_alike, .context = &byte};
    struct secrets *made = NULL;
    char path[96];
    (void)snprintf(path, sizeof path, "%s/test.key", folder);
    cr_assert_eq(secrets_load(path, true, &env, &made), SECRETS_OK);
    cr_assert_eq(unlink(path), 0);
    return made;
}

static void enter(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/banzuke-cursor-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    secrets = make_secrets('a');
}

static void leave(void)
{
    secrets_free(secrets);
    (void)rmdir(folder);
}

TestSuite(cursor, .init = enter, .fini = leave);

static const struct cursor somewhere = {1507766, 4711};

static bool parses(const char *list, const char *text)
{
    struct cursor cursor;
    return cursor_parse(secrets, list, text, &cursor);
}

Test(cursor, both_numbers_come_back)
{
    static const struct cursor cursors[] = {
        {0,         0        },
        {1507766,   4711     },
        {-1,        1        },
        {INT64_MIN, INT64_MAX},
        {INT64_MAX, INT64_MIN},
    };
    for (size_t i = 0; i < sizeof cursors / sizeof cursors[0]; i++) {
        char text[CURSOR_TEXT];
        struct cursor cursor = {5, 5};
        cursor_format(secrets, LIST, cursors[i], text);
        cr_assert(cursor_parse(secrets, LIST, text, &cursor));
        cr_expect_eq(cursor.first, cursors[i].first);
        cr_expect_eq(cursor.second, cursors[i].second);
    }
}

Test(cursor, the_text_needs_no_escaping_in_a_query)
{
    static const char unreserved[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int64_t i = -100; i < 100; i++) {
        char text[CURSOR_TEXT];
        cursor_format(secrets, LIST, (struct cursor){i, i * 1000003}, text);
        cr_expect_eq(strlen(text), CURSOR_TEXT - 1);
        cr_expect_eq(strspn(text, unreserved), CURSOR_TEXT - 1, "%s", text);
    }
}

Test(cursor, the_same_place_has_the_same_text)
{
    char first[CURSOR_TEXT];
    char second[CURSOR_TEXT];
    cursor_format(secrets, LIST, somewhere, first);
    cursor_format(secrets, LIST, somewhere, second);
    cr_expect_str_eq(first, second);
}

Test(cursor, a_cursor_of_another_list_is_refused)
{
    char text[CURSOR_TEXT];
    cursor_format(secrets, LIST, somewhere, text);
    cr_expect(parses(LIST, text));
    cr_expect_not(parses("games/p_2kq7z0n5w8r3c1m9x4vbt6hdye//hasami//playing", text));
    cr_expect_not(parses("ranking/hasami/0", text));
    cr_expect_not(parses("", text));
}

Test(cursor, a_cursor_of_another_key_is_refused)
{
    char text[CURSOR_TEXT];
    struct secrets *others = make_secrets('b');
    cursor_format(others, LIST, somewhere, text);
    cr_expect_not(parses(LIST, text));
    secrets_free(others);
}

Test(cursor, no_character_can_be_changed)
{
    static const char digits[] = "AQgw5_-zZ09 =+/%\x7f\xc3";
    char text[CURSOR_TEXT];
    cursor_format(secrets, LIST, somewhere, text);
    for (size_t i = 0; i < CURSOR_TEXT - 1; i++) {
        char original = text[i];
        for (const char *digit = digits; *digit != '\0'; digit++) {
            text[i] = *digit;
            cr_expect(*digit == original || !parses(LIST, text), "%c at %zu", *digit, i);
        }
        text[i] = original;
    }
    cr_expect(parses(LIST, text));
}

/* The last character has two bits to spare; a lenient reader would take four texts for one. */
Test(cursor, every_cursor_has_one_text)
{
    char text[CURSOR_TEXT];
    unsigned accepted = 0;
    cursor_format(secrets, LIST, somewhere, text);
    for (int byte = 1; byte < 256; byte++) {
        text[CURSOR_TEXT - 2] = (char)byte;
        accepted += parses(LIST, text);
    }
    cr_expect_eq(accepted, 1);
}

Test(cursor, a_shorter_or_longer_text_is_refused)
{
    char text[CURSOR_TEXT + 2];
    cursor_format(secrets, LIST, somewhere, text);
    memcpy(text + CURSOR_TEXT - 1, "A", 2);
    cr_expect_not(parses(LIST, text));
    text[CURSOR_TEXT - 1] = '=';
    cr_expect_not(parses(LIST, text));
    for (size_t length = CURSOR_TEXT - 1; length > 0; length--) {
        text[length - 1] = '\0';
        cr_expect_not(parses(LIST, text));
    }
}

Test(cursor, what_is_refused_leaves_the_place_as_it_was)
{
    struct cursor cursor = somewhere;
    cr_expect_not(cursor_parse(secrets, LIST, "abc", &cursor));
    cr_expect_eq(cursor.first, somewhere.first);
    cr_expect_eq(cursor.second, somewhere.second);
}

Test(cursor, a_key_of_any_length_comes_back)
{
    unsigned char key[CURSOR_KEY_MAX];
    unsigned char back[CURSOR_KEY_MAX];
    char text[CURSOR_LONG_TEXT];
    for (size_t i = 0; i < sizeof key; i++) {
        key[i] = (unsigned char)(i * 7);
    }
    for (size_t length = 1; length <= CURSOR_KEY_MAX; length++) {
        size_t count = 0;
        cursor_format_key(secrets, LIST, key, length, text);
        cr_assert(cursor_parse_key(secrets, LIST, text, back, &count));
        cr_assert_eq(count, length);
        cr_assert_eq(memcmp(key, back, length), 0);
        cr_assert_not(cursor_parse_key(secrets, LIST "x", text, back, &count));
        text[strlen(text) - 1] = '\0';
        cr_assert_not(cursor_parse_key(secrets, LIST, text, back, &count));
    }
}

Test(cursor, a_key_of_another_length_is_no_pair_of_numbers)
{
    static const unsigned char key[17] = {1};
    struct cursor cursor;
    char text[CURSOR_LONG_TEXT];
    cursor_format_key(secrets, LIST, key, 16, text);
    cr_expect(cursor_parse(secrets, LIST, text, &cursor));
    cursor_format_key(secrets, LIST, key, 17, text);
    cr_expect_not(cursor_parse(secrets, LIST, text, &cursor));
}

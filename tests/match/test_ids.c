#include "match/secrets.h"

#include "key_folder.h"

#include <criterion/criterion.h>
#include <string.h>

static void all_ones(void *context, void *bytes, size_t count)
{
    (void)context;
    memset(bytes, 0xff, count);
}

Test(ids, an_id_is_the_crockford_form_of_its_128_bits)
{
    unsigned char next = 0;
    struct public_id id;
    struct match_env env = {.random = counting_random, .context = &next};
    secrets_id(&env, 'g', &id);
    cr_expect_str_eq(id.text, "g_00041061050r3gg28a1c60t3gf");
    struct match_env ones = {.random = all_ones};
    secrets_id(&ones, 'p', &id);
    cr_expect_str_eq(id.text, "p_7zzzzzzzzzzzzzzzzzzzzzzzzz");
}

Test(ids, a_made_id_is_parsed_to_itself_with_its_prefix_only)
{
    static const char prefixes[] = "pdgqt";
    uint64_t seed = 1;
    struct match_env env = {.random = mixed_random, .context = &seed};
    for (int i = 0; i < 1000; i++) {
        struct public_id made;
        struct public_id parsed;
        secrets_id(&env, prefixes[i % 5], &made);
        cr_expect(secrets_id_parse(made.text, strlen(made.text), prefixes[i % 5], &parsed));
        cr_expect_str_eq(made.text, parsed.text);
        cr_expect_not(
            secrets_id_parse(made.text, strlen(made.text), prefixes[(i + 1) % 5], &parsed));
    }
}

static void expect_no_id(const char *text, size_t length)
{
    struct public_id id = {"untouched"};
    cr_expect_not(secrets_id_parse(text, length, 'g', &id), "%s", text);
    cr_expect_str_eq(id.text, "untouched");
}

Test(ids, only_lower_case_crockford_letters_make_an_id)
{
    static const char allowed[] = "0123456789abcdefghjkmnpqrstvwxyz";
    for (int letter = 0; letter < 256; letter++) {
        char text[DB_ID_TEXT] = "g_00041061050r3gg28a1c60t3gf";
        text[15] = (char)letter;
        struct public_id id;
        bool expected = letter != 0 && strchr(allowed, letter) != NULL;
        cr_expect_eq(secrets_id_parse(text, DB_ID_TEXT - 1, 'g', &id), expected, "%d", letter);
    }
    expect_no_id("g_00041061050R3GG28A1C60T3GF", 28);
    expect_no_id("g_0i041061050r3gg28a1c60t3gf", 28);
    expect_no_id("g_0l041061050r3gg28a1c60t3gf", 28);
    expect_no_id("g_0o041061050r3gg28a1c60t3gf", 28);
    expect_no_id("g_0u041061050r3gg28a1c60t3gf", 28);
}

Test(ids, an_id_of_more_than_128_bits_is_refused)
{
    static const char first[] = "0123456789abcdefghjkmnpqrstvwxyz";
    for (size_t i = 0; i < sizeof first - 1; i++) {
        char text[DB_ID_TEXT] = "g_00041061050r3gg28a1c60t3gf";
        struct public_id id;
        text[2] = first[i];
        cr_expect_eq(secrets_id_parse(text, DB_ID_TEXT - 1, 'g', &id), i < 8, "%c", first[i]);
    }
}

Test(ids, an_id_of_another_length_or_shape_is_refused)
{
    const char *text = "g_00041061050r3gg28a1c60t3gf0";
    for (size_t length = 0; length < 28; length++) {
        expect_no_id(text, length);
    }
    expect_no_id(text, 29);
    expect_no_id("g-00041061050r3gg28a1c60t3gf", 28);
    expect_no_id("G_00041061050r3gg28a1c60t3gf", 28);
    expect_no_id("000041061050r3gg28a1c60t3gff", 28);
    expect_no_id("g_00041061050r3gg28a1c60t3g\0", 28);
}

#include "key_folder.h"

#include "match/codes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Codes that are made from what they are for. */

TestSuite(codes, .init = key_folder_enter, .fini = key_folder_leave);

static bool is_code(const char *text)
{
    char again[CODE_TEXT];
    return strlen(text) == CODE_TEXT - 1 && text[4] == '-' && code_normalise(text, again) &&
           strcmp(again, text) == 0;
}

Test(codes, a_code_hangs_on_the_thing_the_purpose_and_the_key)
{
    char code[CODE_TEXT];
    char other[CODE_TEXT];
    struct secrets *key = key_create(1);
    cr_assert_eq(unlink(key_path()), 0);
    struct secrets *another = key_create(2);
    code_derive(key, "table", "t_1", code);
    cr_expect(is_code(code), "%s", code);
    code_derive(key, "table", "t_1", other);
    cr_expect_str_eq(other, code, "again the same");
    code_derive(key, "table", "t_2", other);
    cr_expect_str_neq(other, code);
    code_derive(key, "device", "t_1", other);
    cr_expect_str_neq(other, code);
    code_derive(another, "table", "t_1", other);
    cr_expect_str_neq(other, code);
    secrets_free(key);
    secrets_free(another);
}

/* Forty bits: of some thousand no two are alike, and every digit comes everywhere. */
Test(codes, codes_are_spread_over_all_that_can_be_written)
{
    enum { CODES = 2000 };
    static char codes[CODES][CODE_TEXT];
    bool seen[CODE_TEXT][128] = {{false}};
    struct secrets *key = key_create(1);
    for (int i = 0; i < CODES; i++) {
        char of[16];
        (void)snprintf(of, sizeof of, "t_%d", i);
        code_derive(key, "table", of, codes[i]);
        for (size_t j = 0; j < CODE_TEXT - 1; j++) {
            seen[j][(unsigned char)codes[i][j]] = true;
        }
    }
    for (size_t j = 0; j < CODE_TEXT - 1; j++) {
        size_t digits = 0;
        for (size_t digit = 0; digit < 128; digit++) {
            digits += seen[j][digit];
        }
        cr_expect_eq(digits, j == 4 ? 1 : 32, "at %zu: %zu", j, digits);
    }
    for (int i = 0; i < CODES; i++) {
        for (int j = 0; j < i; j++) {
            cr_assert_str_neq(codes[i], codes[j]);
        }
    }
    secrets_free(key);
}

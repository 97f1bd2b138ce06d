#include "match/secrets.h"

#include "key_folder.h"

#include <criterion/criterion.h>
#include <string.h>

#define GOLDEN_TOKEN "bzd_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJw_0pB2Pv"

enum { TOKEN_LENGTH = SECRETS_TOKEN_TEXT - 1 };

TestSuite(tokens, .init = key_folder_enter, .fini = key_folder_leave);

static struct db_token mint_golden(const struct secrets *secrets, char text[SECRETS_TOKEN_TEXT])
{
    unsigned char next = 0;
    struct match_env env = {.random = counting_random, .context = &next};
    struct db_token token = {.device_no = 7, .created_at_ms = 9};
    secrets_token_mint(secrets, &env, text, &token);
    return token;
}

static bool check_text(const struct secrets *secrets, const char *text, const struct db_token *row)
{
    struct token_parts parts;
    return secrets_token_parse(text, strlen(text), &parts) &&
           secrets_token_check(secrets, &parts, row);
}

Test(tokens, token_and_hash_are_those_of_the_described_format)
{
    char text[SECRETS_TOKEN_TEXT];
    struct secrets *secrets = key_load(ONE_SLOT);
    struct db_token token = mint_golden(secrets, text);
    cr_expect_str_eq(text, GOLDEN_TOKEN);
    expect_hex(token.token_id, sizeof token.token_id, "0001020304050607");
    expect_hex(token.token_hash, sizeof token.token_hash,
               "887f976e8925800b9b93c69cf4dc3c038d5c792c8cac4f642ea31d09579eef69");
    cr_expect(token.key_slot == 0 && token.device_no == 7 && token.created_at_ms == 9);
    secrets_free(secrets);
}

Test(tokens, a_minted_token_is_recognised)
{
    uint64_t seed = 5;
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct secrets *secrets = key_create(1);
    for (int i = 0; i < 1000; i++) {
        char text[SECRETS_TOKEN_TEXT];
        struct db_token token;
        secrets_token_mint(secrets, &env, text, &token);
        cr_expect_eq(strlen(text), TOKEN_LENGTH);
        cr_expect(check_text(secrets, text, &token), "%s", text);
    }
    secrets_free(secrets);
}

Test(tokens, a_token_of_the_previous_key_is_recognised_until_that_key_is_dropped)
{
    char old_text[SECRETS_TOKEN_TEXT];
    char new_text[SECRETS_TOKEN_TEXT];
    struct secrets *secrets = key_load(ONE_SLOT);
    struct db_token old_token = mint_golden(secrets, old_text);
    secrets_free(secrets);
    secrets = key_load(TWO_SLOTS);
    struct db_token new_token = mint_golden(secrets, new_text);
    cr_expect_eq(new_token.key_slot, 1);
    expect_hex(new_token.token_hash, sizeof new_token.token_hash,
               "aced2865d2af51f8c42eb0fc84d6f3210cd71ba87ac4e6dea12637614f870870");
    cr_expect(check_text(secrets, old_text, &old_token));
    cr_expect(check_text(secrets, new_text, &new_token));
    secrets_free(secrets);
    secrets = key_load(FIRST_LINE SERVER_LINE "current 1 " KEY_B);
    cr_expect_not(check_text(secrets, old_text, &old_token));
    cr_expect(check_text(secrets, new_text, &new_token));
    secrets_free(secrets);
}

Test(tokens, a_token_with_any_letter_changed_is_none)
{
    struct token_parts parts;
    cr_assert(secrets_token_parse(GOLDEN_TOKEN, TOKEN_LENGTH, &parts));
    for (size_t i = 0; i < TOKEN_LENGTH; i++) {
        for (int letter = 0; letter < 256; letter++) {
            char text[SECRETS_TOKEN_TEXT] = GOLDEN_TOKEN;
            if (text[i] == (char)letter) {
                continue;
            }
            text[i] = (char)letter;
            cr_expect_not(secrets_token_parse(text, TOKEN_LENGTH, &parts), "%zu: %d", i, letter);
        }
    }
}

Test(tokens, a_token_of_another_length_is_none)
{
    struct token_parts parts;
    char text[SECRETS_TOKEN_TEXT + 1] = GOLDEN_TOKEN "0";
    for (size_t length = 0; length <= sizeof text; length++) {
        cr_expect_eq(secrets_token_parse(text, length, &parts), length == TOKEN_LENGTH);
    }
    cr_expect_not(secrets_token_parse(NULL, 0, &parts));
}

/* The sums were reckoned by other means, so that only what stands before them is wrong. */
Test(tokens, a_right_checksum_does_not_make_a_token)
{
    static const char *const texts[] = {
        "bzd_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJx_3TM3ew", /* bits after the last
                                                                                byte */
        "bzd_AAECAwQFBgcICQoL*A0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJw_0CPcX5", /* not of the alphabet
                                                                              */
        "bzd_AAECAwQFBgcICQoL+A0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJw_2TjUS9", /* of the other
                                                                                alphabet */
        "bzd_AAECAwQFBgcICQoL=A0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJw_35u9AI", /* padding */
        "bzd_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUm==_416CfQ", /* padding at the end
                                                                              */
        "bzd_AAECAwQFBgcICQoL A0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJw_2IzND6", /* a blank */
        "bzx_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJw_3KQm0Y", /* another prefix */
        "BZD_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJw_1pr4Rf", /* upper case */
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct token_parts parts;
        cr_assert_eq(strlen(texts[i]), TOKEN_LENGTH);
        cr_expect_not(secrets_token_parse(texts[i], TOKEN_LENGTH, &parts), "%s", texts[i]);
    }
}

Test(tokens, a_refused_token_writes_nothing)
{
    struct token_parts parts;
    memset(&parts, 0x5a, sizeof parts);
    struct token_parts before = parts;
    cr_expect_not(secrets_token_parse("bzd_", 4, &parts));
    cr_expect_eq(memcmp(&parts, &before, sizeof parts), 0);
}

Test(tokens, an_unknown_or_foreign_token_is_refused)
{
    char text[SECRETS_TOKEN_TEXT];
    struct secrets *secrets = key_load(ONE_SLOT);
    struct db_token token = mint_golden(secrets, text);
    cr_expect_not(check_text(secrets, text, NULL));
    for (size_t i = 0; i < sizeof token.token_hash; i++) {
        struct db_token other = token;
        other.token_hash[i] ^= 1;
        cr_expect_not(check_text(secrets, text, &other));
    }
    struct db_token other = token;
    other.token_id[0] ^= 1;
    cr_expect_not(check_text(secrets, text, &other), "the row of another id");
    for (unsigned slot = 1; slot < 256; slot++) {
        other = token;
        other.key_slot = (uint8_t)slot;
        cr_expect_not(check_text(secrets, text, &other), "a slot without a key");
    }
    secrets_free(secrets);
    secrets = key_load(FIRST_LINE SERVER_LINE "current 0 " KEY_B);
    cr_expect_not(check_text(secrets, text, &token), "hashed with another key");
    secrets_free(secrets);
}

Test(tokens, a_check_wipes_the_secret_whatever_its_answer)
{
    static const uint8_t wiped[32] = {0};
    char text[SECRETS_TOKEN_TEXT];
    struct token_parts parts;
    struct secrets *secrets = key_load(ONE_SLOT);
    struct db_token token = mint_golden(secrets, text);
    cr_assert(secrets_token_parse(text, TOKEN_LENGTH, &parts));
    cr_expect(secrets_token_check(secrets, &parts, &token));
    cr_expect_eq(memcmp(parts.secret, wiped, sizeof wiped), 0);
    cr_assert(secrets_token_parse(text, TOKEN_LENGTH, &parts));
    cr_expect_not(secrets_token_check(secrets, &parts, NULL));
    cr_expect_eq(memcmp(parts.secret, wiped, sizeof wiped), 0);
    secrets_free(secrets);
}

/* The words for people: none is missing in any language, and none is there for nothing. */

#include "api/texts.h"

#include "engine/rules.h"
#include "ratings/policy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Which rows somebody asked for. */
static bool asked[256];

static const struct text *ask(enum text_kind kind, const char *game, const char *key)
{
    const struct text *text = texts_find(kind, game, key);
    cr_assert_str_eq(text->key, key);
    asked[text - texts_at(0)] = true;
    return text;
}

static void expect_words(const struct text *text, bool title)
{
    for (enum language language = 0; language < LANGUAGES; language++) {
        const char *sentence = text->sentence[language];
        bool from_the_rules = text->kind == TEXT_ILLEGAL && language == LANGUAGE_EN;
        cr_expect_eq(text->title[language] != NULL && text->title[language][0] != '\0', title, "%s",
                     text->key);
        cr_expect_eq(sentence == NULL, from_the_rules, "%s", text->key);
        if (sentence != NULL) {
            cr_expect_eq(sentence[strlen(sentence) - 1], '.', "%s", sentence);
        }
    }
}

static void expect_option(const struct game_rules *rules, const struct option_rules *option)
{
    expect_words(ask(TEXT_OPTION, rules->key, option->key), true);
    for (size_t i = 0; option->words != NULL && option->words[i] != NULL; i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "%s=%s", option->key, option->words[i]);
        expect_words(ask(TEXT_VALUE, rules->key, key), true);
    }
}

static void expect_game(const struct game_rules *rules)
{
    expect_words(ask(TEXT_GAME, rules->key, rules->key), true);
    for (size_t i = 0; i < rules->seat_count; i++) {
        const char letter[2] = {rules->seat_letters[i], '\0'};
        expect_words(ask(TEXT_SEAT, rules->key, letter), true);
    }
    for (size_t i = 0; i < rules->option_count; i++) {
        expect_option(rules, &rules->options[i]);
    }
    for (size_t i = 0; i < rules->pool_count; i++) {
        expect_words(ask(TEXT_POOL, rules->key, rules->pools[i].key), true);
    }
    for (const enum end_reason *at = rules->end_reasons; *at != END_NONE; at++) {
        expect_words(ask(TEXT_END, rules->key, end_reason_text(*at)), true);
    }
    for (const enum illegal_reason *at = rules->illegal_reasons; *at != ILLEGAL_NONE; at++) {
        expect_words(ask(TEXT_ILLEGAL, rules->key, illegal_reason_text(*at)), false);
    }
}

Test(texts, every_word_of_the_tables_has_its_texts_and_no_text_is_left_over)
{
    static const struct {
        const char *rule;
        bool title;
    } rating[] = {
        {"scale",         true },
        {"formula",       true },
        {"k_provisional", false},
        {"k_strong",      false},
        {"k_normal",      false},
        {"provisional",   true },
        {"leaving",       true },
        {"repeat_limit",  true },
        {"repetition",    true },
        {"void",          true },
    };
    static const char *const table[] = {"turn_seconds", "show_legal_moves", "rotate_first", "rated",
                                        "public"};
    cr_assert_lt(texts_count(), sizeof asked / sizeof asked[0]);
    for (size_t i = 0; i < rules_count(); i++) {
        expect_game(rules_at(i));
    }
    for (int i = POLICY_RATED + 1; i < POLICY_UNRATED_REASONS; i++) {
        expect_words(ask(TEXT_UNRATED, NULL, unrated_reason_text((enum unrated_reason)i)), false);
    }
    for (size_t i = 0; i < sizeof rating / sizeof rating[0]; i++) {
        expect_words(ask(TEXT_RATING, NULL, rating[i].rule), rating[i].title);
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        expect_words(ask(TEXT_TABLE, NULL, table[i]), true);
    }
    for (size_t i = 0; i < texts_count(); i++) {
        cr_expect(asked[i], "nobody asks for %s", texts_at(i)->key);
    }
}

static size_t numbers_in(const char *sentence)
{
    size_t count = 0;
    for (; sentence != NULL && *sentence != '\0'; sentence++) {
        count += *sentence == '#';
    }
    return count;
}

Test(texts, both_languages_have_the_same_numbers)
{
    for (size_t i = 0; i < texts_count(); i++) {
        const struct text *text = texts_at(i);
        if (text->kind != TEXT_ILLEGAL) {
            cr_expect_eq(numbers_in(text->sentence[LANGUAGE_EN]),
                         numbers_in(text->sentence[LANGUAGE_ES]), "%s", text->key);
        }
    }
}

Test(texts, numbers_take_their_places_in_a_sentence)
{
    char filled[TEXTS_FILLED];
    texts_fill("From # to #.", (const int64_t[]){-5, 1500}, 2, filled);
    cr_expect_str_eq(filled, "From -5 to 1500.");
    texts_fill("##", (const int64_t[]){1, 2}, 2, filled);
    cr_expect_str_eq(filled, "12");
    texts_fill("Sin números.", NULL, 0, filled);
    cr_expect_str_eq(filled, "Sin números.");
}

static enum language best(const char *value)
{
    struct languages languages = {0};
    languages_add(&languages, value);
    return languages_best(&languages);
}

Test(texts, the_language_is_english_unless_the_client_likes_spanish_better)
{
    static const char *const spanish[] = {"es",
                                          "ES-mx",
                                          "es-419, en;q=0.9",
                                          "de, es;q=0.2",
                                          "en;q=0.4, es;q=0.5",
                                          "en;q=0, *",
                                          "fr, es-ES;q=0.8, en;q=0.7",
                                          "es;q=0.1, es-MX;q=0.9, en;q=0.5"};
    static const char *const english[] = {"",       "en",       "de",    "*",           "en, es",
                                          "es;q=0", "est",      "es_MX", "es;q=0.5, *", "en-GB, es",
                                          "esp,",   "de;q=junk"};
    struct languages nothing = {0};
    cr_expect_eq(languages_best(&nothing), LANGUAGE_EN);
    for (size_t i = 0; i < sizeof spanish / sizeof spanish[0]; i++) {
        cr_expect_eq(best(spanish[i]), LANGUAGE_ES, "%s", spanish[i]);
    }
    for (size_t i = 0; i < sizeof english / sizeof english[0]; i++) {
        cr_expect_eq(best(english[i]), LANGUAGE_EN, "%s", english[i]);
    }
}

#include "config.h"
#include "json_parts.h"
#include "ratings/elo.h"
#include "ratings/policy.h"
#include "texts.h"

#include <assert.h>
#include <stdio.h>

/* Everything here comes out of the tables of the rules and of the rating policy; texts.c has the
 * words for it. */

/* Where the words go: a document in one language. */
struct page {
    struct json_out out;
    enum language language;
};

static struct page page_begin(const struct request *request)
{
    struct page page = {json_out_begin(), request->language};
    json_out_object(&page.out, NULL);
    return page;
}

static void write_title(struct page *page, const struct text *text)
{
    assert(text->title[page->language] != NULL);
    json_out_text(&page->out, "title", text->title[page->language]);
}

static void write_text(struct page *page, const struct text *text)
{
    assert(text->sentence[page->language] != NULL);
    json_out_text(&page->out, "text", text->sentence[page->language]);
}

/* {KEY: word, title, text, left open for more. */
static void word_open(struct page *page, const char *key, const char *word, const struct text *text)
{
    json_out_object(&page->out, NULL);
    json_out_text(&page->out, key, word);
    write_title(page, text);
    write_text(page, text);
}

/* --- rulesets --------------------------------------------------------------------------------- */

static void write_seats(struct page *page, const struct game_rules *rules)
{
    json_out_array(&page->out, "seats");
    for (size_t i = 0; i < rules->seat_count; i++) {
        const char letter[2] = {rules->seat_letters[i], '\0'};
        word_open(page, "seat", letter, texts_find(TEXT_SEAT, rules->key, letter));
        json_out_end(&page->out);
    }
    json_out_end(&page->out);
}

static void write_values(struct page *page, const struct game_rules *rules,
                         const struct option_rules *option)
{
    enum { KEY_TEXT = 64 };
    json_out_array(&page->out, "values");
    for (size_t i = 0; option->words[i] != NULL; i++) {
        char key[KEY_TEXT];
        int length = snprintf(key, sizeof key, "%s=%s", option->key, option->words[i]);
        assert(length > 0 && length < KEY_TEXT);
        (void)length;
        word_open(page, "value", option->words[i], texts_find(TEXT_VALUE, rules->key, key));
        json_out_end(&page->out);
    }
    json_out_end(&page->out);
}

/* The first word and the number 0 are what an option has that is not mentioned. */
static void write_option(struct page *page, const struct game_rules *rules,
                         const struct option_rules *option)
{
    word_open(page, "option", option->key, texts_find(TEXT_OPTION, rules->key, option->key));
    if (option->words != NULL) {
        json_out_text(&page->out, "type", "word");
        json_out_text(&page->out, "default", option->words[0]);
        write_values(page, rules, option);
    } else {
        json_out_text(&page->out, "type", "number");
        json_out_integer(&page->out, "default", 0);
        json_out_integer(&page->out, "minimum", 0);
        json_out_integer(&page->out, "maximum", option->max);
    }
    json_out_end(&page->out);
}

static void write_pools(struct page *page, const struct game_rules *rules)
{
    json_out_array(&page->out, "pools");
    for (size_t i = 0; i < rules->pool_count; i++) {
        const struct pool_rules *pool = &rules->pools[i];
        struct game_options options = pool->options;
        options_bound(rules, &options);
        word_open(page, "pool", pool->key, texts_find(TEXT_POOL, rules->key, pool->key));
        json_options(&page->out, "options", rules, &options);
        json_out_end(&page->out);
    }
    json_out_end(&page->out);
}

static void write_end_reasons(struct page *page, const struct game_rules *rules)
{
    json_out_array(&page->out, "end_reasons");
    for (const enum end_reason *reason = rules->end_reasons; *reason != END_NONE; reason++) {
        const char *word = end_reason_text(*reason);
        word_open(page, "reason", word, texts_find(TEXT_END, rules->key, word));
        json_out_end(&page->out);
    }
    json_out_end(&page->out);
}

/* In English the rules have their own sentence, the one that refused moves come with. */
static const char *illegal_sentence(enum language language, const struct game_rules *rules,
                                    enum illegal_reason reason)
{
    if (language == LANGUAGE_EN) {
        return illegal_reason_detail(reason);
    }
    return texts_find(TEXT_ILLEGAL, rules->key, illegal_reason_text(reason))->sentence[language];
}

static void write_illegal_reasons(struct page *page, const struct game_rules *rules)
{
    json_out_array(&page->out, "illegal_reasons");
    for (const enum illegal_reason *at = rules->illegal_reasons; *at != ILLEGAL_NONE; at++) {
        json_out_object(&page->out, NULL);
        json_out_text(&page->out, "reason", illegal_reason_text(*at));
        json_out_text(&page->out, "text", illegal_sentence(page->language, rules, *at));
        json_out_end(&page->out);
    }
    json_out_end(&page->out);
}

static void write_start(struct page *page, const struct game_rules *rules)
{
    struct position position;
    char text[RULES_POSITION_TEXT_MAX];
    rules->start(&position);
    size_t length = rules->format_position(&position, text);
    json_out_bytes(&page->out, "start", text, length);
}

static void write_game(struct page *page, const struct game_rules *rules)
{
    word_open(page, "game", rules->key, texts_find(TEXT_GAME, rules->key, rules->key));
    write_start(page, rules);
    json_out_bool(&page->out, "resignation", rules->resign != NULL);
    write_seats(page, rules);
    json_out_array(&page->out, "options");
    for (size_t i = 0; i < rules->option_count; i++) {
        write_option(page, rules, &rules->options[i]);
    }
    json_out_end(&page->out);
    write_pools(page, rules);
    write_end_reasons(page, rules);
    write_illegal_reasons(page, rules);
    json_out_end(&page->out);
}

static void write_seconds(struct page *page, const struct config *config)
{
    for (size_t i = 0; i < CONFIG_TURN_SECONDS_MAX && config->turn_seconds[i] != 0; i++) {
        json_out_integer(&page->out, NULL, config->turn_seconds[i]);
    }
}

static void write_turn_seconds(struct page *page, const struct config *config)
{
    json_out_object(&page->out, "turn_seconds");
    json_out_array(&page->out, "values");
    write_seconds(page, config);
    json_out_end(&page->out);
    json_out_integer(&page->out, "default", config_turn_seconds(config));
    json_out_end(&page->out);
}

/* The same of a table, which may do without where that is offered. */
static void write_table_seconds(struct page *page, const struct config *config)
{
    word_open(page, "option", "turn_seconds", texts_find(TEXT_TABLE, NULL, "turn_seconds"));
    json_out_text(&page->out, "type", "choice");
    json_out_integer(&page->out, "default", config_table_seconds(config));
    json_out_array(&page->out, "values");
    if (config_offers_table(config, 0)) {
        json_out_integer(&page->out, NULL, 0);
    }
    write_seconds(page, config);
    json_out_end(&page->out);
    json_out_end(&page->out);
}

static void write_table(struct page *page, const struct config *config)
{
    static const struct {
        const char *option;
        bool is_default;
    } flags[] = {
        {"show_legal_moves", true },
        {"rotate_first",     true },
        {"rated",            false},
        {"public",           false},
    };
    json_out_array(&page->out, "table_options");
    write_table_seconds(page, config);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        const char *option = flags[i].option;
        word_open(page, "option", option, texts_find(TEXT_TABLE, NULL, option));
        json_out_text(&page->out, "type", "flag");
        json_out_bool(&page->out, "default", flags[i].is_default);
        json_out_end(&page->out);
    }
    json_out_end(&page->out);
}

enum handled reply_rulesets(const struct request *request, struct reply *reply)
{
    assert(request->config != NULL);
    struct page page = page_begin(request);
    json_out_array(&page.out, "games");
    for (size_t i = 0; i < rules_count(); i++) {
        write_game(&page, rules_at(i));
    }
    json_out_end(&page.out);
    write_turn_seconds(&page, request->config);
    write_table(&page, request->config);
    json_out_end(&page.out);
    return reply_json(request, reply, 200, &page.out);
}

/* --- rating rules ----------------------------------------------------------------------------- */

/* The sentence of a rule with its numbers. */
static void write_rule_text(struct page *page, const char *rule, const int64_t *numbers,
                            size_t count)
{
    char filled[TEXTS_FILLED];
    const struct text *text = texts_find(TEXT_RATING, NULL, rule);
    texts_fill(text->sentence[page->language], numbers, count, filled);
    json_out_text(&page->out, "text", filled);
}

/* {title, text, left open for the numbers. */
static void rule_open(struct page *page, const char *rule, const int64_t *numbers, size_t count)
{
    json_out_object(&page->out, rule);
    write_title(page, texts_find(TEXT_RATING, NULL, rule));
    write_rule_text(page, rule, numbers, count);
}

static void write_scale(struct page *page)
{
    const int64_t numbers[] = {ELO_START_MILLI / 1000, ELO_FLOOR_MILLI / 1000};
    rule_open(page, "scale", numbers, 2);
    json_out_points(&page->out, "start", ELO_START_MILLI);
    json_out_points(&page->out, "floor", ELO_FLOOR_MILLI);
    json_out_integer(&page->out, "decimals", 3);
    json_out_end(&page->out);
}

static void write_formula(struct page *page)
{
    enum { POINT = 1000 };
    char expected[96];
    const int64_t numbers[] = {ELO_SCALE_MILLI / POINT};
    (void)snprintf(expected, sizeof expected, "E = 1 / (1 + 10 ^ ((opponent - own) / %d))",
                   ELO_SCALE_MILLI / POINT);
    rule_open(page, "formula", numbers, 1);
    json_out_text(&page->out, "expected", expected);
    json_out_text(&page->out, "points", "K * (S - E) / opponents");
    json_out_object(&page->out, "scores");
    json_out_points(&page->out, "win", POINT);
    json_out_points(&page->out, "draw", POINT / 2);
    json_out_points(&page->out, "loss", 0);
    json_out_end(&page->out);
    json_out_end(&page->out);
}

/* A K with what it takes to have it; 0: no such condition. */
struct factor {
    const char *rule;
    uint8_t k;
    int64_t games_below;
    int64_t rating_from_milli;
};

static void write_factor(struct page *page, const struct factor *factor)
{
    int64_t numbers[2];
    size_t count = 0;
    if (factor->games_below > 0) {
        numbers[count++] = factor->games_below;
    }
    if (factor->rating_from_milli > 0) {
        numbers[count++] = factor->rating_from_milli / 1000;
    }
    assert(count < 2);
    numbers[count++] = factor->k;
    json_out_object(&page->out, NULL);
    json_out_integer(&page->out, "k", factor->k);
    json_out_integer_or_null(&page->out, "games_below", factor->games_below > 0,
                             factor->games_below);
    json_out_integer_or_null(&page->out, "rating_from", factor->rating_from_milli > 0,
                             factor->rating_from_milli / 1000);
    write_rule_text(page, factor->rule, numbers, count);
    json_out_end(&page->out);
}

/* In the order of elo_k: the first that fits. */
static void write_factors(struct page *page)
{
    static const struct factor factors[] = {
        {"k_provisional", ELO_K_PROVISIONAL, ELO_PROVISIONAL_GAMES, 0               },
        {"k_strong",      ELO_K_STRONG,      0,                     ELO_STRONG_MILLI},
        {"k_normal",      ELO_K_NORMAL,      0,                     0               },
    };
    json_out_array(&page->out, "k_factors");
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        write_factor(page, &factors[i]);
    }
    json_out_end(&page->out);
}

static void write_policy(struct page *page, uint32_t repeat_limit)
{
    enum { HOUR_MS = 60 * 60 * 1000 };
    const int64_t provisional[] = {ELO_PROVISIONAL_GAMES};
    const int64_t leaving[] = {POLICY_CPU_PLIES_FREE};
    const int64_t repeat[] = {repeat_limit, POLICY_REPEAT_WINDOW_MS / HOUR_MS};
    const int64_t repetition[] = {POLICY_RATED_DRAWS, POLICY_REPLAYS_MAX};
    rule_open(page, "provisional", provisional, 1);
    json_out_integer(&page->out, "games_below", provisional[0]);
    json_out_end(&page->out);
    rule_open(page, "leaving", leaving, 1);
    json_out_integer(&page->out, "cpu_plies_free", leaving[0]);
    json_out_end(&page->out);
    rule_open(page, "repeat_limit", repeat, 2);
    json_out_integer(&page->out, "games", repeat[0]);
    json_out_integer(&page->out, "hours", repeat[1]);
    json_out_end(&page->out);
    rule_open(page, "repetition", repetition, 2);
    json_out_integer(&page->out, "rated_draws", repetition[0]);
    json_out_integer(&page->out, "draws_max", repetition[1]);
    json_out_end(&page->out);
    rule_open(page, "void", NULL, 0);
    json_out_end(&page->out);
}

static void write_unrated_reasons(struct page *page)
{
    json_out_array(&page->out, "unrated_reasons");
    for (int i = POLICY_RATED + 1; i < POLICY_UNRATED_REASONS; i++) {
        const char *word = unrated_reason_text((enum unrated_reason)i);
        json_out_object(&page->out, NULL);
        json_out_text(&page->out, "reason", word);
        write_text(page, texts_find(TEXT_UNRATED, NULL, word));
        json_out_end(&page->out);
    }
    json_out_end(&page->out);
}

enum handled reply_rating_rules(const struct request *request, struct reply *reply)
{
    assert(request->config != NULL);
    struct page page = page_begin(request);
    write_scale(&page);
    write_formula(&page);
    write_factors(&page);
    write_policy(&page, request->config->repeat_limit);
    write_unrated_reasons(&page);
    json_out_end(&page.out);
    return reply_json(request, reply, 200, &page.out);
}

#include "text_error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool find_option(const struct game_rules *rules, const char *key, size_t *index);
static bool parse_word(const struct option_rules *option, const char *text, uint16_t *value,
                       struct text_error *error);
static bool parse_number(const struct option_rules *option, const char *text, uint16_t *value,
                         struct text_error *error);
static bool parse_pair(const struct game_rules *rules, const char *text, size_t length,
                       struct game_options *options, struct text_error *error);

void options_default(const struct game_rules *rules, struct game_options *options)
{
    assert(rules->option_count <= RULES_OPTIONS_MAX);
    *options = (struct game_options){0};
}

bool options_set(const struct game_rules *rules, struct game_options *options, const char *key,
                 const char *value, struct text_error *error)
{
    uint16_t parsed = 0;
    size_t index = 0;

    assert(key != NULL && value != NULL);
    if (!find_option(rules, key, &index)) {
        return text_error_set(error, "%s has no option \"%.40s\"", rules->key, key);
    }
    const struct option_rules *option = &rules->options[index];
    const bool valid = option->words != NULL ? parse_word(option, value, &parsed, error)
                                             : parse_number(option, value, &parsed, error);
    if (valid) {
        options->value[index] = parsed;
    }
    return valid;
}

void options_format(const struct game_rules *rules, const struct game_options *options,
                    char text[RULES_OPTIONS_TEXT_MAX])
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option_rules *option = &rules->options[i];
        const unsigned value = options->value[i];
        const size_t room = RULES_OPTIONS_TEXT_MAX - length;
        const char *space = i > 0 ? " " : "";
        const int written =
            option->words != NULL
                ? snprintf(text + length, room, "%s%s=%s", space, option->key, option->words[value])
                : snprintf(text + length, room, "%s%s=%u", space, option->key, value);

        assert(written > 0 && (size_t)written < room);
        length += (size_t)written;
    }
}

bool options_parse(const struct game_rules *rules, const char *text, struct game_options *options,
                   struct text_error *error)
{
    struct game_options parsed;

    assert(text != NULL);
    options_default(rules, &parsed);
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");

        if (!parse_pair(rules, text, length, &parsed, error)) {
            return false;
        }
        text += length;
        if (*text == ' ' && *++text == '\0') {
            return text_error_set(error, "the options end in a space");
        }
    }
    *options = parsed;
    return true;
}

void options_bound(const struct game_rules *rules, struct game_options *options)
{
    assert(rules->option_count <= RULES_OPTIONS_MAX);
    for (size_t i = 0; i < rules->option_count; i++) {
        if (rules->options[i].words == NULL && options->value[i] == 0) {
            options->value[i] = rules->options[i].max;
        }
    }
}

const struct pool_rules *options_pool(const struct game_rules *rules,
                                      const struct game_options *options)
{
    struct game_options wanted = *options;

    assert(rules->pool_count > 0);
    options_bound(rules, &wanted);
    for (size_t i = 0; i < rules->pool_count; i++) {
        struct game_options pool = rules->pools[i].options;

        options_bound(rules, &pool);
        if (memcmp(pool.value, wanted.value, sizeof pool.value) == 0) {
            return &rules->pools[i];
        }
    }
    return NULL;
}

static bool find_option(const struct game_rules *rules, const char *key, size_t *index)
{
    assert(index != NULL);
    for (size_t i = 0; i < rules->option_count; i++) {
        if (strcmp(rules->options[i].key, key) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool parse_word(const struct option_rules *option, const char *text, uint16_t *value,
                       struct text_error *error)
{
    assert(option->words != NULL);
    for (uint16_t i = 0; option->words[i] != NULL; i++) {
        if (strcmp(option->words[i], text) == 0) {
            *value = i;
            return true;
        }
    }
    return text_error_set(error, "%s has no value \"%.40s\"", option->key, text);
}

/* One spelling a number: no sign, no space, no leading zero. */
static bool parse_number(const struct option_rules *option, const char *text, uint16_t *value,
                         struct text_error *error)
{
    const size_t digits = strspn(text, "0123456789");
    unsigned number = 0;

    assert(option->words == NULL);
    if (digits == 0 || text[digits] != '\0' || (text[0] == '0' && digits > 1)) {
        return text_error_set(error, "%s must be a whole number, not \"%.40s\"", option->key, text);
    }
    for (size_t i = 0; i < digits; i++) {
        number = number * 10 + (unsigned)(text[i] - '0');
        if (number > option->max) {
            return text_error_set(error, "%s must be at most %u", option->key, option->max);
        }
    }
    *value = (uint16_t)number;
    return true;
}

static bool parse_pair(const struct game_rules *rules, const char *text, size_t length,
                       struct game_options *options, struct text_error *error)
{
    char pair[RULES_OPTIONS_TEXT_MAX];

    assert(strlen(text) >= length);
    if (length >= sizeof pair) {
        return text_error_set(error, "an option is longer than %zu bytes", sizeof pair - 1);
    }
    memcpy(pair, text, length);
    pair[length] = '\0';
    char *equals = strchr(pair, '=');
    if (equals == NULL) {
        return text_error_set(error, "\"%.40s\" is not of the form key=value", pair);
    }
    *equals = '\0';
    return options_set(rules, options, pair, equals + 1, error);
}

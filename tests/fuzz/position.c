/*
 * Any bytes as a position text, under all options: refused with a complaint, or read, and then
 * everything the engine says about that position agrees with itself.
 *
 * Threads: one. Ownership: the bytes belong to libFuzzer.
 */

#include "engine/rules.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
static void check_bytes(const struct game_rules *rules, const char *text, size_t size,
                        const struct game_options *options);
static bool next_options(const struct game_rules *rules, struct game_options *options);
static void check_position(const struct game_rules *rules, const struct position *position,
                           const struct game_options *options);
static void check_text(const struct game_rules *rules, const struct position *position,
                       const struct game_options *options);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < rules_count(); i++) {
        const struct game_rules *rules = rules_at(i);
        struct game_options options;

        options_default(rules, &options);
        do {
            check_bytes(rules, (const char *)data, size, &options);
        } while (next_options(rules, &options));
    }
    return 0;
}

static void check_bytes(const struct game_rules *rules, const char *text, size_t size,
                        const struct game_options *options)
{
    struct position position;
    struct text_error error = {""};

    if (!rules->parse_position(text, size, options, &position, &error)) {
        assert(error.text[0] != '\0');
        assert(memchr(error.text, '\0', sizeof error.text) != NULL);
        return;
    }
    check_text(rules, &position, options);
    check_position(rules, &position, options);
}

/* Counts through all words of all options. */
static bool next_options(const struct game_rules *rules, struct game_options *options)
{
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option_rules *option = &rules->options[i];

        if (option->words != NULL && option->words[++options->value[i]] != NULL) {
            return true;
        }
        options->value[i] = 0;
    }
    return false;
}

static void check_position(const struct game_rules *rules, const struct position *position,
                           const struct game_options *options)
{
    struct outcome outcome;
    struct move_list moves;

    rules->outcome(position, options, NULL, &outcome);
    rules->legal_moves(position, options, NULL, &moves);
    assert((outcome.reason == END_NONE) == (moves.count > 0));
    assert(rules->count_moves(position, options) == moves.count);
    assert(rules->perft(position, options, 1, false) == moves.count);
    assert(rules->perft(position, options, 2, false) == rules->perft(position, options, 2, true));
    for (int seat = 0; seat < rules->seat_count; seat++) {
        struct seat_facts facts;

        rules->seat_facts(position, seat, &facts);
        assert(facts.pieces <= RULES_SQUARES);
    }
}

static void check_text(const struct game_rules *rules, const struct position *position,
                       const struct game_options *options)
{
    char text[RULES_POSITION_TEXT_MAX];
    char again[RULES_POSITION_TEXT_MAX];
    struct position read;
    struct text_error error;
    const size_t length = rules->format_position(position, text);

    const bool valid = rules->parse_position(text, length, options, &read, &error);
    assert(valid);
    assert(rules->format_position(&read, again) == length);
    assert(memcmp(text, again, length + 1) == 0);
    assert(rules->hash(&read) == rules->hash(position));
    assert(rules->ply(&read) == rules->ply(position));
}

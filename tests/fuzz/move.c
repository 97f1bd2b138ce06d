/*
 * Any bytes as a game: each group of bytes is tried as the text of a move and, where that is none,
 * picks a legal one. A move is legal exactly when it is generated, and whatever is legal can be
 * played.
 *
 * Threads: one. Ownership: the bytes belong to libFuzzer.
 */

#include "engine/rules.h"

#include <assert.h>
#include <string.h>

/* A group holds the longest text of a move. */
enum { GROUP = 5, PLIES_MAX = 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
static void run(const struct game_rules *rules, const struct game_options *options,
                const uint8_t *data, size_t size);
static bool choose(const struct game_rules *rules, const uint8_t *group,
                   const struct move_list *moves, struct move *move);
static bool read(const struct game_rules *rules, const uint8_t *text, size_t length,
                 struct move *move);
static bool contains(const struct move_list *moves, struct move move);
static void choose_options(const struct game_rules *rules, unsigned choice,
                           struct game_options *options);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; size > 0 && i < rules_count(); i++) {
        struct game_options options;
        struct move move;

        (void)read(rules_at(i), data, size, &move);
        choose_options(rules_at(i), data[0], &options);
        run(rules_at(i), &options, data + 1, size - 1);
    }
    return 0;
}

static void run(const struct game_rules *rules, const struct game_options *options,
                const uint8_t *data, size_t size)
{
    struct history_entry entries[PLIES_MAX + 1];
    struct history history = {entries, 1};
    struct position position;

    rules->start(&position);
    entries[0] = (struct history_entry){rules->hash(&position), RULES_SEAT_NONE, false};
    for (; size >= GROUP && history.count <= PLIES_MAX; data += GROUP, size -= GROUP) {
        struct outcome outcome;
        struct move_list moves;
        struct ply_effects effects;
        struct illegal why;
        struct move move;

        rules->outcome(&position, options, &history, &outcome);
        rules->legal_moves(&position, options, &history, &moves);
        assert((outcome.reason == END_NONE) == (moves.count > 0));
        if (!choose(rules, data, &moves, &move)) {
            return;
        }
        const bool legal = rules->is_legal(&position, options, &history, move, &why);
        assert(legal == contains(&moves, move));
        assert(!legal || why.reason == ILLEGAL_NONE);
        if (!legal) {
            continue;
        }
        const int mover = rules->turn(&position);
        rules->play(&position, options, move, &position, &effects);
        entries[history.count++] =
            (struct history_entry){rules->hash(&position), (int8_t)mover, effects.gave_new_check};
    }
}

/* False where the bytes are no move and the game has none to pick either. */
static bool choose(const struct game_rules *rules, const uint8_t *group,
                   const struct move_list *moves, struct move *move)
{
    for (size_t length = GROUP; length >= GROUP - 1; length--) {
        if (read(rules, group, length, move)) {
            return true;
        }
    }
    if (moves->count == 0) {
        return false;
    }
    *move = moves->at[(group[0] | (unsigned)group[1] << 8) % moves->count];
    return true;
}

/* Any bytes are a move, which is written as it was read, or have a reason why not. */
static bool read(const struct game_rules *rules, const uint8_t *text, size_t length,
                 struct move *move)
{
    const enum illegal_reason reason = rules->parse_move((const char *)text, length, move);
    char again[RULES_MOVE_TEXT_MAX];

    assert(reason == ILLEGAL_NONE || reason == ILLEGAL_SYNTAX || reason == ILLEGAL_OFF_BOARD);
    if (reason != ILLEGAL_NONE) {
        return false;
    }
    rules->format_move(*move, again);
    assert(strlen(again) == length && memcmp(again, text, length) == 0);
    return true;
}

static bool contains(const struct move_list *moves, struct move move)
{
    for (size_t i = 0; i < moves->count; i++) {
        if (moves->at[i].bits == move.bits) {
            return true;
        }
    }
    return false;
}

static void choose_options(const struct game_rules *rules, unsigned choice,
                           struct game_options *options)
{
    assert(rules->option_count <= RULES_OPTIONS_MAX);
    options_default(rules, options);
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option_rules *option = &rules->options[i];

        if (option->words == NULL) {
            options->value[i] = (uint16_t)(choice % 4 * 40);
        } else if (choice % 2 != 0) {
            options->value[i] = option->words[2] != NULL && choice % 3 != 0 ? 2 : 1;
        }
        choice /= 4;
    }
}

/* Legal is what is generated: every move that a text can name is tried on positions of random games
 * with fixed seeds. */

#include "yonin_plain.h"

#include <criterion/criterion.h>
#include <string.h>

static void check_legality(const struct playout *playout);

Test(yonin_legality, a_move_is_legal_exactly_when_it_is_generated)
{
    for_each_random_ply(7, check_legality);
}

static bool is_listed(const struct move_list *moves, struct move move)
{
    for (size_t i = 0; i < moves->count; i++) {
        if (moves->at[i].bits == move.bits) {
            return true;
        }
    }
    return false;
}

/* True: it is legal. */
static bool check_candidate(const struct playout *playout, const struct move_list *moves,
                            const char *text)
{
    const struct history history = playout_history(playout);
    const struct move move = move_of(yonin(), text);
    struct illegal why;
    const bool legal =
        yonin()->is_legal(&playout->position, &playout->options, &history, move, &why);

    cr_assert_eq(legal, is_listed(moves, move), "%s", text);
    if (playout->outcome.reason == END_NONE) {
        cr_assert_eq(legal, why.reason == ILLEGAL_NONE, "%s", text);
    }
    return legal;
}

static size_t check_moves_between(const struct playout *playout, const struct move_list *moves,
                                  uint8_t from, uint8_t to)
{
    char text[RULES_MOVE_TEXT_MAX];

    square_format(from, text);
    square_format(to, text + 2);
    size_t legal = check_candidate(playout, moves, text);
    memcpy(text + 4, "+", 2);
    legal += check_candidate(playout, moves, text);
    return legal;
}

static size_t check_drops_on(const struct playout *playout, const struct move_list *moves,
                             uint8_t to)
{
    size_t legal = 0;

    for (const char *held = yonin()->hand_letters; *held != '\0'; held++) {
        char text[RULES_MOVE_TEXT_MAX] = {*held, '*'};

        square_format(to, text + 2);
        legal += check_candidate(playout, moves, text);
    }
    return legal;
}

static void check_legality(const struct playout *playout)
{
    const struct history history = playout_history(playout);
    struct move_list moves;
    size_t legal = 0;

    yonin()->legal_moves(&playout->position, &playout->options, &history, &moves);
    for (uint8_t to = 0; to < SQUARES; to++) {
        legal += check_drops_on(playout, &moves, to);
        for (uint8_t from = 0; from < SQUARES; from++) {
            legal += check_moves_between(playout, &moves, from, to);
        }
    }
    cr_assert_eq(legal, moves.count);
    yonin()->legal_moves(&playout->position, &playout->options, NULL, &moves);
    cr_assert_eq(yonin()->count_moves(&playout->position, &playout->options), moves.count);
    cr_assert_eq(yonin()->perft(&playout->position, &playout->options, 1, false), moves.count);
}

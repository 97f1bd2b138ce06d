/* Notation of moves, and every reason for which one is refused. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static enum illegal_reason parse(const char *text);
static void expect_illegal(const char *position, const char *move, enum illegal_reason reason,
                           const char *squares);

#define NINE "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP"

Test(hasami_moves, every_square_can_be_named_in_a_move)
{
    for (uint8_t from = 0; from < SQUARES; from++) {
        for (uint8_t to = 0; to < SQUARES; to++) {
            char text[RULES_MOVE_TEXT_MAX];
            char again[RULES_MOVE_TEXT_MAX];

            square_format(from, text);
            square_format(to, text + 2);
            hasami()->format_move(move_of(hasami(), text), again);
            cr_assert_str_eq(text, again);
        }
    }
}

Test(hasami_moves, different_moves_have_different_bits)
{
    cr_expect_eq(move_of(hasami(), "5i5e").bits, move_of(hasami(), "5i5e").bits);
    cr_expect_neq(move_of(hasami(), "5i5e").bits, move_of(hasami(), "5e5i").bits);
    cr_expect_neq(move_of(hasami(), "5i5e").bits, move_of(hasami(), "5i5d").bits);
}

Test(hasami_moves, a_text_of_another_form_is_syntax)
{
    static const char *const texts[] = {"",     "5",    "5i5",   "5i5ee", "5i5e+", "P*5e", "i5e5",
                                        "5I5E", "5i 5", "5i-5e", "pass",  "5i5{",  ":i5e", "5`5e"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect_eq(parse(texts[i]), ILLEGAL_SYNTAX, "%s", texts[i]);
    }
}

Test(hasami_moves, a_square_that_does_not_exist_is_off_board)
{
    static const char *const texts[] = {"0i5e", "5i0e", "5j5e", "5i5j", "5z5e", "0z0z"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect_eq(parse(texts[i]), ILLEGAL_OFF_BOARD, "%s", texts[i]);
    }
}

Test(hasami_moves, syntax_is_looked_for_before_the_board)
{
    cr_expect_eq(parse("0iX5"), ILLEGAL_SYNTAX);
}

Test(hasami_moves, an_empty_origin_is_no_piece)
{
    expect_illegal(NINE " b", "5e5d", ILLEGAL_NO_PIECE, "5e");
    expect_illegal(NINE " b", "5e5e", ILLEGAL_NO_PIECE, "5e");
}

Test(hasami_moves, a_rivals_man_is_not_yours)
{
    expect_illegal(NINE " b", "5a5b", ILLEGAL_NOT_YOUR_PIECE, "5a");
    expect_illegal(NINE " w", "5i5h", ILLEGAL_NOT_YOUR_PIECE, "5i");
    expect_illegal(NINE " b", "5a5a", ILLEGAL_NOT_YOUR_PIECE, "5a");
}

Test(hasami_moves, staying_is_no_move)
{
    expect_illegal(NINE " b", "5i5i", ILLEGAL_NO_MOVE, "");
}

Test(hasami_moves, a_diagonal_is_bad_geometry)
{
    expect_illegal(NINE " b", "5i4h", ILLEGAL_BAD_GEOMETRY, "");
    expect_illegal(NINE " b", "5i4a", ILLEGAL_BAD_GEOMETRY, "");
}

Test(hasami_moves, an_own_man_on_the_target_is_named)
{
    expect_illegal(NINE " b", "5i4i", ILLEGAL_OWN_PIECE, "4i");
    expect_illegal(NINE " b", "5i1i", ILLEGAL_OWN_PIECE, "1i");
}

Test(hasami_moves, an_enemy_on_the_target_is_named_even_behind_a_blocker)
{
    expect_illegal(NINE " b", "5i5a", ILLEGAL_OCCUPIED, "5a");
    expect_illegal("4p4/9/4p4/9/9/9/9/9/4P4 b", "5i5a", ILLEGAL_OCCUPIED, "5a");
}

Test(hasami_moves, everybody_in_the_way_is_named)
{
    expect_illegal("9/9/4p4/9/4P4/9/9/9/4P4 b", "5i5a", ILLEGAL_BLOCKED, "5c 5e");
    expect_illegal("9/9/9/9/P1p3p2/9/9/9/9 b", "9e1e", ILLEGAL_BLOCKED, "7e 3e");
    expect_illegal("9/9/9/9/1pp4P1/9/9/9/9 b", "2e9e", ILLEGAL_BLOCKED, "8e 7e");
}

Test(hasami_moves, all_men_in_the_way_still_fit_a_refusal)
{
    expect_illegal("9/9/9/9/PppppppP1/9/9/9/9 b", "9e1e", ILLEGAL_BLOCKED, "8e 7e 6e 5e 4e 3e 2e");
}

Test(hasami_moves, in_a_finished_game_nothing_is_legal_and_no_reason_is_made_up)
{
    expect_illegal("pppp5/9/9/9/9/9/9/9/PPPPPPPP1 w", "9a9b", ILLEGAL_NONE, "");
    expect_illegal("pppp5/9/9/9/9/9/9/9/PPPPPPPP1 w", "9a9a", ILLEGAL_NO_MOVE, "");
}

Test(hasami_moves, the_move_limit_leaves_no_legal_move)
{
    const struct game_options options = options_of(hasami(), "move_limit=7");
    const struct position before = position_of(hasami(), NINE " b - 7");
    const struct position at = position_of(hasami(), NINE " w - 8");

    cr_expect_eq(hasami()->count_moves(&before, &options), 63);
    cr_expect_eq(hasami()->count_moves(&at, &options), 0);
    cr_expect_eq(hasami()->perft(&before, &options, 1, false), 63);
    cr_expect_eq(hasami()->perft(&before, &options, 2, false), 0);
    cr_expect_eq(hasami()->perft(&at, &options, 1, true), 0);
    cr_expect_eq(hasami()->perft(&at, &options, 0, false), 1);
}

Test(hasami_moves, before_and_after_may_be_the_same_object)
{
    const struct game_options options = options_of(hasami(), "");
    struct position one = position_of(hasami(), NINE " b");
    const struct position before = one;
    struct position two;
    struct ply_effects effects;

    hasami()->play(&before, &options, move_of(hasami(), "5i5b"), &two, &effects);
    hasami()->play(&one, &options, move_of(hasami(), "5i5b"), &one, &effects);
    cr_expect_eq(hasami()->hash(&one), hasami()->hash(&two));
    cr_expect_eq(hasami()->ply(&one), 1);
}

static enum illegal_reason parse(const char *text)
{
    struct move move;

    return hasami()->parse_move(text, strlen(text), &move);
}

static void expect_illegal(const char *position, const char *move, enum illegal_reason reason,
                           const char *squares)
{
    const struct game_options options = options_of(hasami(), "");
    const struct position at = position_of(hasami(), position);
    struct illegal why;
    char text[64];

    cr_expect_not(hasami()->is_legal(&at, &options, NULL, move_of(hasami(), move), &why), "%s",
                  move);
    cr_expect_str_eq(illegal_reason_text(why.reason), illegal_reason_text(reason), "%s", move);
    squares_text(why.squares, why.square_count, text);
    cr_expect_str_eq(text, squares, "%s", move);
}

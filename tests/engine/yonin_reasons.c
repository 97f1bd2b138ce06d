/* Notation of moves, and every reason for which one is refused, in the order in which they are
 * looked for. */

#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static enum illegal_reason parse(const char *text);

/* --- notation -------------------------------------------------------------------------------- */

static void expect_written_as_read(const char *text)
{
    char again[RULES_MOVE_TEXT_MAX];

    yonin()->format_move(move_of(yonin(), text), again);
    cr_assert_str_eq(text, again);
}

Test(yonin_reasons, every_move_is_written_as_it_is_read)
{
    for (uint8_t from = 0; from < SQUARES; from++) {
        for (uint8_t to = 0; to < SQUARES; to++) {
            char text[RULES_MOVE_TEXT_MAX];

            square_format(from, text);
            square_format(to, text + 2);
            expect_written_as_read(text);
            memcpy(text + 4, "+", 2);
            expect_written_as_read(text);
        }
    }
}

Test(yonin_reasons, every_drop_is_written_as_it_is_read)
{
    for (const char *held = yonin()->hand_letters; *held != '\0'; held++) {
        for (uint8_t to = 0; to < SQUARES; to++) {
            char text[RULES_MOVE_TEXT_MAX] = {*held, '*'};

            square_format(to, text + 2);
            expect_written_as_read(text);
        }
    }
}

Test(yonin_reasons, different_moves_have_different_bits)
{
    static const char *const texts[] = {"5g5f", "5g5f+", "5f5g", "R*5f", "G*5f", "S*5f",
                                        "P*5f", "9a5f",  "8a5f", "7a5f", "6a5f"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t j = 0; j < i; j++) {
            cr_expect_neq(move_of(yonin(), texts[i]).bits, move_of(yonin(), texts[j]).bits);
        }
    }
}

Test(yonin_reasons, a_text_of_another_form_is_syntax)
{
    static const char *const texts[] = {
        "",      "5",    "5g5",   "5g5f++", "5g5f=", "+5g5f", "5G5F",  "g5f5", "5g 5f", "5g-5f",
        "P*",    "P*5",  "P*5e+", "p*5e",   "K*5e",  "X*5e",  "L*5e",  "*5e",  "P*e5",  "P5e",
        "Ps*5e", "pass", "s:5g",  "5g5{",   ":g5f",  "5`5e",  "P*5e ", "P**5", "P*5E"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect_eq(parse(texts[i]), ILLEGAL_SYNTAX, "%s", texts[i]);
    }
}

Test(yonin_reasons, a_square_that_does_not_exist_is_off_board)
{
    static const char *const texts[] = {"0g5f", "5g0f",  "5j5f", "5g5j", "5z5f",
                                        "0z0z", "5g5j+", "P*0e", "R*5j", "S*0z"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect_eq(parse(texts[i]), ILLEGAL_OFF_BOARD, "%s", texts[i]);
    }
}

Test(yonin_reasons, syntax_is_looked_for_before_the_board)
{
    cr_expect_eq(parse("0gX5"), ILLEGAL_SYNTAX);
    cr_expect_eq(parse("L*0e"), ILLEGAL_SYNTAX);
}

Test(yonin_reasons, a_move_text_needs_no_terminator)
{
    struct move move;

    cr_expect_eq(yonin()->parse_move("5g5f+", 4, &move), ILLEGAL_NONE);
    cr_expect_eq(move.bits, move_of(yonin(), "5g5f").bits);
}

/* --- the piece that moves -------------------------------------------------------------------- */

Test(yonin_reasons, an_empty_origin_is_no_piece)
{
    expect_illegal("", YONIN_START, "", "5e5d", "no-piece", "5e");
    expect_illegal("", YONIN_START, "", "5e5e", "no-piece", "5e");
}

#define ORPHANS "Xn5Sn-2/2Gs6/9/1Ss7/8Ke/9/3Kw5/Re8/4Ks4 -/-/-/- e n>s - 1"

Test(yonin_reasons, a_piece_of_anybody_else_is_not_yours)
{
    expect_illegal("", YONIN_START, "", "5c5d", "not-your-piece", "5c");
    expect_illegal("", YONIN_START, "", "5c5c", "not-your-piece", "5c");
    expect_illegal("format=pairs", YONIN_START, "", "5c5d", "not-your-piece", "5c");
    expect_illegal("orphaned_pieces=ownerless", ORPHANS, "", "3a2b", "not-your-piece", "3a");
    expect_illegal("orphaned_pieces=ownerless", ORPHANS, "", "9a9b", "not-your-piece", "9a");
}

Test(yonin_reasons, a_piece_inherited_by_another_is_not_yours_though_it_faces_like_you)
{
    static const char start[] = "4Xn4/9/4Pns4/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- e n>s - 1";

    expect_illegal("", start, "", "5c5d", "not-your-piece", "5c");
}

Test(yonin_reasons, staying_is_no_move)
{
    expect_illegal("", YONIN_START, "", "5g5g", "no-move", "");
    expect_illegal("", YONIN_START, "", "5g5g+", "no-move", "");
}

Test(yonin_reasons, a_way_in_which_the_piece_never_moves_is_bad_geometry)
{
    expect_illegal("", YONIN_START, "", "5g5e", "bad-geometry", "");
    expect_illegal("", YONIN_START, "", "7i8i", "bad-geometry", "");
    expect_illegal("", YONIN_START, "", "5h4g", "bad-geometry", "");
    expect_illegal("", YONIN_START, "", "5g5h", "bad-geometry", ""); /* an own piece is there */
}

/* --- what stands there ----------------------------------------------------------------------- */

#define CROWD "4Kn4/9/9/9/Kw1Pn1Rs1Pn1Ke/9/4Gs4/4Ps4/4Ks4 P/-/-/- s - - 0"

Test(yonin_reasons, an_own_piece_on_the_target_is_named_even_behind_another)
{
    expect_illegal("", CROWD, "", "5g5h", "own-piece", "5h");
    expect_illegal("", CROWD, "", "5e5h", "own-piece", "5h");
    expect_illegal("", CROWD, "", "P*5h", "own-piece", "5h");
    expect_illegal("", "4Xn4/9/9/4Rs4/4Pns4/9/9/9/Kw3Ks3Ke -/-/-/- s n>s - 40", "", "5d5e",
                   "own-piece", "5e");
}

Test(yonin_reasons, a_drop_takes_nothing)
{
    expect_illegal("", CROWD, "", "P*7e", "occupied", "7e");
    expect_illegal("", CROWD, "", "P*5a", "occupied", "5a");
    expect_illegal("", "4Xn4/9/4Pn-4/9/Kw7Ke/9/9/9/4Ks4 R/-/-/- s n>* - 40", "", "R*5c", "occupied",
                   "5c");
    expect_illegal("", "4Xn4/9/4Pn-4/9/Kw7Ke/9/9/9/4Ks4 R/-/-/- s n>* - 40", "", "R*5a", "occupied",
                   "5a");
}

Test(yonin_reasons, everybody_in_the_way_is_named)
{
    expect_illegal("", CROWD, "", "5e8e", "blocked", "7e");
    expect_illegal("", "4Kn4/9/9/9/KwRs1Pw1Pe1Ps1/9/9/9/3Ks4Ke -/-/-/- s - - 0", "", "8e1e",
                   "blocked", "6e 4e 2e");
    expect_illegal("", CROWD, "", "5e5i", "own-piece", "5i");
}

Test(yonin_reasons, a_blocker_comes_before_what_stands_behind_it)
{
    expect_illegal("format=pairs", "4Kn4/9/9/9/KwRs1Pw1Pn2Ke/9/9/9/4Ks4 -/-/-/- s - - 0", "",
                   "8e4e", "blocked", "6e");
    expect_illegal("", CROWD, "", "5e9e", "blocked", "7e");
}

#define TEAM "8Kn/9/9/9/Kw1Pn1Rs3Ke/9/9/9/4Ks4 P/-/-/- s - - 0"

Test(yonin_reasons, the_partners_piece_is_named)
{
    expect_illegal("format=pairs", TEAM, "", "5e7e", "partner-piece", "7e");
    expect_legal("", TEAM, "", "5e7e");
}

Test(yonin_reasons, the_partners_king_is_the_partners_piece_first)
{
    static const char start[] = "8Kn/8Rs/9/9/Kw8/8Ke/9/9/4Ks4 -/-/-/- s - - 0";

    expect_illegal("format=pairs", start, "", "1b1a", "partner-piece", "1a");
    expect_illegal("", start, "", "1b1a", "king-not-capturable", "1a");
}

Test(yonin_reasons, a_king_is_never_a_target)
{
    expect_illegal("", "4Xn4/4Rs4/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s n>s - 40", "", "5b5a",
                   "king-not-capturable", "5a");
    expect_illegal("", "4Xn4/4Ps4/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s n>s - 40", "", "5b5a",
                   "king-not-capturable", "5a"); /* nor does the pawn have to promote */
}

Test(yonin_reasons, what_is_not_in_hand_is_not_dropped)
{
    expect_illegal("", CROWD, "", "R*6d", "not-in-hand", "");
    expect_illegal("", CROWD, "", "G*5h", "own-piece", "5h");
    expect_illegal("", CROWD, "", "G*7e", "occupied", "7e");
    expect_illegal("", YONIN_START, "", "P*6a", "occupied", "6a");
    expect_illegal("", YONIN_START, "", "P*8a", "not-in-hand", "");
}

static enum illegal_reason parse(const char *text)
{
    struct move move;

    return yonin()->parse_move(text, strlen(text), &move);
}

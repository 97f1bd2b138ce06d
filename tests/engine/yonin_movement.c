/* How pieces move, capture and promote (rules 1 to 9). */

#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void expect_moves_of(const char *piece, char turn, const char *expected);

/* A piece in the middle and four kings that it neither meets nor checks. */
static void expect_moves_of(const char *piece, char turn, const char *expected)
{
    char start[RULES_POSITION_TEXT_MAX];

    (void)snprintf(start, sizeof start, "1Kn7/8Ke/9/9/4%s4/9/9/Kw8/7Ks1 -/-/-/- %c - - 0", piece,
                   turn);
    expect_moves("", start, "", "5e", expected);
}

Test(yonin_movement, a_pawn_steps_the_way_it_faces)
{
    expect_moves_of("Ps", 's', "5e5d");
    expect_moves_of("Pw", 'w', "5e4e");
    expect_moves_of("Pn", 'n', "5e5f");
    expect_moves_of("Pe", 'e', "5e6e");
}

Test(yonin_movement, a_silver_steps_ahead_and_along_the_diagonals)
{
    expect_moves_of("Ss", 's', "5e4d 5e4f 5e5d 5e6d 5e6f");
    expect_moves_of("Sw", 'w', "5e4d 5e4e 5e4f 5e6d 5e6f");
    expect_moves_of("Sn", 'n', "5e4d 5e4f 5e5f 5e6d 5e6f");
    expect_moves_of("Se", 'e', "5e4d 5e4f 5e6d 5e6e 5e6f");
}

Test(yonin_movement, a_gold_steps_anywhere_but_back_along_a_diagonal)
{
    static const char south[] = "5e4d 5e4e 5e5d 5e5f 5e6d 5e6e";
    static const char west[] = "5e4d 5e4e 5e4f 5e5d 5e5f 5e6e";
    static const char north[] = "5e4e 5e4f 5e5d 5e5f 5e6e 5e6f";
    static const char east[] = "5e4e 5e5d 5e5f 5e6d 5e6e 5e6f";

    expect_moves_of("Gs", 's', south);
    expect_moves_of("Gw", 'w', west);
    expect_moves_of("Gn", 'n', north);
    expect_moves_of("Ge", 'e', east);
    expect_moves_of("+Ps", 's', south);
    expect_moves_of("+Pw", 'w', west);
    expect_moves_of("+Sn", 'n', north);
    expect_moves_of("+Se", 'e', east);
}

#define CROSS_S                                                                                    \
    "5e1e 5e2e 5e3e 5e4e 5e5a 5e5a+ 5e5b 5e5b+ 5e5c 5e5c+ 5e5d 5e5f 5e5g 5e5h 5e5i 5e6e 5e7e "     \
    "5e8e 5e9e"
#define CROSS_W                                                                                    \
    "5e1e 5e1e+ 5e2e 5e2e+ 5e3e 5e3e+ 5e4e 5e5a 5e5b 5e5c 5e5d 5e5f 5e5g 5e5h 5e5i 5e6e 5e7e "     \
    "5e8e 5e9e"
#define DRAGON                                                                                     \
    "5e1e 5e2e 5e3e 5e4d 5e4e 5e4f 5e5a 5e5b 5e5c 5e5d 5e5f 5e5g 5e5h 5e5i 5e6d 5e6e 5e6f 5e7e "   \
    "5e8e 5e9e"

Test(yonin_movement, a_rook_slides_and_promotes_where_it_faces)
{
    expect_moves_of("Rs", 's', CROSS_S);
    expect_moves_of("Rw", 'w', CROSS_W);
}

Test(yonin_movement, a_promoted_rook_steps_along_the_diagonals_too)
{
    expect_moves_of("+Rs", 's', DRAGON);
    expect_moves_of("+Rw", 'w', DRAGON);
    expect_moves_of("+Rn", 'n', DRAGON);
    expect_moves_of("+Re", 'e', DRAGON);
}

Test(yonin_movement, a_king_steps_one_square_in_any_direction)
{
    static const char start[] = "1Kn7/8Ke/9/9/4Ks4/9/9/Kw8/9 -/-/-/- s - - 0";

    expect_moves("", start, "", "5e", "5e4d 5e4e 5e4f 5e5d 5e5f 5e6d 5e6e 5e6f");
}

Test(yonin_movement, nothing_steps_over_the_edge)
{
    static const char start[] = "1Kn7/7Ke1/9/9/Gs7+Rs/9/4Kw4/9/Ks7Ss -/-/-/- s - - 0";

    expect_moves("", start, "", "9e", "9e8d 9e8e 9e9d 9e9f");
    expect_moves("", start, "", "1i", "1i1h 1i2h");
    expect_moves("", start, "", "9i", "9i8h 9i8i 9i9h");
}

/* --- captures -------------------------------------------------------------------------------- */

Test(yonin_movement, a_captured_piece_turns_back_to_its_unpromoted_form_in_the_hand)
{
    static const char start[] = "4Kn4/9/4+Rn4/9/Kw7Ke/9/9/4Rs4/5Ks3 -/-/-/- s - - 0";

    expect_play("", start, "5h5c", "4Kn4/9/4Rs4/9/Kw7Ke/9/9/9/5Ks3 R/-/-/- n - n<s 1", "");
}

Test(yonin_movement, a_dropped_piece_faces_like_whoever_drops_it)
{
    expect_play("", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 S/-/-/- s - - 0", "S*6d",
                "4Kn4/9/9/3Ss5/Kw7Ke/9/9/9/4Ks4 -/-/-/- w - - 1", "");
    expect_play("", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/2S/-/- w - - 0", "S*6d",
                "4Kn4/9/9/3Sw5/Kw7Ke/9/9/9/4Ks4 -/S/-/- n - - 1", "");
    expect_play("", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/RG e - - 0", "G*6d",
                "4Kn4/9/9/3Ge5/Kw7Ke/9/9/9/4Ks4 -/-/-/R s - - 1", "");
}

Test(yonin_movement, any_rivals_piece_and_an_ownerless_one_may_be_captured)
{
    static const char start[] = "4Xn4/9/9/3PwRsPe3/Kw3Pn-3Ke/9/9/9/5Ks3 -/-/-/- s n>* - 9";

    expect_legal("", start, "", "5d6d");
    expect_legal("", start, "", "5d4d");
    expect_play("", start, "5d5e", "4Xn4/9/9/3Pw1Pe3/Kw3Rs3Ke/9/9/9/5Ks3 P/-/-/- w n>* w<s,e<s 10",
                "");
}

Test(yonin_movement, an_inherited_piece_is_captured_back_and_then_faces_its_new_owner)
{
    static const char start[] = "4Xn4/9/9/4Sns4/Kw7Ke/3Ge5/4Re4/9/8Ks -/-/-/- e n>s - 9";

    expect_play("", start, "5g5d", "4Xn4/9/9/4Re4/Kw7Ke/3Ge5/9/9/8Ks -/-/-/S s n>s - 10", "");
    expect_play("", start, "5g5d 1i1h 9e9f S*5g",
                "4Xn4/9/9/4Re4/8Ke/Kw2Ge5/4Se4/8Ks/9 -/-/-/- s n>s - 13", "");
}

/* --- promotion ------------------------------------------------------------------------------- */

Test(yonin_movement, a_piece_promotes_entering_the_zone_within_it_and_leaving_it)
{
    static const char start[] = "8Kn/4Ss4/9/1Ss5Ke1/9/9/Kw8/9/4Ks4 -/-/-/- s - - 0";

    expect_moves("", start, "", "8d", "8d7c 8d7c+ 8d7e 8d8c 8d8c+ 8d9c 8d9c+ 8d9e");
    expect_moves("", start, "", "5b", "5b4a 5b4a+ 5b4c 5b4c+ 5b5a 5b5a+ 5b6a 5b6a+ 5b6c 5b6c+");
    expect_moves("", "8Kn/9/4Ss4/7Ke1/Kw8/9/9/9/4Ks4 -/-/-/- s - - 0", "", "5c4d", "5c4d 5c4d+");
}

Test(yonin_movement, the_zone_is_the_last_three_lines_that_a_piece_faces)
{
    static const char board[] = "1Kn7/8Ke/9/6Sw2/4Sw4/4Sn4/3Se5/Kw8/7Ks1 -/-/-/- ";
    char start[RULES_POSITION_TEXT_MAX];

    (void)snprintf(start, sizeof start, "%sw - - 0", board);
    expect_moves("", start, "", "5e", "5e4d 5e4e 5e4f 5e6d 5e6f");
    expect_moves("", start, "", "3d2", "3d2c 3d2c+ 3d2d 3d2d+ 3d2e 3d2e+");
    (void)snprintf(start, sizeof start, "%sn - - 0", board);
    expect_moves("", start, "", "5f", "5f4e 5f4g 5f4g+ 5f5g 5f5g+ 5f6e 5f6g 5f6g+");
    (void)snprintf(start, sizeof start, "%se - - 0", board);
    expect_moves("", start, "", "6g", "6g5f 6g5h 6g7f 6g7f+ 6g7g 6g7g+ 6g7h 6g7h+");
}

Test(yonin_movement, what_was_dropped_in_the_zone_may_promote_with_its_next_move)
{
    static const char start[] = "8Kn/9/9/9/Kw8/7Ke1/9/9/4Ks4 S/-/-/- s - - 0";

    expect_moves("", start, "S*5b 9e9f 1a1b 2f2g", "5b5", "5b5a 5b5a+");
    expect_illegal("", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0", "", "S*5b", "not-in-hand",
                   "");
}

Test(yonin_movement, an_inherited_pawn_promotes_and_is_stuck_where_it_faces)
{
    expect_moves("", "4Xn4/2Pns6/9/9/Kw7Ke/6Pns2/1Pns7/9/4Ks4 -/-/-/- s n>s - 1", "", "7b", "7b7c");
    expect_moves("", "4Xn4/2Pns6/9/9/Kw7Ke/6Pns2/1Pns7/9/4Ks4 -/-/-/- s n>s - 1", "", "3f",
                 "3f3g 3f3g+");
}

/* --- kings ----------------------------------------------------------------------------------- */

Test(yonin_movement, an_inverted_king_attacks_nothing_and_stands_in_the_way)
{
    static const char start[] = "9/9/4Xn4/4Ks4/9/9/9/2Re1Xw1Rs2/8Ke -/-/-/- s n>s,w>s - 9";

    expect_moves("ending=last_survivor", start, "", "5d", "5d4c 5d4d 5d4e 5d5e 5d6c 5d6d 5d6e");
    expect_moves("ending=last_survivor", start, "", "3h4", "3h4h");
}

Test(yonin_movement, kings_never_stand_side_by_side)
{
    static const char start[] = "4Kn4/9/4Ks4/9/Kw7Ke/9/9/9/9 -/-/-/- s - - 0";

    expect_moves("", start, "", "5c", "5c4c 5c4d 5c5d 5c6c 5c6d");
    expect_illegal("", start, "", "5c5b", "leaves-king-in-check", "5a");
}

Test(yonin_movement, a_pinned_piece_still_gives_check)
{
    static const char board[] = "8Kn/4Re4/3Kw5/9/4Gs4/9/9/8Ke/4Ks4 -/-/-/- ";
    char start[RULES_POSITION_TEXT_MAX];

    (void)snprintf(start, sizeof start, "%ss - - 0", board);
    expect_illegal("", start, "", "5e4e", "leaves-king-in-check", "5b");
    (void)snprintf(start, sizeof start, "%sw - - 0", board);
    expect_illegal("", start, "", "6c6d", "leaves-king-in-check", "5e");
}

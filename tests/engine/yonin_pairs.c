/* Two teams of opposite seats (rules 36 to 40). */

#include "yonin_fixture.h"

#include <criterion/criterion.h>

#define PAIRS "format=pairs"

Test(yonin_pairs, opposite_seats_are_a_team_and_alone_each_is_one)
{
    const struct game_options pairs = options_of(yonin(), PAIRS);
    const struct game_options solo = options_of(yonin(), "");

    for (int seat = 0; seat < 4; seat++) {
        cr_expect_eq(yonin()->team(&pairs, seat), yonin()->team(&pairs, (seat + 2) % 4));
        cr_expect_neq(yonin()->team(&pairs, seat), yonin()->team(&pairs, (seat + 1) % 4));
        for (int other = 0; other < seat; other++) {
            cr_expect_neq(yonin()->team(&solo, seat), yonin()->team(&solo, other));
        }
    }
}

/* --- the end --------------------------------------------------------------------------------- */

#define STALEMATE "4Kn4/9/9/9/8Ke/9/9/2Rs6/Kw1Gs1Ks4 -/-/-/- s - - 0"

Test(yonin_pairs, the_first_elimination_ends_the_game_stalemate_included)
{
    expect_play(PAIRS, STALEMATE, "5i5h", "4Kn4/9/9/9/8Ke/9/9/2Rs1Ks4/Xw1Gs6 -/-/-/- - w>s - 1",
                "team_mate 1 3 1 3");
}

Test(yonin_pairs, a_seat_shut_in_by_its_own_partner_loses_for_both)
{
    expect_play(PAIRS, "Kn1Gs6/9/1Gs7/9/9/8Kw/9/8Ke/4Ks4 -/-/-/- w - - 0", "1f2f",
                "Xn1Gs6/9/1Gs7/9/9/7Kw1/9/8Ke/4Ks4 -/-/-/- - n>w - 1", "team_mate 3 1 3 1");
}

Test(yonin_pairs, the_other_options_change_nothing)
{
    static const char *const options[] = {"format=pairs ending=last_survivor",
                                          "format=pairs orphaned_pieces=ownerless"};

    for (size_t i = 0; i < 2; i++) {
        expect_play(options[i], STALEMATE, "5i5h",
                    "4Kn4/9/9/9/8Ke/9/9/2Rs1Ks4/Xw1Gs6 -/-/-/- - w>s - 1", "team_mate 1 3 1 3");
    }
}

Test(yonin_pairs, the_move_limit_draws)
{
    expect_play("format=pairs move_limit=1", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 RG/-/-/- s - - 0", "R*2h",
                "4Kn4/9/9/9/Kw7Ke/9/9/7Rs1/4Ks4 G/-/-/- w - - 1", "move_limit 1 1 1 1");
    expect_play("format=pairs move_limit=1", STALEMATE, "5i5h",
                "4Kn4/9/9/9/8Ke/9/9/2Rs1Ks4/Xw1Gs6 -/-/-/- - w>s - 1", "team_mate 1 3 1 3");
}

/* --- checks to the partner ------------------------------------------------------------------- */

/* e's rook checks both; s answers first. */
#define BOTH "4Kn4/9/9/Kw8/4Re3Rs/9/9/8Ke/4Ks4 P/-/-/- s - s<e,n<e 5"

Test(yonin_pairs, a_check_on_the_partner_that_is_there_already_may_stay)
{
    expect_play(PAIRS, BOTH, "5i4i", "4Kn4/9/9/Kw8/4Re3Rs/9/9/8Ke/5Ks3 P/-/-/- n - n<e 6", "");
    expect_play(PAIRS, BOTH, "P*5f", "4Kn4/9/9/Kw8/4Re3Rs/4Ps4/9/8Ke/4Ks4 -/-/-/- n - n<e 6", "");
}

Test(yonin_pairs, another_checking_piece_in_its_place_is_a_new_check)
{
    expect_illegal(PAIRS, BOTH, "", "1e5e", "checks-partner", "5a");
    expect_legal("", BOTH, "", "1e5e");
}

Test(yonin_pairs, an_own_rook_may_not_be_uncovered_on_the_partner)
{
    static const char start[] = "4Kn4/9/9/9/Kw7Ke/4Ss4/9/9/3KsRs4 -/-/-/- s - - 0";

    expect_illegal(PAIRS, start, "", "5f4e", "checks-partner", "5a");
    expect_legal(PAIRS, start, "", "5f5e");
    expect_legal("", start, "", "5f4e");
}

Test(yonin_pairs, moving_a_checking_piece_that_still_checks_is_a_new_check)
{
    /* n waits in a check by s's own rook, which a set-up may have. */
    static const char start[] = "4Kn4/9/9/9/Kw3Rs3Ke/9/9/9/3Ks5 -/-/-/- s - - 5";

    expect_illegal(PAIRS, start, "", "5e5d", "checks-partner", "5a");
    expect_legal(PAIRS, start, "", "5e4e");
    expect_legal(PAIRS, start, "", "6i7i");
}

Test(yonin_pairs, a_check_to_a_rival_is_as_always)
{
    expect_play(PAIRS, "3Kn5/9/9/9/Kw7Ke/9/9/4Rs4/4Ks4 -/-/-/- s - - 0", "5h5e",
                "3Kn5/9/9/9/Kw3Rs3Ke/9/9/9/4Ks4 -/-/-/- w - w<s,e<s 1", "");
}

/* n's only piece that can move is a pawn that keeps w's rook off s's king. */
#define BLOCKER "Kn1Gs6/9/1Gs7/9/1Rw2Pn3Ks/9/9/9/Kw7Ke -/-/-/- w - - 0"

Test(yonin_pairs, a_seat_whose_only_moves_would_check_its_partner_is_mated)
{
    expect_play(PAIRS, BLOCKER, "9i9h", "Xn1Gs6/9/1Gs7/9/1Rw2Pnw3Ks/9/9/Kw8/8Ke -/-/-/- - n>w - 1",
                "team_mate 3 1 3 1");
    expect_play("", BLOCKER, "9i9h", "Kn1Gs6/9/1Gs7/9/1Rw2Pn3Ks/9/9/Kw8/8Ke -/-/-/- n - - 1", "");
    expect_moves("", BLOCKER, "9i9h", "", "5e5f");
}

/* --- the partner's pieces -------------------------------------------------------------------- */

Test(yonin_pairs, the_partners_pieces_are_neither_captured_nor_jumped_over)
{
    static const char start[] = "8Kn/9/9/9/Kw1Pn1Rs3Ke/9/9/9/4Ks4 -/-/-/- s - - 0";

    expect_moves(PAIRS, start, "", "5e7", "");
    expect_moves(PAIRS, start, "", "5e6", "5e6e");
    expect_illegal(PAIRS, start, "", "5e8e", "blocked", "7e");
    expect_moves("", start, "", "5e7", "5e7e");
}

Test(yonin_pairs, the_partners_pieces_attack_your_king)
{
    static const char start[] = "8Kn/4Rn4/9/9/Kw7Ke/9/9/9/3Ks5 -/-/-/- s - - 0";

    expect_illegal(PAIRS, start, "", "6i5i", "leaves-king-in-check", "5b");
    expect_moves(PAIRS, start, "", "6i", "6i6h 6i7h 6i7i");
}

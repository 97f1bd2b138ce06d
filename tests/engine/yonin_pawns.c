/* Pawns from the hand (rules 10 to 14). */

#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* --- two in a column ------------------------------------------------------------------------- */

Test(yonin_pawns, only_an_unpromoted_pawn_of_the_same_facing_forbids_a_second)
{
    static const char start[] = "4Xn4/+Ps1Pns1PwPe3/9/9/Kw7Ke/Ps8/9/9/4Ks4 P/-/-/- s n>s - 9";

    expect_legal("", "4Xn4/+Ps8/9/9/Kw7Ke/9/9/9/4Ks4 P/-/-/- s n>s - 9", "", "P*9f");
    expect_legal("", start, "", "P*7f"); /* one inherited from n */
    expect_legal("", start, "", "P*5f"); /* one of w's */
    expect_legal("", start, "", "P*4f"); /* one of e's */
    expect_illegal("", start, "", "P*9g", "nifu", "9f");
}

Test(yonin_pawns, an_ownerless_pawn_forbids_nothing)
{
    expect_legal("", "4Xn4/9/2Pn-6/9/Kw7Ke/9/9/9/4Ks4 P/-/-/- s n>* - 9", "", "P*7f");
}

Test(yonin_pawns, the_column_of_w_and_e_is_a_rank_and_of_s_and_n_a_file)
{
    static const char board[] = "4Kn4/9/2Ps6/3Pw5/Kw7Ke/5Pe3/6Pn2/9/4Ks4 P/P/P/P ";
    static const struct {
        char turn;
        const char *two, *where, *one;
    } columns[] = {
        {'s', "P*7f", "7c", "P*6c"},
        {'w', "P*3d", "6d", "P*6c"},
        {'n', "P*3c", "3g", "P*4g"},
        {'e', "P*7f", "4f", "P*4c"},
    };

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        char start[RULES_POSITION_TEXT_MAX];

        (void)snprintf(start, sizeof start, "%s%c - - 0", board, columns[i].turn);
        expect_illegal("", start, "", columns[i].two, "nifu", columns[i].where);
        expect_legal("", start, "", columns[i].one);
    }
}

/* --- before an inverted king ----------------------------------------------------------------- */

#define INVERTED "4Xn4/9/4Ps4/9/Kw7Ke/9/9/9/4Ks4 RGSP/-/-/- s n>s - 9"

Test(yonin_pawns, a_pawn_may_move_up_to_an_inverted_king_though_it_is_stuck_there)
{
    expect_legal("", INVERTED, "", "5c5b");
    expect_moves("", INVERTED, "5c5b 9e9d 1e1d", "5b", "");
}

Test(yonin_pawns, other_pieces_may_be_dropped_before_an_inverted_king)
{
    expect_legal("", INVERTED, "", "R*5b");
    expect_legal("", INVERTED, "", "G*5b");
    expect_legal("", INVERTED, "", "S*5b");
}

Test(yonin_pawns, a_pawn_may_be_dropped_before_any_other_piece)
{
    expect_legal("", "4Kn4/9/2Gw6/9/Kw7Ke/9/9/9/4Ks4 P/-/-/- s - - 9", "", "P*7d");
    expect_legal("", "4Kn4/9/2Gs6/9/Kw7Ke/9/9/9/4Ks4 P/-/-/- s - - 9", "", "P*7d");
    expect_legal("", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 P/-/-/- s - - 9", "", "P*5b");
}

/* --- mate by a dropped pawn ------------------------------------------------------------------ */

/* The square before n's king is guarded, and so are all around it. */
#define NET "3Kn5/1Ss3Ss3/2Gs1Gs4/9/Kw7Ke/9/9/9/4Ks4 P/-/-/- s - - 0"

Test(yonin_pawns, a_dropped_pawn_may_not_mate)
{
    expect_illegal("", NET, "", "P*6b", "pawn-drop-mate", "6a");
    expect_moves("", NET, "", "P*6", "P*6c P*6d P*6e P*6f P*6g P*6h P*6i");
}

Test(yonin_pawns, pawn_drops_after_a_forbidden_one_are_still_found)
{
    expect_moves("", NET, "", "P*5", "P*5b P*5d P*5e P*5f P*5g P*5h");
}

Test(yonin_pawns, a_pawn_that_is_pushed_may_mate)
{
    expect_play("", "3Kn5/1Ss3Ss3/2GsPsGs4/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0", "6c6b",
                "3Xn5/1Ss1Ps1Ss3/2Gs1Gs4/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- e n>s - 1", "");
}

Test(yonin_pawns, a_dropped_pawn_may_take_the_last_move_of_a_seat_that_it_does_not_check)
{
    static const char start[] = "Kw3Kn4/9/1Gs7/9/8Ke/9/9/9/4Ks4 P/-/-/- s - - 0";

    expect_moves("", start, "5i4i", "", "9a8a");
    expect_play("", start, "P*8b", "Xw3Kn4/1Ps7/1Gs7/9/8Ke/9/9/9/4Ks4 -/-/-/- n w>s - 1", "");
}

/* w has to answer a check by s, and so has n, who comes before e. */
#define TWO_WAIT "2Rs5Ks/9/9/9/Kw8/9/1Ke7/1Sn7/+Rs3Kn4 -/P/-/- w - w<s,n<s 7"

Test(yonin_pawns, a_pawn_mate_is_judged_at_once_whoever_might_come_to_help)
{
    expect_illegal("", TWO_WAIT, "", "P*9g", "pawn-drop-mate", "8g");
    expect_moves("", TWO_WAIT, "", "P", "P*9f P*9h");
    /* Where n has its say first, e is saved. */
    expect_play("", "2Rs5Ks/9/9/9/Kw8/9/1Ke7/1Sn7/+Rs3Kn4 -/G/-/- w - w<s,n<s 7", "G*9g 8h9i",
                "2Rs5Ks/9/9/9/Kw8/9/GwKe7/9/Sn3Kn4 -/-/R/- e - e<w 9", "");
}

Test(yonin_pawns, a_seat_in_check_already_is_not_mated_by_a_dropped_pawn_either)
{
    static const char start[] = "1RsRs5Ks/9/9/9/Kw8/9/1Ke7/1Sn7/+Rs3Kn4 -/P/-/- w - w<s,n<s,e<s 7";

    expect_illegal("", start, "", "P*9g", "pawn-drop-mate", "8g");
    expect_legal("", start, "", "P*9f");
}

/* --- nested ---------------------------------------------------------------------------------- */

/* After 1d9d, only a pawn on 9c would answer w's check (9b has a pawn in its column), and that pawn
 * would mate e. */
#define NESTED(hand, gold) "Kw1Gn6/7Pw1/1Ke7/8Rs/" gold "/9/6Kn2/9/2Rs5Ks -/" hand "/-/- s - - 0"

Test(yonin_pawns, who_could_only_answer_by_a_pawn_that_would_mate_is_mated)
{
    expect_play("", NESTED("P", "Gs8"), "1d9d",
                "Xw1Gn6/7Pws1/1Ke7/Rs8/Gs8/9/6Kn2/9/2Rs5Ks P/-/-/- n w>s - 1", "");
}

Test(yonin_pawns, who_can_answer_by_a_pawn_that_does_not_mate_is_not_mated)
{
    expect_play("", NESTED("P", "9"), "1d9d",
                "Kw1Gn6/7Pw1/1Ke7/Rs8/9/9/6Kn2/9/2Rs5Ks -/P/-/- w - w<s 1", "");
    expect_moves("", NESTED("P", "9"), "1d9d", "", "P*9c");
    expect_moves("", NESTED("G", "Gs8"), "1d9d", "", "G*9b G*9c");
}

/* The same again, one step deeper: e's own answer to the pawn on 9c would have to be a pawn. */
Test(yonin_pawns, nobody_answers_a_dropped_pawn_with_another)
{
    expect_play("", "Kw1Gn6/7Pw1/1Ke7/8Rs/Gs8/9/6Kn2/9/2Rs5Ks -/P/-/2P s - - 0", "1d9d",
                "Xw1Gn6/7Pws1/1Ke7/Rs8/Gs8/9/6Kn2/9/2Rs5Ks P/-/-/2P n w>s - 1", "");
}

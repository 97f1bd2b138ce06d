/* Whose turn it is (rules 15 to 21), and who falls to whom (rules 22 to 26). */

#include "yonin_fixture.h"

#include <criterion/criterion.h>

/* --- the order of turns ---------------------------------------------------------------------- */

Test(yonin_turns, south_begins_and_turns_go_clockwise)
{
    expect_play("", YONIN_START, "5g5f 7e6e 5c5d 3e4e",
                "2SnGnKnGnSn2/3PnRnPn3/Sw7Se/GwPw2Pn2PeGe/KwRw1Pw1Pe1ReKe/GwPw2Ps2PeGe/Sw7Se/"
                "3PsRsPs3/2SsGsKsGsSs2 -/-/-/- s - - 4",
                "");
}

#define ROOK "4Kn4/9/9/9/Kw7Ke/9/9/5Rs3/3Ks5 -/-/-/- s - - 0"

Test(yonin_turns, a_check_to_the_left_neighbour_skips_nobody)
{
    expect_play("", ROOK, "4h9h", "4Kn4/9/9/9/Kw7Ke/9/9/Rs8/3Ks5 -/-/-/- w - w<s 1", "");
    expect_play("", ROOK, "4h9h 9e8e", "4Kn4/9/9/9/1Kw6Ke/9/9/Rs8/3Ks5 -/-/-/- n - - 2", "");
}

Test(yonin_turns, a_check_to_the_right_neighbour_brings_the_turn_back)
{
    expect_play("", ROOK, "4h1h", "4Kn4/9/9/9/Kw7Ke/9/9/8Rs/3Ks5 -/-/-/- e - e<s 1", "");
    expect_play("", ROOK, "4h1h 1e2e", "4Kn4/9/9/9/Kw6Ke1/9/9/8Rs/3Ks5 -/-/-/- s - - 2", "");
}

Test(yonin_turns, three_checked_seats_answer_clockwise_from_the_mover)
{
    static const char start[] = "4Kn4/9/9/9/Kw7Ke/5+Rs3/9/9/3Ks5 -/-/-/- s - - 0";

    expect_play("", start, "4f5e", "4Kn4/9/9/9/Kw3+Rs3Ke/9/9/9/3Ks5 -/-/-/- w - w<s,n<s,e<s 1", "");
    expect_play("", start, "4f5e 9e9d", "4Kn4/9/9/Kw8/4+Rs3Ke/9/9/9/3Ks5 -/-/-/- n - n<s,e<s 2",
                "");
    expect_play("", start, "4f5e 9e9d 5a4a", "5Kn3/9/9/Kw8/4+Rs3Ke/9/9/9/3Ks5 -/-/-/- e - e<s 3",
                "");
    expect_play("", start, "4f5e 9e9d 5a4a 1e1d", "5Kn3/9/9/Kw7Ke/4+Rs4/9/9/9/3Ks5 -/-/-/- s - - 4",
                "");
}

Test(yonin_turns, a_reply_that_rescues_a_waiting_seat_costs_it_its_turn)
{
    static const char start[] = "2Kn6/9/9/3Gw5/Kw7Ke/9/9/4Rs4/4Ks4 -/-/-/- s - - 0";

    expect_play("", start, "5h5e", "2Kn6/9/9/3Gw5/Kw3Rs3Ke/9/9/9/4Ks4 -/-/-/- w - w<s,e<s 1", "");
    expect_play("", start, "5h5e 6d5e", "2Kn6/9/9/9/Kw3Gw3Ke/9/9/9/4Ks4 -/R/-/- n - - 2", "");
}

Test(yonin_turns, after_a_mate_the_turn_goes_on_from_the_mated_seat)
{
    /* From the mover it would be w's. */
    expect_play("", "3Kn5/1Ss3Ss3/2GsPsGs4/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0", "6c6b",
                "3Xn5/1Ss1Ps1Ss3/2Gs1Gs4/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- e n>s - 1", "");
}

/* Three kings in their corners, none in check, none with a move. */
#define CORNERS "Kn1Gs3Gs1Ke/9/1Gs5Gs1/9/9/9/9/2Rs6/Kw1Gs2Ks3 -/-/-/- s - - 0"

Test(yonin_turns, seats_without_a_move_fall_one_after_the_other)
{
    expect_play("ending=last_survivor", CORNERS, "4i5i",
                "Xn1Gs3Gs1Xe/9/1Gs5Gs1/9/9/9/9/2Rs6/Xw1Gs1Ks4 -/-/-/- - w>s,n>s,e>s - 1",
                "last_survivor 1 4 3 2");
}

Test(yonin_turns, after_the_second_of_two_mates_nobody_else_falls)
{
    expect_play("", CORNERS, "4i5i",
                "Xn1Gs3Gs1Ke/9/1Gs5Gs1/9/9/9/9/2Rs6/Xw1Gs1Ks4 -/-/-/- - w>s,n>s - 1",
                "mates 1 4 3 2");
}

/* --- credit ---------------------------------------------------------------------------------- */

/* w has to answer s's rook, e waits in a check by s's gold. */
#define OVERWRITTEN "3Ke5/2Gs2Ss3/1Ss2Gs4/9/Kw3Rs4/9/8Kn/9/4Ks4 -/R/-/- w - w<s,e<s 5"

Test(yonin_turns, whoever_gave_the_latest_new_check_is_credited)
{
    expect_play("", OVERWRITTEN, "R*6e",
                "3Xe5/2Gs2Ss3/1Ss2Gs4/9/Kw2RwRs4/9/8Kn/9/4Ks4 -/-/-/- s e>w - 6", "");
}

Test(yonin_turns, a_check_that_merely_goes_on_keeps_its_giver)
{
    expect_play("", OVERWRITTEN, "R*8e",
                "3Xe5/2Gs2Ss3/1Ss2Gs4/9/KwRw2Rs4/9/8Kn/9/4Ks4 -/-/-/- s e>s - 6", "");
}

Test(yonin_turns, taking_a_checking_piece_with_one_that_checks_is_a_new_check)
{
    static const char start[] = "4Kn4/9/9/Kw8/4Re3Rs/9/9/8Ke/4Ks4 -/-/-/- s - s<e,n<e 5";

    expect_play("", start, "1e5e", "4Kn4/9/9/Kw8/4Rs4/9/9/8Ke/4Ks4 R/-/-/- n - n<s 6", "");
}

Test(yonin_turns, a_check_by_an_inherited_piece_is_its_owners)
{
    expect_play("", "4Xn4/9/9/9/Kw7Ke/9/9/4Rns4/4Ks4 -/-/-/- s n>s - 9", "5h5e",
                "4Xn4/9/9/9/Kw3Rns3Ke/9/9/9/4Ks4 -/-/-/- w n>s w<s,e<s 10", "");
}

Test(yonin_turns, a_mate_without_a_known_giver_is_nobodys_and_the_hand_is_gone)
{
    static const char start[] = "2Kn6/9/7GsGs/9/Kw1Pe1Rs3Ke/9/7Ss1/9/4Ks4 -/-/-/3P w - - 1";

    expect_play("", start, "9e9d", "2Kn6/9/7GsGs/Kw8/2Pe-1Rs3Xe/9/7Ss1/9/4Ks4 -/-/-/- s e>* - 2",
                "");
}

/* --- what becomes of a mated seat ------------------------------------------------------------ */

#define ESTATE "4Kn4/9/9/8Pe/Kw5Gw1Ke/8Pe/9/2+Se6/4Ks4 -/GP/-/2R2SP w - - 0"

/* s mates e with a pawn that leaves s itself without a move. */
#define SHUT_IN "Kw5Kn1Ke/4Rn4/1Rn6Ps/9/9/9/9/6Rn2/Ks8 -/-/-/- s - - 0"

Test(yonin_turns, a_stalemate_of_the_last_mover_is_nobodys)
{
    expect_play("", SHUT_IN, "1c1b", "Kw5Kn1Xe/4Rn3Ps-/1Rn7/9/9/9/9/6Rn2/Xs8 -/-/-/- - e>s,s>* - 1",
                "mates 3 2 1 4");
}

Test(yonin_turns, after_the_last_mover_has_fallen_a_stalemate_is_nobodys)
{
    expect_play("ending=last_survivor", SHUT_IN, "1c1b",
                "Xw5Kn1Xe/4Rn3Ps-/1Rn7/9/9/9/9/6Rn2/Xs8 -/-/-/- - e>s,s>*,w>* - 1",
                "last_survivor 3 2 1 4");
}

/* Set-ups: who gave a check falls before the seat that is in it. */
Test(yonin_turns, a_check_by_somebody_who_has_fallen_is_nobodys)
{
    expect_play("", "Kw3Re3Kn/4Re4/9/9/9/9/9/9/Ke5Ks2 -/-/-/- s - w<e,n<w 0", "3i3h",
                "Xw3Re3Xn/4Re4/9/9/9/9/9/6Ks2/Ke8 -/-/-/- - w>e,n>* - 1", "mates 2 4 3 1");
    expect_play("", "Kw3Re3Kn/3Re5/9/9/9/9/9/9/Ke5Ks2 -/-/R/- s - w<e,n<w 0", "3i3h",
                "Xw3Re3Kn/3Re5/9/9/9/9/9/6Ks2/Ke8 -/-/R/- n w>e - 1", "");
    expect_play("", "Kw3Re3Kn/4Re4/9/9/9/9/9/9/Ke5Ks2 -/-/-/- s - w<n,n<w 0", "3i3h",
                "Xw3Re3Xn/4Re4/9/9/9/9/9/6Ks2/Ke8 -/-/-/- - w>n,n>* - 1", "mates 2 4 3 1");
}

Test(yonin_turns, board_and_hand_go_to_whoever_is_credited)
{
    expect_play("", ESTATE, "G*2e",
                "4Kn4/9/9/8Pew/Kw5GwGwXe/8Pew/9/2+Sew6/4Ks4 -/2R2S2P/-/- s e>w - 1", "");
}

Test(yonin_turns, an_inherited_hand_faces_its_heir_and_inherited_pieces_keep_their_facing)
{
    static const char after[] =
        "4Kn4/9/1Rw7/8Pew/Kw5GwGwXe/8Pew/9/2+Sew1Ks4/9 -/R2S2P/-/- n e>w - 3";

    expect_play("", ESTATE, "G*2e 5i5h R*8c", after, "");
    expect_moves("", after, "5a5b 5h4i", "7h", "7h6h 7h7g 7h7i 7h8g 7h8h 7h8i");
    expect_moves("", after, "5a5b 5h4i", "1d", "1d2d");
}

Test(yonin_turns, ownerless_pieces_stay_and_the_hand_still_goes_to_whoever_is_credited)
{
    expect_play("orphaned_pieces=ownerless", ESTATE, "G*2e",
                "4Kn4/9/9/8Pe-/Kw5GwGwXe/8Pe-/9/2+Se-6/4Ks4 -/2R2S2P/-/- s e>w - 1", "");
}

Test(yonin_turns, a_king_may_stand_where_only_an_ownerless_piece_looks)
{
    static const char start[] = "4Xn4/9/9/4Rn-4/Kw7Ke/9/3Gn-5/4Ks4/9 -/-/-/- s n>* - 9";

    expect_moves("", start, "", "5h", "5h4g 5h4h 5h4i 5h5g 5h5i 5h6g 5h6h 5h6i");
}

Test(yonin_turns, an_ownerless_piece_blocks_a_line)
{
    static const char start[] = "4Xn4/9/9/9/1KwPn-1Rs3Ke/9/9/9/4Ks4 -/-/-/- e n>* e<s 9";

    expect_play("", start, "1e1d", "4Xn4/9/9/8Ke/1KwPn-1Rs4/9/9/9/4Ks4 -/-/-/- s n>* - 10", "");
}

Test(yonin_turns, what_an_heir_inherited_goes_on_to_the_heirs_heir)
{
    static const char start[] = "Gs1Kn6/4Gs4/Kw8/9/1Ss5Gew1/9/9/9/4Ks3Xe R/-/-/- s e>w - 9";

    expect_play("ending=last_survivor", start, "R*7c",
                "Gs1Kn6/4Gs4/Xw1Rs6/9/1Ss5Ges1/9/9/9/4Ks3Xe -/-/-/- n e>w,w>s n<s 10", "");
}

Test(yonin_turns, mates_are_personal_and_are_not_inherited)
{
    const struct game_options options = options_of(yonin(), "ending=last_survivor");
    const struct position position =
        position_under(yonin(), &options, "4Xn4/9/9/9/Xw7Ke/9/3Pne5/9/4Ks4 -/-/-/- s n>w,w>e - 9");
    struct seat_facts facts;

    yonin()->seat_facts(&position, 3, &facts);
    cr_expect_eq(facts.mates, 1);
    cr_expect_eq(facts.pieces, 3); /* king, inherited pawn and w's inverted king, not n's */
    yonin()->seat_facts(&position, 1, &facts);
    cr_expect_eq(facts.mates, 1);
    cr_expect_not(facts.alive);
}

/* The positions in which engines of this game go wrong, each named for the rule it is about. */

#include "yonin_fixture.h"

#include <criterion/criterion.h>

#define SKIPPED "4Kn4/9/9/9/Kw7Ke/9/9/9/3Ks1Rs3 -/-/-/- s - - 0"

Test(yonin_tricky, a_check_skips_a_turn_and_the_skipped_turn_is_lost)
{
    expect_counts("", SKIPPED, "20 84");
    expect_play("", SKIPPED, "4i5i", "4Kn4/9/9/9/Kw7Ke/9/9/9/3KsRs4 -/-/-/- n - n<s 1", "");
    expect_play("", SKIPPED, "4i5i 5a4a", "5Kn3/9/9/9/Kw7Ke/9/9/9/3KsRs4 -/-/-/- e - - 2", "");
}

#define DOUBLE_CHECK "2Kn6/9/9/9/Kw7Ke/9/9/4Rs4/4Ks4 -/R/-/- s - - 0"

Test(yonin_tricky, of_two_checked_seats_the_next_clockwise_answers_first)
{
    expect_counts("", DOUBLE_CHECK, "22 1313");
    expect_play("", DOUBLE_CHECK, "5h5e", "2Kn6/9/9/9/Kw3Rs3Ke/9/9/9/4Ks4 -/R/-/- w - w<s,e<s 1",
                "");
    expect_play("", DOUBLE_CHECK, "5h5e 9e9d", "2Kn6/9/9/Kw8/4Rs3Ke/9/9/9/4Ks4 -/R/-/- e - e<s 2",
                "");
    expect_play("", DOUBLE_CHECK, "5h5e 9e9d 1e1d",
                "2Kn6/9/9/Kw7Ke/4Rs4/9/9/9/4Ks4 -/R/-/- s - - 3", "");
}

Test(yonin_tricky, a_seat_checked_by_a_reply_goes_before_one_that_was_waiting)
{
    expect_play("", DOUBLE_CHECK, "5h5e R*7e",
                "2Kn6/9/9/9/Kw1Rw1Rs3Ke/9/9/9/4Ks4 -/-/-/- n - n<w,e<s 2", "");
    expect_play("", DOUBLE_CHECK, "5h5e R*7e 7a6a",
                "3Kn5/9/9/9/Kw1Rw1Rs3Ke/9/9/9/4Ks4 -/-/-/- e - e<s 3", "");
    expect_play("", DOUBLE_CHECK, "5h5e R*7e 7a6a 1e1d",
                "3Kn5/9/9/8Ke/Kw1Rw1Rs4/9/9/9/4Ks4 -/-/-/- s - - 4", "");
}

#define MATE_UNDONE "Gs1Kn6/4Gs4/Kw8/9/1Ss7/9/9/9/4Ks3Ke R/-/-/- s - - 0"

Test(yonin_tricky, a_mate_is_judged_when_the_turn_arrives_so_the_first_can_save_the_second)
{
    expect_counts("", MATE_UNDONE, "92 127");
    expect_play("", MATE_UNDONE, "R*7c",
                "Gs1Kn6/4Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- n w>s n<s 1", "");
    expect_moves("", MATE_UNDONE, "R*7c", "", "7a8b");
}

#define WAITING "2Kn6/9/7GsGs/9/Kw7Ke/9/7Ss1/4Rs4/4Ks4 -/-/-/- s - - 0"

Test(yonin_tricky, the_giver_of_a_check_is_credited_not_whoever_moved_last)
{
    expect_counts("", WAITING, "35 146");
    expect_play("", WAITING, "5h5e 9e9d", "2Kn6/9/7GsGs/Kw8/4Rs3Xe/9/7Ss1/9/4Ks4 -/-/-/- s e>s - 2",
                "");
}

Test(yonin_tricky, a_waiting_seat_that_can_interpose_is_not_mated)
{
    static const char start[] = "2Kn6/9/7GsGs/9/Kw7Ke/9/7Ss1/4Rs4/4Ks4 -/-/-/2P s - - 0";

    expect_play("", start, "5h5e 9e9d", "2Kn6/9/7GsGs/Kw8/4Rs3Ke/9/7Ss1/9/4Ks4 -/-/-/2P e - e<s 2",
                "");
    expect_moves("", start, "5h5e 9e9d", "", "P*2e P*3e P*4e");
}

#define UNCOVERED "Kn5Sn2/2Gs6/9/9/Ss7Ke/9/3Kw5/Re8/4Ks4 -/-/-/- s - - 0"

Test(yonin_tricky, a_check_uncovered_with_anothers_rook_is_the_movers)
{
    static const char after[] =
        "Xn5Sns2/2Gs6/9/1Ss7/8Ke/9/3Kw5/Re8/4Ks4 -/-/-/- e n>s - 1"; /* not w's turn */

    expect_counts("", UNCOVERED, "11 108 1195");
    expect_play("", UNCOVERED, "9e8d", after, "");
    expect_counts("", after, "35 507 2871");
}

Test(yonin_tricky, ownerless_pieces_stay_where_they_are_and_nobody_moves_them)
{
    static const char after[] = "Xn5Sn-2/2Gs6/9/1Ss7/8Ke/9/3Kw5/Re8/4Ks4 -/-/-/- e n>s - 1";

    expect_counts("orphaned_pieces=ownerless", UNCOVERED, "11 108 1045");
    expect_play("orphaned_pieces=ownerless", UNCOVERED, "9e8d", after, "");
    expect_counts("orphaned_pieces=ownerless", after, "35 432");
}

Test(yonin_tricky, an_uncovered_check_is_answered_from_the_hand)
{
    static const char start[] = "Kn5Sn2/2Gs6/9/9/Ss7Ke/9/3Kw5/Re8/4Ks4 -/-/R/- s - - 0";

    expect_play("", start, "9e8d", "Kn5Sn2/2Gs6/9/1Ss7/8Ke/9/3Kw5/Re8/4Ks4 -/-/R/- n - n<s 1", "");
    expect_moves("", start, "9e8d", "", "R*9b R*9c R*9d R*9e R*9f R*9g");
}

#define SIDEWAYS "4Kn4/9/9/8Pe/Kw5Gw1Ke/8Pe/9/9/4Ks4 -/GP/-/- w - - 0"

Test(yonin_tricky, a_pawn_dropped_sideways_may_not_mate)
{
    expect_counts("", SIDEWAYS, "152 710");
    expect_illegal("", SIDEWAYS, "", "P*2e", "pawn-drop-mate", "1e");
}

Test(yonin_tricky, what_a_dropped_pawn_may_not_do_a_dropped_gold_may)
{
    expect_play("", SIDEWAYS, "G*2e", "4Kn4/9/9/8Pew/Kw5GwGwXe/8Pew/9/9/4Ks4 -/P/-/- s e>w - 1",
                "");
    expect_play("", SIDEWAYS, "3e2e", "4Kn4/9/9/8Pe/Kw6GwKe/8Pe/9/9/4Ks4 -/GP/-/- e - e<w 1", "");
    expect_moves("", SIDEWAYS, "3e2e", "", "1e2e");
}

Test(yonin_tricky, a_dropped_pawn_that_can_be_taken_gives_no_mate)
{
    static const char start[] = "4Kn4/9/9/8Ge/Kw5Gw1Ke/8Ge/9/9/4Ks4 -/GP/-/- w - - 0";

    expect_play("", start, "P*2e", "4Kn4/9/9/8Ge/Kw5GwPwKe/8Ge/9/9/4Ks4 -/G/-/- e - e<w 1", "");
    expect_moves("", start, "P*2e", "", "1d2e 1f2e");
}

#define PAWNS "4Xn4/9/4PnsSns3/9/Kw1Pw5Ke/9/5Ps3/9/4Ks4 P/P/-/- "

Test(yonin_tricky, pawns_facing_another_way_do_not_count_as_two_in_a_column)
{
    expect_counts("", PAWNS "s n>s - 40", "70 4313");
    expect_legal("", PAWNS "s n>s - 40", "", "P*5f");
    expect_illegal("", PAWNS "s n>s - 40", "", "P*4e", "nifu", "4g");
    expect_illegal("", PAWNS "s n>s - 40", "", "P*5b", "pawn-before-inverted-king", "5a");
    expect_illegal("", PAWNS "s n>s - 40", "", "P*6a", "dead-pawn", "");
    expect_moves("", PAWNS "s n>s - 40", "", "5c", "5c5d");
}

Test(yonin_tricky, the_column_of_a_seat_at_the_side_is_a_rank)
{
    expect_counts("", PAWNS "w n>s - 40", "64 316");
    expect_illegal("", PAWNS "w n>s - 40", "", "P*3e", "nifu", "7e");
    expect_legal("", PAWNS "w n>s - 40", "", "P*7d");
    expect_illegal("", PAWNS "w n>s - 40", "", "P*6a", "pawn-before-inverted-king", "5a");
    expect_illegal("", PAWNS "w n>s - 40", "", "P*1d", "dead-pawn", "");
    expect_legal("", PAWNS "w n>s - 40", "", "P*5b");
}

#define NO_CAPTURE "2Kn6/9/9/9/8Ke/6Kw2/8Gs/8Rw/4Ks4 -/-/-/- s - - 0"

Test(yonin_tricky, a_king_is_not_captured_even_where_a_rook_is_uncovered_on_it)
{
    expect_counts("", NO_CAPTURE, "6 66 249");
    expect_play("", NO_CAPTURE, "1g2g", "2Kn6/9/9/9/8Ke/6Kw2/7Gs1/8Rw/4Ks4 -/-/-/- w - w<s,e<s 1",
                "");
    expect_moves("", NO_CAPTURE, "1g2g", "", "3f2g 3f3e 3f4e 3f4f 3f4g");
    expect_illegal("", NO_CAPTURE, "1g2g", "1h1e", "king-not-capturable", "1e");
    expect_play("", NO_CAPTURE, "1g2g 3f2g", "2Kn6/9/9/9/8Ke/9/7Kw1/8Rw/4Ks4 -/G/-/- e - e<s 2",
                "");
}

Test(yonin_tricky, a_king_already_in_check_while_another_is_on_turn_is_not_captured_either)
{
    static const char start[] = "2Kn6/9/9/9/Kw7Ke/9/8Rs/8Rw/4Ks4 -/-/-/- s - - 0";

    expect_counts("", start, "12 54");
    expect_illegal("", start, "", "1g1e", "king-not-capturable", "1e");
}

Test(yonin_tricky, an_inherited_piece_promotes_where_it_faces)
{
    static const char start[] = "4Xn4/9/9/9/Kw7Ke/4Sns4/9/2Pns6/4Ks4 -/-/-/- s n>s - 40";

    expect_counts("", start, "14 70");
    expect_moves("", start, "", "7h", "7h7i+");
    expect_moves("", start, "", "5f", "5f4e 5f4g 5f4g+ 5f5g 5f5g+ 5f6e 5f6g 5f6g+");
}

Test(yonin_tricky, who_cannot_move_is_mated_without_check_and_credited_to_the_last_mover)
{
    static const char start[] = "4Kn4/9/9/9/8Ke/9/9/2Rs6/Kw1Gs1Ks4 -/-/-/- s - - 0";

    expect_counts("", start, "27 78");
    expect_play("", start, "5i5h", "4Kn4/9/9/9/8Ke/9/9/2Rs1Ks4/Xw1Gs6 -/-/-/- n w>s - 1", "");
}

#define TWO_MATES "Gs1Kn6/1Pn2Gs4/Kw8/9/1Ss7/9/9/9/4Ks3Ke R/-/-/- s - - 0"

Test(yonin_tricky, two_mates_by_one_move_end_the_game_and_the_later_one_is_third)
{
    expect_counts("", TWO_MATES, "91 179");
    expect_play("", TWO_MATES, "R*7c",
                "Gs1Xn6/1Pns2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- - w>s,n>s - 1",
                "mates 1 4 3 2");
}

Test(yonin_tricky, two_mates_do_not_end_a_game_to_the_last_survivor)
{
    expect_counts("ending=last_survivor", TWO_MATES, "91 182");
    expect_play("ending=last_survivor", TWO_MATES, "R*7c",
                "Gs1Xn6/1Pns2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- e w>s,n>s - 1", "");
}

#define PARTNER "4Kn4/9/9/9/Kw7Ke/4Ss4/9/6Ks2/4Re4 -/-/-/- s - - 0"

Test(yonin_tricky, a_rivals_rook_may_be_uncovered_on_a_rival_but_not_on_the_partner)
{
    expect_counts("", PARTNER, "10 46");
    expect_play("", PARTNER, "5f4e", "4Kn4/9/9/9/Kw4Ss2Ke/9/9/6Ks2/4Re4 -/-/-/- n - n<s 1", "");
    expect_counts("format=pairs", PARTNER, "6 30");
    expect_moves("format=pairs", PARTNER, "", "5f", "5f5e");
    expect_illegal("format=pairs", PARTNER, "", "5f4e", "checks-partner", "5a");
}

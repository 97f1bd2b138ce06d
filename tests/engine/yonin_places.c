/* How a game ends and who comes in where (rules 25 and 27 to 32). */

#include "yonin_fixture.h"

#include <criterion/criterion.h>

static void expect_end(const char *options, const char *position, const char *expected);
static struct seat_facts facts_of(const char *position, int seat);

/* s and e survive with their kings alone; w and n were mated, n first. */
#define TWO_LEFT "4Xn4/9/9/9/Xw7Ke/9/9/9/4Ks4 "

/* --- survivors ------------------------------------------------------------------------------- */

Test(yonin_places, more_mates_come_before_more_pieces)
{
    expect_end("", TWO_LEFT "-/-/-/- - n>s,w>s - 9", "mates 1 3 4 2");
    expect_end("", TWO_LEFT "-/-/-/2R8G8S12P - n>s,w>s - 9", "mates 1 3 4 2");
}

Test(yonin_places, equal_mates_are_decided_by_all_pieces)
{
    expect_end("", TWO_LEFT "P/-/-/- - n>s,w>e - 9", "mates 1 3 4 2");
    expect_end("", TWO_LEFT "-/-/-/P - n>s,w>e - 9", "mates 2 3 4 1");
    expect_end("", "4Xn4/9/4Pns4/9/Xw7Ke/9/9/9/4Ks4 -/-/-/- - n>s,w>e - 9", "mates 1 3 4 2");
    expect_end("", "4Xn4/9/4+Pns4/9/Xw7Ke/9/9/9/4Ks4 -/-/-/P - n>s,w>e - 9", "mates 2 3 4 1");
    expect_end("", "4Xn4/9/4+Pns4/9/Xw7Ke/9/9/9/4Ks4 -/-/-/2P - n>s,w>e - 9", "mates 2 3 4 1");
}

Test(yonin_places, equal_pieces_are_decided_by_the_later_mate)
{
    expect_end("", TWO_LEFT "-/-/-/- - n>s,w>e - 9", "mates 2 3 4 1");
    expect_end("", TWO_LEFT "-/-/-/- - n>e,w>s - 9", "mates 1 3 4 2");
    expect_end("", TWO_LEFT "P/-/-/S - n>s,w>e - 9", "mates 2 3 4 1");
}

Test(yonin_places, at_repetition_the_later_mate_decides_as_well)
{
    expect_play("ending=last_survivor", "4Xn4/9/9/9/Xw7Ke/9/9/9/4Ks4 -/-/-/- s n>s,w>e - 9",
                "5i5h 1e1d 5h5i 1d1e 5i5h 1e1d 5h5i 1d1e 5i5h 1e1d 5h5i 1d1e",
                "4Xn4/9/9/9/Xw7Ke/9/9/9/4Ks4 -/-/-/- s n>s,w>e - 21", "repetition 2 3 4 1");
}

Test(yonin_places, equal_in_all_shares_the_place_and_the_next_is_skipped)
{
    expect_end("", TWO_LEFT "-/-/-/- - n>*,w>* - 9", "mates 1 3 4 1");
    expect_end("", TWO_LEFT "G/-/-/P - n>*,w>* - 9", "mates 1 3 4 1");
    expect_end("", TWO_LEFT "-/-/-/P - n>*,w>* - 9", "mates 2 3 4 1");
}

Test(yonin_places, ownerless_pieces_count_for_nobody)
{
    expect_end("", "4Xn4/9/4Pn-4/9/Xw7Ke/9/9/9/4Ks4 -/-/-/- - n>*,w>* - 9", "mates 1 3 4 1");
}

Test(yonin_places, a_seat_counts_board_hand_and_credited_kings)
{
    static const char position[] = "4Xn4/9/4Pns4/9/Kw7Ke/9/2+Ps1Rs4/9/4Ks4 R2P/-/-/- s n>s - 9";
    const struct seat_facts s = facts_of(position, 0);
    const struct seat_facts n = facts_of(position, 2);

    cr_expect(s.alive && !s.in_check);
    cr_expect_eq(s.pieces, 8);
    cr_expect_eq(s.captured, 3);
    cr_expect_eq(s.mates, 1);
    cr_expect(s.hand[0] == 1 && s.hand[1] == 0 && s.hand[2] == 0 && s.hand[3] == 2);
    cr_expect(!n.alive && !n.in_check && n.pieces == 0 && n.captured == 0 && n.mates == 0);
}

Test(yonin_places, a_seat_in_check_is_told_so)
{
    static const char position[] = "2Kn6/9/9/9/Kw3Rs3Ke/9/9/9/4Ks4 -/R/-/- w - w<s,e<s 1";

    cr_expect(facts_of(position, 1).in_check);
    cr_expect(facts_of(position, 3).in_check);
    cr_expect_not(facts_of(position, 0).in_check);
    cr_expect_not(facts_of(position, 2).in_check);
}

/* --- the eliminated -------------------------------------------------------------------------- */

Test(yonin_places, the_eliminated_come_behind_all_survivors_the_later_the_better)
{
    expect_end("", TWO_LEFT "-/-/-/- - n>s,w>s - 9", "mates 1 3 4 2");
    expect_end("", TWO_LEFT "-/-/-/- - w>s,n>s - 9", "mates 1 4 3 2");
}

Test(yonin_places, even_two_mates_do_not_lift_the_eliminated_above_the_survivor)
{
    expect_end("ending=last_survivor", "4Xn4/9/9/9/Xw7Ke/9/9/9/4Xs4 -/-/-/- - n>s,w>s,s>e - 9",
               "last_survivor 2 3 4 1");
    expect_end("ending=last_survivor", "4Xn4/9/9/9/Xw7Ke/9/9/9/4Xs4 -/-/-/- - n>s,w>s,s>* - 9",
               "last_survivor 2 3 4 1");
}

/* --- endings --------------------------------------------------------------------------------- */

#define MATE_IN_ONE "Gs1Kn6/1Pn2Gs4/Kw8/9/1Ss7/9/9/9/4Ks3Ke R/-/-/- s - - "

Test(yonin_places, a_mate_on_the_last_permitted_ply_counts)
{
    expect_play("move_limit=1", MATE_IN_ONE "0", "R*7c",
                "Gs1Xn6/1Pns2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- - w>s,n>s - 1",
                "mates 1 4 3 2");
}

Test(yonin_places, at_the_limit_the_eliminated_are_behind)
{
    static const char start[] = "3Kn5/1Ss3Ss3/2GsPsGs4/9/Kw7Ke/9/9/9/4Ks4 -/P/-/- s - - 0";

    expect_play("move_limit=1", start, "6c6b",
                "3Xn5/1Ss1Ps1Ss3/2Gs1Gs4/9/Kw7Ke/9/9/9/4Ks4 -/P/-/- e n>s - 1",
                "move_limit 1 2 4 3");
}

Test(yonin_places, at_the_limit_mates_and_pieces_decide_and_nothing_else)
{
    static const char options[] = "ending=last_survivor move_limit=9";

    expect_end(options, TWO_LEFT "-/-/-/- s n>s,w>e - 9", "move_limit 1 3 4 1");
    expect_end(options, TWO_LEFT "-/-/-/P s n>s,w>e - 9", "move_limit 2 3 4 1");
    expect_end(options, TWO_LEFT "-/-/-/- s n>s,w>s - 9", "move_limit 1 3 4 2");
    expect_end(options, TWO_LEFT "-/-/-/- s n>s,w>e - 8", "");
}

Test(yonin_places, at_the_limit_all_may_share_the_first_place)
{
    expect_end("move_limit=1", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- w - - 1", "move_limit 1 1 1 1");
    expect_end("move_limit=1", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/P/-/- w - - 1", "move_limit 2 1 2 2");
}

Test(yonin_places, a_position_beyond_the_limit_is_finished_too)
{
    expect_end("move_limit=9", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 12",
               "move_limit 1 1 1 1");
}

Test(yonin_places, the_limit_counts_plies_not_eliminations)
{
    static const char start[] = "3Kn5/1Ss3Ss3/2GsPsGs4/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0";

    expect_play("move_limit=2", start, "6c6b",
                "3Xn5/1Ss1Ps1Ss3/2Gs1Gs4/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- e n>s - 1", "");
}

Test(yonin_places, at_the_limit_nothing_is_legal)
{
    const struct game_options options = options_of(yonin(), "move_limit=3");
    const struct position before =
        position_of(yonin(), "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 2");
    const struct position at = position_of(yonin(), "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- w - - 3");
    struct illegal why;

    cr_expect_eq(yonin()->count_moves(&before, &options), 5);
    cr_expect_eq(yonin()->count_moves(&at, &options), 0);
    cr_expect_eq(yonin()->perft(&before, &options, 1, false), 5);
    cr_expect_eq(yonin()->perft(&before, &options, 2, false), 0);
    cr_expect_eq(yonin()->perft(&at, &options, 1, true), 0);
    cr_expect_eq(yonin()->perft(&at, &options, 0, false), 1);
    cr_expect_not(yonin()->is_legal(&at, &options, NULL, move_of(yonin(), "9e9d"), &why));
    cr_expect_eq(why.reason, ILLEGAL_NONE);
    cr_expect_not(yonin()->is_legal(&at, &options, NULL, move_of(yonin(), "9e9e"), &why));
    cr_expect_eq(why.reason, ILLEGAL_NO_MOVE);
}

Test(yonin_places, after_the_last_mate_nothing_is_legal_and_no_reason_is_made_up)
{
    const struct game_options options = options_of(yonin(), "");
    const struct position position = position_of(yonin(), TWO_LEFT "-/-/-/- - n>s,w>s - 9");
    struct move_list moves;
    struct illegal why;

    yonin()->legal_moves(&position, &options, NULL, &moves);
    cr_expect_eq(moves.count, 0);
    cr_expect_eq(yonin()->count_moves(&position, &options), 0);
    cr_expect_eq(yonin()->perft(&position, &options, 3, false), 0);
    cr_expect_eq(yonin()->turn(&position), RULES_SEAT_NONE);
    cr_expect_not(yonin()->is_legal(&position, &options, NULL, move_of(yonin(), "5i5h"), &why));
    cr_expect_eq(why.reason, ILLEGAL_NONE);
}

Test(yonin_places, nobody_resigns)
{
    cr_expect_null(yonin()->resign);
}

static void expect_end(const char *options, const char *position, const char *expected)
{
    expect_play(options, position, "", position, expected);
}

static struct seat_facts facts_of(const char *position, int seat)
{
    const struct position at = position_of(yonin(), position);
    struct seat_facts facts;

    yonin()->seat_facts(&at, seat, &facts);
    return facts;
}

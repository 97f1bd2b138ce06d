/* The positions in which engines of this game go wrong, each named for the rule it is about. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <string.h>

/* What the last ply of a line takes and how the game stands after it ("" while it goes on). */
static void expect_line(const char *options, const char *position, const char *moves,
                        const char *taken, const char *end);
static void expect_men(const char *position, const char *moves, unsigned black, unsigned white);

#define START "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b"

Test(hasami_tricky, a_corner_and_a_line_are_taken_by_one_move)
{
    expect_line("", "p1ppP4/P8/9/9/6ppp/9/9/6ppp/1P5PP b", "8i8a", "6a 7a 9a", "");
    expect_men("p1ppP4/P8/9/9/6ppp/9/9/6ppp/1P5PP b", "8i8a", 5, 6);
}

Test(hasami_tricky, three_directions_are_taken_at_once_and_may_jump_past_five)
{
    expect_line("", "9/9/4P4/4p4/1Ppp1pP2/9/9/4P4/ppp5P b", "5h5e", "4e 5d 6e 7e", "capture");
}

Test(hasami_tricky, a_run_that_includes_the_corner_has_no_end_beyond_it)
{
    expect_line("", "pp7/PP7/9/9/2P6/9/9/ppppp4/PPP6 b", "7e7a", "", "");
}

Test(hasami_tricky, a_surrounded_corner_falls_only_to_a_move_that_completes_it)
{
    expect_line("", "pP7/P8/9/9/9/9/9/ppppp4/PPP6 b", "7i6i", "", "");
    expect_line("", "pP7/P8/9/9/9/9/9/ppppp4/PPP6 b", "8a7a 7h7g 7a8a", "9a", "");
}

Test(hasami_tricky, a_man_may_enter_between_two_enemies_and_take_both)
{
    expect_line("", "9/9/9/2Pp1pP2/9/9/4P4/ppppp4/PPP6 b", "5g5d", "4d 6d", "");
}

Test(hasami_tricky, a_man_that_entered_is_safe_until_an_end_is_moved_to_again)
{
    static const char position[] = "9/9/9/3p1p3/9/9/4P4/pppp5/PPPP4P b";

    expect_line("", position, "5g5d", "", "");
    expect_line("", position, "5g5d 6d6e 1i1h 6e6d", "5d", "");
    expect_line("", position, "5g5d 9h9g 1i1h 9g9h", "", "");
}

Test(hasami_tricky, an_own_man_between_shields_what_is_behind_it)
{
    expect_line("", "9/9/9/PpPp5/9/9/4P4/ppppp4/PPP6 b", "5g5d", "6d", "");
}

Test(hasami_tricky, the_side_that_cannot_move_loses_without_any_capture)
{
    static const char position[] = "ppppppppp/PPPP1PPPP/9/9/4P4/9/9/9/9 b";

    expect_line("", position, "5e5b", "", "immobile");
    expect_line("win_condition=lead_3", position, "5e5b", "", "immobile");
    expect_line("win_condition=capture_all", position, "5e5b", "", "immobile");
}

Test(hasami_tricky, a_capture_that_wins_comes_before_immobility)
{
    static const char position[] = "pppp4P/PPPPp4/4P4/9/9/9/9/9/9 b";

    expect_line("win_condition=lead_3", position, "1a5a", "5b", "immobile");
    expect_line("win_condition=capture_5", position, "1a5a", "5b", "capture");
}

Test(hasami_tricky, no_men_left_is_immobile_where_the_lead_is_too_small)
{
    expect_line("win_condition=lead_3", "p8/9/9/9/P8/9/9/9/1P7 b", "8i8a 9a9b 9e9c 9b9a 9c9b", "9a",
                "immobile");
}

Test(hasami_tricky, a_lone_man_shut_in_at_the_edge_is_not_captured_but_loses)
{
    expect_line("win_condition=capture_all", "3PpP3/9/9/9/9/9/9/9/4P4 b", "5i5b", "", "immobile");
}

Test(hasami_tricky, the_fourth_appearance_draws_and_the_start_is_the_first)
{
    expect_line("", START, "5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i", "", "");
    expect_line("", START, "5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a", "",
                "repetition");
}

#define LOOP "5i5h 5a5b 5h5g 5b5a 5g5i 5a5b 5i5h 5b5c 5h5i 5c5a "

Test(hasami_tricky, the_same_board_with_the_other_side_to_move_is_another_position)
{
    expect_line("", START, LOOP "5i5h 5a5b 5h5g 5b5a 5g5i", "", "");
    expect_line("", START, LOOP LOOP "5i5h 5a5b 5h5g 5b5a 5g5i 5a5b 5i5h 5b5c 5h5i", "", "");
    expect_line("", START, LOOP LOOP LOOP, "", "repetition");
}

Test(hasami_tricky, repetition_comes_before_the_move_limit)
{
    expect_line("move_limit=12", START,
                "5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a", "", "repetition");
    expect_line("move_limit=11", START, "5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i",
                "", "move_limit");
}

Test(hasami_tricky, a_win_on_the_last_permitted_ply_is_a_win)
{
    expect_line("move_limit=1", "ppppppppp/PPPP1PPPP/9/9/4P4/9/9/9/9 b", "5e5b", "", "immobile");
    expect_line("move_limit=1", "9/9/4P4/4p4/1Ppp1pP2/9/9/4P4/ppp5P b", "5h5e", "4e 5d 6e 7e",
                "capture");
}

Test(hasami_tricky, an_own_man_in_a_corner_is_a_valid_end)
{
    expect_line("win_condition=capture_all", "Ppp6/9/9/9/9/9/9/ppp6/3P5 b", "6i6a", "7a 8a", "");
}

Test(hasami_tricky, a_run_of_seven_is_taken_whole)
{
    expect_line("win_condition=capture_all", "Pppppppp1/9/9/9/9/9/9/pp7/8P b", "1i1a",
                "2a 3a 4a 5a 6a 7a 8a", "");
}

Test(hasami_tricky, the_last_two_men_may_fall_together)
{
    expect_line("win_condition=capture_all", "Ppp6/9/9/9/9/9/9/9/3P5 b", "6i6a", "7a 8a",
                "capture");
}

Test(hasami_tricky, one_man_left_does_not_end_capture_all)
{
    expect_line("win_condition=capture_all", "Pp7/9/9/9/p8/9/9/9/2P6 b", "7i7a", "8a", "");
}

Test(hasami_tricky, leads_and_counts_are_exclusive_conditions)
{
    expect_line("win_condition=lead_3", "Pp7/9/9/9/5pppp/9/9/9/2PPPPP2 b", "7i7a", "8a", "");
    expect_line("win_condition=capture_5", "Pp7/9/9/9/5pppp/9/9/9/2PPPPP2 b", "7i7a", "8a",
                "capture");
    expect_line("win_condition=capture_5", "Pp7/9/9/9/3pppppp/9/9/8P/2PPPPPPP b", "7i7a", "8a", "");
    expect_line("win_condition=lead_3", "Pp7/9/9/9/3pppppp/9/9/8P/2PPPPPPP b", "7i7a", "8a",
                "capture");
}

Test(hasami_tricky, nothing_is_taken_on_the_way_and_never_diagonally)
{
    static const char pair[] = "9/9/9/3Pp4/9/9/ppp6/9/5P3 b";

    expect_line("win_condition=capture_all", pair, "4i4a", "", "");
    expect_line("win_condition=capture_all", pair, "4i4d", "5d", "");
    expect_line("win_condition=capture_all", "9/2P6/3p5/9/9/9/ppp6/9/4P4 b", "5i5d", "", "");
}

static void expect_line(const char *options, const char *position, const char *moves,
                        const char *taken, const char *end)
{
    struct playout playout;
    char text[64];

    playout_line(&playout, hasami(), options, position, moves);
    squares_text(playout.effects.captured, playout.effects.captured_count, text);
    cr_expect_str_eq(text, taken, "%s, %s: takes \"%s\", not \"%s\"", position, moves, text, taken);
    cr_expect_str_eq(end_reason_text(playout.outcome.reason), end, "%s, %s", position, moves);
    cr_expect_eq(playout.effects.elimination_count, 0);
    if (playout.outcome.reason == END_CAPTURE || playout.outcome.reason == END_IMMOBILE) {
        const unsigned mover = (unsigned)playout.history[playout.count - 1].mover;

        cr_expect_eq(playout.outcome.places[mover], 1);
        cr_expect_eq(playout.outcome.places[1 - mover], 2);
    }
}

static void expect_men(const char *position, const char *moves, unsigned black, unsigned white)
{
    struct playout playout;
    struct seat_facts facts[2];

    playout_line(&playout, hasami(), "", position, moves);
    hasami()->seat_facts(&playout.position, 0, &facts[0]);
    hasami()->seat_facts(&playout.position, 1, &facts[1]);
    cr_expect_eq(facts[0].pieces, black);
    cr_expect_eq(facts[1].pieces, white);
    cr_expect_eq(facts[0].captured, 9 - white);
    cr_expect_eq(facts[1].captured, 9 - black);
    cr_expect(facts[0].alive && !facts[0].in_check && facts[0].mates == 0);
}

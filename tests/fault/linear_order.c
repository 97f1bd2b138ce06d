#include "fixture.h"

#include <criterion/criterion.h>

/* Histories by hand that are right, and such that no order in time makes right. */

/* --- histories that are right --------------------------------------------------------------------
 */

Test(linear, a_game_that_nothing_was_done_to_is_linearizable)
{
    struct history history = {0};
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

Test(linear, one_thing_after_the_other_is_linearizable)
{
    struct history history = three_plies();
    see(&history, 11, 12, 1);
    see(&history, 31, 32, 2);
    see(&history, 51, 52, 3);
    repeat_ply(&history, 60, 61, 1, "5i5h");
    see_moves(&history, 1, 3, "w5a5b b5h5g ");
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

Test(linear, four_seats_that_move_by_turns_are_linearizable)
{
    struct history history = five_plies_of_four();
    struct history_op asked = submission(100, 110, 6, "5c5d");
    asked.seat = 'n';
    refuse(&history, asked, HISTORY_NOT_YOUR_TURN, 5);
    see(&history, 21, 29, 1);
    see(&history, 21, 29, 2);
    expect_fault_of_four(&history, LINEAR_NONE, -1, -1);
}

Test(linear, a_read_during_a_submission_may_show_either_state)
{
    struct history history = three_plies();
    see(&history, 41, 42, 2);
    see(&history, 41, 42, 3);
    see(&history, 43, 49, 3);
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

Test(linear, a_long_read_may_show_any_state_of_its_time)
{
    struct history history = three_plies();
    for (unsigned ply = 0; ply <= 3; ply++) {
        see(&history, 5, 45, ply);
    }
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

Test(linear, a_repeat_may_be_answered_before_its_first_is)
{
    struct history history = {0};
    accept_ply(&history, 0, 100, 1, "5i5h");
    repeat_ply(&history, 10, 20, 1, "5i5h");
    accept_ply(&history, 30, 40, 2, "5a5b");
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

Test(linear, an_answer_in_the_nanosecond_of_an_invocation_does_not_precede_it)
{
    struct history history = three_plies();
    see(&history, 50, 60, 2);
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

Test(linear, refusals_that_fit_their_state_are_linearizable)
{
    struct history history = three_plies();
    struct history_op asked = submission(60, 61, 4, "5b5c");
    history.ops[2].sight.status = HISTORY_FINISHED;
    refuse(&history, asked, HISTORY_GAME_OVER, 3);
    history.ops[3].sight.status = HISTORY_FINISHED;
    asked = submission(31, 32, 1, "9i9h");
    refuse(&history, asked, HISTORY_STALE_PLY, 2);
    refuse(&history, submission(31, 32, 3, "5e5d"), HISTORY_ILLEGAL_MOVE, 2);
    asked = submission(31, 32, 7, "9i9h");
    refuse(&history, asked, HISTORY_STALE_PLY, 2);
    asked = submission(11, 12, 2, "9i9h");
    asked.seat = 'b';
    refuse(&history, asked, HISTORY_NOT_YOUR_TURN, 1);
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

Test(linear, a_full_page_says_nothing_of_later_plies)
{
    struct history history = three_plies();
    see_moves(&history, 0, 2, "b5i5h w5a5b ");
    history.ops[3].sight.partial = true;
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

Test(linear, games_are_judged_one_by_one)
{
    struct history history = three_plies();
    accept_ply(&history, 0, 10, 1, "9i9h");
    history.ops[3].game = 1;
    expect_fault(&history, LINEAR_NONE, -1, -1);
}

/* --- faults in time ------------------------------------------------------------------------------
 */

Test(linear, a_stale_read_after_an_answered_ply_is_found)
{
    struct history history = three_plies();
    see(&history, 51, 52, 2);
    expect_fault(&history, LINEAR_STALE, 2, 3);
}

Test(linear, a_refusal_on_a_state_that_has_gone_is_found)
{
    struct history history = three_plies();
    struct history_op asked = submission(51, 52, 1, "9i9h");
    refuse(&history, asked, HISTORY_STALE_PLY, 1);
    expect_fault(&history, LINEAR_STALE, 1, 3);
}

Test(linear, a_stale_read_after_a_repeat_is_found_while_the_first_is_still_unanswered)
{
    struct history history = {0};
    accept_ply(&history, 0, 100, 1, "5i5h");
    repeat_ply(&history, 10, 20, 1, "5i5h");
    see(&history, 30, 40, 0);
    expect_fault(&history, LINEAR_STALE, 1, 2);
}

Test(linear, two_reads_in_the_wrong_order_are_found)
{
    struct history history = {0};
    accept_ply(&history, 0, 100, 1, "5i5h");
    see(&history, 10, 20, 1);
    see(&history, 30, 40, 0);
    expect_fault(&history, LINEAR_BACKWARDS, 1, 2);
}

Test(linear, reads_of_different_plies_in_the_wrong_order_are_found)
{
    struct history history = {0};
    accept_ply(&history, 0, 100, 1, "5i5h");
    accept_ply(&history, 0, 100, 2, "5a5b");
    accept_ply(&history, 0, 100, 3, "5h5g");
    see(&history, 30, 40, 1);
    see(&history, 10, 20, 3);
    expect_fault(&history, LINEAR_BACKWARDS, 4, 3);
}

Test(linear, a_read_from_the_future_is_found)
{
    struct history history = three_plies();
    see(&history, 35, 39, 3);
    expect_fault(&history, LINEAR_FUTURE, 3, 2);
}

Test(linear, a_repeat_that_is_answered_before_its_first_is_sent_is_found)
{
    struct history history = three_plies();
    repeat_ply(&history, 35, 39, 3, "5h5g");
    expect_fault(&history, LINEAR_FUTURE, 3, 2);
}

Test(linear, a_ply_that_is_answered_before_the_one_before_it_is_sent_is_found)
{
    struct history history = {0};
    accept_ply(&history, 20, 30, 1, "5i5h");
    accept_ply(&history, 0, 10, 2, "5a5b");
    expect_fault(&history, LINEAR_FUTURE, 1, 0);
}

Test(linear, a_full_page_that_lacks_nothing_but_comes_too_early_is_found)
{
    struct history history = three_plies();
    see_moves(&history, 0, 2, "b5i5h w5a5b ");
    history.ops[3].sight.partial = true;
    history.ops[3].invoked_ns = 15;
    history.ops[3].answered_ns = 16;
    expect_fault(&history, LINEAR_FUTURE, 3, 1);
}

#include "fixture.h"

#include <criterion/criterion.h>
#include <string.h>

/* Histories by hand whose answers are wrong whatever their order is. */

/* --- plies ---------------------------------------------------------------------------------------
 */

Test(linear, two_acceptances_of_one_ply_are_found)
{
    struct history history = three_plies();
    accept_ply(&history, 20, 30, 2, "9a9b");
    expect_fault(&history, LINEAR_TWICE, 1, 3);
}

Test(linear, two_acceptances_of_one_move_are_found)
{
    struct history history = three_plies();
    accept_ply(&history, 20, 30, 2, "5a5b");
    expect_fault(&history, LINEAR_TWICE, 1, 3);
}

Test(linear, a_ply_after_one_that_nobody_made_is_found)
{
    struct history history = three_plies();
    accept_ply(&history, 60, 70, 5, "5g5f");
    expect_fault(&history, LINEAR_NEVER_MADE, 3, -1);
}

Test(linear, a_read_of_a_ply_that_nobody_made_is_found)
{
    struct history history = three_plies();
    see(&history, 60, 70, 4);
    expect_fault(&history, LINEAR_NEVER_MADE, 3, -1);
}

Test(linear, a_repeat_of_a_ply_that_nobody_made_is_found)
{
    struct history history = three_plies();
    repeat_ply(&history, 60, 70, 4, "5b5c");
    expect_fault(&history, LINEAR_NEVER_MADE, 3, -1);
}

/* --- answers -------------------------------------------------------------------------------------
 */

Test(linear, a_repeat_of_another_text_is_found)
{
    struct history history = three_plies();
    repeat_ply(&history, 60, 70, 3, "9i9h");
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

Test(linear, a_repeat_by_the_other_seat_is_found)
{
    struct history history = three_plies();
    repeat_ply(&history, 60, 70, 3, "5h5g");
    history.ops[3].seat = 'w';
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

Test(linear, a_repeat_that_answers_with_another_ply_is_found)
{
    struct history history = three_plies();
    repeat_ply(&history, 60, 70, 1, "5i5h");
    history.ops[3].sight.ply = 3;
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

Test(linear, a_move_of_the_wrong_seat_that_is_accepted_is_found)
{
    struct history history = three_plies();
    history.ops[1].seat = 'b';
    expect_fault(&history, LINEAR_ANSWER, 1, -1);
}

Test(linear, a_move_after_the_end_that_is_accepted_is_found)
{
    struct history history = three_plies();
    history.ops[1].sight.status = HISTORY_FINISHED;
    expect_fault(&history, LINEAR_ANSWER, 2, -1);
}

Test(linear, a_repeat_that_is_refused_is_found)
{
    struct history history = three_plies();
    refuse(&history, submission(60, 70, 3, "5h5g"), HISTORY_STALE_PLY, 3);
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

Test(linear, the_next_ply_refused_as_stale_is_found)
{
    struct history history = three_plies();
    refuse(&history, submission(60, 70, 4, "5b5c"), HISTORY_STALE_PLY, 3);
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

Test(linear, the_seat_on_turn_refused_as_not_on_turn_is_found)
{
    struct history history = three_plies();
    refuse(&history, submission(60, 70, 4, "5b5c"), HISTORY_NOT_YOUR_TURN, 3);
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

Test(linear, a_running_game_refused_as_over_is_found)
{
    struct history history = three_plies();
    refuse(&history, submission(60, 70, 4, "5b5c"), HISTORY_GAME_OVER, 3);
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

Test(linear, a_legal_move_refused_as_illegal_is_found)
{
    struct history history = three_plies();
    refuse(&history, submission(35, 45, 3, "5h5g"), HISTORY_ILLEGAL_MOVE, 2);
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

Test(linear, a_move_of_another_ply_refused_as_illegal_is_found)
{
    struct history history = three_plies();
    refuse(&history, submission(60, 70, 3, "9i9h"), HISTORY_ILLEGAL_MOVE, 3);
    expect_fault(&history, LINEAR_ANSWER, 3, -1);
}

/* --- four seats ----------------------------------------------------------------------------------
 */

Test(linear, the_seat_of_four_whose_ply_it_is_refused_as_not_on_turn_is_found)
{
    struct history history = five_plies_of_four();
    struct history_op asked = submission(100, 110, 6, "9g8h");
    asked.seat = 'w';
    refuse(&history, asked, HISTORY_NOT_YOUR_TURN, 5);
    expect_fault_of_four(&history, LINEAR_ANSWER, 5, -1);
}

Test(linear, a_move_of_a_seat_of_four_out_of_its_turn_that_is_accepted_is_found)
{
    struct history history = five_plies_of_four();
    history.ops[2].seat = 's'; /* as if there were two */
    expect_fault_of_four(&history, LINEAR_ANSWER, 2, -1);
}

/* --- views ---------------------------------------------------------------------------------------
 */

Test(linear, a_list_with_another_text_is_found)
{
    struct history history = three_plies();
    see_moves(&history, 1, 3, "w9a9b b5h5g ");
    expect_fault(&history, LINEAR_CONTENT, 1, 3);
}

Test(linear, a_list_with_a_ply_missing_is_found)
{
    struct history history = three_plies();
    see_moves(&history, 0, 3, "b5i5h b5h5g ");
    expect_fault(&history, LINEAR_CONTENT, 1, 3);
}

Test(linear, a_list_that_goes_on_behind_its_end_is_found)
{
    struct history history = three_plies();
    see_moves(&history, 1, 2, "w5a5b b5h5g ");
    expect_fault(&history, LINEAR_CONTENT, 3, 3);
}

Test(linear, two_positions_of_one_ply_are_found)
{
    struct history history = three_plies();
    see(&history, 60, 70, 3);
    see(&history, 60, 70, 3);
    history.ops[3].sight.facets[HISTORY_POSITION] = history_print("one", strlen("one"));
    history.ops[4].sight.facets[HISTORY_POSITION] = history_print("other", strlen("other"));
    expect_fault(&history, LINEAR_CONTENT, 3, 4);
}

Test(linear, a_repeat_with_other_bytes_is_found)
{
    struct history history = three_plies();
    repeat_ply(&history, 60, 70, 3, "5h5g");
    history.ops[2].sight.facets[HISTORY_MOVE_ANSWER] = 1;
    history.ops[3].sight.facets[HISTORY_MOVE_ANSWER] = 2;
    expect_fault(&history, LINEAR_CONTENT, 2, 3);
}

Test(linear, two_statuses_of_one_ply_are_found)
{
    struct history history = three_plies();
    see(&history, 60, 70, 3);
    history.ops[3].sight.status = HISTORY_FINISHED;
    expect_fault(&history, LINEAR_CONTENT, 2, 3);
}

/* --- what a history counts -----------------------------------------------------------------------
 */

Test(linear, overlaps_and_contests_are_counted)
{
    struct history history = three_plies();
    struct linear_report report;
    cr_expect_eq(history_overlaps(&history, 0), 0);
    see(&history, 5, 25, 1); /* with two */
    refuse(&history, submission(10, 15, 1, "9i9h"), HISTORY_STALE_PLY,
           1); /* with both it touches */
    cr_expect_eq(history_overlaps(&history, 0), 4);
    cr_expect_eq(history_overlaps(&history, 1), 0);
    cr_expect(linear_check(&history, 0, "bw", &report));
    cr_expect_eq(report.plies, 3);
    cr_expect_eq(report.contested, 1);
    history_free(&history);
}

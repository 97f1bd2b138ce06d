/* Who has won and why, asked of positions and of histories directly. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static struct outcome outcome_of(const char *options, const char *position,
                                 const struct history *history);

#define NINE "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP"

Test(hasami_outcomes, the_start_goes_on_and_nobody_has_a_place)
{
    const struct outcome outcome = outcome_of("", NINE " b", NULL);

    cr_expect_eq(outcome.reason, END_NONE);
    cr_expect_eq(outcome.places[0], 0);
    cr_expect_eq(outcome.places[1], 0);
}

Test(hasami_outcomes, only_the_side_that_has_just_moved_wins_by_captures)
{
    const struct outcome won = outcome_of("", "pppp5/9/9/9/9/9/9/9/PPPPPPPP1 w", NULL);

    cr_expect_eq(won.reason, END_CAPTURE);
    cr_expect_eq(won.places[0], 1);
    cr_expect_eq(won.places[1], 2);
    cr_expect_eq(outcome_of("", "pppp5/9/9/9/9/9/9/9/PPPPPPPP1 b", NULL).reason, END_NONE);
}

Test(hasami_outcomes, a_set_up_count_is_judged_after_the_next_ply)
{
    const struct game_options options = options_of(hasami(), "");
    const struct position position = position_of(hasami(), "pppp5/9/9/9/9/9/9/9/PPPPPPPP1 b");
    struct playout playout;

    playout_line(&playout, hasami(), "", "pppp5/9/9/9/9/9/9/9/PPPPPPPP1 b", "9i9h");
    cr_expect_eq(playout.outcome.reason, END_CAPTURE);
    cr_expect_eq(hasami()->perft(&position, &options, 2, false), 0);
    cr_expect_gt(hasami()->perft(&position, &options, 1, false), 0);
}

Test(hasami_outcomes, an_even_lead_of_two_is_not_three)
{
    cr_expect_eq(
        outcome_of("win_condition=lead_3", "pppppp3/9/9/9/9/9/9/9/PPPPPPPP1 w", NULL).reason,
        END_NONE);
    cr_expect_eq(
        outcome_of("win_condition=lead_3", "ppppp4/9/9/9/9/9/9/9/PPPPPPPP1 w", NULL).reason,
        END_CAPTURE);
}

Test(hasami_outcomes, a_draw_gives_both_the_first_place)
{
    const struct outcome outcome = outcome_of("move_limit=3", NINE " w - 4", NULL);

    cr_expect_eq(outcome.reason, END_MOVE_LIMIT);
    cr_expect_eq(outcome.places[0], 1);
    cr_expect_eq(outcome.places[1], 1);
}

Test(hasami_outcomes, repetition_needs_a_history)
{
    const struct position position = position_of(hasami(), NINE " b - 13");
    const struct game_options options = options_of(hasami(), "");
    struct history_entry entries[7];
    const struct history history = {entries, 7};
    struct move_list moves;

    for (size_t i = 0; i < 7; i++) {
        const uint64_t key = hasami()->hash(&position) ^ (i % 2);

        entries[i] = (struct history_entry){key, RULES_SEAT_NONE, false};
    }
    cr_expect_eq(outcome_of("", NINE " b - 13", NULL).reason, END_NONE);
    cr_expect_eq(outcome_of("", NINE " b - 13", &history).reason, END_REPETITION);
    hasami()->legal_moves(&position, &options, NULL, &moves);
    cr_expect_eq(moves.count, 63);
    hasami()->legal_moves(&position, &options, &history, &moves);
    cr_expect_eq(moves.count, 0);
}

Test(hasami_outcomes, three_appearances_are_not_enough)
{
    const struct position position = position_of(hasami(), NINE " b");
    struct history_entry entries[3];
    const struct history history = {entries, 3};

    for (size_t i = 0; i < 3; i++) {
        entries[i] = (struct history_entry){hasami()->hash(&position), RULES_SEAT_NONE, false};
    }
    cr_expect_eq(outcome_of("", NINE " b", &history).reason, END_NONE);
}

Test(hasami_outcomes, either_side_may_resign_at_any_time)
{
    const struct position position = position_of(hasami(), NINE " b");
    struct outcome outcome;

    for (int seat = 0; seat < 2; seat++) {
        hasami()->resign(&position, seat, &outcome);
        cr_expect_eq(outcome.reason, END_RESIGN);
        cr_expect_eq(outcome.places[seat], 2);
        cr_expect_eq(outcome.places[1 - seat], 1);
    }
}

Test(hasami_outcomes, a_board_without_men_is_immobile)
{
    cr_expect_eq(outcome_of("win_condition=lead_3", "9/9/9/9/9/9/9/9/9 b", NULL).reason,
                 END_IMMOBILE);
}

static struct outcome outcome_of(const char *options, const char *position,
                                 const struct history *history)
{
    const struct game_options chosen = options_of(hasami(), options);
    const struct position at = position_of(hasami(), position);
    struct outcome outcome;

    hasami()->outcome(&at, &chosen, history, &outcome);
    return outcome;
}

#include "match/outcomes.h"

#include "ratings/elo.h"

#include <criterion/criterion.h>

/* What the outcomes of a game would give, for two, for four alone, and for pairs. */

static uint8_t alone(const struct game_options *options, int seat)
{
    (void)options;
    return (uint8_t)seat;
}

static uint8_t opposite(const struct game_options *options, int seat)
{
    (void)options;
    return (uint8_t)(seat % 2);
}

static const struct game_rules four = {.key = "four", .seat_count = 4, .team = alone};
static const struct game_rules pairs = {.key = "pairs", .seat_count = 4, .team = opposite};
static const struct game_options none;

static struct rated_seat standing(int64_t points, uint32_t games)
{
    return (struct rated_seat){.rating_milli = points * 1000, .rated_games = games};
}

static void expect_outcome(const struct explained_outcome *outcome, const uint8_t places[4],
                           size_t seats, int64_t delta_milli)
{
    cr_expect_arr_eq(outcome->places, places, seats);
    cr_expect_eq(outcome->delta_milli, delta_milli, "%lld, expected %lld",
                 (long long)outcome->delta_milli, (long long)delta_milli);
}

#define PLACES(...) ((const uint8_t[4]){__VA_ARGS__})

/* The deltas are those of the rating vectors A4, A5 and A6. */
Test(outcomes, two_sides_win_draw_or_lose)
{
    const struct game_rules *hasami = rules_find("hasami");
    const struct rated_seat now[] = {standing(1600, 50), standing(1400, 50)};
    struct explained_outcome outcomes[EXPLANATION_OUTCOMES_MAX];
    cr_assert_eq(outcomes_of_seat(hasami, &none, now, 0, outcomes), 3);
    expect_outcome(&outcomes[0], PLACES(1, 2), 2, 5766);
    expect_outcome(&outcomes[1], PLACES(1, 1), 2, -6234);
    expect_outcome(&outcomes[2], PLACES(2, 1), 2, -18234);
    cr_assert_eq(outcomes_of_seat(hasami, &none, now, 1, outcomes), 3);
    expect_outcome(&outcomes[0], PLACES(2, 1), 2, 18234);
    expect_outcome(&outcomes[1], PLACES(1, 1), 2, 6234);
    expect_outcome(&outcomes[2], PLACES(1, 2), 2, -5766);
}

/* B5 has the best of four first and the worst one last, B6 the other way round. */
Test(outcomes, of_four_alone_each_place_is_asked_for_with_the_others_by_rating)
{
    const struct rated_seat now[] = {standing(1500, 50), standing(1700, 50), standing(1400, 50),
                                     standing(1600, 50)};
    struct explained_outcome outcomes[EXPLANATION_OUTCOMES_MAX];
    cr_assert_eq(outcomes_of_seat(&four, &none, now, 1, outcomes), 4);
    expect_outcome(&outcomes[0], PLACES(3, 1, 4, 2), 4, 6009);
    cr_expect_arr_eq(outcomes[1].places, PLACES(3, 2, 4, 1), 4);
    cr_expect_arr_eq(outcomes[2].places, PLACES(2, 3, 4, 1), 4);
    expect_outcome(&outcomes[3], PLACES(2, 4, 3, 1), 4, -17991);
    cr_assert_eq(outcomes_of_seat(&four, &none, now, 2, outcomes), 4);
    expect_outcome(&outcomes[0], PLACES(4, 2, 1, 3), 4, 17991);
    expect_outcome(&outcomes[3], PLACES(3, 1, 4, 2), 4, -6009);
}

Test(outcomes, equal_ratings_keep_the_order_of_the_seats)
{
    const struct rated_seat now[] = {standing(1500, 50), standing(1500, 50), standing(1500, 50),
                                     standing(1500, 50)};
    struct explained_outcome outcomes[EXPLANATION_OUTCOMES_MAX];
    cr_assert_eq(outcomes_of_seat(&four, &none, now, 2, outcomes), 4);
    expect_outcome(&outcomes[0], PLACES(2, 3, 1, 4), 4, 12000);
    expect_outcome(&outcomes[1], PLACES(1, 3, 2, 4), 4, 4000);
    expect_outcome(&outcomes[2], PLACES(1, 2, 3, 4), 4, -4000);
    expect_outcome(&outcomes[3], PLACES(1, 2, 4, 3), 4, -12000);
}

/* C2 and C3: partners share the places, and each has the mean of the other two against them. */
Test(outcomes, pairs_win_draw_or_lose_together)
{
    const struct rated_seat now[] = {standing(1700, 50), standing(1550, 50), standing(1300, 50),
                                     standing(1550, 50)};
    struct explained_outcome outcomes[EXPLANATION_OUTCOMES_MAX];
    cr_assert_eq(outcomes_of_seat(&pairs, &none, now, 2, outcomes), 3);
    expect_outcome(&outcomes[0], PLACES(1, 3, 1, 3), 4, 13715);
    expect_outcome(&outcomes[1], PLACES(1, 1, 1, 1), 4, 1715);
    expect_outcome(&outcomes[2], PLACES(3, 1, 3, 1), 4, 1715 - 12000);
}

Test(outcomes, who_has_left_would_gain_nothing_and_nobody_falls_under_the_floor)
{
    const struct game_rules *hasami = rules_find("hasami");
    struct rated_seat now[] = {standing(105, 5), standing(105, 5)};
    struct explained_outcome outcomes[EXPLANATION_OUTCOMES_MAX];
    now[0].plies = 9;
    now[0].cpu_plies = 4;
    cr_assert_eq(outcomes_of_seat(hasami, &none, now, 0, outcomes), 3);
    cr_expect_eq(outcomes[0].delta_milli, 0);
    cr_expect_eq(outcomes[2].delta_milli, -5000);
    cr_assert_eq(outcomes_of_seat(hasami, &none, now, 1, outcomes), 3);
    cr_expect_eq(outcomes[0].delta_milli, 20000);
}

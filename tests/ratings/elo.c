#include "ratings/elo.h"

#include <criterion/criterion.h>
#include <math.h>

enum { PLAYED = 50 }; /* rated games where a vector names none */

struct vector {
    const char *id;
    size_t count;
    struct elo_seat seats[ELO_SEATS_MAX];
    int64_t deltas[ELO_SEATS_MAX];
};

#define SEAT(rating, games, side_no, rank)                                                         \
    {                                                                                              \
        .rating_milli = (rating), .rated_games = (games), .side = (side_no), .place = (rank)       \
    }
#define TWO(rating_a, games_a, rating_b, games_b, place_a, place_b)                                \
    {                                                                                              \
        SEAT(rating_a, games_a, 0, place_a), SEAT(rating_b, games_b, 1, place_b)                   \
    }
#define FOUR(rating_a, rating_b, rating_c, rating_d, place_a, place_b, place_c, place_d)           \
    {                                                                                              \
        SEAT(rating_a, PLAYED, 0, place_a), SEAT(rating_b, PLAYED, 1, place_b),                    \
            SEAT(rating_c, PLAYED, 2, place_c), SEAT(rating_d, PLAYED, 3, place_d)                 \
    }

static const struct vector vectors_of_two[] = {
    {"A1",  2, TWO(1500000, 0,      1500000, 0,      1, 2), {20000, -20000}},
    {"A2",  2, TWO(1500000, PLAYED, 1500000, PLAYED, 1, 2), {12000, -12000}},
    {"A3",  2, TWO(1500000, PLAYED, 1500000, PLAYED, 1, 1), {0, 0}         },
    {"A4",  2, TWO(1600000, PLAYED, 1400000, PLAYED, 1, 1), {-6234, 6234}  },
    {"A5",  2, TWO(1600000, PLAYED, 1400000, PLAYED, 2, 1), {-18234, 18234}},
    {"A6",  2, TWO(1600000, PLAYED, 1400000, PLAYED, 1, 2), {5766, -5766}  },
    {"A7",  2, TWO(1400000, 5,      1800000, PLAYED, 1, 2), {36364, -21818}},
    {"A8",  2, TWO(2000000, PLAYED, 1999999, PLAYED, 1, 1), {0, 0}         },
    {"A9",  2, TWO(2400000, PLAYED, 1200000, PLAYED, 1, 2), {16, -24}      },
    {"A10", 2, TWO(105000,  5,      105000,  5,      2, 1), {-5000, 20000} },
    {"A11", 2, TWO(1613000, PLAYED, 1609000, PLAYED, 1, 1), {-138, 138}    },
    {"A12", 2, TWO(1500000, 19,     1500000, 20,     1, 2), {20000, -12000}},
};

static const struct vector vectors_of_four[] = {
    {"B1",                          4, FOUR(1500000, 1500000,       1500000, 1500000, 1, 2, 3, 4), {12000, 4000, -4000, -12000}},
    {"B2",                      4,                      FOUR(1500000,                                 1500000,                                             1500000, 1500000, 1, 1, 3, 4), {8000, 8000, -4000, -12000}},
    {"B3", 4,  FOUR(1500000,           1500000,  1500000, 1500000, 1, 1, 1, 1), {0, 0, 0, 0}},
    {"B4",                      4,                FOUR(1500000,1500000,1500000, 1500000, 1, 1, 1, 4), {4000, 4000, 4000, -12000}},
    {"B5",                            4,                           FOUR(1700000,            1600000,                         1500000, 1400000, 1, 2, 3, 4), {6009, 1922, -1922, -6009}},
    {"B6",                            4,                FOUR(1700000,           1600000,                1500000, 1400000, 4, 3, 2, 1), {-17991, -6078, 6078, 17991}},
    {"B7",                            4,                            FOUR(1700000,                                       1600000,                                                  1500000, 1400000, 1, 1, 3, 4), {2009, 5922, -1922, -6009}},
    {"B8",                             4,                           FOUR(1700000,                 1600000,   1500000, 1400000, 1, 2, 3, 3), {6009, 1922, -5922, -2009}},
    {"B9",
     4,                {SEAT(1550000, PLAYED, 0, 2), SEAT(1480000, 5, 1, 1), SEAT(1620000, PLAYED, 2, 3),
      SEAT(1500000, PLAYED, 3, 3)},
     {3428, 24258, -11654, -6329}                                                                                  },
    {"B10",
     4,  {SEAT(2050000, PLAYED, 0, 1), SEAT(1500000, PLAYED, 1, 2), SEAT(1500000, PLAYED, 2, 3),
      SEAT(1500000, 0, 3, 4)},
     {648, 7676, -324, -13874}                       },
};

/* Partners sit opposite each other, as at the board. */
static const struct vector vectors_of_pairs[] = {
    {"C1",
     4, {SEAT(1500000, PLAYED, 0, 1), SEAT(1500000, PLAYED, 1, 2), SEAT(1500000, PLAYED, 0, 1),
      SEAT(1500000, PLAYED, 1, 2)},
     {12000, -12000, 12000, -12000}},
    {"C2",
     4, {SEAT(1700000, PLAYED, 0, 1), SEAT(1550000, PLAYED, 1, 2), SEAT(1300000, PLAYED, 0, 1),
      SEAT(1550000, PLAYED, 1, 2)},
     {13715, -13715, 13715, -13715}},
    {"C3",
     4, {SEAT(1700000, PLAYED, 0, 1), SEAT(1550000, PLAYED, 1, 1), SEAT(1300000, PLAYED, 0, 1),
      SEAT(1550000, PLAYED, 1, 1)},
     {1715, -1715, 1715, -1715}    },
    {"C4",
     4, {SEAT(1600000, PLAYED, 0, 2), SEAT(1400000, PLAYED, 1, 1), SEAT(1500000, 3, 0, 2),
      SEAT(1450000, 19, 1, 1)},
     {-16140, 16140, -26900, 26900}},
};

static void expect_vectors(const struct vector *vectors, size_t count)
{
    for (size_t v = 0; v < count; v++) {
        struct elo_change changes[ELO_SEATS_MAX];
        elo_rate(vectors[v].seats, vectors[v].count, changes);
        for (size_t i = 0; i < vectors[v].count; i++) {
            cr_expect_eq(changes[i].delta_milli, vectors[v].deltas[i], "%s seat %zu: %lld",
                         vectors[v].id, i, (long long)changes[i].delta_milli);
            cr_expect_eq(changes[i].after_milli,
                         vectors[v].seats[i].rating_milli + vectors[v].deltas[i]);
        }
    }
}

Test(elo, two_players_move_as_the_vectors_say)
{
    expect_vectors(vectors_of_two, sizeof vectors_of_two / sizeof vectors_of_two[0]);
}

Test(elo, four_players_alone_move_as_the_vectors_say)
{
    expect_vectors(vectors_of_four, sizeof vectors_of_four / sizeof vectors_of_four[0]);
}

Test(elo, pairs_move_as_the_vectors_say)
{
    expect_vectors(vectors_of_pairs, sizeof vectors_of_pairs / sizeof vectors_of_pairs[0]);
}

Test(elo, two_hundred_points_more_are_expected_to_score_three_of_four)
{
    cr_assert(fabs(elo_expected(1600000, 1400000) - 0.759746926648) < 5e-13);
    cr_assert(fabs(elo_expected(1400000, 1600000) - 0.240253073352) < 5e-13);
}

Test(elo, the_mean_expectation_against_three_is_that_of_the_document)
{
    double sum = elo_expected(1700000, 1600000) + elo_expected(1700000, 1500000) +
                 elo_expected(1700000, 1400000);
    cr_assert(fabs(sum / 3 - 0.749610789747) < 5e-13);
}

Test(elo, an_expectation_at_an_endless_distance_is_zero_or_one)
{
    cr_assert(elo_expected(1e12, 100000) >= 1.0);
    cr_assert(elo_expected(100000, 1e12) <= 0.0);
}

Test(elo, twenty_rated_games_end_the_provisional_time)
{
    cr_assert(elo_is_provisional(0));
    cr_assert(elo_is_provisional(19));
    cr_assert_not(elo_is_provisional(20));
    cr_assert_eq(elo_k(1500000, 19), ELO_K_PROVISIONAL);
    cr_assert_eq(elo_k(1500000, 20), ELO_K_NORMAL);
}

Test(elo, two_thousand_points_are_strong_unless_provisional)
{
    cr_assert_eq(elo_k(1999999, 20), ELO_K_NORMAL);
    cr_assert_eq(elo_k(2000000, 20), ELO_K_STRONG);
    cr_assert_eq(elo_k(2000000, 19), ELO_K_PROVISIONAL);
    cr_assert_eq(elo_k(ELO_FLOOR_MILLI, 20), ELO_K_NORMAL);
}

Test(elo, nobody_falls_below_the_floor_and_the_applied_delta_is_told)
{
    const struct elo_seat seats[] = TWO(100000, PLAYED, 100000, PLAYED, 2, 1);
    struct elo_change changes[2];
    elo_rate(seats, 2, changes);
    cr_assert(changes[0].floor_applied);
    cr_assert_eq(changes[0].delta_milli, 0);
    cr_assert_eq(changes[0].after_milli, ELO_FLOOR_MILLI);
    cr_assert_eq(changes[0].against[0].points_milli, -12000);
    cr_assert_not(changes[1].floor_applied);
    cr_assert_eq(changes[1].after_milli, 112000);
}

Test(elo, landing_on_the_floor_exactly_is_no_help_from_it)
{
    const struct elo_seat seats[] = TWO(112000, PLAYED, 112000, PLAYED, 2, 1);
    struct elo_change changes[2];
    elo_rate(seats, 2, changes);
    cr_assert_eq(changes[0].after_milli, ELO_FLOOR_MILLI);
    cr_assert_not(changes[0].floor_applied);
}

Test(elo, a_capped_winner_stays_and_the_loser_pays_in_full)
{
    struct elo_seat seats[] = TWO(1500000, PLAYED, 1500000, PLAYED, 1, 2);
    struct elo_change changes[2];
    seats[0].may_not_gain = true;
    elo_rate(seats, 2, changes);
    cr_assert(changes[0].capped);
    cr_assert_eq(changes[0].delta_milli, 0);
    cr_assert_eq(changes[0].against[0].points_milli, 12000);
    cr_assert_eq(changes[1].delta_milli, -12000);
}

Test(elo, a_capped_draw_against_a_stronger_player_gains_nothing)
{
    struct elo_seat seats[] = TWO(1400000, PLAYED, 1600000, PLAYED, 1, 1);
    struct elo_change changes[2];
    seats[0].may_not_gain = true;
    elo_rate(seats, 2, changes);
    cr_assert(changes[0].capped);
    cr_assert_eq(changes[0].delta_milli, 0);
    cr_assert_eq(changes[1].delta_milli, -6234);
}

Test(elo, a_capped_loser_loses_as_ever)
{
    struct elo_seat seats[] = TWO(1500000, PLAYED, 1500000, PLAYED, 2, 1);
    struct elo_change changes[2];
    seats[0].may_not_gain = true;
    elo_rate(seats, 2, changes);
    cr_assert_not(changes[0].capped);
    cr_assert_eq(changes[0].delta_milli, -12000);
}

Test(elo, only_the_owner_who_left_is_capped_and_not_the_partner)
{
    struct elo_seat seats[ELO_SEATS_MAX];
    struct elo_change changes[ELO_SEATS_MAX];
    for (size_t i = 0; i < ELO_SEATS_MAX; i++) {
        seats[i] = vectors_of_pairs[0].seats[i];
    }
    seats[0].may_not_gain = true;
    elo_rate(seats, ELO_SEATS_MAX, changes);
    cr_assert_eq(changes[0].delta_milli, 0);
    cr_assert_eq(changes[2].delta_milli, 12000);
    cr_assert_eq(changes[1].delta_milli, -12000);
}

Test(elo, a_cap_looks_at_the_sum_and_not_at_each_opponent)
{
    struct elo_seat seats[] = FOUR(1500000, 1500000, 1500000, 1500000, 1, 2, 3, 4);
    struct elo_change changes[ELO_SEATS_MAX];
    seats[2].may_not_gain = true;
    elo_rate(seats, ELO_SEATS_MAX, changes);
    cr_assert_not(changes[2].capped);
    cr_assert_eq(changes[2].delta_milli, -4000);
}

/* Means of 1500.0005 and 1500.000 do not differ by a whole milli-point: E must still see it. */
Test(elo, a_mean_keeps_its_half_for_the_formula_and_is_rounded_for_display)
{
    const struct elo_seat seats[] = {SEAT(1500000, PLAYED, 0, 1), SEAT(1500000, PLAYED, 1, 2),
                                     SEAT(1500001, PLAYED, 0, 1), SEAT(1500000, PLAYED, 1, 2)};
    struct elo_change changes[ELO_SEATS_MAX];
    elo_rate(seats, ELO_SEATS_MAX, changes);
    double expected = changes[0].against[0].expected;
    cr_assert(fabs(expected - elo_expected(1500000.5, 1500000)) < 1e-15);
    cr_assert(expected > 0.5 && expected < elo_expected(1500001, 1500000));
    cr_assert_eq(changes[1].against[0].rating_milli, 1500001);
    cr_assert_eq(changes[0].against[0].rating_milli, 1500000);
}

Test(elo, each_opposing_side_is_listed_once_in_the_order_of_its_number)
{
    const struct vector *vector = &vectors_of_four[8];
    struct elo_change changes[ELO_SEATS_MAX];
    elo_rate(vector->seats, vector->count, changes);
    const struct elo_change *first = &changes[0];
    cr_assert_eq(first->k, ELO_K_NORMAL);
    cr_assert_eq(changes[1].k, ELO_K_PROVISIONAL);
    cr_assert_eq(first->against_count, 3);
    int64_t sum_milli = 0;
    for (unsigned i = 0; i < 3; i++) {
        const struct elo_against *against = &first->against[i];
        cr_assert_eq(against->side, i + 1);
        cr_assert_eq(against->rating_milli, vector->seats[i + 1].rating_milli);
        cr_assert_eq(against->score_halves, i == 0 ? 0 : 2);
        sum_milli += against->points_milli;
    }
    cr_assert_eq(sum_milli, first->delta_milli);
}

Test(elo, pairs_have_one_opponent_and_share_its_expectation)
{
    const struct vector *vector = &vectors_of_pairs[3];
    struct elo_change changes[ELO_SEATS_MAX];
    elo_rate(vector->seats, vector->count, changes);
    for (size_t i = 0; i < ELO_SEATS_MAX; i++) {
        cr_assert_eq(changes[i].against_count, 1);
        cr_assert_neq(changes[i].against[0].side, vector->seats[i].side);
    }
    cr_assert_eq(changes[0].against[0].rating_milli, 1425000);
    cr_assert(fabs(changes[0].against[0].expected - changes[2].against[0].expected) <= 0.0);
}

Test(elo, both_sides_of_a_game_are_told_expectations_that_add_up_to_one)
{
    const struct elo_seat seats[] = TWO(1600000, PLAYED, 1400000, PLAYED, 1, 2);
    struct elo_change changes[2];
    elo_rate(seats, 2, changes);
    cr_assert(fabs(changes[0].against[0].expected - 0.759746926648) < 5e-13);
    cr_assert(fabs(changes[1].against[0].expected - 0.240253073352) < 5e-13);
}

Test(elo, side_numbers_may_leave_gaps)
{
    const struct elo_seat seats[] = {SEAT(1600000, PLAYED, 3, 2), SEAT(1400000, PLAYED, 1, 1)};
    struct elo_change changes[2];
    elo_rate(seats, 2, changes);
    cr_assert_eq(changes[0].delta_milli, -18234);
    cr_assert_eq(changes[1].delta_milli, 18234);
    cr_assert_eq(changes[1].against[0].side, 3);
}

Test(elo, a_void_takes_the_applied_delta_back)
{
    cr_assert_eq(elo_void(1512000, 12000), 1500000);
    cr_assert_eq(elo_void(1488000, -12000), 1500000);
    cr_assert_eq(elo_void(1500000, 0), 1500000);
}

Test(elo, a_void_stops_at_the_floor)
{
    cr_assert_eq(elo_void(105000, 20000), ELO_FLOOR_MILLI);
    cr_assert_eq(elo_void(120000, 20000), ELO_FLOOR_MILLI);
    cr_assert_eq(elo_void(ELO_FLOOR_MILLI, -5000), 105000);
}

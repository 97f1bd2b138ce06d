/* What must hold for every game, tried on games of a seeded generator. */

#include "ratings/elo.h"

#include <criterion/criterion.h>
#include <math.h>

enum { ROUNDS = 100000, LEVELS = 4 };

struct sample {
    size_t count;
    struct elo_seat seats[ELO_SEATS_MAX];
    uint8_t strength[ELO_SEATS_MAX]; /* by side; the places follow from these */
};

/* Marsaglia's xorshift with 64 bits; the state is never 0. */
static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((next(state) >> 32) * limit >> 32);
}

/* Half the ratings are ordinary; the rest lie at the floor, around the strong ones, or far out. */
static int64_t some_rating(uint64_t *state)
{
    switch (below(state, 8)) {
    case 0: return ELO_FLOOR_MILLI + below(state, 30000);
    case 1: return ELO_STRONG_MILLI - 3 + below(state, 6);
    case 2: return ELO_FLOOR_MILLI + below(state, 4000000);
    case 3: return ELO_START_MILLI;
    default: return 1000000 + below(state, 1000000);
    }
}

static bool is_side(const struct sample *sample, unsigned side)
{
    for (size_t i = 0; i < sample->count; i++) {
        if (sample->seats[i].side == side) {
            return true;
        }
    }
    return false;
}

/* Competition ranks of sides: one more than the number of stronger ones. */
static void set_places(struct sample *sample)
{
    for (size_t i = 0; i < sample->count; i++) {
        uint8_t place = 1;
        for (unsigned side = 0; side < ELO_SEATS_MAX; side++) {
            if (is_side(sample, side) &&
                sample->strength[side] > sample->strength[sample->seats[i].side]) {
                place++;
            }
        }
        sample->seats[i].place = place;
    }
}

static struct sample some_game(uint64_t *state)
{
    struct sample sample = {.count = below(state, 3) == 0 ? 2 : 4};
    bool pairs = sample.count == 4 && below(state, 2) == 0;
    for (unsigned i = 0; i < sample.count; i++) {
        sample.seats[i] = (struct elo_seat){
            .rating_milli = some_rating(state),
            .rated_games = below(state, 40),
            .side = (uint8_t)(pairs ? i % 2 : i),
            .may_not_gain = below(state, 8) == 0,
        };
        sample.strength[i] = (uint8_t)below(state, LEVELS);
    }
    set_places(&sample);
    return sample;
}

/* No cap and no floor in reach, so that deltas are the plain sums. */
static struct sample some_plain_game(uint64_t *state)
{
    struct sample sample = some_game(state);
    for (size_t i = 0; i < sample.count; i++) {
        sample.seats[i].rating_milli += INT64_C(1000) * ELO_K_PROVISIONAL;
        sample.seats[i].may_not_gain = false;
    }
    return sample;
}

Test(elo_properties, deltas_sum_to_zero_when_k_is_equal_and_no_floor_near)
{
    uint64_t state = 0x62616e7a756b6501;
    for (int round = 0; round < ROUNDS; round++) {
        struct sample sample = some_plain_game(&state);
        uint32_t games = below(&state, 2) == 0 ? 0 : ELO_PROVISIONAL_GAMES;
        for (size_t i = 0; i < sample.count; i++) {
            sample.seats[i].rated_games = games;
            if (games > 0 && sample.seats[i].rating_milli >= ELO_STRONG_MILLI) {
                sample.seats[i].rating_milli = ELO_STRONG_MILLI - 1;
            }
        }
        struct elo_change changes[ELO_SEATS_MAX];
        elo_rate(sample.seats, sample.count, changes);
        int64_t sum_milli = 0;
        for (size_t i = 0; i < sample.count; i++) {
            sum_milli += changes[i].delta_milli;
        }
        cr_assert_eq(sum_milli, 0, "round %d", round);
    }
}

/* Seats and side numbers move together: whoever sits where, the person's change is the same. */
Test(elo_properties, permuting_the_seats_permutes_the_deltas)
{
    uint64_t state = 0x62616e7a756b6502;
    for (int round = 0; round < ROUNDS; round++) {
        struct sample sample = some_game(&state);
        size_t from[ELO_SEATS_MAX] = {0, 1, 2, 3};
        uint8_t renamed[ELO_SEATS_MAX] = {0, 1, 2, 3};
        for (uint32_t i = (uint32_t)sample.count - 1; i > 0; i--) {
            uint32_t other = below(&state, i + 1);
            size_t seat = from[i];
            from[i] = from[other];
            from[other] = seat;
            other = below(&state, i + 1);
            uint8_t side = renamed[i];
            renamed[i] = renamed[other];
            renamed[other] = side;
        }
        struct elo_seat moved[ELO_SEATS_MAX];
        for (size_t i = 0; i < sample.count; i++) {
            moved[i] = sample.seats[from[i]];
            moved[i].side = renamed[moved[i].side];
        }
        struct elo_change before[ELO_SEATS_MAX];
        struct elo_change after[ELO_SEATS_MAX];
        elo_rate(sample.seats, sample.count, before);
        elo_rate(moved, sample.count, after);
        for (size_t i = 0; i < sample.count; i++) {
            cr_assert_eq(after[i].delta_milli, before[from[i]].delta_milli, "round %d", round);
        }
    }
}

Test(elo_properties, a_better_place_never_gives_less)
{
    uint64_t state = 0x62616e7a756b6503;
    for (int round = 0; round < ROUNDS; round++) {
        struct sample sample = some_game(&state);
        struct elo_change worse[ELO_SEATS_MAX];
        struct elo_change better[ELO_SEATS_MAX];
        uint32_t seat = below(&state, (uint32_t)sample.count);
        elo_rate(sample.seats, sample.count, worse);
        sample.strength[sample.seats[seat].side]++;
        set_places(&sample);
        elo_rate(sample.seats, sample.count, better);
        cr_assert_geq(better[seat].delta_milli, worse[seat].delta_milli, "round %d", round);
    }
}

Test(elo_properties, a_draw_lies_between_a_loss_and_a_win)
{
    uint64_t state = 0x62616e7a756b6504;
    for (int round = 0; round < ROUNDS; round++) {
        struct sample sample = some_plain_game(&state);
        struct elo_change by_score[3][ELO_SEATS_MAX];
        for (unsigned side = 0; side < ELO_SEATS_MAX; side++) {
            sample.strength[side] = 1;
        }
        for (uint8_t score = 0; score < 3; score++) {
            sample.strength[sample.seats[0].side] = score;
            set_places(&sample);
            elo_rate(sample.seats, sample.count, by_score[score]);
        }
        cr_assert_lt(by_score[0][0].delta_milli, by_score[1][0].delta_milli, "round %d", round);
        cr_assert_lt(by_score[1][0].delta_milli, by_score[2][0].delta_milli, "round %d", round);
    }
}

Test(elo_properties, a_game_moves_at_most_k_and_the_bookkeeping_agrees)
{
    uint64_t state = 0x62616e7a756b6505;
    for (int round = 0; round < ROUNDS; round++) {
        struct sample sample = some_game(&state);
        struct elo_change changes[ELO_SEATS_MAX];
        elo_rate(sample.seats, sample.count, changes);
        for (size_t i = 0; i < sample.count; i++) {
            const struct elo_seat *seat = &sample.seats[i];
            const struct elo_change *change = &changes[i];
            cr_assert_leq(change->delta_milli, INT64_C(1000) * change->k, "round %d", round);
            cr_assert_geq(change->delta_milli, INT64_C(-1000) * change->k, "round %d", round);
            cr_assert_eq(change->k, elo_k(seat->rating_milli, seat->rated_games));
            cr_assert_eq(change->after_milli, seat->rating_milli + change->delta_milli);
            cr_assert_geq(change->after_milli, ELO_FLOOR_MILLI);
        }
    }
}

Test(elo_properties, no_capped_seat_gains_and_the_others_notice_nothing)
{
    uint64_t state = 0x62616e7a756b6506;
    for (int round = 0; round < ROUNDS; round++) {
        struct sample sample = some_game(&state);
        struct elo_change uncapped[ELO_SEATS_MAX];
        struct elo_change changes[ELO_SEATS_MAX];
        uint32_t left = below(&state, (uint32_t)sample.count);
        sample.seats[left].may_not_gain = false;
        elo_rate(sample.seats, sample.count, uncapped);
        sample.seats[left].may_not_gain = true;
        elo_rate(sample.seats, sample.count, changes);
        for (size_t i = 0; i < sample.count; i++) {
            int64_t due_milli = uncapped[i].delta_milli;
            if (i == left) {
                cr_assert_eq(changes[i].capped, due_milli > 0, "round %d", round);
                due_milli = due_milli > 0 ? 0 : due_milli;
            }
            cr_assert_eq(changes[i].delta_milli, due_milli, "round %d", round);
        }
    }
}

static long double mean(const struct sample *sample, uint8_t side)
{
    long double sum = 0;
    int members = 0;
    for (size_t i = 0; i < sample->count; i++) {
        if (sample->seats[i].side == side) {
            sum += (long double)sample->seats[i].rating_milli;
            members++;
        }
    }
    return sum / members;
}

/* The document's formula written down again, seat by seat and with more digits. */
static int64_t delta_with_more_digits(const struct sample *sample, size_t seat)
{
    const struct elo_seat *self = &sample->seats[seat];
    bool pairs = sample->count == 4 && sample->seats[0].side == sample->seats[2].side;
    int opponents = pairs ? 1 : (int)sample->count - 1;
    int64_t sum_milli = 0;
    for (size_t j = 0; j < (pairs ? 2 : sample->count); j++) {
        const struct elo_seat *other = &sample->seats[j];
        if (other->side == self->side) {
            continue;
        }
        long double score = self->place < other->place ? 1 : self->place == other->place ? 0.5L : 0;
        long double gap = mean(sample, other->side) - mean(sample, self->side);
        long double expected = 1 / (1 + powl(10, gap / 400000));
        int k = elo_k(self->rating_milli, self->rated_games);
        sum_milli += llroundl(1000 * k * (score - expected) / opponents);
    }
    return sum_milli;
}

Test(elo_properties, the_integers_are_those_of_the_formula_with_more_digits)
{
    uint64_t state = 0x62616e7a756b6507;
    for (int round = 0; round < ROUNDS; round++) {
        struct sample sample = some_plain_game(&state);
        struct elo_change changes[ELO_SEATS_MAX];
        elo_rate(sample.seats, sample.count, changes);
        for (size_t i = 0; i < sample.count; i++) {
            cr_assert_eq(changes[i].delta_milli, delta_with_more_digits(&sample, i), "round %d",
                         round);
        }
    }
}

Test(elo_properties, a_void_right_after_the_game_restores_every_rating)
{
    uint64_t state = 0x62616e7a756b6508;
    for (int round = 0; round < ROUNDS; round++) {
        struct sample sample = some_game(&state);
        struct elo_change changes[ELO_SEATS_MAX];
        elo_rate(sample.seats, sample.count, changes);
        for (size_t i = 0; i < sample.count; i++) {
            cr_assert_eq(elo_void(changes[i].after_milli, changes[i].delta_milli),
                         sample.seats[i].rating_milli, "round %d", round);
        }
    }
}

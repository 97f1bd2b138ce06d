#include "ratings/elo.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct side {
    int64_t sum_milli;
    uint8_t members; /* 0: nobody has this number */
    uint8_t place;
};

struct sides {
    uint8_t count;
    struct side at[ELO_SEATS_MAX];
    /* Cell [i][j] is side i against side j; only cells of two sides that exist are filled. */
    double expected[ELO_SEATS_MAX][ELO_SEATS_MAX];
    double surprise[ELO_SEATS_MAX][ELO_SEATS_MAX]; /* score minus expected */
};

static void gather(const struct elo_seat *seats, size_t count, struct sides *sides);
static void compare(struct sides *sides, size_t i, size_t j);
static void compare_all(struct sides *sides);
static void change_of(const struct elo_seat *seat, const struct sides *sides,
                      struct elo_change *change);
static void apply(const struct elo_seat *seat, int64_t delta_milli, struct elo_change *change);

uint8_t elo_k(int64_t rating_milli, uint32_t rated_games)
{
    assert(rating_milli >= ELO_FLOOR_MILLI);
    if (elo_is_provisional(rated_games)) {
        return ELO_K_PROVISIONAL;
    }
    return rating_milli >= ELO_STRONG_MILLI ? ELO_K_STRONG : ELO_K_NORMAL;
}

bool elo_is_provisional(uint32_t rated_games)
{
    return rated_games < ELO_PROVISIONAL_GAMES;
}

double elo_expected(double a_milli, double b_milli)
{
    double expected = 1.0 / (1.0 + pow(10.0, (b_milli - a_milli) / ELO_SCALE_MILLI));
    assert(expected >= 0.0 && expected <= 1.0);
    return expected;
}

void elo_rate(const struct elo_seat *seats, size_t count, struct elo_change *changes)
{
    assert(seats != NULL && changes != NULL);
    assert(count >= 2 && count <= ELO_SEATS_MAX);
    struct sides sides = {0};
    gather(seats, count, &sides);
    compare_all(&sides);
    for (size_t i = 0; i < count; i++) {
        change_of(&seats[i], &sides, &changes[i]);
    }
}

int64_t elo_void(int64_t rating_milli, int64_t applied_delta_milli)
{
    assert(rating_milli >= ELO_FLOOR_MILLI);
    int64_t back_milli = rating_milli - applied_delta_milli;
    return back_milli < ELO_FLOOR_MILLI ? ELO_FLOOR_MILLI : back_milli;
}

static void gather(const struct elo_seat *seats, size_t count, struct sides *sides)
{
    for (size_t i = 0; i < count; i++) {
        const struct elo_seat *seat = &seats[i];
        assert(seat->rating_milli >= ELO_FLOOR_MILLI);
        assert(seat->side < ELO_SEATS_MAX);
        assert(seat->place >= 1 && seat->place <= ELO_SEATS_MAX);
        struct side *side = &sides->at[seat->side];
        if (side->members == 0) {
            side->place = seat->place;
            sides->count++;
        }
        assert(side->place == seat->place);
        side->members++;
        side->sum_milli += seat->rating_milli;
    }
    assert(sides->count >= 2);
}

/* The mean of two ratings may be a half milli-point; a double holds it exactly. */
static double mean_milli(const struct side *side)
{
    assert(side->members > 0);
    return (double)side->sum_milli / side->members;
}

static int64_t rounded_mean_milli(const struct side *side)
{
    assert(side->members > 0 && side->sum_milli > 0);
    return (2 * side->sum_milli + side->members) / (2 * (int64_t)side->members);
}

static uint8_t score_halves(uint8_t place, uint8_t other_place)
{
    if (place == other_place) {
        return 1;
    }
    return place < other_place ? 2 : 0;
}

/* The other direction is derived, not computed: so two sides' summands cancel to the last bit. */
static void compare(struct sides *sides, size_t i, size_t j)
{
    assert(i < j && j < ELO_SEATS_MAX);
    const struct side *a = &sides->at[i];
    const struct side *b = &sides->at[j];
    double expected = elo_expected(mean_milli(a), mean_milli(b));
    double surprise = score_halves(a->place, b->place) / 2.0 - expected;
    sides->expected[i][j] = expected;
    sides->expected[j][i] = 1.0 - expected;
    sides->surprise[i][j] = surprise;
    sides->surprise[j][i] = -surprise;
}

static void compare_all(struct sides *sides)
{
    assert(sides->count >= 2);
    for (size_t i = 0; i < ELO_SEATS_MAX; i++) {
        for (size_t j = i + 1; j < ELO_SEATS_MAX; j++) {
            if (sides->at[i].members > 0 && sides->at[j].members > 0) {
                compare(sides, i, j);
            }
        }
    }
}

static void change_of(const struct elo_seat *seat, const struct sides *sides,
                      struct elo_change *change)
{
    *change = (struct elo_change){.k = elo_k(seat->rating_milli, seat->rated_games)};
    int64_t delta_milli = 0;
    for (unsigned j = 0; j < ELO_SEATS_MAX; j++) {
        const struct side *other = &sides->at[j];
        if (j == seat->side || other->members == 0) {
            continue;
        }
        assert(change->against_count < ELO_SEATS_MAX - 1);
        double points = 1000.0 * change->k * sides->surprise[seat->side][j] / (sides->count - 1);
        struct elo_against *against = &change->against[change->against_count++];
        *against = (struct elo_against){
            .side = (uint8_t)j,
            .rating_milli = rounded_mean_milli(other),
            .expected = sides->expected[seat->side][j],
            .score_halves = score_halves(seat->place, other->place),
            .points_milli = llround(points), /* halves go away from zero in any rounding mode */
        };
        delta_milli += against->points_milli;
    }
    assert(change->against_count == sides->count - 1);
    apply(seat, delta_milli, change);
}

/* The cap comes before the floor: what the floor gives back is no gain from leaving. */
static void apply(const struct elo_seat *seat, int64_t delta_milli, struct elo_change *change)
{
    assert(llabs(delta_milli) <= INT64_C(1000) * change->k);
    change->capped = seat->may_not_gain && delta_milli > 0;
    int64_t after_milli = seat->rating_milli + (change->capped ? 0 : delta_milli);
    change->floor_applied = after_milli < ELO_FLOOR_MILLI;
    change->after_milli = change->floor_applied ? ELO_FLOOR_MILLI : after_milli;
    change->delta_milli = change->after_milli - seat->rating_milli;
    assert(!seat->may_not_gain || change->delta_milli <= 0);
}

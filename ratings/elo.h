#ifndef RATINGS_ELO_H
#define RATINGS_ELO_H

/*
 * Pairwise Elo over places, in integer milli-points (1500.000 is 1500000). The formula is FIDE's
 * expected score, averaged over the opposing sides; a side is one player, or a team whose rating
 * is the mean of its members.
 *
 * Threads: pure functions, any thread. Ownership: caller-owned arrays, nothing kept.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ELO_START_MILLI = 1500000,
    ELO_FLOOR_MILLI = 100000,
    ELO_PROVISIONAL_GAMES = 20, /* fewer rated games than this: provisional */
    ELO_K_PROVISIONAL = 40,
    ELO_K_NORMAL = 24,
    ELO_K_STRONG = 16,
    ELO_STRONG_MILLI = 2000000, /* from here on: ELO_K_STRONG */
    ELO_SCALE_MILLI = 400000,   /* so far apart, ten wins to one loss are expected */
    ELO_SEATS_MAX = 4,
};

/* One seat's standing before the game, and how the game ended for it. */
struct elo_seat {
    int64_t rating_milli; /* ELO_FLOOR_MILLI or more */
    uint32_t rated_games;
    uint8_t side;      /* seats with equal numbers are one side; 0..ELO_SEATS_MAX-1 */
    uint8_t place;     /* 1..ELO_SEATS_MAX; the same for all seats of a side */
    bool may_not_gain; /* policy_may_not_gain: delta is at most 0 */
};

/* One seat against one opposing side. */
struct elo_against {
    uint8_t side;
    int64_t rating_milli; /* the side's mean, rounded half away from zero for display */
    double expected;      /* 0..1; computed from the lower side number, the other way is 1 - it */
    uint8_t score_halves; /* 0 lost, 1 drew, 2 won */
    int64_t points_milli; /* the rounded summand */
};

struct elo_change {
    int64_t delta_milli; /* as applied: after - before */
    int64_t after_milli;
    struct elo_against against[ELO_SEATS_MAX - 1]; /* by ascending side */
    uint8_t against_count;
    uint8_t k;
    bool capped;        /* may_not_gain took something away */
    bool floor_applied; /* the floor took some of the loss away */
};

/* K factor in points. */
uint8_t elo_k(int64_t rating_milli, uint32_t rated_games);

bool elo_is_provisional(uint32_t rated_games);

/* Expected score of `a` against `b`, 0..1: 1 / (1 + 10^((b - a) / 400 points)). */
double elo_expected(double a_milli, double b_milli);

/* Rates one finished game. `count` 2..ELO_SEATS_MAX seats on at least two sides. */
void elo_rate(const struct elo_seat *seats, size_t count, struct elo_change *changes);

/* A rating after taking an applied delta back (a void): minus the delta, then the floor. */
int64_t elo_void(int64_t rating_milli, int64_t applied_delta_milli);

#endif

/*
 * The queue: how long a round over a hundred thousand waiting tickets takes, and how ten thousand
 * who arrive one after the other fare. `queue` prints rows of the table of run.sh, `queue crowd`
 * the simulation.
 *
 * Threads: one. Ownership: all is freed at the end.
 */

#include "match/pairing.h"
#include "tests/match/crowd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WAITING = 100000,
    LEFT_MAX = 100,
    ROUNDS = 5,
    ROUND_MS_MAX = 50,
    TICKETS = 10000,
    PLAYERS = 2000
};

struct pool {
    const char *name;
    size_t seats;
    bool pairs;
    int64_t between_ms;
};
static const struct pool pools[] = {
    {"hasami",      2, false, 4000},
    {"yonin",       4, false, 4000},
    {"yonin_pairs", 4, true,  4000},
};
enum { POOLS = sizeof pools / sizeof pools[0] };

static bool time_rounds(void);
static bool simulate(void);

int main(int count, char **arguments)
{
    bool good = count > 1 && strcmp(arguments[1], "crowd") == 0 ? simulate() : time_rounds();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- rounds --------------------------------------------------------------------------------------
 */

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Ratings around 1500, taken over the last minutes; in pairs, every other one names a partner. */
static void draw(struct pairing_ticket *tickets, bool pairs)
{
    uint64_t state = 1;
    for (size_t i = 0; i < WAITING; i++) {
        int64_t number = (int64_t)i + 1;
        int64_t bell = 0;
        for (int k = 0; k < 12; k++) {
            bell += (int64_t)(next(&state) % 300000);
        }
        tickets[i] = (struct pairing_ticket){
            .ticket_no = number,
            .player_no = number,
            .rating_milli = bell < 400000 ? 100000 : bell - 300000,
            .created_at_ms = (int64_t)i * 2,
            .last = {1 + (int64_t)(next(&state) % WAITING)},
        };
        if (pairs && i % 4 < 2) {
            tickets[i].partner_no = i % 4 == 0 ? number + 1 : number - 1;
        }
    }
}

/* Of this thread: a busy neighbour is no part of a round. */
static double processor_ms(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec / 1e6;
}

/* The best of some. */
static bool time_pool(const struct pool *pool, struct pairing_ticket *tickets,
                      struct pairing_round *round)
{
    double best = 0;
    draw(tickets, pool->pairs);
    round->seats = pool->seats;
    round->pairs = pool->pairs;
    for (int i = 0; i < ROUNDS; i++) {
        const double start = processor_ms();
        if (!pairing_round(round)) {
            return false;
        }
        const double ms = processor_ms() - start;
        best = i == 0 || ms < best ? ms : best;
    }
    const bool all = round->group_count > WAITING / pool->seats - LEFT_MAX;
    printf("round over 100,000 in %s, ms of CPU|%.1f|-|-|< %d|%s\n", pool->name, best, ROUND_MS_MAX,
           best < ROUND_MS_MAX && all ? "met" : "MISSED");
    return true;
}

static bool time_rounds(void)
{
    struct pairing_ticket *tickets = calloc(WAITING, sizeof *tickets);
    struct pairing_round round = {
        .tickets = tickets,
        .count = WAITING,
        .now_ms = (int64_t)WAITING * 2,
        .groups = calloc(WAITING / 2, sizeof *round.groups),
        .opens_at_ms = calloc(WAITING, sizeof *round.opens_at_ms),
    };
    bool good = tickets != NULL && round.groups != NULL && round.opens_at_ms != NULL;
    for (size_t i = 0; good && i < POOLS; i++) {
        good = time_pool(&pools[i], tickets, &round);
    }
    free(round.opens_at_ms);
    free(round.groups);
    free(tickets);
    return good;
}

/* --- the simulation ------------------------------------------------------------------------------
 */

static bool simulate_pool(const struct pool *pool)
{
    struct crowd_report report;
    const struct crowd_options options = {
        .seats = pool->seats,
        .pairs = pool->pairs,
        .tickets = TICKETS,
        .players = PLAYERS,
        .between_ms = pool->between_ms,
        .seed = 1,
    };
    if (!crowd_run(&options, &report)) {
        return false;
    }
    const size_t wrong =
        report.twice + report.outside + report.passed_over + report.met_too_soon + report.apart;
    printf("%-12s %7zu %7zu %7.1f %7.1f %7.1f %9.0f %7.0f %7.0f %7zu %7zu %6zu\n", pool->name,
           report.tickets, report.games, (double)report.wait_ms.median / 1e3,
           (double)report.wait_ms.p95 / 1e3, (double)report.wait_ms.max / 1e3,
           (double)report.gap_milli.median / 1e3, (double)report.gap_milli.p95 / 1e3,
           (double)report.gap_milli.max / 1e3, report.again, report.starved, wrong);
    return wrong == 0;
}

static bool simulate(void)
{
    bool good = true;
    printf("%-12s %7s %7s %23s %25s %7s %7s %6s\n", "a crowd of", "tickets", "games",
           "waiting time, s", "rating gap", "met", "starved", "wrong");
    printf("%-12s %7s %7s %7s %7s %7s %9s %7s %7s %7s\n", "one in 4 s", "", "", "median", "p95",
           "max", "median", "p95", "max", "again");
    for (size_t i = 0; i < POOLS; i++) {
        good = simulate_pool(&pools[i]) && good;
    }
    return good;
}

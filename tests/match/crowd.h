#ifndef TESTS_MATCH_CROWD_H
#define TESTS_MATCH_CROWD_H

/*
 * A simulated crowd at the queue of one pool: players come at random, wait, play for some minutes
 * and come again. Rounds run as in the service: whenever somebody comes, and once a second. Seeded:
 * the same options give the same report.
 *
 * Threads: one. Ownership: values; what a run needs is its own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct crowd_options {
    size_t seats;
    bool pairs; /* a third of those who come are two who have named each other */
    size_t tickets;
    size_t players;
    int64_t between_ms; /* from one to the next, on average */
    uint64_t seed;
};

struct crowd_spread {
    int64_t median;
    int64_t p95;
    int64_t max;
};

struct crowd_report {
    size_t tickets;
    size_t matched;
    size_t left;    /* still there two minutes after the last one came: less than a board */
    size_t starved; /* waited for ten minutes, and expired */
    size_t games;
    size_t again; /* games of some who had met in their last one */
    struct crowd_spread wait_ms;
    struct crowd_spread gap_milli;
    /* What must never happen: 0 each. */
    size_t twice;        /* somebody sits twice, or with nobody */
    size_t outside;      /* a board is wider than a window */
    size_t passed_over;  /* enough to fill a board have waited for two minutes, and still wait */
    size_t met_too_soon; /* met again within a minute, although another waited */
    size_t apart;        /* partners do not sit opposite */
};

/* False: no memory. */
bool crowd_run(const struct crowd_options *options, struct crowd_report *report);

#endif

#ifndef TESTS_FAULT_FIXTURE_H
#define TESTS_FAULT_FIXTURE_H

/*
 * Histories of game 0 by hand, in small numbers for instants. Seats are b and w, and those whose
 * ply it is. Ownership: expect_fault frees the history.
 */

#include "linear.h"

struct history_op submission(int64_t invoked, int64_t answered, unsigned ply, const char *move);
struct history_op reading(int64_t invoked, int64_t answered, unsigned ply);

/* Adds a submission that was accepted or repeated, and a read. */
void accept_ply(struct history *history, int64_t invoked, int64_t answered, unsigned ply,
                const char *move);
void repeat_ply(struct history *history, int64_t invoked, int64_t answered, unsigned ply,
                const char *move);
void see(struct history *history, int64_t invoked, int64_t answered, unsigned ply);
/* A read of the moves, at 100. */
void see_moves(struct history *history, unsigned after, unsigned ply, const char *listed);
/* Adds `asked` as it is refused on the running game of `shown` plies. */
void refuse(struct history *history, struct history_op asked, enum history_verdict verdict,
            unsigned shown);

/* Plies 1 to 3 (5i5h 5a5b 5h5g), one after the other: 0 to 10, 20 to 30, 40 to 50. */
struct history three_plies(void);

/* Plies 1 to 5 of four seats, s, w, n and e: 0 to 10, and so on to 80 to 90. */
struct history five_plies_of_four(void);

/* The checker finds this fault in these operations (by number; -1: none). */
void expect_fault(struct history *history, enum linear_fault fault, int first, int second);
void expect_fault_of_four(struct history *history, enum linear_fault fault, int first, int second);

#endif

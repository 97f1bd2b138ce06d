#ifndef TESTS_SUPPORT_DICE_H
#define TESTS_SUPPORT_DICE_H

/*
 * Choices that a seed fixes, so that what failed can be made again.
 *
 * Threads: dice belong to one thread. Ownership: plain values.
 */

#include <stdbool.h>
#include <stdint.h>

struct dice {
    uint64_t state; /* never 0 */
};

/* The dice of the `number`th throw of a seed: each can be had without those before it. */
struct dice dice_of(uint64_t seed, uint64_t number);

/* 0 to limit - 1. */
uint32_t dice_below(struct dice *dice, uint32_t limit);

/* True once in `times`. */
bool dice_once_in(struct dice *dice, uint32_t times);

#endif

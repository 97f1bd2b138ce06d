#ifndef ENGINE_HASAMI_H
#define ENGINE_HASAMI_H

/*
 * Hasami Shogi: nine men a side on 9 x 9, rook moves, capture by enclosing. This header holds only
 * what the seam needs to know: the size of a position and the game's entry in the array of games.
 *
 * Threads: a plain value and constant data, any thread. Ownership: the caller owns positions.
 */

#include <stdint.h>

enum {
    HASAMI_SIDE = 9, /* squares in a line */
    HASAMI_MEN = 9,  /* men of a side at the start; captured by X = 9 - men its rival has left */
    HASAMI_SEATS = 2,
    HASAMI_PLY_MAX = 1000000, /* the largest move number a position text may state */
};

/*
 * Every man is stored twice, in its row and in its column, so that each question about a line is
 * one nine-bit word. Row 0 is rank a, column 0 is file 9. Seat 0 is b, seat 1 is w.
 */
struct hasami_position {
    uint16_t rows[HASAMI_SEATS][HASAMI_SIDE]; /* bit = column */
    uint16_t cols[HASAMI_SEATS][HASAMI_SIDE]; /* bit = row */
    uint32_t ply;                             /* plies made so far */
    uint8_t turn;                             /* seat that moves next */
    uint8_t men[HASAMI_SEATS];
};

_Static_assert(sizeof(struct hasami_position) <= 512, "a position stays cheap to copy");

struct game_rules;
extern const struct game_rules hasami_rules;

#endif

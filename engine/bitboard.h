#ifndef ENGINE_BITBOARD_H
#define ENGINE_BITBOARD_H

/*
 * A line of nine squares as a nine-bit word. "Up" means towards higher bits. Callers keep one word
 * per side and line, so that sliding, counting and enclosing are a few instructions each.
 *
 * Threads: pure functions over constant tables, any thread. Ownership: values only.
 */

#include <assert.h>
#include <stdint.h>

enum {
    LINE_SQUARES = 9,
    LINE_FULL = 0x1FF,
};

/* By occupancy, four bits a square: how many empty squares a man there could slide over. */
extern const uint64_t line_free[LINE_FULL + 1];
/* By set of squares: all four bits set for each square of the set. */
extern const uint64_t line_spread[LINE_FULL + 1];

/* Moves along the line of all men in `own`. An empty square is reached by at most two of them, so
 * the sum stays below 16 and the multiplication can add the nine fields without a carry. */
static inline unsigned line_mobility(unsigned own, unsigned occupied)
{
    const uint64_t fields = line_spread[own] & line_free[occupied];
    return (unsigned)(fields * UINT64_C(0x111111111) >> 32) & 15u;
}

/* The squares that a man on square `at` reaches. */
static inline unsigned line_reach(unsigned occupied, unsigned at)
{
    const unsigned here = 1u << at;
    const unsigned above = (occupied | (LINE_FULL + 1u)) & ~(2u * here - 1u);
    const unsigned below = (occupied & (here - 1u)) << 1 | 1u;
    const unsigned stop_above = above & -above;
    const unsigned first_below = 1u << (31 - __builtin_clz(below));
    return (stop_above - 2u * here) | (here - first_below);
}

/* The same with the first man in the way on either side. */
static inline unsigned line_attack(unsigned occupied, unsigned at)
{
    const unsigned here = 1u << at;
    const unsigned above = (occupied | (LINE_FULL + 1u)) & ~(2u * here - 1u);
    const unsigned below = (occupied & (here - 1u)) | 1u;
    const unsigned first_above = above & -above;
    const unsigned first_below = 1u << (31 - __builtin_clz(below));
    return ((2u * first_above - 2u * here) | (here - first_below)) & LINE_FULL;
}

/* Squares strictly between two different squares of the line. */
static inline unsigned line_between(unsigned a, unsigned b)
{
    const unsigned low = a < b ? a : b;
    const unsigned high = a < b ? b : a;
    return (1u << high) - (2u << low);
}

/* The enemies that a man of `own`, just arrived on square `at`, encloses in this line: unbroken
 * runs beside it that end at another own man. Adding carries through a run of enemies: upwards it
 * starts beside the arrival and must come out on an own man; downwards it starts beside own men
 * and must come out on the arrival. */
static inline unsigned line_enclosed(unsigned own, unsigned enemy, unsigned at)
{
    const unsigned here = 1u << at;
    const unsigned start = here << 1;
    const unsigned end_above = (enemy + start) & ~(enemy | start) & own;
    unsigned enclosed = end_above != 0 ? end_above - start : 0;

    if (((enemy + (own << 1 & enemy)) & here) != 0) {
        for (unsigned square = here >> 1; (enemy & square) != 0; square >>= 1) {
            enclosed |= square;
        }
    }
    return enclosed;
}

/* Squares of the line where the arrival of a man of `own` would enclose somebody: the two ways
 * along the line, each a flood through enemies that starts beside own men. */
static inline unsigned line_enclosing(unsigned own, unsigned enemy)
{
    if (((own << 1 | own >> 1) & enemy) == 0) {
        return 0;
    }
    const unsigned up = enemy + (own << 1 & enemy);
    const unsigned pairs = enemy & enemy >> 1;
    const unsigned fours = pairs & pairs >> 2;
    unsigned down = own >> 1 & enemy;

    down |= down >> 1 & enemy;
    down |= down >> 2 & pairs;
    down |= down >> 4 & fours;
    return (up | down >> 1) & ~(own | enemy) & LINE_FULL;
}

#endif

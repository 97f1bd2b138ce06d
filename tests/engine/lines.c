/* The words of nine squares that everything else is made of, against plain loops over all cases. */

#include "engine/bitboard.h"

#include <criterion/criterion.h>
#include <stdbool.h>

static unsigned slow_reach(unsigned occupied, int at);
static unsigned slow_enclosed(unsigned own, unsigned enemy, int at);
static bool has(unsigned line, int at);

Test(lines, a_man_reaches_the_empty_squares_up_to_the_next_man)
{
    for (unsigned occupied = 0; occupied <= LINE_FULL; occupied++) {
        for (int at = 0; at < LINE_SQUARES; at++) {
            if (has(occupied, at)) {
                cr_assert_eq(line_reach(occupied, (unsigned)at), slow_reach(occupied, at));
            }
        }
    }
}

Test(lines, the_mobility_of_a_line_is_what_its_men_reach)
{
    for (unsigned own = 0; own <= LINE_FULL; own++) {
        for (unsigned enemy = 0; enemy <= LINE_FULL; enemy++) {
            unsigned moves = 0;

            if ((own & enemy) != 0) {
                continue;
            }
            for (int at = 0; at < LINE_SQUARES; at++) {
                if (has(own, at)) {
                    moves += (unsigned)__builtin_popcount(slow_reach(own | enemy, at));
                }
            }
            cr_assert_eq(line_mobility(own, own | enemy), moves);
        }
    }
}

Test(lines, an_arrival_encloses_runs_that_end_at_own_men)
{
    for (unsigned own = 0; own <= LINE_FULL; own++) {
        for (unsigned enemy = 0; enemy <= LINE_FULL; enemy++) {
            for (int at = 0; (own & enemy) == 0 && at < LINE_SQUARES; at++) {
                if (has(own, at)) {
                    cr_assert_eq(line_enclosed(own, enemy, (unsigned)at),
                                 slow_enclosed(own, enemy, at));
                }
            }
        }
    }
}

Test(lines, the_enclosing_squares_are_those_where_an_arrival_encloses)
{
    for (unsigned own = 0; own <= LINE_FULL; own++) {
        for (unsigned enemy = 0; enemy <= LINE_FULL; enemy++) {
            for (int at = 0; (own & enemy) == 0 && at < LINE_SQUARES; at++) {
                const bool enclosing =
                    !has(own | enemy, at) && slow_enclosed(own | 1u << at, enemy, at) != 0;

                cr_assert_eq(has(line_enclosing(own, enemy), at), enclosing);
            }
        }
    }
}

Test(lines, between_leaves_out_both_ends)
{
    cr_expect_eq(line_between(0, 8), 0xFE);
    cr_expect_eq(line_between(8, 0), 0xFE);
    cr_expect_eq(line_between(3, 4), 0);
    cr_expect_eq(line_between(5, 3), 0x10);
}

static unsigned slow_reach(unsigned occupied, int at)
{
    unsigned reach = 0;

    for (int i = at + 1; i < LINE_SQUARES && !has(occupied, i); i++) {
        reach |= 1u << i;
    }
    for (int i = at - 1; i >= 0 && !has(occupied, i); i--) {
        reach |= 1u << i;
    }
    return reach;
}

static unsigned slow_enclosed(unsigned own, unsigned enemy, int at)
{
    unsigned enclosed = 0;

    for (int step = -1; step <= 1; step += 2) {
        unsigned run = 0;
        int i = at + step;

        for (; i >= 0 && i < LINE_SQUARES && has(enemy, i); i += step) {
            run |= 1u << i;
        }
        if (i >= 0 && i < LINE_SQUARES && has(own, i)) {
            enclosed |= run;
        }
    }
    return enclosed;
}

static bool has(unsigned line, int at)
{
    return (line >> at & 1u) != 0;
}

#ifndef MATCH_OUTCOMES_H
#define MATCH_OUTCOMES_H

/*
 * What each outcome of a running game would do to a rating, by the function that rates real
 * results. Threads: pure, any.
 */

#include "explanation.h"
#include "result.h"

/* For the seat, the best first: win, draw, loss where there are two sides; of more sides each place
 * with the others in the order of their ratings. `now` is of all seats, places are not looked at.
 * How many. */
size_t outcomes_of_seat(const struct game_rules *rules, const struct game_options *options,
                        const struct rated_seat *now, uint8_t seat_no,
                        struct explained_outcome outcomes[EXPLANATION_OUTCOMES_MAX]);

#endif

#ifndef MATCH_CHOICE_H
#define MATCH_CHOICE_H

/*
 * The move that the CPU makes: the best one at a look of one ply, by the game's own evaluation, and
 * among equals any.
 *
 * Threads: pure but for the injected chance and clock. Ownership: everything borrowed.
 */

#include "env.h"
#include "line.h"

/* What a choice may cost; what was not looked at by then is not chosen. */
struct choice_budget {
    size_t nodes; /* at least 1 */
    int64_t time_ms;
};

enum choice { CHOICE_MADE, CHOICE_NONE, CHOICE_NO_MEMORY };
/* For the seat on turn. CHOICE_NONE: there is no legal move, which no running game is like. */
enum choice choice_make(const struct match_env *env, const struct choice_budget *budget,
                        const struct game_line *line, struct move *move);

#endif

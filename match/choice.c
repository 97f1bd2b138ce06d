#include "choice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DECIDED = 1 << 24 }; /* more than any evaluation */

/* Everything that the looks at one position share. */
struct look {
    const struct game_line *line;
    int seat;
    struct history_entry *history; /* of the line, with room for one more */
};

/* What a decided game is worth: for each seat behind, less each one ahead. */
static int32_t decided_value(const struct game_rules *rules, const struct outcome *outcome,
                             int seat)
{
    int32_t value = 0;
    for (int i = 0; i < rules->seat_count; i++) {
        value += outcome->places[i] > outcome->places[seat];
        value -= outcome->places[i] < outcome->places[seat];
    }
    return value * DECIDED;
}

static int32_t value_of(const struct look *look, struct move move)
{
    const struct game_line *line = look->line;
    const struct game_rules *rules = line->rules;
    struct position after;
    struct ply_effects effects;
    struct outcome outcome;
    rules->play(&line->position, &line->options, move, &after, &effects);
    look->history[line->ply + 1] =
        (struct history_entry){rules->hash(&after), (int8_t)look->seat, effects.gave_new_check};
    struct history history = {look->history, (size_t)line->ply + 2};
    rules->outcome(&after, &line->options, &history, &outcome);
    return outcome.reason == END_NONE ? rules->evaluate(&after, &line->options, look->seat)
                                      : decided_value(rules, &outcome, look->seat);
}

/* From a place that is drawn, so that a budget that ends early favours no part of the list. The
 * best come to the front of it. */
static size_t gather_best(const struct match_env *env, const struct choice_budget *budget,
                          const struct look *look, const struct move_list *moves,
                          struct move_list *best)
{
    int64_t until_ms = env_steady_ms(env) + budget->time_ms;
    size_t from = env_draw(env, (uint32_t)moves->count);
    int32_t top = INT32_MIN;
    best->count = 0;
    for (size_t i = 0; i < moves->count && i < budget->nodes; i++) {
        if (i > 0 && env_steady_ms(env) > until_ms) {
            break;
        }
        struct move move = moves->at[(from + i) % moves->count];
        int32_t value = value_of(look, move);
        if (value > top) {
            top = value;
            best->count = 0;
        }
        if (value == top) {
            best->at[best->count++] = move;
        }
    }
    return best->count;
}

enum choice choice_make(const struct match_env *env, const struct choice_budget *budget,
                        const struct game_line *line, struct move *move)
{
    const struct game_rules *rules = line->rules;
    struct history history = line_history(line);
    struct look look = {.line = line, .seat = rules->turn(&line->position)};
    struct move_list moves;
    struct move_list best;
    assert(budget->nodes >= 1);
    rules->legal_moves(&line->position, &line->options, &history, &moves);
    if (moves.count == 0) {
        return CHOICE_NONE;
    }
    look.history = calloc(history.count + 1, sizeof *look.history);
    if (look.history == NULL) {
        return CHOICE_NO_MEMORY;
    }
    memcpy(look.history, history.at, history.count * sizeof *look.history);
    size_t count = gather_best(env, budget, &look, &moves, &best);
    *move = best.at[env_draw(env, (uint32_t)count)];
    free(look.history);
    return CHOICE_MADE;
}

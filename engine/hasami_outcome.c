#include "hasami_board.h"

static bool limit_reached(const struct hasami_position *position,
                          const struct game_options *options);
static bool repeated(const struct position *position, const struct history *history);
static void decide(struct outcome *outcome, enum end_reason reason, unsigned winner);
static void draw(struct outcome *outcome, enum end_reason reason);

bool hasami_captured_enough(const struct hasami_position *position,
                            const struct game_options *options, unsigned seat)
{
    const int captured = HASAMI_MEN - position->men[seat ^ 1u];
    const int lost = HASAMI_MEN - position->men[seat];

    switch ((enum hasami_win)options->value[HASAMI_WIN_CONDITION]) {
    case HASAMI_CAPTURE_5: return captured >= 5;
    case HASAMI_LEAD_3: return captured - lost >= 3;
    case HASAMI_CAPTURE_ALL: return captured == HASAMI_MEN;
    }
    assert(false);
    return false;
}

bool hasami_over(const struct position *position, const struct game_options *options,
                 const struct history *history)
{
    const struct hasami_position *hasami = &position->as.hasami;

    return hasami_captured_enough(hasami, options, hasami->turn ^ 1u) ||
           limit_reached(hasami, options) || repeated(position, history);
}

/* R26: what the mover took comes first, then immobility, repetition, and the limit last. */
void hasami_outcome(const struct position *position, const struct game_options *options,
                    const struct history *history, struct outcome *outcome)
{
    const struct hasami_position *hasami = &position->as.hasami;
    const unsigned mover = hasami->turn ^ 1u;

    assert(mover < HASAMI_SEATS);
    *outcome = (struct outcome){.reason = END_NONE};
    if (hasami_captured_enough(hasami, options, mover)) {
        decide(outcome, END_CAPTURE, mover);
    } else if (hasami_mobility(hasami) == 0) {
        decide(outcome, END_IMMOBILE, mover);
    } else if (repeated(position, history)) {
        draw(outcome, END_REPETITION);
    } else if (limit_reached(hasami, options)) {
        draw(outcome, END_MOVE_LIMIT);
    }
}

void hasami_resign(const struct position *position, int seat, struct outcome *outcome)
{
    assert(position != NULL);
    assert(seat == 0 || seat == 1);
    decide(outcome, END_RESIGN, (unsigned)seat ^ 1u);
}

static bool limit_reached(const struct hasami_position *position,
                          const struct game_options *options)
{
    const unsigned limit = options->value[HASAMI_MOVE_LIMIT];

    return limit != 0 && position->ply >= limit;
}

/* R28: the start counts, appearances need not be consecutive, nobody has to claim. */
static bool repeated(const struct position *position, const struct history *history)
{
    unsigned appearances = 0;

    if (history == NULL || history->count == 0) {
        return false;
    }
    const uint64_t now = history->at[history->count - 1].key;
    assert(now == hasami_hash(position));
    for (size_t i = 0; i < history->count; i++) {
        appearances += history->at[i].key == now;
    }
    return appearances >= RULES_REPETITIONS;
}

static void decide(struct outcome *outcome, enum end_reason reason, unsigned winner)
{
    assert(winner < HASAMI_SEATS);
    *outcome = (struct outcome){.reason = reason};
    outcome->places[winner] = 1;
    outcome->places[winner ^ 1u] = 2;
}

static void draw(struct outcome *outcome, enum end_reason reason)
{
    assert(reason == END_REPETITION || reason == END_MOVE_LIMIT);
    *outcome = (struct outcome){
        .reason = reason, .places = {1, 1}
    };
}

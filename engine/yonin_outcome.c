#include "yonin_board.h"

/* How a game ends, and in which order its seats come in (rules 27 to 35). */

/* --- repetition ----------------------------------------------------------------------------------
 */

size_t yonin_occurrences(const struct history *history, uint64_t key)
{
    size_t times = 0;
    for (size_t i = 0; i < history->count; i++) {
        times += history->at[i].key == key;
    }
    return times;
}

/* Whether all that a seat has moved since a position was first there gave a new check to somebody;
 * *moved: it has moved at all. */
static bool checks_since(const struct history *history, uint64_t key, int seat, bool *moved)
{
    size_t i = 0;
    *moved = false;
    while (i < history->count && history->at[i].key != key) {
        i++;
    }
    for (i++; i < history->count; i++) {
        if (history->at[i].mover == seat) {
            *moved = true;
            if (!history->at[i].gave_new_check) {
                return false;
            }
        }
    }
    return true;
}

bool yonin_is_perpetual(const struct history *history, unsigned seat, uint64_t key,
                        bool gives_new_check)
{
    bool moved = false;
    return gives_new_check && yonin_occurrences(history, key) + 1 >= RULES_REPETITIONS &&
           checks_since(history, key, (int)seat, &moved);
}

/* Rule 34, and what keeps it from ending the game (35 iii): a perpetual checker other than whoever
 * moved last. That one could only make the move because nothing else was left (35 iv). */
static bool repeated(const struct yonin_position *position, const struct history *history)
{
    if (history == NULL || history->count == 0) {
        return false;
    }
    const struct history_entry *now = &history->at[history->count - 1];
    if (yonin_occurrences(history, now->key) < RULES_REPETITIONS) {
        return false;
    }
    bool others = false;
    for (int seat = 0; seat < YONIN_SEATS; seat++) {
        bool moved = false;
        const bool perpetual = yonin_alive(position, (unsigned)seat) &&
                               checks_since(history, now->key, seat, &moved) && moved;
        if (perpetual && seat == now->mover) {
            return true;
        }
        others = others || perpetual;
    }
    return !others;
}

/* --- places --------------------------------------------------------------------------------------
 */

/* Which of its mates came last: 1 for the first elimination of the game; 0: none. */
static unsigned latest_mate(const struct yonin_position *position, unsigned seat)
{
    unsigned latest = 0;
    for (unsigned i = 0; i < position->mate_count; i++) {
        if (position->mates[i].credited == (int)seat) {
            latest = i + 1;
        }
    }
    return latest;
}

/* Rule 28; at the move limit without its last part (rule 31). */
static unsigned merit(const struct yonin_position *position, unsigned seat, enum end_reason reason)
{
    enum { PIECES = 64, ORDERS = YONIN_MATES_MAX + 1 };
    const unsigned order = reason == END_MOVE_LIMIT ? 0 : latest_mate(position, seat);
    return (yonin_mates_of(position, seat) * PIECES + yonin_total(position, seat)) * ORDERS + order;
}

static void place_survivors(const struct yonin_position *position, struct outcome *outcome)
{
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        if (!yonin_alive(position, seat)) {
            continue;
        }
        const unsigned own = merit(position, seat, outcome->reason);
        unsigned better = 0;
        for (unsigned other = 0; other < YONIN_SEATS; other++) {
            better += yonin_alive(position, other) && merit(position, other, outcome->reason) > own;
        }
        outcome->places[seat] = (uint8_t)(better + 1);
    }
}

/* Rule 29: behind all survivors, the later the better. */
static void place_eliminated(const struct yonin_position *position, struct outcome *outcome)
{
    for (unsigned i = 0; i < position->mate_count; i++) {
        outcome->places[position->mates[i].victim] = (uint8_t)(YONIN_SEATS - i);
    }
}

static void place_teams(const struct yonin_position *position, struct outcome *outcome)
{
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        const bool lost =
            position->mate_count > 0 && (unsigned)position->mates[0].victim % 2 == seat % 2;
        outcome->places[seat] = lost ? 3 : 1;
    }
}

/* --- the outcome ---------------------------------------------------------------------------------
 */

static enum end_reason reason_of(const struct yonin_position *position,
                                 const struct game_options *options, const struct history *history)
{
    const uint32_t limit = options->value[YONIN_MOVE_LIMIT];
    if (yonin_ended(position, options)) {
        if (yonin_pairs(options)) {
            return END_TEAM_MATE;
        }
        return options->value[YONIN_ENDING] == YONIN_TWO_MATES ? END_MATES : END_LAST_SURVIVOR;
    }
    if (repeated(position, history)) {
        return END_REPETITION;
    }
    return limit != 0 && position->ply >= limit ? END_MOVE_LIMIT : END_NONE;
}

void yonin_outcome(const struct position *position, const struct game_options *options,
                   const struct history *history, struct outcome *outcome)
{
    const struct yonin_position *yonin = &position->as.yonin;
    *outcome = (struct outcome){.reason = reason_of(yonin, options, history)};
    if (outcome->reason == END_NONE) {
        return;
    }
    if (yonin_pairs(options)) {
        place_teams(yonin, outcome);
    } else {
        place_survivors(yonin, outcome);
        place_eliminated(yonin, outcome);
    }
}

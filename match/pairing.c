#include "pairing.h"

#include "pairing_parts.h"

#include <assert.h>
#include <stdlib.h>

/* --- windows -------------------------------------------------------------------------------------
 */

enum {
    FIRST_MILLI = 100 * 1000,
    SECOND_MILLI = 400 * 1000,
    SECOND_FROM_MS = 30 * 1000,
    FIRST_SLOPE = 10, /* points a second are thousandths a millisecond */
    SECOND_SLOPE = 20,
};
static_assert(FIRST_MILLI + FIRST_SLOPE * SECOND_FROM_MS == SECOND_MILLI, "no jump at 30 seconds");

int64_t pairing_window(int64_t waited_ms)
{
    if (waited_ms >= PAIRING_OPEN_MS) {
        return PAIRING_UNBOUNDED;
    }
    if (waited_ms > SECOND_FROM_MS) {
        return SECOND_MILLI + SECOND_SLOPE * (waited_ms - SECOND_FROM_MS);
    }
    return FIRST_MILLI + (waited_ms < 0 ? 0 : FIRST_SLOPE * waited_ms);
}

int64_t pairing_opens_after(int64_t gap_milli)
{
    if (gap_milli <= FIRST_MILLI) {
        return 0;
    }
    if (gap_milli <= SECOND_MILLI) {
        return (gap_milli - FIRST_MILLI + FIRST_SLOPE - 1) / FIRST_SLOPE;
    }
    int64_t beyond = (gap_milli - SECOND_MILLI) / SECOND_SLOPE;
    if (beyond >= PAIRING_OPEN_MS - SECOND_FROM_MS) {
        return PAIRING_OPEN_MS;
    }
    return SECOND_FROM_MS + (gap_milli - SECOND_MILLI + SECOND_SLOPE - 1) / SECOND_SLOPE;
}

uint64_t pairing_set(const int64_t *players, size_t count)
{
    int64_t sorted[PAIRING_SEATS_MAX] = {0};
    uint64_t set = UINT64_C(0x9e3779b97f4a7c15);
    assert(count <= PAIRING_SEATS_MAX);
    for (size_t i = 0; i < count; i++) {
        size_t j = i;
        for (; j > 0 && sorted[j - 1] > players[i]; j--) {
            sorted[j] = sorted[j - 1];
        }
        sorted[j] = players[i];
    }
    for (size_t i = 0; i < count; i++) {
        set = (set ^ (uint64_t)sorted[i]) * UINT64_C(0xff51afd7ed558ccd);
        set ^= set >> 32;
    }
    return set == 0 ? 1 : set;
}

/* --- the line ------------------------------------------------------------------------------------
 */

struct rated {
    uint64_t above; /* how far the rating is above the lowest one */
    uint32_t unit;
};

/* By digits, the lowest first: a comparing sort took a quarter of a round. Equal ones stay in order
 * of age. `spare` is room for as many; returns whichever of both they are in. */
static struct rated *sort_rated(struct rated *rated, struct rated *spare, size_t count,
                                uint64_t highest)
{
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 64 };
    for (unsigned shift = 0; shift < KEY_BITS && highest >> shift != 0; shift += DIGIT_BITS) {
        size_t begins[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++) {
            begins[(rated[i].above >> shift) % DIGITS + 1]++;
        }
        for (size_t i = 1; i < DIGITS; i++) {
            begins[i] += begins[i - 1];
        }
        for (size_t i = 0; i < count; i++) {
            spare[begins[(rated[i].above >> shift) % DIGITS]++] = rated[i];
        }
        struct rated *sorted = spare;
        spare = rated;
        rated = sorted;
    }
    return rated;
}

static void line_fill(struct pairing_line *line, const struct pairing_unit *units,
                      const struct rated *sorted)
{
    for (size_t i = 0; i < line->count; i++) {
        uint32_t place = (uint32_t)i + 1;
        struct pairing_unit *unit = &line->units[place];
        *unit = units[sorted[i].unit];
        unit->window_milli = pairing_window(line->round->now_ms - unit->created_at_ms);
        unit->age = sorted[i].unit;
        unit->before = place - 1;
        unit->after = place < line->count ? place + 1 : 0;
        line->by_age[unit->age] = place;
    }
}

/* From the order of age into that of rating. */
static bool line_order(struct pairing_line *line, const struct pairing_unit *units)
{
    struct rated *rated = calloc(2 * line->count + 1, sizeof *rated);
    int64_t lowest = INT64_MAX;
    uint64_t highest = 0;
    if (rated == NULL) {
        return false;
    }
    for (size_t i = 0; i < line->count; i++) {
        lowest = units[i].rating_milli < lowest ? units[i].rating_milli : lowest;
    }
    for (size_t i = 0; i < line->count; i++) {
        uint64_t above = (uint64_t)(units[i].rating_milli - lowest);
        rated[i] = (struct rated){above, (uint32_t)i};
        highest = above > highest ? above : highest;
    }
    line_fill(line, units, sort_rated(rated, rated + line->count, line->count, highest));
    free(rated);
    return true;
}

static bool line_init(struct pairing_line *line, struct pairing_round *round)
{
    assert(round->count < UINT32_MAX);
    struct pairing_unit *units = calloc(round->count + 1, sizeof *units);
    *line = (struct pairing_line){
        .round = round,
        .units = calloc(round->count + 1, sizeof *line->units),
        .by_age = calloc(round->count + 1, sizeof *line->by_age),
    };
    bool ready = units != NULL && line->units != NULL && line->by_age != NULL &&
                 pairing_units(round, units, &line->count) && line_order(line, units);
    free(units);
    return ready;
}

static void line_close(struct pairing_line *line)
{
    free(line->by_age);
    free(line->units);
}

static void line_leave(struct pairing_line *line, uint32_t place)
{
    struct pairing_unit *unit = &line->units[place];
    assert(place != 0 && !unit->gone);
    unit->gone = true;
    if (unit->before != 0) {
        line->units[unit->before].after = unit->after;
    }
    if (unit->after != 0) {
        line->units[unit->after].before = unit->before;
    }
}

/* --- the round -----------------------------------------------------------------------------------
 */

/* In order of age. */
static void list_members(const struct pairing_board *board, struct pairing_group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < board->count; i++) {
        assert(board->units[i]->size == 1);
        size_t member = board->units[i]->members[0];
        size_t j = count++;
        for (; j > 0 && group->members[j - 1] > member; j--) {
            group->members[j] = group->members[j - 1];
        }
        group->members[j] = member;
    }
}

static void seat(struct pairing_line *line, const struct pairing_board *board)
{
    struct pairing_round *round = line->round;
    assert(round->group_count < round->count / round->seats);
    struct pairing_group *group = &round->groups[round->group_count++];
    group->spread_milli = board->highest_milli - board->lowest_milli;
    if (round->pairs) {
        pairing_split(round, board, group);
    } else {
        list_members(board, group);
    }
    for (size_t i = 0; i < board->count; i++) {
        line_leave(line, line->by_age[board->units[i]->age]);
    }
}

static void foretell(struct pairing_line *line, const struct pairing_unit *unit,
                     int64_t opens_at_ms)
{
    for (size_t i = 0; i < unit->size && line->round->opens_at_ms != NULL; i++) {
        line->round->opens_at_ms[unit->members[i]] = opens_at_ms;
    }
}

/* Whoever has waited for long keeps those free who will be the first to accept it. */
static void claim(struct pairing_line *line, const struct pairing_unit *oldest)
{
    struct pairing_board board;
    int64_t opens_at_ms = pairing_board_opens(line, oldest, &board);
    for (size_t i = 0; opens_at_ms != 0 && i < board.count; i++) {
        foretell(line, board.units[i], opens_at_ms);
        line->units[line->by_age[board.units[i]->age]].held = true;
    }
}

static void turn_of(struct pairing_line *line, const struct pairing_unit *oldest)
{
    struct pairing_board board;
    if (pairing_board_find(line, oldest, &board)) {
        seat(line, &board);
    } else if (line->round->now_ms - oldest->created_at_ms >= PAIRING_CLAIM_MS) {
        claim(line, oldest);
    }
}

bool pairing_round(struct pairing_round *round)
{
    struct pairing_line line;
    assert(round->seats >= 2 && round->seats <= PAIRING_SEATS_MAX);
    assert(!round->pairs || round->seats == (size_t)2 * PAIRING_PAIR);
    round->group_count = 0;
    round->looks = 0;
    for (size_t i = 0; round->opens_at_ms != NULL && i < round->count; i++) {
        round->opens_at_ms[i] = 0;
    }
    bool ready = line_init(&line, round);
    for (size_t i = 0; ready && i < line.count; i++) {
        const struct pairing_unit *oldest = &line.units[line.by_age[i]];
        if (!oldest->gone && !oldest->held) {
            turn_of(&line, oldest);
        }
    }
    for (size_t i = 1; ready && round->opens_at_ms != NULL && i <= line.count; i++) {
        struct pairing_board board;
        const struct pairing_unit *unit = &line.units[i];
        if (!unit->gone && !unit->held) {
            foretell(&line, unit, pairing_board_opens(&line, unit, &board));
        }
    }
    line_close(&line);
    return ready;
}

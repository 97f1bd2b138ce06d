/* The best board for one who waits, among those whose ratings are nearest. */

#include "pairing_parts.h"

#include <assert.h>
#include <stdlib.h>

enum {
    SIDES = 2,
    /* Acceptable neighbours a side that are put together: first as many as fill a board by
     * themselves, which is enough in a crowd; then, where they do not fit together, more. */
    FEW = PAIRING_SEATS_MAX - 1,
    MANY = 12,
    CANDIDATES_MAX = SIDES * PAIRING_PAIR * MANY,
    OTHERS_LOOKED_AT = 64,
};

struct search {
    struct pairing_line *line;
    const struct pairing_unit *first;
    const struct pairing_unit *candidates[CANDIDATES_MAX];
    size_t count;
    int64_t seen_milli; /* nobody nearer than this was left out */
    bool by_time;       /* when boards fit, rather than which fits now */
    bool found;
    struct pairing_board best;
    int64_t opens_at_ms;
};

static int64_t gap_of(const struct pairing_unit *a, const struct pairing_unit *b)
{
    return llabs(a->rating_milli - b->rating_milli);
}

static bool accept(const struct pairing_unit *a, const struct pairing_unit *b)
{
    return gap_of(a, b) <= a->window_milli && gap_of(a, b) <= b->window_milli;
}

static const struct pairing_unit *unit_at(struct pairing_line *line, uint32_t place)
{
    assert(place != 0);
    line->round->looks++;
    return &line->units[place];
}

/* --- who avoids whom -----------------------------------------------------------------------------
 */

static bool avoids(const struct pairing_line *line, const struct pairing_ticket *ticket,
                   const struct pairing_unit *other)
{
    const struct pairing_ticket *tickets = line->round->tickets;
    if (line->round->now_ms - ticket->created_at_ms >= PAIRING_AVOID_MS) {
        return false;
    }
    for (size_t i = 0; i < PAIRING_LAST_MAX && ticket->last[i] != 0; i++) {
        for (size_t j = 0; j < other->size; j++) {
            if (tickets[other->members[j]].player_no == ticket->last[i]) {
                return true;
            }
        }
    }
    return false;
}

static bool sits(const struct pairing_board *board, const struct pairing_unit *unit)
{
    for (size_t i = 0; i < board->count; i++) {
        if (board->units[i] == unit) {
            return true;
        }
    }
    return false;
}

/* Whether somebody who is not at the board would do for this unit's ticket. */
static bool has_another(struct pairing_line *line, const struct pairing_unit *unit,
                        const struct pairing_ticket *ticket, const struct pairing_board *board)
{
    uint32_t down = unit->before;
    uint32_t up = unit->after;
    for (size_t i = 0; i < OTHERS_LOOKED_AT && (down != 0 || up != 0); i++) {
        uint32_t *place = down == 0 || (up != 0 && i % SIDES == 0) ? &up : &down;
        const struct pairing_unit *other = unit_at(line, *place);
        if (accept(unit, other) && !sits(board, other) && !avoids(line, ticket, other)) {
            return true;
        }
        *place = place == &up ? other->after : other->before;
        *place = gap_of(unit, other) > unit->window_milli ? 0 : *place;
    }
    return false;
}

/* Whether a ticket of this unit meets again whom it avoids, although it need not. */
static bool is_against(struct pairing_line *line, const struct pairing_unit *unit,
                       struct pairing_board *board)
{
    for (size_t i = 0; i < unit->size; i++) {
        const struct pairing_ticket *ticket = &line->round->tickets[unit->members[i]];
        bool meets = false;
        for (size_t j = 0; j < board->count; j++) {
            meets = meets || (board->units[j] != unit && avoids(line, ticket, board->units[j]));
        }
        board->second_choice = board->second_choice || meets;
        if (meets && has_another(line, unit, ticket, board)) {
            return true;
        }
    }
    return false;
}

/* False: somebody at the board shall wait for somebody else. */
static bool may_meet(struct pairing_line *line, struct pairing_board *board)
{
    for (size_t i = 0; i < board->count; i++) {
        const struct pairing_unit *unit = board->units[i];
        uint64_t others = 0;
        for (size_t j = 0; j < board->count; j++) {
            others |= j == i ? 0 : board->units[j]->players;
        }
        if ((unit->last & others) != 0 && is_against(line, unit, board)) {
            return false;
        }
    }
    return true;
}

static bool is_over_limit(const struct pairing_line *line, const struct pairing_board *board)
{
    const struct pairing_ticket *tickets = line->round->tickets;
    const uint64_t *over = tickets[board->units[0]->members[0]].over;
    int64_t players[PAIRING_SEATS_MAX];
    size_t count = 0;
    if (!board->units[0]->has_over) {
        return false;
    }
    for (size_t i = 0; i < board->count; i++) {
        for (size_t j = 0; j < board->units[i]->size; j++) {
            players[count++] = tickets[board->units[i]->members[j]].player_no;
        }
    }
    uint64_t set = pairing_set(players, count);
    for (size_t i = 0; i < PAIRING_OVER_MAX && over[i] != 0; i++) {
        if (over[i] == set) {
            return true;
        }
    }
    return false;
}

/* --- boards --------------------------------------------------------------------------------------
 */

static int64_t spread_of(const struct pairing_board *board)
{
    return board->highest_milli - board->lowest_milli;
}

static void sit(const struct pairing_board *board, const struct pairing_unit *unit,
                struct pairing_board *longer)
{
    *longer = *board;
    longer->units[longer->count++] = unit;
    longer->players += unit->size;
    longer->age += unit->age;
    longer->lowest_milli =
        unit->rating_milli < board->lowest_milli ? unit->rating_milli : board->lowest_milli;
    longer->highest_milli =
        unit->rating_milli > board->highest_milli ? unit->rating_milli : board->highest_milli;
    longer->window_milli =
        unit->window_milli < board->window_milli ? unit->window_milli : board->window_milli;
}

static bool is_better(const struct pairing_board *board, const struct pairing_board *than)
{
    if (board->second_choice != than->second_choice) {
        return than->second_choice;
    }
    if (spread_of(board) != spread_of(than)) {
        return spread_of(board) < spread_of(than);
    }
    return board->age < than->age;
}

static void consider(struct search *search, struct pairing_board *board)
{
    if (search->found && !is_better(board, &search->best)) {
        return;
    }
    if (!may_meet(search->line, board)) {
        return;
    }
    board->second_choice = board->second_choice || is_over_limit(search->line, board);
    if (!search->found || is_better(board, &search->best)) {
        search->best = *board;
        search->found = true;
    }
}

static void consider_time(struct search *search, const struct pairing_board *board)
{
    int64_t after_ms = pairing_opens_after(spread_of(board));
    int64_t opens_at_ms = 0;
    for (size_t i = 0; i < board->count; i++) {
        int64_t at_ms = board->units[i]->created_at_ms + after_ms;
        opens_at_ms = at_ms > opens_at_ms ? at_ms : opens_at_ms;
    }
    if (!search->found || opens_at_ms < search->opens_at_ms) {
        search->opens_at_ms = opens_at_ms;
        search->best = *board;
        search->found = true;
    }
}

/* Every way to fill the board with candidates from this one on; three deep at most. */
static void fill(struct search *search, const struct pairing_board *board, size_t from)
{
    size_t seats = search->line->round->seats;
    for (size_t i = from; i < search->count; i++) {
        const struct pairing_unit *unit = search->candidates[i];
        struct pairing_board longer;
        if (board->players + unit->size > seats) {
            continue;
        }
        sit(board, unit, &longer);
        search->line->round->looks++;
        if (!search->by_time && (spread_of(&longer) > longer.window_milli ||
                                 (search->found && !search->best.second_choice &&
                                  spread_of(&longer) > spread_of(&search->best)))) {
            continue;
        }
        if (longer.players < seats) {
            fill(search, &longer, i + 1);
        } else if (search->by_time) {
            consider_time(search, &longer);
        } else {
            consider(search, &longer);
        }
    }
}

/* --- candidates ----------------------------------------------------------------------------------
 */

/* The nearest that wait on one side: so many of each size, but nobody beyond those who could fill
 * the board by themselves. */
static void gather(struct search *search, bool upwards, size_t each)
{
    size_t wanted[PAIRING_PAIR] = {each, each};
    const struct pairing_unit *first = search->first;
    uint32_t place = upwards ? first->after : first->before;
    while (place != 0 && wanted[0] > 0 && (wanted[1] > 0 || first->size == 1)) {
        const struct pairing_unit *unit = unit_at(search->line, place);
        size_t *left = &wanted[unit->size - 1];
        if (!search->by_time && gap_of(first, unit) > first->window_milli) {
            return;
        }
        if (*left > 0 && !unit->held && (search->by_time || accept(first, unit))) {
            assert(search->count < CANDIDATES_MAX);
            search->candidates[search->count++] = unit;
            if (--*left == 0 && gap_of(first, unit) < search->seen_milli) {
                search->seen_milli = gap_of(first, unit);
            }
        }
        place = upwards ? unit->after : unit->before;
    }
}

static void search_among(struct search *search, size_t each)
{
    const struct pairing_unit *first = search->first;
    const struct pairing_board none = {
        .lowest_milli = first->rating_milli,
        .highest_milli = first->rating_milli,
        .window_milli = first->window_milli,
    };
    struct pairing_board board;
    sit(&none, first, &board);
    search->count = 0;
    search->seen_milli = INT64_MAX;
    search->found = false;
    gather(search, false, each);
    gather(search, true, each);
    fill(search, &board, 0);
}

bool pairing_board_find(struct pairing_line *line, const struct pairing_unit *first,
                        struct pairing_board *board)
{
    struct search search = {.line = line, .first = first};
    search_among(&search, FEW);
    /* With any of those who were left out, a board has a spread of what was seen at least. */
    if (!search.found || search.best.second_choice || spread_of(&search.best) > search.seen_milli) {
        search_among(&search, MANY);
    }
    *board = search.best;
    return search.found;
}

int64_t pairing_board_opens(struct pairing_line *line, const struct pairing_unit *first,
                            struct pairing_board *board)
{
    struct search search = {.line = line, .first = first, .by_time = true};
    search_among(&search,
                 line->round->now_ms - first->created_at_ms < PAIRING_CLAIM_MS ? FEW : MANY);
    *board = search.best;
    return search.found ? search.opens_at_ms : 0;
}

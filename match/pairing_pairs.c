#include "pairing.h"

#include <assert.h>
#include <stdlib.h>

enum { PAIR = 2, SEATS = 2 * PAIR };

/* One player alone, or two who named each other. */
struct unit {
    size_t members[PAIR];
    size_t size;
    int64_t rating_milli; /* of two, the mean */
    bool taken;
};

/* What sits at one board so far: units in the order in which they were taken. */
struct board {
    struct unit *units[SEATS];
    size_t count;
    int64_t distance; /* of all players from the first unit's rating */
};

static size_t partner_of(const struct pairing_ticket *tickets, size_t count, size_t of)
{
    for (size_t i = 0; i < count; i++) {
        if (i != of && tickets[i].player_no == tickets[of].partner_no &&
            tickets[i].partner_no == tickets[of].player_no) {
            return i;
        }
    }
    return count;
}

/* In order of the older member. */
static size_t make_units(const struct pairing_ticket *tickets, size_t count, struct unit *units)
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (tickets[i].partner_no == 0) {
            units[made++] = (struct unit){{i}, 1, tickets[i].rating_milli, false};
            continue;
        }
        size_t partner = partner_of(tickets, count, i);
        if (partner != count && i < partner) {
            int64_t mean = (tickets[i].rating_milli + tickets[partner].rating_milli) / PAIR;
            units[made++] = (struct unit){
                {i, partner},
                PAIR, mean, false
            };
        }
    }
    return made;
}

/* The older one of two equally near; NULL: none is left. */
static struct unit *nearest(struct unit *units, size_t count, size_t size, int64_t rating_milli)
{
    struct unit *best = NULL;
    for (size_t i = 0; i < count; i++) {
        struct unit *unit = &units[i];
        if (!unit->taken && unit->size == size &&
            (best == NULL ||
             llabs(unit->rating_milli - rating_milli) < llabs(best->rating_milli - rating_milli))) {
            best = unit;
        }
    }
    return best;
}

/* The nearest units of these sizes (up to a 0) beside `first`. */
static bool fill(struct unit *units, size_t count, struct unit *first, const size_t *sizes,
                 struct board *board)
{
    *board = (struct board){{first}, 1, 0};
    first->taken = true;
    bool full = true;
    for (; *sizes != 0 && full; sizes++) {
        struct unit *unit = nearest(units, count, *sizes, first->rating_milli);
        full = unit != NULL;
        if (full) {
            unit->taken = true;
            board->units[board->count++] = unit;
            board->distance +=
                (int64_t)unit->size * llabs(unit->rating_milli - first->rating_milli);
        }
    }
    for (size_t i = 0; i < board->count; i++) {
        board->units[i]->taken = false;
    }
    return full;
}

/* Of the ways to fill the board beside `first`, the one whose players are nearest to it. */
static bool seat(struct unit *units, size_t count, struct unit *first, struct board *best)
{
    static const size_t beside_one[][SEATS] = {
        {1, 1, 1},
        {1, PAIR }
    };
    static const size_t beside_pair[][SEATS] = {
        {PAIR},
        { 1,   1}
    };
    const size_t(*ways)[SEATS] = first->size == PAIR ? beside_pair : beside_one;
    bool found = false;
    best->distance = INT64_MAX;
    for (size_t i = 0; i < 2; i++) {
        struct board board;
        if (fill(units, count, first, ways[i], &board) && board.distance < best->distance) {
            *best = board;
            found = true;
        }
    }
    return found;
}

/* Four players who came alone: of the three ways to split them, the most equal one. */
static void split(const struct pairing_ticket *tickets, const size_t players[SEATS],
                  struct pairing_group *group)
{
    int64_t sum = 0;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < SEATS; i++) {
        sum += tickets[players[i]].rating_milli;
    }
    for (size_t with = 1; with < SEATS; with++) {
        int64_t pair = tickets[players[0]].rating_milli + tickets[players[with]].rating_milli;
        int64_t gap = llabs(sum - 2 * pair);
        if (gap < least) {
            size_t third = with == 1 ? 2 : 1;
            size_t fourth = 1 + 2 + 3 - with - third;
            least = gap;
            *group = (struct pairing_group){
                {players[0], players[third], players[with], players[fourth]}
            };
        }
    }
}

/* The members of whole units are pairs already, and so are the two who came alone beside one. */
static void arrange(const struct pairing_ticket *tickets, const struct board *board,
                    struct pairing_group *group)
{
    size_t alone[SEATS];
    size_t singles = 0;
    size_t pairs = 0;
    for (size_t i = 0; i < board->count; i++) {
        const struct unit *unit = board->units[i];
        if (unit->size == 1) {
            alone[singles++] = unit->members[0];
        } else {
            group->members[pairs] = unit->members[0];
            group->members[pairs + PAIR] = unit->members[1];
            pairs++;
        }
    }
    if (singles == SEATS) {
        split(tickets, alone, group);
    } else if (singles == PAIR) {
        group->members[1] = alone[0];
        group->members[1 + PAIR] = alone[1];
    }
}

bool pairing_pairs(const struct pairing_ticket *tickets, size_t count, struct pairing_group *group)
{
    struct unit *units = calloc(count + 1, sizeof *units);
    size_t made = units == NULL ? 0 : make_units(tickets, count, units);
    bool found = false;
    for (size_t i = 0; i < made && !found; i++) {
        struct board board;
        found = seat(units, made, &units[i], &board);
        if (found) {
            arrange(tickets, &board, group);
        }
    }
    free(units);
    return found;
}

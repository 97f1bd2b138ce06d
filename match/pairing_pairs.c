/* Partners: who comes as two, and who is put together with whom. */

#include "pairing_parts.h"

#include <assert.h>
#include <stdlib.h>

enum { SEATS = 2 * PAIRING_PAIR };

/* --- who comes as two ----------------------------------------------------------------------------
 */

struct wish {
    int64_t player_no;
    size_t ticket;
};

static int compare_wishes(const void *left, const void *right)
{
    const struct wish *a = left;
    const struct wish *b = right;
    return (a->player_no > b->player_no) - (a->player_no < b->player_no);
}

/* The ticket of the partner who named this one's player, or `count`. */
static size_t partner_of(const struct pairing_round *round, const struct wish *wishes, size_t count,
                         const struct pairing_ticket *ticket)
{
    const struct wish wanted = {.player_no = ticket->partner_no};
    const struct wish *found = bsearch(&wanted, wishes, count, sizeof *wishes, compare_wishes);
    bool mutual = found != NULL && wanted.player_no != ticket->player_no &&
                  round->tickets[found->ticket].partner_no == ticket->player_no;
    return mutual ? found->ticket : round->count;
}

static uint64_t bit_of(int64_t player_no)
{
    return player_no == 0 ? 0 : UINT64_C(1) << ((uint64_t)player_no % 64);
}

static void unit_add(struct pairing_unit *unit, const struct pairing_ticket *tickets, size_t member)
{
    const struct pairing_ticket *ticket = &tickets[member];
    assert(unit->size < PAIRING_PAIR);
    unit->members[unit->size++] = (uint32_t)member;
    unit->created_at_ms = ticket->created_at_ms;
    unit->players |= bit_of(ticket->player_no);
    for (size_t i = 0; i < PAIRING_LAST_MAX && ticket->last[i] != 0; i++) {
        unit->last |= bit_of(ticket->last[i]);
    }
}

static struct pairing_unit unit_of_one(const struct pairing_ticket *tickets, size_t member)
{
    struct pairing_unit unit = {
        .rating_milli = tickets[member].rating_milli,
        .has_over = tickets[member].over[0] != 0,
    };
    unit_add(&unit, tickets, member);
    return unit;
}

static struct pairing_unit unit_of_two(const struct pairing_ticket *tickets, size_t older,
                                       size_t younger)
{
    struct pairing_unit unit = unit_of_one(tickets, older);
    assert(older < younger);
    unit.rating_milli = (unit.rating_milli + tickets[younger].rating_milli) / PAIRING_PAIR;
    unit_add(&unit, tickets, younger);
    return unit;
}

bool pairing_units(const struct pairing_round *round, struct pairing_unit *units, size_t *count)
{
    const struct pairing_ticket *tickets = round->tickets;
    struct wish *wishes = calloc(round->count + 1, sizeof *wishes);
    size_t wish_count = 0;
    *count = 0;
    if (wishes == NULL) {
        return false;
    }
    for (size_t i = 0; i < round->count; i++) {
        assert(i == 0 || tickets[i - 1].created_at_ms <= tickets[i].created_at_ms);
        if (tickets[i].partner_no != 0) {
            wishes[wish_count++] = (struct wish){tickets[i].player_no, i};
        }
    }
    qsort(wishes, wish_count, sizeof *wishes, compare_wishes);
    for (size_t i = 0; i < round->count; i++) {
        if (tickets[i].partner_no == 0) {
            units[(*count)++] = unit_of_one(tickets, i);
            continue;
        }
        size_t partner = partner_of(round, wishes, wish_count, &tickets[i]);
        if (partner != round->count && i < partner) {
            units[(*count)++] = unit_of_two(tickets, i, partner);
        }
    }
    free(wishes);
    return true;
}

/* --- who is put together -------------------------------------------------------------------------
 */

/* Four players who came alone, in order of age: of the three ways to split them, the most equal. */
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
            group->members[0] = players[0];
            group->members[1] = players[third];
            group->members[2] = players[with];
            group->members[3] = players[fourth];
        }
    }
}

static void sort_by_age(size_t *members, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        size_t member = members[i];
        size_t j = i;
        for (; j > 0 && members[j - 1] > member; j--) {
            members[j] = members[j - 1];
        }
        members[j] = member;
    }
}

/* The members of whole units are pairs already, and so are the two who came alone beside one. */
void pairing_split(const struct pairing_round *round, const struct pairing_board *board,
                   struct pairing_group *group)
{
    size_t alone[SEATS] = {0};
    size_t singles = 0;
    size_t pairs = 0;
    assert(round->pairs && board->players == SEATS);
    for (size_t i = 0; i < board->count; i++) {
        const struct pairing_unit *unit = board->units[i];
        if (unit->size == 1) {
            alone[singles++] = unit->members[0];
        } else {
            group->members[pairs] = unit->members[0];
            group->members[pairs + PAIRING_PAIR] = unit->members[1];
            pairs++;
        }
    }
    sort_by_age(alone, singles);
    if (singles == SEATS) {
        split(round->tickets, alone, group);
    } else if (singles == PAIRING_PAIR) {
        group->members[1] = alone[0];
        group->members[1 + PAIRING_PAIR] = alone[1];
    }
}

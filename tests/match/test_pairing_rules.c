#include "match/pairing.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* What holds whatever the tickets are: small rounds against every board there is, and large ones by
 * what they cost. */

static const int64_t now_ms = INT64_C(1800000000000);

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* --- every board there is ------------------------------------------------------------------------
 */

enum { FEW_MAX = 14, ROUNDS = 4000 };

struct hall {
    struct pairing_ticket tickets[FEW_MAX];
    struct pairing_group groups[FEW_MAX];
    struct pairing_round round;
    bool gone[FEW_MAX];
};

struct choice {
    size_t members[PAIRING_SEATS_MAX];
    int64_t spread_milli;
    bool second; /* some met, or are over the limit */
};

static int64_t window_of(const struct pairing_ticket *ticket)
{
    return pairing_window(now_ms - ticket->created_at_ms);
}

static bool accepts(const struct pairing_ticket *a, const struct pairing_ticket *b)
{
    int64_t gap = llabs(a->rating_milli - b->rating_milli);
    return gap <= window_of(a) && gap <= window_of(b);
}

static bool avoids(const struct pairing_ticket *a, const struct pairing_ticket *b)
{
    bool met = false;
    for (size_t i = 0; i < PAIRING_LAST_MAX; i++) {
        met = met || (a->last[i] != 0 && a->last[i] == b->player_no);
    }
    return met && now_ms - a->created_at_ms < PAIRING_AVOID_MS;
}

static bool is_member(const size_t *members, size_t seats, size_t ticket)
{
    for (size_t i = 0; i < seats; i++) {
        if (members[i] == ticket) {
            return true;
        }
    }
    return false;
}

/* Whether another waits, away from the board, who would do for this one. */
static bool has_another(const struct hall *hall, const size_t *members, size_t of)
{
    for (size_t i = 0; i < hall->round.count; i++) {
        const struct pairing_ticket *ticket = &hall->tickets[of];
        if (!hall->gone[i] && !is_member(members, hall->round.seats, i) &&
            accepts(ticket, &hall->tickets[i]) && !avoids(ticket, &hall->tickets[i])) {
            return true;
        }
    }
    return false;
}

static bool is_over(const struct hall *hall, const size_t *members)
{
    int64_t players[PAIRING_SEATS_MAX];
    for (size_t i = 0; i < hall->round.seats; i++) {
        players[i] = hall->tickets[members[i]].player_no;
    }
    uint64_t set = pairing_set(players, hall->round.seats);
    for (size_t i = 0; i < PAIRING_OVER_MAX; i++) {
        if (hall->tickets[members[0]].over[i] == set) {
            return true;
        }
    }
    return false;
}

/* Whether these may play, and how good that is. */
static bool judge(const struct hall *hall, const size_t *members, struct choice *choice)
{
    int64_t lowest = INT64_MAX;
    int64_t highest = INT64_MIN;
    int64_t window = INT64_MAX;
    *choice = (struct choice){.second = is_over(hall, members)};
    for (size_t i = 0; i < hall->round.seats; i++) {
        const struct pairing_ticket *ticket = &hall->tickets[members[i]];
        choice->members[i] = members[i];
        lowest = ticket->rating_milli < lowest ? ticket->rating_milli : lowest;
        highest = ticket->rating_milli > highest ? ticket->rating_milli : highest;
        window = window_of(ticket) < window ? window_of(ticket) : window;
        bool meets = false;
        for (size_t j = 0; j < hall->round.seats; j++) {
            meets = meets || (j != i && avoids(ticket, &hall->tickets[members[j]]));
        }
        if (meets && has_another(hall, members, members[i])) {
            return false;
        }
        choice->second = choice->second || meets;
    }
    choice->spread_milli = highest - lowest;
    return choice->spread_milli <= window;
}

static bool is_better(const struct choice *a, const struct choice *b)
{
    return a->second != b->second ? b->second : a->spread_milli < b->spread_milli;
}

/* The best board with the ticket members[0] and others after `from`. */
static void try_all(const struct hall *hall, size_t *members, size_t count, size_t from,
                    struct choice *best, bool *found)
{
    struct choice choice;
    if (count == hall->round.seats) {
        if (judge(hall, members, &choice) && (!*found || is_better(&choice, best))) {
            *best = choice;
            *found = true;
        }
        return;
    }
    for (size_t i = from; i < hall->round.count; i++) {
        if (!hall->gone[i] && i != members[0]) {
            members[count] = i;
            try_all(hall, members, count + 1, i + 1, best, found);
        }
    }
}

static bool best_of(const struct hall *hall, size_t first, struct choice *best)
{
    size_t members[PAIRING_SEATS_MAX] = {first};
    bool found = false;
    try_all(hall, members, 1, 0, best, &found);
    return found;
}

/* Ages up to three minutes, crowded and wide ratings, and people who have met. */
static void fill(struct hall *hall, size_t seats, uint64_t *state)
{
    uint64_t wide = 1 + next(state) % 1200;
    *hall = (struct hall){
        .round = {.tickets = hall->tickets,
                  .groups = hall->groups,
                  .seats = seats,
                  .count = 1 + next(state) % FEW_MAX,
                  .now_ms = now_ms}
    };
    int64_t age_ms = (int64_t)(next(state) % 180000);
    for (size_t i = 0; i < hall->round.count; i++) {
        struct pairing_ticket *ticket = &hall->tickets[i];
        ticket->ticket_no = 100 + (int64_t)i;
        ticket->player_no = 1 + (int64_t)i;
        ticket->rating_milli = 1000000 + 1000 * (int64_t)(next(state) % wide);
        ticket->created_at_ms = now_ms - age_ms;
        age_ms -= age_ms == 0 ? 0 : (int64_t)(next(state) % (uint64_t)age_ms) / 3;
        size_t known = next(state) % ((size_t)2 * PAIRING_LAST_MAX);
        for (size_t j = 0; j < known && j < seats - 1; j++) {
            ticket->last[j] = 1 + (int64_t)(next(state) % FEW_MAX);
        }
    }
    if (hall->round.count >= seats && next(state) % 2 == 0) {
        int64_t players[PAIRING_SEATS_MAX];
        for (size_t i = 0; i < seats; i++) {
            players[i] = hall->tickets[i].player_no;
        }
        for (size_t i = 0; i < seats; i++) {
            hall->tickets[i].over[0] = pairing_set(players, seats);
        }
    }
}

/* Turn by turn, oldest first: whoever a board is for sits at the best one, and nobody else sits. */
static void check(struct hall *hall)
{
    size_t group = 0;
    for (size_t i = 0; i < hall->round.count; i++) {
        struct choice best;
        struct choice made;
        if (hall->gone[i]) {
            continue;
        }
        bool led = group < hall->round.group_count &&
                   is_member(hall->groups[group].members, hall->round.seats, i);
        cr_assert_eq(best_of(hall, i, &best), led, "ticket %zu", i);
        if (!led) {
            continue;
        }
        const size_t *members = hall->groups[group].members;
        cr_assert(judge(hall, members, &made), "outside a window, or met again");
        cr_assert_eq(made.second, best.second);
        cr_assert_eq(made.spread_milli, best.spread_milli);
        cr_assert_eq(hall->groups[group].spread_milli, best.spread_milli);
        for (size_t j = 0; j < hall->round.seats; j++) {
            cr_assert(!hall->gone[members[j]], "ticket %zu sits twice", members[j]);
            cr_assert(j == 0 || members[j - 1] < members[j]);
            hall->gone[members[j]] = true;
        }
        group++;
    }
    cr_assert_eq(group, hall->round.group_count);
}

Test(pairing_rules, each_in_turn_gets_the_best_board_of_all_there_are, .timeout = 300)
{
    static struct hall hall;
    uint64_t state = 1;
    size_t groups = 0;
    for (int i = 0; i < ROUNDS; i++) {
        fill(&hall, i % 2 == 0 ? 2 : 4, &state);
        cr_assert(pairing_round(&hall.round));
        groups += hall.round.group_count;
        check(&hall);
    }
    cr_expect_gt(groups, ROUNDS, "the halls were empty");
}

Test(pairing_rules, a_round_is_a_function_of_its_tickets_and_the_time)
{
    static struct hall hall;
    static struct hall again;
    uint64_t state = 2;
    for (int i = 0; i < 100; i++) {
        fill(&hall, 4, &state);
        again = hall;
        again.round.tickets = again.tickets;
        again.round.groups = again.groups;
        cr_assert(pairing_round(&hall.round) && pairing_round(&again.round));
        cr_assert_eq(hall.round.group_count, again.round.group_count);
        cr_assert_eq(memcmp(hall.groups, again.groups, sizeof hall.groups), 0);
    }
}

/* --- many ----------------------------------------------------------------------------------------
 */

enum { MANY = 100000, OUTLIERS = 200, LOOKS_EACH = 100 };

enum crowd { EQUAL, BELL, NARROW, OUTSIDERS, MET, LADDER, CROWDS };

static void draw(enum crowd crowd, struct pairing_ticket *ticket, size_t i, uint64_t *state)
{
    int64_t bell = 0;
    for (int k = 0; k < 12; k++) {
        bell += (int64_t)(next(state) % 100000);
    }
    ticket->player_no = 1 + (int64_t)i;
    ticket->ticket_no = 1 + (int64_t)i;
    ticket->created_at_ms = now_ms - (int64_t)(MANY - i) / 10;
    ticket->rating_milli = 900000 + bell;
    switch (crowd) {
    case EQUAL: ticket->rating_milli = 1500000; break;
    case NARROW: ticket->rating_milli = 1500000 + bell / 1000; break;
    case OUTSIDERS: /* who waited long, far from a crowd that has just come */
        if (i < OUTLIERS) {
            ticket->rating_milli = 100000 + 15000 * (int64_t)i;
            ticket->created_at_ms = now_ms - 119000;
        } else {
            ticket->rating_milli = 1500000 + bell / 1000;
            ticket->created_at_ms = now_ms - 1000;
        }
        break;
    case MET: ticket->last[0] = ticket->player_no + (i % 2 == 0 ? 1 : -1); break;
    case LADDER: /* each window just too small for the next */
        ticket->rating_milli = 1500000 + 10000 * (int64_t)(i % 300);
        ticket->created_at_ms = now_ms - (i < MANY / 2 ? 100000 : 0);
        break;
    case BELL:
    case CROWDS: break;
    }
}

/* The cost is counted, not timed: it must not grow with the square of the crowd. */
Test(pairing_rules, a_hundred_thousand_are_paired_in_a_bounded_number_of_looks, .timeout = 300)
{
    struct pairing_ticket *tickets = calloc(MANY, sizeof *tickets);
    struct pairing_group *groups = calloc(MANY / 2, sizeof *groups);
    int64_t *opens_at_ms = calloc(MANY, sizeof *opens_at_ms);
    uint64_t state = 3;
    cr_assert(tickets != NULL && groups != NULL && opens_at_ms != NULL);
    for (int i = 0; i < CROWDS * 3; i++) {
        struct pairing_round round = {
            .tickets = tickets,
            .count = MANY,
            .seats = i % 3 == 0 ? 2 : 4,
            .pairs = i % 3 == 2,
            .now_ms = now_ms,
            .groups = groups,
            .opens_at_ms = opens_at_ms,
        };
        memset(tickets, 0, MANY * sizeof *tickets);
        for (size_t j = 0; j < MANY; j++) {
            draw((enum crowd)(i / 3), &tickets[j], j, &state);
            if (round.pairs && j % 4 < 2) {
                tickets[j].partner_no = tickets[j].player_no + (j % 4 == 0 ? 1 : -1);
            }
        }
        cr_assert(pairing_round(&round));
        cr_expect_leq(round.looks, (uint64_t)MANY * LOOKS_EACH, "crowd %d, pool %d: %lu looks",
                      i / 3, i % 3, (unsigned long)round.looks);
        cr_expect_gt(round.group_count, MANY / round.seats - OUTLIERS - 1);
    }
    free(opens_at_ms);
    free(groups);
    free(tickets);
}

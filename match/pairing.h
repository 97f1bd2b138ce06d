#ifndef MATCH_PAIRING_H
#define MATCH_PAIRING_H

/*
 * Who plays whom: a pure function of the waiting tickets. The oldest ticket takes the nearest
 * ratings there are, so nobody starves and, in a small population, nobody waits for perfection.
 *
 * Threads: pure. Ownership: caller's arrays.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAIRING_SEATS_MAX = 4 };

struct pairing_ticket {
    int64_t ticket_no; /* ascending: older first */
    int64_t player_no;
    int64_t rating_milli;
    int64_t partner_no; /* player wanted as partner, in a pool of pairs; 0: anybody */
};

/* Indexes into the tickets, oldest first. */
struct pairing_group {
    size_t members[PAIRING_SEATS_MAX];
};

/* Groups of `seats` tickets each, at most `max`; returns how many. `tickets` in order of age, each
 * player at most once. */
size_t pairing_groups(const struct pairing_ticket *tickets, size_t count, size_t seats,
                      struct pairing_group *groups, size_t max);

/* The first game of two pairs that the tickets make: members 0 and 2 are one pair, 1 and 3 the
 * other. Two tickets that name each other are a pair; whose partner is not there waits. The others
 * are put together so that the means of both pairs are as equal as these four players allow. False:
 * there are not enough, or no memory. */
bool pairing_pairs(const struct pairing_ticket *tickets, size_t count, struct pairing_group *group);

#endif

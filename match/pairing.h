#ifndef MATCH_PAIRING_H
#define MATCH_PAIRING_H

/*
 * Who plays whom: a pure function of the waiting tickets and the time.
 *
 * Every ticket has a window, which opens as it waits; a board fits where the spread of its ratings,
 * highest minus lowest, is within the windows of all. Two tickets that name each other as partners
 * count as one, with the mean of both ratings and the window of the younger. Oldest first: each
 * takes the board with the smallest spread there is. One far from all others accepts anybody in the
 * end, but those who come find each other before they accept it; so for whoever has waited for
 * PAIRING_CLAIM_MS those are kept free who will be the first to accept it, and nobody starves: with
 * enough others, nobody waits longer than that and PAIRING_OPEN_MS more. Who met in their last game
 * do not meet again while somebody else waits whom both windows accept, until the one that avoids
 * the other has waited for PAIRING_AVOID_MS. Sets of players over the repeat limit play where there
 * is no other board.
 *
 * Threads: pure. Ownership: caller's arrays.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PAIRING_SEATS_MAX = 4,
    PAIRING_LAST_MAX = PAIRING_SEATS_MAX - 1,
    PAIRING_OVER_MAX = 8,
    PAIRING_AVOID_MS = 60 * 1000,
    PAIRING_OPEN_MS = 120 * 1000,  /* whoever has waited this long accepts anybody */
    PAIRING_CLAIM_MS = 180 * 1000, /* and this long, has somebody kept free */
};
#define PAIRING_UNBOUNDED INT64_MAX

/* In thousandths of a point, of whoever has waited this long: 100 points and 10 a second up to 400,
 * from 30 seconds on 20 a second, from PAIRING_OPEN_MS on PAIRING_UNBOUNDED. */
int64_t pairing_window(int64_t waited_ms);
/* How long one has to wait until the window is as wide as this. */
int64_t pairing_opens_after(int64_t gap_milli);

/* A name for a set of players, whatever their order; never 0. */
uint64_t pairing_set(const int64_t *players, size_t count);

struct pairing_ticket {
    int64_t ticket_no;
    int64_t player_no;
    int64_t rating_milli;
    int64_t partner_no; /* player wanted as partner, in a pool of pairs; 0: anybody */
    int64_t created_at_ms;
    int64_t last[PAIRING_LAST_MAX];  /* who else was in the player's last game, up to a 0 */
    uint64_t over[PAIRING_OVER_MAX]; /* sets with the player over the repeat limit, up to a 0 */
};

/* Indexes into the tickets, oldest first; in a pool of pairs members 0 and 2 are one pair, 1 and 3
 * the other, split so that the means of both are as equal as these players allow. */
struct pairing_group {
    size_t members[PAIRING_SEATS_MAX];
    int64_t spread_milli;
};

struct pairing_round {
    /* in */
    const struct pairing_ticket *tickets; /* in order of age, each player at most once */
    size_t count;
    size_t seats;
    bool pairs; /* partners sit opposite */
    int64_t now_ms;
    struct pairing_group *groups; /* room for one per `seats` tickets */
    int64_t *opens_at_ms;         /* room for one per ticket, or NULL */
    /* out */
    size_t group_count;
    uint64_t looks; /* at tickets and boards: what the round has cost */
};

/* A round over all tickets. For those that go on waiting, opens_at_ms says when the windows of a
 * board with their nearest neighbours are all open; 0: there are not enough. False: no memory. */
bool pairing_round(struct pairing_round *round);

#endif

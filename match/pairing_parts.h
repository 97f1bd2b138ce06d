#ifndef MATCH_PAIRING_PARTS_H
#define MATCH_PAIRING_PARTS_H

/*
 * What the files of the pairing share: who waits, in order of age and of rating, and a board of
 * them.
 *
 * Threads: pure. Ownership: a line belongs to one round.
 */

#include "pairing.h"

#include <assert.h>

enum { PAIRING_PAIR = 2 };

/* One player alone, or two who named each other: as much of them as a round looks at again and
 * again, in one line of the processor's cache. */
struct pairing_unit {
    int64_t rating_milli;  /* of two, the mean */
    int64_t created_at_ms; /* of two, the younger one's */
    int64_t window_milli;
    uint64_t players;               /* a bit for each member */
    uint64_t last;                  /* bits for whom they met in their last games */
    uint32_t members[PAIRING_PAIR]; /* indexes of tickets, the older first */
    uint32_t age;                   /* place in the order of age, from 0 on */
    uint32_t before;                /* the nearest in the line that still wait; 0: none */
    uint32_t after;
    uint8_t size;
    bool gone;
    bool held;     /* waits, but for somebody older who has claimed it */
    bool has_over; /* its first member has sets over the repeat limit */
};
static_assert(sizeof(struct pairing_unit) <= 64, "a line of the cache");

/* All units in order of rating, in places from 1 on; and these places in order of age. */
struct pairing_line {
    struct pairing_round *round;
    struct pairing_unit *units;
    uint32_t *by_age;
    size_t count;
};

/* Units of one game. */
struct pairing_board {
    const struct pairing_unit *units[PAIRING_SEATS_MAX];
    size_t count;
    size_t players;
    int64_t lowest_milli;
    int64_t highest_milli;
    int64_t window_milli; /* the smallest */
    size_t age;           /* sum of places in the order of age */
    bool second_choice;   /* some met in their last game, or are over the repeat limit */
};

/* In order of the older member; whose partner is not there is in none. At most as many as there are
 * tickets. False: no memory. */
bool pairing_units(const struct pairing_round *round, struct pairing_unit *units, size_t *count);

/* The best board for the oldest that waits; false: none fits now. */
bool pairing_board_find(struct pairing_line *line, const struct pairing_unit *first,
                        struct pairing_board *board);
/* When one with its nearest neighbours will fit, and which will first; 0: there are not enough. */
int64_t pairing_board_opens(struct pairing_line *line, const struct pairing_unit *first,
                            struct pairing_board *board);

/* Puts two pairs together. */
void pairing_split(const struct pairing_round *round, const struct pairing_board *board,
                   struct pairing_group *group);

#endif

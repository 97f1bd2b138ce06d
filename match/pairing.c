#include "pairing.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

/* The free ticket nearest to `rating_milli`; the older one of two equally near. */
static size_t nearest(const struct pairing_ticket *tickets, const bool *taken, size_t count,
                      int64_t rating_milli)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (!taken[i] && (best == count || llabs(tickets[i].rating_milli - rating_milli) <
                                               llabs(tickets[best].rating_milli - rating_milli))) {
            best = i;
        }
    }
    return best;
}

static void sort_members(struct pairing_group *group, size_t seats)
{
    for (size_t i = 1; i < seats; i++) {
        size_t member = group->members[i];
        size_t j = i;
        for (; j > 0 && group->members[j - 1] > member; j--) {
            group->members[j] = group->members[j - 1];
        }
        group->members[j] = member;
    }
}

size_t pairing_groups(const struct pairing_ticket *tickets, size_t count, size_t seats,
                      struct pairing_group *groups, size_t max)
{
    assert(seats >= 2 && seats <= PAIRING_SEATS_MAX);
    bool *taken = calloc(count + 1, sizeof *taken);
    size_t made = 0;
    size_t oldest = 0;
    for (size_t left = count; taken != NULL && left >= seats && made < max; left -= seats) {
        struct pairing_group *group = &groups[made++];
        while (taken[oldest]) {
            oldest++;
        }
        taken[oldest] = true;
        group->members[0] = oldest;
        for (size_t i = 1; i < seats; i++) {
            size_t near = nearest(tickets, taken, count, tickets[oldest].rating_milli);
            assert(near < count);
            taken[near] = true;
            group->members[i] = near;
        }
        sort_members(group, seats);
    }
    free(taken);
    return made;
}

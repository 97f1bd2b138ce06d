#ifndef TESTS_MATCH_EAR_H
#define TESTS_MATCH_EAR_H

/*
 * Who listens to what happens to a player: whether it is woken, and for what.
 *
 * Threads: one, and those of the service. Ownership: an ear stays where it is until it was asked.
 */

#include "match/streams.h"
#include "stage.h"

struct ear {
    struct event_waiter waiter;
    _Atomic int told;
    int64_t seq; /* the last event before it listened */
};

void ear_listen(struct stage *stage, struct ear *ear, int64_t player_no);
/* Whoever has an event that is new was woken for it, and nobody else; listens no longer. */
void ear_expect(struct stage *stage, struct ear *ear, int64_t player_no, bool told, const char *of);

#endif

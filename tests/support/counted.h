#ifndef TESTS_SUPPORT_COUNTED_H
#define TESTS_SUPPORT_COUNTED_H

/*
 * Numbers of events on a machine that may stall. Where it does for over two seconds, clocks are
 * given the time back by an event of its own (frame_is_of_pause), and what follows is numbered from
 * there. So tests count the others, and this translates.
 *
 * Threads: one a server. Ownership: nothing to free.
 */

#include "process.h"

/* How many of the others a game has up to the event with this number in the file. */
long long counted_number(struct process *server, const char *game, long long stored);
/* The number in the file of the one that is counted so; 0 stays 0. */
long long stored_number(struct process *server, const char *game, long long counted);

#endif

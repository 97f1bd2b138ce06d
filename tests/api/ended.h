#ifndef TESTS_API_ENDED_H
#define TESTS_API_ENDED_H

/*
 * A server of its own with two devices whose game from the queue has ended: what may follow on it.
 * Threads: as device.h. Ownership: ended_game/ended_free, which ends the server too.
 */

#include "tests/support/device.h"

struct ended {
    struct process *server;
    struct device *devices[2];
    struct pairing pairing; /* b has resigned */
};

struct ended ended_game(struct process *take_server);
void ended_free(struct ended *ended);

#endif

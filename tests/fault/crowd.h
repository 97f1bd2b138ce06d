#ifndef TESTS_FAULT_CROWD_H
#define TESTS_FAULT_CROWD_H

/*
 * Some fifty clients on two of each listed game at once: at every seat two that share its token and
 * race each other for every ply, and for every game one more that only reads. All that they see is
 * written down.
 *
 * The first of each follows its line to the end. The second is quiet: all stay in their camps, so
 * nothing is ever captured and the race goes on.
 *
 * Threads: the calling thread owns the crowd; between its calls no client runs.
 * Ownership: crowd_new/crowd_free. Freeing the crowd leaves the server.
 */

#include "witness.h"

enum { CROWD_GAMES = 2 * GAMES };

struct crowd;

/* Makes the games. */
struct crowd *crowd_new(struct process *server);
/* Lets all clients loose on the server for a time, then has each look once more. What they see is
 * added to the history, which begins with the games. */
void crowd_run(struct crowd *crowd, const struct process *server, long long ms);
const struct history *crowd_history(const struct crowd *crowd);
/* By number in that history. */
const struct listed_game *crowd_game(unsigned number);
/* Answers that called the stored data damaged: from a sound server, none. */
unsigned crowd_broken(const struct crowd *crowd);
void crowd_free(struct crowd *crowd);

#endif

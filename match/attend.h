#ifndef MATCH_ATTEND_H
#define MATCH_ATTEND_H

/*
 * A game whose time has come is looked at: what there is to do for its turn, if anything, is queued
 * for the writer; else it is armed for when there will be.
 *
 * Threads: a worker's (cpu.h).
 */

#include "service.h"

void attend(struct match *match, const struct due_game *due);

#endif

#ifndef TESTS_SUPPORT_FOLD_H
#define TESTS_SUPPORT_FOLD_H

/*
 * What a client makes of the frames of a game: a snapshot, and what each event changes in it.
 * Threads: any. Ownership: caller-owned values.
 */

#include <jansson.h>

/* Takes away what is live: presence, names, server_now, remaining_ms. */
void fold_settle(json_t *snapshot);

/* The state after a frame; *state NULL: there is none yet, and the frame is a snapshot. */
void fold(json_t **state, json_t *frame);

#endif

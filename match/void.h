#ifndef MATCH_VOID_H
#define MATCH_VOID_H

/*
 * Taking the result of a rated game back. One rating event of kind `void` a seat: minus the applied
 * delta, then the floor; the counts go down by one; later games are not reckoned again. The game's
 * row stays as it is.
 *
 * Threads: that of the connection.
 */

#include "operate.h"
#include "result.h"

/* In a write job: all of it, or a refusal. */
enum db_status void_game(struct match *match, struct db *db, struct match_operate *command);

/* The event that takes `result` back, from a standing before it; and the standing after it. False:
 * the standing does not have the game in it. Shared with verify. */
bool void_event(const struct game_rules *rules, const struct game_options *options,
                const struct db_rating_event *result, const uint8_t *places,
                struct db_rating *standing, struct db_rating_event *event);

#endif

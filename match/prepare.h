#ifndef MATCH_PREPARE_H
#define MATCH_PREPARE_H

/*
 * A move made ready outside the writer: everything that costs rules time, on the caller's thread
 * and from committed state only. The writer does it again, on its own connection, in the rare case
 * that the game has moved on in between.
 */

#include "service.h"

/* Prepares on command->made.state, and says whether the player's seat comes back by it. MATCH_OK:
 * legal, and command->made is prepared. MATCH_REPEATED: stored before, and the answer is set. Else
 * a refusal, in the order that clients can rely on. `db`: where stored plies are looked up; NULL:
 * on a read connection. */
enum match_status move_prepare(struct match *match, struct db *db, struct match_move *command);

/* The answer to a stored move, from the line right after it. `result` NULL: the game went on. */
void move_answer_fill(const struct game_line *line, const struct db_game *game,
                      const struct db_move *move, const struct ply_effects *effects,
                      const struct result_view *result, struct move_answer *answer);

#endif

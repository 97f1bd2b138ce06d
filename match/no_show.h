#ifndef MATCH_NO_SHOW_H
#define MATCH_NO_SHOW_H

/*
 * Games to which somebody did not come: straight from the queue, and when a seat's second turn
 * comes round its owner has neither moved nor left. They are aborted, without places.
 *
 * Threads: the writer's, inside a job.
 */

#include "service.h"

/* The seat whose turn has just opened, if its owner has not shown up; else RULES_SEAT_NONE. Asks
 * nothing of the file but where a turn was missed. */
enum db_status no_show_find(struct db *db, const struct game_rows *rows, int *seat);

/* Ends the game: its rows, event and link. */
enum db_status no_show_abort(struct match *match, struct db *db, struct game_rows *rows, int seat,
                             int64_t at_ms);

/* Until when a player may take no ticket; 0: no such time. */
enum db_status no_show_until(struct db *db, int64_t player_no, int64_t now_ms, int64_t *until_ms);

#endif

#ifndef DB_GAMES_H
#define DB_GAMES_H

/* What the files about games share. */

#include "driver.h"

#define GAME_COLUMNS                                                                               \
    "g.game_no, g.game_id, g.game, g.pool, g.rated, g.unrated_reason, g.options, g.turn_seconds,"  \
    " g.player_set, g.status, g.position, g.ply, g.turn, g.seq, g.end_reason, g.rating_status,"    \
    " g.replay_of, g.created_at_ms, g.finished_at_ms, g.deadline_at_ms, g.table_no, g.private,"    \
    " g.show_legal_moves, g.rotate_first, g.rematch_of"
enum {
    GAME_COLUMN_GAME = 2,
    GAME_COLUMN_POOL = 3,
    GAME_COLUMN_STATUS = 9,
    GAME_COLUMN_COUNT = 25,
};

/* A game from GAME_COLUMNS. */
void db_read_game(struct query *query, struct db_game *game);

/* An update of one row that had to be as it was thought to be; DB_NONE: it was not. */
DB_NODISCARD enum db_status db_run_on_one(struct query *query);

#endif

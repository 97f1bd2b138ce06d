#ifndef DB_PLAYERS_H
#define DB_PLAYERS_H

/* What the files that read players share. */

#include "driver.h"

#define PLAYER_COLUMNS "player_no, player_id, name, created_at_ms, banned_at_ms"

/* A player from PLAYER_COLUMNS. */
void db_read_player(struct query *query, struct db_player *player);

#endif

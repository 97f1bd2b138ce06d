#ifndef DB_RANKINGS_H
#define DB_RANKINGS_H

/* What ratings.c, rankings.c and ranking_pages.c share. */

#include "driver.h"

/* `ranked`, `provisional`, `hidden`. */
const char *db_list_text(enum db_list list);

#define RATING_COLUMNS                                                                             \
    "player_no, pool, rating_milli, list, games, wins, draws, losses, place_1, place_2, place_3,"  \
    " place_4, last_game_at_ms"
/* A standing from RATING_COLUMNS: from thirteen columns, the first of which is `first`. */
void db_read_rating(struct query *query, int first, struct db_rating *rating);

#endif

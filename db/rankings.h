#ifndef DB_RANKINGS_H
#define DB_RANKINGS_H

/* What ratings.c, rankings.c, ranking_pages.c and standing.c share. */

#include "driver.h"

/* `ranked`, `provisional`, `hidden`. */
const char *db_list_text(enum db_list list);

#define RATING_COLUMNS                                                                             \
    "player_no, pool, rating_milli, list, games, wins, draws, losses, place_1, place_2, place_3,"  \
    " place_4, last_game_at_ms"
/* A standing from RATING_COLUMNS: from thirteen columns, the first of which is `first`. */
void db_read_rating(struct query *query, int first, struct db_rating *rating);
/* Its last nine columns alone, from `games` on. */
void db_read_results(struct query *query, int first, struct db_rating *rating);

/* The rows beside a listed player in list order, yet without ranks. */
enum db_status rankings_after(struct db *db, const struct db_rating *rating,
                              struct db_ranking_row *rows, size_t max, size_t *count);
enum db_status rankings_before(struct db *db, const struct db_rating *rating,
                               struct db_ranking_row *rows, size_t max, size_t *count);
/* *tied: somebody before this player in the list has the same rating. */
enum db_status rankings_tie_before(struct db *db, const struct db_rating *rating, bool *tied);

/* Ranks of consecutive rows, no count needed: `place` is the first row's place in the list and
 * `rank` its rank; equal ratings share one, the others have their place for it. Where the first
 * rows are tied and not all seen, `place` is what the next row's place makes it. */
void rankings_number(struct db_ranking_row *rows, size_t count, int64_t place, int64_t rank);

#endif

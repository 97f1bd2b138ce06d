#ifndef DB_RANKINGS_H
#define DB_RANKINGS_H

/* What ratings.c and rankings.c share. */

#include "driver.h"

/* `ranked`, `provisional`, `hidden`. */
const char *db_list_text(enum db_list list);

/* A standing from thirteen columns, the first of which is `first`. */
void db_read_rating(struct query *query, int first, struct db_rating *rating);

#endif

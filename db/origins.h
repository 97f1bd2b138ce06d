#ifndef DB_ORIGINS_H
#define DB_ORIGINS_H

/*
 * Which registrations came from the same network in the same hour, without its address: a keyed
 * hash, for as long as it is of use.
 *
 * Threads and ownership: as db.h.
 */

#include "db.h"

enum { DB_ORIGIN_BYTES = 16 };

struct db_origin {
    uint8_t hash[DB_ORIGIN_BYTES];
    int64_t hour; /* since 1970 */
};
/* Gives a new player the batch of its origin, which is the player's own number if it is the first.
 */
DB_NODISCARD enum db_status db_origin_join(struct db *db, const struct db_origin *origin,
                                           int64_t player_no);
/* The player belongs to no batch any more. */
DB_NODISCARD enum db_status db_origin_leave(struct db *db, int64_t player_no);
/* Those of hours before this one go. */
DB_NODISCARD enum db_status db_origins_forget(struct db *db, int64_t before_hour);

#endif

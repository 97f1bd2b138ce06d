#ifndef MATCH_CHAIN_H
#define MATCH_CHAIN_H

/*
 * The keyed hash chain: link i = BLAKE2b_key(link i-1, the ended game's own rows in a fixed text
 * form). Written in the transaction that ends a game, recomputed by `banzuke verify`. Names are not
 * in it, so that erasing a player breaks nothing.
 *
 * Threads: that of the connection.
 */

#include "db/db.h"
#include "secrets.h"

/* The hash of an ended game after `previous` (NULL: it is the first link). */
enum db_status chain_hash(struct db *db, const struct secrets *secrets, const uint8_t *previous,
                          int64_t game_no, uint8_t hash[DB_HASH_BYTES]);

/* Appends the link of a game that has just ended. */
enum db_status chain_append(struct db *db, const struct secrets *secrets, int64_t game_no,
                            int64_t at_ms);

#endif

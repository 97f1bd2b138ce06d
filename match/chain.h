#ifndef MATCH_CHAIN_H
#define MATCH_CHAIN_H

/*
 * The keyed hash chain: link i = BLAKE2b_key(link i-1, the ended game's own rows in a fixed text
 * form). Written in the transaction that ends a game, recomputed by `banzuke verify`. A void and
 * the first start on a backup have links of their own. Names are not in it, so that erasing a
 * player breaks nothing.
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

/* The same for a link of any kind, from its kind, game and time. */
enum db_status chain_link_hash(struct db *db, const struct secrets *secrets,
                               const uint8_t *previous, const struct db_link *link,
                               uint8_t hash[DB_HASH_BYTES]);
/* Fills in number and hash, and appends. */
enum db_status chain_append_link(struct db *db, const struct secrets *secrets,
                                 struct db_link *link);

#endif

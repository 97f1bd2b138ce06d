#ifndef MATCH_PLAYERS_H
#define MATCH_PLAYERS_H

/*
 * Players as everybody sees them: profiles, and the list by name. An erased player has no profile
 * and is in no list.
 *
 * Threads: every function may be called from any thread.
 * Ownership: views are values.
 */

#include "match.h"

/* A player without what is private. */
struct profile_view {
    struct db_player player;
    size_t pool_count;
    struct pool_view pools[MATCH_POOLS_MAX]; /* every pool there is */
};
MATCH_NODISCARD enum match_status match_profile(struct match *match, const struct player_id *id,
                                                struct profile_view *view);

/* A place in the list of players, which is in order of folded name, then id. */
struct name_place {
    char folded[DB_FOLDED_TEXT];
    struct player_id id;
};
/* The place of a player that it gave. */
void name_place_of(const struct db_player *player, struct name_place *place);

/* Players whose name begins with `prefix`, which has been folded (names.h); after a place (NULL:
 * from the first). */
MATCH_NODISCARD enum match_status match_players(struct match *match, const char *prefix,
                                                const struct name_place *after,
                                                struct db_player *players, size_t max,
                                                size_t *count);

#endif

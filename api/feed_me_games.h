#ifndef API_FEED_ME_GAMES_H
#define API_FEED_ME_GAMES_H

/*
 * The games that a player's own feed follows: those that run, and in a stream with all their frames
 * the last few that have ended, which may be replayed, be played again or be voided.
 *
 * Threads and ownership: they are a part of the feed.
 */

#include "feed_parts.h"

enum {
    ENDED_GAMES = 8, /* nobody looks back at more while others run, and each wakes the stream */
    ME_GAMES_MAX = LIMIT_GAMES_AT_ONCE + ENDED_GAMES,
};

struct seat_at {
    struct own_game own;
    struct watch watch;
    struct following game; /* with all their frames only */
    uint32_t told_ply;     /* of the last turn that was told; 0: none */
    uint32_t seen_seq;     /* a long poll's: as it found the game */
    bool looked;
    uint32_t ended; /* and all of it was told: the how manieth of which that holds; 0: not yet */
};

struct me_games {
    struct feed *feed;
    bool all;   /* with all their frames */
    bool stale; /* they are to be listed again */
    uint32_t endings;
    size_t count;
    struct seat_at *at[ME_GAMES_MAX]; /* those that were found first come first */
};

/* Follows those running ones that are not followed yet; `stale` remains where there is no room for
 * all of them until more was told. */
enum match_status me_games_list(struct me_games *games);
/* Whether one more can be followed, for which the one that ended first is dropped if need be. */
bool me_games_make_room(struct me_games *games);
/* Follows one that has ended, perhaps before it was found among the running ones. There is room. */
enum match_status me_games_add(struct me_games *games, const struct db_personal *event);
/* It is over, and all of it was told. Who is there is not told of it any more. */
void me_games_end(struct me_games *games, struct seat_at *seat);
/* Drops those that ended before the last few. */
void me_games_trim(struct me_games *games);
void me_games_drop_all(struct me_games *games);

#endif

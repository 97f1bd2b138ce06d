#ifndef MATCH_REMATCH_H
#define MATCH_REMATCH_H

/*
 * Playing again: within a minute of the first who asks, everybody who sat in an ended game of the
 * queue has asked too, and a new game of the same terms begins, in which all have moved one seat.
 * It is rated if the first was and the repeat limit allows. Of one game there is one rematch, and
 * none while somebody who sat in it is gone. What was asked is stored, so that a restart forgets
 * nothing. All who sat there are told in their own streams when somebody newly asks, or takes it
 * back: the first LIMIT_REMATCH_TOLD askings of one in 24 hours, what follows from the last of them
 * no more, and in any case that all have agreed; not when the minute is over, which was told.
 *
 * Threads, commands and ownership as in match.h.
 */

#include "match.h"

struct rematch_view {
    size_t asked_count;
    char asked[DB_SEATS_MAX][2]; /* seats, in the order of play */
    int64_t expires_at_ms;       /* 0: nobody asks */
    bool has_game;
    struct game_id game_id; /* the rematch */
};

enum rematch_refusal {
    REMATCH_NONE,
    REMATCH_OF_TABLE, /* with MATCH_GAME_OVER: the next game is started at the table */
};

struct match_rematch {
    struct match_op op;
    /* in */
    struct game_id game_id;
    int64_t player_no;
    int64_t at_ms;
    bool takes_back; /* the player's own asking */
    /* out */
    struct rematch_view view; /* MATCH_OK, unless it takes back */
    enum rematch_refusal refusal;
    /* between */
    int64_t made_of;              /* the game that a rematch was made of; 0: none */
    bool has_news;                /* for those who sat there */
    int64_t people[DB_SEATS_MAX]; /* who they are */
};
/* MATCH_NOT_FOUND, MATCH_NOT_YOUR_SEAT, MATCH_GAME_RUNNING, MATCH_GAME_OVER (at a table),
 * MATCH_SEAT_EMPTY (its owner was erased, or is banned), MATCH_TOO_MANY_GAMES. Asking again is no
 * other asking; nothing to take back is MATCH_OK. */
enum match_status match_rematch_begin(struct match *match, struct match_rematch *command);

/* What the others may still agree to now, or have: nothing once the minute is over, and while
 * somebody is gone. */
MATCH_NODISCARD enum match_status match_rematch_read(struct match *match, int64_t game_no,
                                                     struct rematch_view *view);

#endif

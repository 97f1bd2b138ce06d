#ifndef MATCH_SEATS_H
#define MATCH_SEATS_H

/*
 * What one does with one's seat besides moving: leaving a game, which hands it to the CPU, coming
 * back to it, and resigning.
 *
 * Threads: any. Ownership: commands belong to the caller and must live until woken.
 */

#include "match.h"
#include "table_news.h"

/* Leaving and coming back: what is so already is done again without an event. Coming back
 * and resigning are MATCH_SEAT_GIVEN_UP for whom an operator has banned meanwhile. */
struct match_seat {
    struct match_op op;
    /* in */
    struct game_id game_id;
    int64_t player_no;
    int64_t at_ms;
    /* out */
    struct game_standing standing; /* with MATCH_GAME_OVER */
    struct game_view view;         /* with MATCH_OK */
    /* between; of a resignation */
    struct game_rows rows;
    struct table_news news;
    /* between; of the others */
    bool returns;
    bool changed;
};
enum match_status match_leave_begin(struct match *match, struct match_seat *command);
enum match_status match_return_begin(struct match *match, struct match_seat *command);
enum match_status match_resign_begin(struct match *match, struct match_seat *command);

#endif

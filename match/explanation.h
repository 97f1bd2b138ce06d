#ifndef MATCH_EXPLANATION_H
#define MATCH_EXPLANATION_H

/*
 * Why a game changes ratings as it does: of an ended game the stored numbers of the formula, of a
 * running one the numbers as they are now, with what each outcome would give. The latter come from
 * the very function that rates a real result.
 *
 * Threads: any. Ownership: the view is the caller's.
 */

#include "match.h"
#include "sentence.h"

enum { EXPLANATION_OUTCOMES_MAX = 4 }; /* win, draw, loss; of four alone a place each */

/* A seat against one opposing side. */
struct explained_side {
    uint8_t seat_no; /* the side's first seat */
    int64_t rating_milli;
    uint32_t expected_micro;
    /* After the end. */
    uint8_t score_halves;
    int64_t points_milli;
    char sentence[SENTENCE_TEXT];
};

/* One way in which the game can end for a seat. */
struct explained_outcome {
    uint8_t places[DB_SEATS_MAX]; /* in seat order */
    int64_t delta_milli;
};

struct explained_seat {
    int64_t before_milli;
    uint8_t k;
    bool provisional;
    size_t against_count;
    struct explained_side against[DB_SEATS_MAX - 1];
    /* After the end. */
    int64_t after_milli;
    int64_t delta_milli;
    bool floor_applied;
    bool cpu_capped;
    /* Before it, the best one first. */
    size_t outcome_count;
    struct explained_outcome outcomes[EXPLANATION_OUTCOMES_MAX];
};

struct explanation_view {
    struct game_view game;
    bool at_stake; /* false: the game changes no rating, and the seats are all zero */
    bool ended;
    struct explained_seat seats[DB_SEATS_MAX];
};
/* For this viewer, as games in match.h. */
MATCH_NODISCARD enum match_status match_explanation(struct match *match, const struct game_id *id,
                                                    int64_t viewer_no,
                                                    struct explanation_view *view);

#endif

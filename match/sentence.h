#ifndef MATCH_SENTENCE_H
#define MATCH_SENTENCE_H

/*
 * A seat's result against one opposing side in one line for people, to the letter as the view
 * rating_explanation says it: "won against Haru (1500.0): 24 x (1 - 0.76) = +5.8".
 *
 * Threads: pure, any.
 */

#include <stdbool.h>
#include <stdint.h>

enum { SENTENCE_TEXT = 384 }; /* with the NUL */

struct sentence {
    const char *opponent; /* a name, or the id of who has none any more; "A and B" of a pair */
    int64_t opponent_milli;
    uint8_t k;
    unsigned sides; /* opposing ones */
    uint8_t score_halves;
    uint32_t expected_micro;
    int64_t points_milli;
    bool capped;
    bool floor_applied;
    int64_t delta_milli; /* as applied */
};

void sentence_format(const struct sentence *sentence, char text[SENTENCE_TEXT]);

#endif

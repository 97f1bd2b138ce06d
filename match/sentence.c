#include "sentence.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT = 32 };

/* Thousandths with one decimal, halves away from zero. */
static const char *tenths(int64_t milli, const char *plus, char text[NUMBER_TEXT])
{
    int64_t rounded = (llabs(milli) + 50) / 100;
    (void)snprintf(text, NUMBER_TEXT, "%s%" PRId64 ".%" PRId64, milli < 0 ? "-" : plus,
                   rounded / 10, rounded % 10);
    return text;
}

/* Millionths with two decimals. */
static const char *hundredths(uint32_t micro, char text[NUMBER_TEXT])
{
    uint32_t rounded = (micro + 5000) / 10000;
    (void)snprintf(text, NUMBER_TEXT, "%" PRIu32 ".%02" PRIu32, rounded / 100, rounded % 100);
    return text;
}

void sentence_format(const struct sentence *sentence, char text[SENTENCE_TEXT])
{
    static const char *const verbs[] = {"lost to", "drew with", "won against"};
    static const char *const scores[] = {"0", "0.5", "1"};
    char numbers[4][NUMBER_TEXT];
    char shared[NUMBER_TEXT] = "";
    assert(sentence->score_halves <= 2 && sentence->sides >= 1);
    if (sentence->sides > 1) {
        (void)snprintf(shared, sizeof shared, " / %u", sentence->sides);
    }
    int length = snprintf(
        text, SENTENCE_TEXT, "%s %s (%s): %u%s x (%s - %s) = %s", verbs[sentence->score_halves],
        sentence->opponent, tenths(sentence->opponent_milli, "", numbers[0]), sentence->k, shared,
        scores[sentence->score_halves], hundredths(sentence->expected_micro, numbers[1]),
        tenths(sentence->points_milli, "+", numbers[2]));
    assert(length > 0 && length < SENTENCE_TEXT);
    if (sentence->capped || sentence->floor_applied) {
        int more = snprintf(text + length, (size_t)(SENTENCE_TEXT - length), " -> %s (%s)",
                            tenths(sentence->delta_milli, "+", numbers[3]),
                            sentence->capped ? "capped" : "floor");
        assert(more > 0 && length + more < SENTENCE_TEXT);
        (void)more;
    }
}

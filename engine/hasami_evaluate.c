#include "hasami_board.h"

/* A man is worth more than any number of squares on which one could be lost. */
enum { MAN = 100, THREAT = 1 };

/* Squares on which the side on turn would take somebody, whether or not it can reach them. */
static int32_t threats(const struct hasami_position *position)
{
    uint16_t rows[HASAMI_SIDE];
    int32_t count = 0;
    hasami_taking_squares(position, rows);
    for (unsigned row = 0; row < HASAMI_SIDE; row++) {
        for (unsigned left = rows[row]; left != 0; left &= left - 1) {
            count++;
        }
    }
    return count;
}

int32_t hasami_evaluate(const struct position *position, const struct game_options *options,
                        int seat)
{
    const struct hasami_position *hasami = &position->as.hasami;
    assert(options != NULL);
    assert(seat >= 0 && seat < HASAMI_SEATS);
    const int32_t men = (int32_t)hasami->men[seat] - (int32_t)hasami->men[seat ^ 1];
    const int32_t danger = threats(hasami);
    return MAN * men + THREAT * (hasami->turn == seat ? danger : -danger);
}

#include "yonin_board.h"

/* What a seat owns, on the board and in hand, the mates it is credited with, and its king. */

enum { MATE = 2000, KING_LOST = 10000, IN_CHECK = 30 };

static const int16_t piece_values[YONIN_KINDS] = {
    [YONIN_PAWN] = 100,  [YONIN_SILVER] = 400,          [YONIN_GOLD] = 500,    [YONIN_ROOK] = 1000,
    [YONIN_TOKIN] = 500, [YONIN_PROMOTED_SILVER] = 500, [YONIN_DRAGON] = 1300,
};

static int32_t standing(const struct yonin_position *position, unsigned seat)
{
    int32_t sum = MATE * (int32_t)yonin_mates_of(position, seat);
    for (yonin_squares left = position->owned[seat]; left != 0; left &= left - 1) {
        sum += piece_values[yonin_kind(position->board[yonin_first(left)])];
    }
    for (unsigned i = 0; i < YONIN_HAND_KINDS; i++) {
        sum += piece_values[yonin_held_kinds[i]] * position->hands[seat][i];
    }
    if (!yonin_alive(position, seat)) {
        return sum - KING_LOST;
    }
    return (position->checked >> seat & 1) != 0 ? sum - IN_CHECK : sum;
}

/* Beside the mean of its rivals, so that who takes from any of them gains by it. */
int32_t yonin_evaluate(const struct position *position, const struct game_options *options,
                       int seat)
{
    const struct yonin_position *yonin = &position->as.yonin;
    int32_t sums[2] = {0, 0}; /* own side, the others */
    int32_t seats[2] = {0, 0};
    assert(seat >= 0 && seat < YONIN_SEATS);
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        const bool own =
            i == (unsigned)seat || (yonin_pairs(options) && i == yonin_partner((unsigned)seat));
        sums[!own] += standing(yonin, i);
        seats[!own]++;
    }
    return sums[0] / seats[0] - sums[1] / seats[1];
}

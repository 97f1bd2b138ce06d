#ifndef ENGINE_YONIN_H
#define ENGINE_YONIN_H

/*
 * Four-player shogi: nine pieces a seat on 9 x 9, seats s, w, n, e clockwise. This header holds
 * only what the seam needs to know: the size of a position and the game's entry in the array of
 * games.
 *
 * Threads: a plain value and constant data, any thread. Ownership: the caller owns positions.
 */

#include <stdint.h>

enum {
    YONIN_SIDE = 9, /* squares in a line */
    YONIN_SQUARES = YONIN_SIDE * YONIN_SIDE,
    YONIN_SEATS = 4,
    YONIN_HAND_KINDS = 4,    /* R G S P */
    YONIN_MATES_MAX = 3,     /* one seat is left at the end */
    YONIN_PLY_MAX = 1000000, /* the largest move number a position text may state */
};

/* A set of squares: bit = square, as rules.h numbers them. */
__extension__ typedef unsigned __int128 yonin_squares;

struct yonin_mate {
    int8_t victim;
    int8_t credited; /* RULES_SEAT_NONE: nobody */
};

/*
 * Who owns a square and what stands there are kept apart: owner says whose turn moves a piece, the
 * piece's facing how it moves. An ownerless piece and an inverted king are in no seat's set.
 */
struct yonin_position {
    yonin_squares owned[YONIN_SEATS];
    yonin_squares occupied;
    yonin_squares rooks;          /* promoted or not, whoever owns them */
    uint16_t rows[YONIN_SIDE];    /* occupied: bit = column, column 0 is file 9 */
    uint16_t cols[YONIN_SIDE];    /* occupied: bit = row, row 0 is rank a */
    uint8_t board[YONIN_SQUARES]; /* kind and facing (yonin_board.h); 0: empty */
    uint8_t kings[YONIN_SEATS];   /* squares, of inverted ones too */
    uint8_t hands[YONIN_SEATS][YONIN_HAND_KINDS];
    uint8_t mate_count;
    struct yonin_mate mates[YONIN_MATES_MAX]; /* in order */
    int8_t givers[YONIN_SEATS];               /* who gave the check a seat is in; RULES_SEAT_NONE */
    int8_t turn;                              /* RULES_SEAT_NONE: ended by elimination */
    uint8_t alive;                            /* bit = seat */
    uint8_t checked; /* bit = seat: in check; derived, so that nobody has to look again */
    uint32_t ply;    /* plies made so far, by all */
};

_Static_assert(sizeof(struct yonin_position) <= 512, "a position stays cheap to copy");

struct game_rules;
extern const struct game_rules yonin_rules;

#endif

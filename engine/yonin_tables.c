#include "yonin_board.h"

/* Tables that the whole of four-player shogi looks into. */

const uint8_t yonin_held_kinds[YONIN_HAND_KINDS] = {
    [YONIN_HELD_ROOK] = YONIN_ROOK,
    [YONIN_HELD_GOLD] = YONIN_GOLD,
    [YONIN_HELD_SILVER] = YONIN_SILVER,
    [YONIN_HELD_PAWN] = YONIN_PAWN,
};
const uint8_t yonin_held_places[YONIN_KINDS] = {
    [YONIN_PAWN] = YONIN_HELD_PAWN,
    [YONIN_SILVER] = YONIN_HELD_SILVER,
    [YONIN_GOLD] = YONIN_HELD_GOLD,
    [YONIN_ROOK] = YONIN_HELD_ROOK,
};

const bool yonin_promotes[YONIN_KINDS] = {
    [YONIN_PAWN] = true,
    [YONIN_SILVER] = true,
    [YONIN_ROOK] = true,
};

/* --- movement ------------------------------------------------------------------------------------
 */

/* Of facing s, then turned by quarters clockwise; bit = (dy + 1) * 9 + dx + 1, y downwards. */
enum {
    PAWN_S = 0x2,
    PAWN_W = 0x800,
    PAWN_N = 0x80000,
    PAWN_E = 0x200,
    SILVER_S = 0x140007,
    SILVER_W = 0x140805,
    SILVER_N = 0x1C0005,
    SILVER_E = 0x140205,
    GOLD_S = 0x80A07,
    GOLD_W = 0x180A06,
    GOLD_N = 0x1C0A02,
    GOLD_E = 0xC0A03,
    DIAGONALS = 0x140005,
};
#define OF_FACING(facing, pawn, silver, gold)                                                      \
    [YONIN_PAWN | (facing) << 4] = (pawn), [YONIN_SILVER | (facing) << 4] = (silver),              \
                              [YONIN_GOLD | (facing) << 4] = (gold),                               \
                              [YONIN_TOKIN | (facing) << 4] = (gold),                              \
                              [YONIN_PROMOTED_SILVER | (facing) << 4] = (gold),                    \
                              [YONIN_KING | (facing) << 4] = YONIN_PATTERN_FULL,                   \
                              [YONIN_DRAGON | (facing) << 4] = DIAGONALS
const uint32_t yonin_patterns[YONIN_PIECES] = {
    OF_FACING(0, PAWN_S, SILVER_S, GOLD_S),
    OF_FACING(1, PAWN_W, SILVER_W, GOLD_W),
    OF_FACING(2, PAWN_N, SILVER_N, GOLD_N),
    OF_FACING(3, PAWN_E, SILVER_E, GOLD_E),
};

const int yonin_forward[YONIN_SEATS] = {-YONIN_SIDE, 1, YONIN_SIDE, -1};

/* --- lines ---------------------------------------------------------------------------------------
 */

#define COLUMN(col) (YONIN_LINE_OF_COLUMN_0 << (col))
#define ROW(row)    ((yonin_squares)LINE_FULL << ((row)*YONIN_SIDE))

const yonin_squares yonin_near_columns[YONIN_SIDE] = {
    COLUMN(0) | COLUMN(1),
    COLUMN(0) | COLUMN(1) | COLUMN(2),
    COLUMN(1) | COLUMN(2) | COLUMN(3),
    COLUMN(2) | COLUMN(3) | COLUMN(4),
    COLUMN(3) | COLUMN(4) | COLUMN(5),
    COLUMN(4) | COLUMN(5) | COLUMN(6),
    COLUMN(5) | COLUMN(6) | COLUMN(7),
    COLUMN(6) | COLUMN(7) | COLUMN(8),
    COLUMN(7) | COLUMN(8),
};
const yonin_squares yonin_zones[YONIN_SEATS] = {
    ROW(0) | ROW(1) | ROW(2),
    COLUMN(6) | COLUMN(7) | COLUMN(8),
    ROW(6) | ROW(7) | ROW(8),
    COLUMN(0) | COLUMN(1) | COLUMN(2),
};
const yonin_squares yonin_last_lines[YONIN_SEATS] = {ROW(0), COLUMN(8), ROW(8), COLUMN(0)};

/* 512 words, each bit of the index set nine squares apart. */
#define SPREAD(w)                                                                                  \
    (((w)&1 ? YONIN_BIT(0) : 0) | ((w)&2 ? YONIN_BIT(9) : 0) | ((w)&4 ? YONIN_BIT(18) : 0) |       \
     ((w)&8 ? YONIN_BIT(27) : 0) | ((w)&16 ? YONIN_BIT(36) : 0) | ((w)&32 ? YONIN_BIT(45) : 0) |   \
     ((w)&64 ? YONIN_BIT(54) : 0) | ((w)&128 ? YONIN_BIT(63) : 0) | ((w)&256 ? YONIN_BIT(72) : 0))
#define SPREAD_4(w)  SPREAD(w), SPREAD((w) + 1), SPREAD((w) + 2), SPREAD((w) + 3)
#define SPREAD_16(w) SPREAD_4(w), SPREAD_4((w) + 4), SPREAD_4((w) + 8), SPREAD_4((w) + 12)
#define SPREAD_64(w) SPREAD_16(w), SPREAD_16((w) + 16), SPREAD_16((w) + 32), SPREAD_16((w) + 48)
const yonin_squares yonin_column_sets[LINE_FULL + 1] = {
    SPREAD_64(0),   SPREAD_64(64),  SPREAD_64(128), SPREAD_64(192),
    SPREAD_64(256), SPREAD_64(320), SPREAD_64(384), SPREAD_64(448),
};

#include "hasami_board.h"

#include <stddef.h>

/* A corner and its two neighbours: (row, beside_col) and (beside_row, col). R16 and R17: its man
 * falls when an arrival on one of them finds an own man on the other. */
struct corner {
    uint8_t row, col, beside_row, beside_col;
};

static const struct corner corners[] = {
    {0, 0, 1, 1},
    {0, 8, 1, 7},
    {8, 0, 7, 1},
    {8, 8, 7, 7}
};

enum { CORNERS = sizeof corners / sizeof corners[0] };

static struct hasami_taken take(struct hasami_position *position, unsigned row, unsigned col);
static struct hasami_taken find_taken(const struct hasami_position *position, unsigned row,
                                      unsigned col);
static void list_taken(struct hasami_taken taken, unsigned row, unsigned col,
                       struct ply_effects *effects);

void hasami_play(const struct position *before, const struct game_options *options,
                 struct move move, struct position *after, struct ply_effects *effects)
{
    const struct hasami_step step = hasami_step(move);
    struct hasami_position next;
    struct illegal why;

    assert(hasami_is_legal(before, options, NULL, move, &why));
    const struct hasami_taken taken = hasami_advance(&before->as.hasami, move, &next);
    after->as.hasami = next;
    *effects = (struct ply_effects){0};
    list_taken(taken, step.to_row, step.to_col, effects);
}

struct hasami_taken hasami_advance(const struct hasami_position *before, struct move move,
                                   struct hasami_position *after)
{
    const struct hasami_step step = hasami_step(move);
    const unsigned seat = before->turn;

    assert((before->rows[seat][step.from_row] >> step.from_col & 1u) != 0);
    *after = *before;
    after->rows[seat][step.from_row] ^= (uint16_t)(1u << step.from_col);
    after->cols[seat][step.from_col] ^= (uint16_t)(1u << step.from_row);
    after->turn ^= 1u;
    if (after->ply + 1 < HASAMI_PLY_MAX) {
        after->ply++; /* what is written can be read again */
    }
    return hasami_land(after, step.to_row, step.to_col);
}

/* The hot path of every search: a landing takes nothing where no enemy stands right beside it, and
 * that is most of them. */
struct hasami_taken hasami_land(struct hasami_position *position, unsigned row, unsigned col)
{
    const unsigned rival = position->turn;
    const unsigned beside = (position->rows[rival][row] & 5u << col >> 1) |
                            (position->cols[rival][col] & 5u << row >> 1);

    position->rows[rival ^ 1u][row] |= (uint16_t)(1u << col);
    position->cols[rival ^ 1u][col] |= (uint16_t)(1u << row);
    return beside == 0 ? (struct hasami_taken){0, 0} : take(position, row, col);
}

void hasami_taking_squares(const struct hasami_position *position, uint16_t rows[HASAMI_SIDE])
{
    const unsigned seat = position->turn;
    const uint16_t *own = position->rows[seat];
    const uint16_t *enemy = position->rows[seat ^ 1u];

    assert(seat < HASAMI_SEATS);
    for (unsigned row = 0; row < HASAMI_SIDE; row++) {
        rows[row] = (uint16_t)line_enclosing(own[row], enemy[row]);
    }
    for (unsigned col = 0; col < HASAMI_SIDE; col++) {
        unsigned in_col = line_enclosing(position->cols[seat][col], position->cols[seat ^ 1u][col]);

        for (; in_col != 0; in_col &= in_col - 1) {
            rows[__builtin_ctz(in_col)] |= (uint16_t)(1u << col);
        }
    }
    for (unsigned i = 0; i < CORNERS; i++) {
        const struct corner at = corners[i];

        if ((enemy[at.row] >> at.col & 1u) != 0) {
            rows[at.row] |= (uint16_t)((own[at.beside_row] >> at.col & 1u) << at.beside_col);
            rows[at.beside_row] |= (uint16_t)((own[at.row] >> at.beside_col & 1u) << at.col);
        }
    }
}

/* Takes what the man of the side that has just moved encloses from its landing square. */
static struct hasami_taken take(struct hasami_position *position, unsigned row, unsigned col)
{
    const unsigned rival = position->turn;
    const struct hasami_taken taken = find_taken(position, row, col);
    uint16_t *rows = position->rows[rival];
    uint16_t *cols = position->cols[rival];

    rows[row] ^= taken.in_row;
    cols[col] ^= taken.in_col;
    for (unsigned men = taken.in_row; men != 0; men &= men - 1) {
        cols[__builtin_ctz(men)] ^= (uint16_t)(1u << row);
        position->men[rival]--;
    }
    for (unsigned men = taken.in_col; men != 0; men &= men - 1) {
        rows[__builtin_ctz(men)] ^= (uint16_t)(1u << col);
        position->men[rival]--;
    }
    assert(position->men[rival] <= HASAMI_MEN);
    return taken;
}

/* Everything is found on the board as it is after the move, before any man is taken off (R15c). */
static struct hasami_taken find_taken(const struct hasami_position *position, unsigned row,
                                      unsigned col)
{
    const unsigned rival = position->turn;
    const uint16_t *own_rows = position->rows[rival ^ 1u];
    const uint16_t *own_cols = position->cols[rival ^ 1u];
    const unsigned enemy_row = position->rows[rival][row];
    const unsigned enemy_col = position->cols[rival][col];
    const struct corner at = corners[row / 5 * 2 + col / 5];
    unsigned in_row = line_enclosed(own_rows[row], enemy_row, col);
    unsigned in_col = line_enclosed(own_cols[col], enemy_col, row);

    assert((own_rows[row] >> col & 1u) != 0);
    if (row == at.row && col == at.beside_col && (own_cols[at.col] >> at.beside_row & 1u) != 0) {
        in_row |= enemy_row & 1u << at.col;
    }
    if (col == at.col && row == at.beside_row && (own_rows[at.row] >> at.beside_col & 1u) != 0) {
        in_col |= enemy_col & 1u << at.row;
    }
    const struct hasami_taken taken = {(uint16_t)in_row, (uint16_t)in_col};
    return taken;
}

/* Ascending by square text: file 1 (the last column) first, in a file rank a first. */
static void list_taken(struct hasami_taken taken, unsigned row, unsigned col,
                       struct ply_effects *effects)
{
    for (unsigned c = HASAMI_SIDE; c-- > 0;) {
        const unsigned in_row = (unsigned)taken.in_row >> c & 1u;
        const unsigned in_col = c == col ? taken.in_col : 0u;
        const unsigned rows = in_row << row | in_col;

        for (unsigned r = 0; r < HASAMI_SIDE; r++) {
            if ((rows >> r & 1u) != 0) {
                assert(effects->captured_count < RULES_CAPTURED_MAX);
                effects->captured[effects->captured_count++] = (uint8_t)(r * HASAMI_SIDE + c);
            }
        }
    }
}

#include "yonin_board.h"

/* Single steps on to a square. Few pieces ever stand beside a king, so each neighbour is asked. */
static yonin_squares near_attackers(const struct yonin_position *position, unsigned square,
                                    yonin_squares by)
{
    yonin_squares near = yonin_steps(YONIN_PATTERN_FULL, square) & by;
    yonin_squares attackers = 0;
    for (; near != 0; near &= near - 1) {
        const unsigned at = yonin_first(near);
        if (yonin_has(yonin_steps(yonin_patterns[position->board[at]], at), square)) {
            attackers |= YONIN_BIT(at);
        }
    }
    return attackers;
}

static yonin_squares far_attackers(const uint16_t rows[YONIN_SIDE], const uint16_t cols[YONIN_SIDE],
                                   unsigned square, yonin_squares rooks)
{
    const yonin_squares lines = yonin_row_set(yonin_row(square), LINE_FULL) |
                                YONIN_LINE_OF_COLUMN_0 << yonin_column(square);
    return (lines & rooks) == 0 ? 0 : yonin_rook_reach(rows, cols, square) & rooks;
}

yonin_squares yonin_attackers(const struct yonin_position *position, unsigned square,
                              yonin_squares by)
{
    assert(square < YONIN_SQUARES);
    return near_attackers(position, square, by) |
           far_attackers(position->rows, position->cols, square, position->rooks & by);
}

yonin_squares yonin_attackers_without(const struct yonin_position *position, unsigned square,
                                      yonin_squares by, unsigned gone)
{
    assert(square < YONIN_SQUARES && gone < YONIN_SQUARES);
    const yonin_squares rooks = position->rooks & by;
    const unsigned row = yonin_row(square);
    const unsigned col = yonin_column(square);
    unsigned row_word = position->rows[row];
    unsigned col_word = position->cols[col];
    if (yonin_row(gone) == row) {
        row_word &= ~(1u << yonin_column(gone));
    }
    if (yonin_column(gone) == col) {
        col_word &= ~(1u << yonin_row(gone));
    }
    const yonin_squares reach = yonin_row_set(row, line_attack(row_word, col)) |
                                yonin_column_sets[line_attack(col_word, row)] << col;
    return near_attackers(position, square, by & ~YONIN_BIT(gone)) |
           (reach & rooks & ~YONIN_BIT(gone));
}

uint8_t yonin_seats_in_check(const struct yonin_position *position)
{
    uint8_t seats = 0;
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        if (yonin_alive(position, i) && yonin_checkers(position, i) != 0) {
            seats |= (uint8_t)(1u << i);
        }
    }
    return seats;
}

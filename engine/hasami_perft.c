#include "hasami_board.h"

struct perft {
    const struct game_options *options;
    bool play_every_leaf;
};

/* What the moves of one position share. Moves are made on `after` and undone from the other two,
 * which are only read in between: a load never waits for a store of the move before. */
struct node {
    const struct hasami_position *before;
    struct hasami_position lifted; /* the turn has passed and the man that moves is off the board */
    struct hasami_position after;  /* `lifted`, except while the man stands on its new square */
    uint16_t taking[HASAMI_SIDE];  /* where a man takes something, once for all men */
};

static uint64_t count_plies(const struct perft *perft, const struct hasami_position *position,
                            unsigned depth);
static uint64_t count_man(const struct perft *perft, struct node *node, unsigned row, unsigned col,
                          unsigned depth);
static void set_lines(struct node *node, unsigned row, unsigned col, unsigned row_men,
                      unsigned col_men);
static uint64_t count_landing(const struct perft *perft, struct node *node, unsigned row,
                              unsigned col, unsigned depth);

uint64_t hasami_perft(const struct position *position, const struct game_options *options,
                      unsigned depth, bool play_every_leaf)
{
    const struct perft perft = {options, play_every_leaf};
    const uint64_t limit = options->value[HASAMI_MOVE_LIMIT];

    assert(depth <= RULES_PERFT_DEPTH_MAX);
    if (depth == 0) {
        return 1;
    }
    /* The last of the plies starts at ply + depth - 1, which must lie below the limit. So the
     * limit is settled here for the whole tree. */
    if (hasami_over(position, options, NULL) ||
        (limit != 0 && (uint64_t)position->as.hasami.ply + depth > limit)) {
        return 0;
    }
    return count_plies(&perft, &position->as.hasami, depth);
}

/* Nothing is tested for immobility: a side without moves has no move sequences by itself. */
static uint64_t count_plies(const struct perft *perft, const struct hasami_position *position,
                            unsigned depth)
{
    const uint16_t *own = position->rows[position->turn];
    struct node node;
    uint64_t leaves = 0;

    assert(depth > 0);
    if (depth == 1 && !perft->play_every_leaf) {
        return hasami_mobility(position);
    }
    node.before = position;
    node.lifted = *position;
    node.lifted.turn ^= 1u;
    node.lifted.ply++;
    node.after = node.lifted;
    hasami_taking_squares(position, node.taking);
    for (unsigned row = 0; row < HASAMI_SIDE; row++) {
        for (unsigned men = own[row]; men != 0; men &= men - 1) {
            leaves += count_man(perft, &node, row, (unsigned)__builtin_ctz(men), depth);
        }
    }
    return leaves;
}

static uint64_t count_man(const struct perft *perft, struct node *node, unsigned row, unsigned col,
                          unsigned depth)
{
    const struct hasami_position *before = node->before;
    const unsigned seat = before->turn;
    unsigned in_row = line_reach(hasami_occupied_row(before, row), col);
    unsigned in_col = line_reach(hasami_occupied_col(before, col), row);
    uint64_t leaves = 0;

    assert((before->rows[seat][row] >> col & 1u) != 0);
    set_lines(node, row, col, before->rows[seat][row] ^ 1u << col,
              before->cols[seat][col] ^ 1u << row);
    for (; in_row != 0; in_row &= in_row - 1) {
        leaves += count_landing(perft, node, row, (unsigned)__builtin_ctz(in_row), depth);
    }
    for (; in_col != 0; in_col &= in_col - 1) {
        leaves += count_landing(perft, node, (unsigned)__builtin_ctz(in_col), col, depth);
    }
    set_lines(node, row, col, before->rows[seat][row], before->cols[seat][col]);
    return leaves;
}

static inline void set_lines(struct node *node, unsigned row, unsigned col, unsigned row_men,
                             unsigned col_men)
{
    const unsigned seat = node->before->turn;

    node->lifted.rows[seat][row] = node->after.rows[seat][row] = (uint16_t)row_men;
    node->lifted.cols[seat][col] = node->after.cols[seat][col] = (uint16_t)col_men;
}

static inline uint64_t count_landing(const struct perft *perft, struct node *node, unsigned row,
                                     unsigned col, unsigned depth)
{
    const unsigned seat = node->before->turn;
    const uint16_t *rows = node->lifted.rows[seat];
    const uint16_t *cols = node->lifted.cols[seat];
    const bool takes = (node->taking[row] & 1u << col) != 0;
    uint64_t leaves = 0;

    if (takes) {
        (void)hasami_land(&node->after, row, col);
    } else {
        node->after.rows[seat][row] = (uint16_t)(rows[row] | 1u << col);
        node->after.cols[seat][col] = (uint16_t)(cols[col] | 1u << row);
    }
    if (depth == 1) {
        /* Nobody reads a leaf. This tells the compiler that somebody does, so that it is played. */
        __asm__ volatile("" : : "m"(node->after));
        leaves = 1;
    } else if (!hasami_captured_enough(&node->after, perft->options, seat)) {
        leaves = count_plies(perft, &node->after, depth - 1);
    }
    if (takes) {
        node->after = node->lifted;
    } else {
        node->after.rows[seat][row] = rows[row];
        node->after.cols[seat][col] = cols[col];
    }
    return leaves;
}

#include "hasami_board.h"

static void add_row_moves(const struct hasami_position *position, unsigned row, unsigned col,
                          struct move_list *moves);
static void add_col_moves(const struct hasami_position *position, unsigned row, unsigned col,
                          struct move_list *moves);
static void explain(const struct hasami_position *position, struct hasami_step step,
                    struct illegal *why);
static void explain_line(const struct hasami_position *position, struct hasami_step step,
                         struct illegal *why);
static void refuse(struct illegal *why, enum illegal_reason reason, unsigned row, unsigned col);
static bool has_man(const struct hasami_position *position, unsigned seat, unsigned row,
                    unsigned col);

void hasami_legal_moves(const struct position *position, const struct game_options *options,
                        const struct history *history, struct move_list *moves)
{
    if (hasami_over(position, options, history)) {
        moves->count = 0;
        return;
    }
    hasami_generate(&position->as.hasami, moves);
    assert(moves->count == hasami_mobility(&position->as.hasami));
}

size_t hasami_count_moves(const struct position *position, const struct game_options *options)
{
    if (hasami_over(position, options, NULL)) {
        return 0;
    }
    return hasami_mobility(&position->as.hasami);
}

bool hasami_is_legal(const struct position *position, const struct game_options *options,
                     const struct history *history, struct move move, struct illegal *why)
{
    const struct hasami_step step = hasami_step(move);

    assert(step.from_row < HASAMI_SIDE && step.from_col < HASAMI_SIDE);
    assert(step.to_row < HASAMI_SIDE && step.to_col < HASAMI_SIDE);
    *why = (struct illegal){.reason = ILLEGAL_NONE};
    explain(&position->as.hasami, step, why);
    return why->reason == ILLEGAL_NONE && !hasami_over(position, options, history);
}

void hasami_generate(const struct hasami_position *position, struct move_list *moves)
{
    const uint16_t *own = position->rows[position->turn];

    moves->count = 0;
    for (unsigned row = 0; row < HASAMI_SIDE; row++) {
        for (unsigned men = own[row]; men != 0; men &= men - 1) {
            const unsigned col = (unsigned)__builtin_ctz(men);

            add_row_moves(position, row, col, moves);
            add_col_moves(position, row, col, moves);
        }
    }
    assert(moves->count <= RULES_MOVES_MAX);
}

enum illegal_reason hasami_parse_move(const char *text, size_t length, struct move *move)
{
    if (length != 4) {
        return ILLEGAL_SYNTAX;
    }
    for (size_t i = 0; i < length; i += 2) {
        const bool file = text[i] >= '0' && text[i] <= '9';
        const bool rank = text[i + 1] >= 'a' && text[i + 1] <= 'z';

        if (!file || !rank) {
            return ILLEGAL_SYNTAX;
        }
    }
    if (text[0] == '0' || text[2] == '0' || text[1] > 'i' || text[3] > 'i') {
        return ILLEGAL_OFF_BOARD;
    }
    *move = hasami_move((unsigned)(text[1] - 'a'), (unsigned)('9' - text[0]),
                        (unsigned)(text[3] - 'a'), (unsigned)('9' - text[2]));
    return ILLEGAL_NONE;
}

void hasami_format_move(struct move move, char text[RULES_MOVE_TEXT_MAX])
{
    const struct hasami_step step = hasami_step(move);

    assert(step.from_row < HASAMI_SIDE && step.from_col < HASAMI_SIDE);
    assert(step.to_row < HASAMI_SIDE && step.to_col < HASAMI_SIDE);
    text[0] = (char)('9' - (int)step.from_col);
    text[1] = (char)('a' + (int)step.from_row);
    text[2] = (char)('9' - (int)step.to_col);
    text[3] = (char)('a' + (int)step.to_row);
    text[4] = '\0';
}

static inline void add_row_moves(const struct hasami_position *position, unsigned row, unsigned col,
                                 struct move_list *moves)
{
    unsigned reach = line_reach(hasami_occupied_row(position, row), col);

    for (; reach != 0; reach &= reach - 1) {
        moves->at[moves->count++] = hasami_move(row, col, row, (unsigned)__builtin_ctz(reach));
    }
}

static inline void add_col_moves(const struct hasami_position *position, unsigned row, unsigned col,
                                 struct move_list *moves)
{
    unsigned reach = line_reach(hasami_occupied_col(position, col), row);

    for (; reach != 0; reach &= reach - 1) {
        moves->at[moves->count++] = hasami_move(row, col, (unsigned)__builtin_ctz(reach), col);
    }
}

/* The order of the checks is the order of enum illegal_reason. */
static void explain(const struct hasami_position *position, struct hasami_step step,
                    struct illegal *why)
{
    const unsigned seat = position->turn;
    const bool own = has_man(position, seat, step.from_row, step.from_col);
    const bool theirs = has_man(position, seat ^ 1u, step.from_row, step.from_col);
    const bool same_row = step.from_row == step.to_row;
    const bool same_col = step.from_col == step.to_col;

    if (!own && !theirs) {
        refuse(why, ILLEGAL_NO_PIECE, step.from_row, step.from_col);
    } else if (!own) {
        refuse(why, ILLEGAL_NOT_YOUR_PIECE, step.from_row, step.from_col);
    } else if (same_row && same_col) {
        why->reason = ILLEGAL_NO_MOVE;
    } else if (!same_row && !same_col) {
        why->reason = ILLEGAL_BAD_GEOMETRY;
    } else if (has_man(position, seat, step.to_row, step.to_col)) {
        refuse(why, ILLEGAL_OWN_PIECE, step.to_row, step.to_col);
    } else if (has_man(position, seat ^ 1u, step.to_row, step.to_col)) {
        refuse(why, ILLEGAL_OCCUPIED, step.to_row, step.to_col);
    } else {
        explain_line(position, step, why);
    }
}

/* Names every man in the way, nearest to rank a or file 9 first. */
static void explain_line(const struct hasami_position *position, struct hasami_step step,
                         struct illegal *why)
{
    const bool along_row = step.from_row == step.to_row;
    const unsigned between = along_row ? line_between(step.from_col, step.to_col)
                                       : line_between(step.from_row, step.to_row);
    const unsigned occupied = along_row ? hasami_occupied_row(position, step.from_row)
                                        : hasami_occupied_col(position, step.from_col);

    assert(along_row || step.from_col == step.to_col);
    for (unsigned men = occupied & between; men != 0; men &= men - 1) {
        const unsigned at = (unsigned)__builtin_ctz(men);

        refuse(why, ILLEGAL_BLOCKED, along_row ? step.from_row : at,
               along_row ? at : step.from_col);
    }
}

static void refuse(struct illegal *why, enum illegal_reason reason, unsigned row, unsigned col)
{
    assert(why->square_count < RULES_CAPTURED_MAX);
    why->reason = reason;
    why->squares[why->square_count++] = (uint8_t)(row * HASAMI_SIDE + col);
}

static bool has_man(const struct hasami_position *position, unsigned seat, unsigned row,
                    unsigned col)
{
    assert(seat < HASAMI_SEATS && row < HASAMI_SIDE && col < HASAMI_SIDE);
    return (position->rows[seat][row] >> col & 1u) != 0;
}

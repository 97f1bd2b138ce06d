#include "yonin_board.h"

/* Moves of pieces on the board. */

static yonin_squares pinned_pieces(const struct yonin_position *position, unsigned seat,
                                   unsigned king, yonin_squares others)
{
    const yonin_squares lines =
        yonin_row_set(yonin_row(king), LINE_FULL) | YONIN_LINE_OF_COLUMN_0 << yonin_column(king);
    yonin_squares rooks = position->rooks & others & lines;
    yonin_squares pinned = 0;
    for (; rooks != 0; rooks &= rooks - 1) {
        const yonin_squares between = yonin_between(yonin_first(rooks), king) & position->occupied;
        if (between != 0 && (between & (between - 1)) == 0) {
            pinned |= between & position->owned[seat];
        }
    }
    return pinned;
}

static yonin_squares answers_to(yonin_squares checkers, unsigned king)
{
    if (checkers == 0) {
        return YONIN_ALL_SQUARES;
    }
    if ((checkers & (checkers - 1)) != 0) {
        return 0;
    }
    return checkers | yonin_between(yonin_first(checkers), king);
}

void yonin_view(const struct yonin_position *position, const struct game_options *options,
                unsigned seat, struct yonin_view *view)
{
    assert(seat < YONIN_SEATS && yonin_alive(position, seat));
    const unsigned king = position->kings[seat];
    const yonin_squares others = yonin_others(position, seat);
    const bool pairs = yonin_pairs(options);
    yonin_squares forbidden = position->owned[seat];
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        forbidden |= YONIN_BIT(position->kings[i]);
    }
    if (pairs) {
        forbidden |= position->owned[yonin_partner(seat)]; /* rule 38 */
    }
    const yonin_squares checkers =
        (position->checked >> seat & 1) != 0 ? yonin_attackers(position, king, others) : 0;
    *view = (struct yonin_view){
        .position = position,
        .options = options,
        .seat = seat,
        .king = king,
        .pairs = pairs,
        .others = others,
        .forbidden = forbidden,
        .checkers = checkers,
        .answers = answers_to(checkers, king),
        .pinned = pinned_pieces(position, seat, king, others),
    };
}

/* The row or column that holds both. */
static yonin_squares common_line(unsigned a, unsigned b)
{
    return yonin_row(a) == yonin_row(b) ? yonin_row_set(yonin_row(a), LINE_FULL)
                                        : YONIN_LINE_OF_COLUMN_0 << yonin_column(a);
}

yonin_squares yonin_destinations(const struct yonin_view *view, unsigned from)
{
    const struct yonin_position *position = view->position;
    const uint8_t piece = position->board[from];
    yonin_squares to = yonin_steps(yonin_patterns[piece], from);
    if ((yonin_kind(piece) & ~(unsigned)YONIN_PROMOTED) == YONIN_ROOK) {
        to |= yonin_rook_reach(position->rows, position->cols, from);
    }
    to &= ~view->forbidden & view->answers;
    return yonin_has(view->pinned, from) ? to & common_line(from, view->king) : to;
}

yonin_squares yonin_king_destinations(const struct yonin_view *view)
{
    yonin_squares to = yonin_steps(YONIN_PATTERN_FULL, view->king) & ~view->forbidden;
    yonin_squares safe = 0;
    for (; to != 0; to &= to - 1) {
        const unsigned square = yonin_first(to);
        if (yonin_attackers_without(view->position, square, view->others, view->king) == 0) {
            safe |= YONIN_BIT(square);
        }
    }
    return safe;
}

/* --- pairs ---------------------------------------------------------------------------------------
 */

/* The piece that a move puts on its square. */
static uint8_t arriving(const struct yonin_view *view, struct yonin_step step)
{
    if (step.drops) {
        return yonin_piece(yonin_held_kinds[step.from], view->seat);
    }
    return view->position->board[step.from] | (step.promotes ? YONIN_PROMOTED : 0);
}

bool yonin_checks_partner(const struct yonin_view *view, struct move move)
{
    const struct yonin_position *position = view->position;
    const unsigned partner = yonin_partner(view->seat);
    const unsigned king = position->kings[partner];
    const struct yonin_step step = yonin_step(move);
    const uint8_t piece = arriving(view, step);
    if (yonin_has(yonin_steps(yonin_patterns[piece], step.to), king)) {
        return true;
    }
    yonin_squares rooks = position->rooks & yonin_others(position, partner);
    const yonin_squares before = yonin_rook_reach(position->rows, position->cols, king) & rooks;
    uint16_t rows[YONIN_SIDE];
    uint16_t cols[YONIN_SIDE];
    for (unsigned i = 0; i < YONIN_SIDE; i++) {
        rows[i] = position->rows[i];
        cols[i] = position->cols[i];
    }
    if (!step.drops) {
        rows[yonin_row(step.from)] &= (uint16_t) ~(1u << yonin_column(step.from));
        cols[yonin_column(step.from)] &= (uint16_t) ~(1u << yonin_row(step.from));
        rooks &= ~YONIN_BIT(step.from);
    }
    rows[yonin_row(step.to)] |= (uint16_t)(1u << yonin_column(step.to));
    cols[yonin_column(step.to)] |= (uint16_t)(1u << yonin_row(step.to));
    rooks &= ~YONIN_BIT(step.to);
    const yonin_squares reach = yonin_rook_reach(rows, cols, king);
    const bool rook = (yonin_kind(piece) & ~(unsigned)YONIN_PROMOTED) == YONIN_ROOK;
    return (rook && yonin_has(reach, step.to)) || (reach & rooks & ~before) != 0;
}

/* --- finding -------------------------------------------------------------------------------------
 */

static void add_all(const struct yonin_view *view, struct yonin_sink *sink, unsigned from,
                    yonin_squares to, bool promotes)
{
    if (sink->list == NULL && !view->pairs) {
        sink->count += yonin_count(to);
        return;
    }
    for (; to != 0; to &= to - 1) {
        yonin_add(view, sink, yonin_board_move(from, yonin_first(to), promotes));
    }
}

/* Where a piece may promote (rule 5), and where it must (rule 6). */
static void add_piece(const struct yonin_view *view, struct yonin_sink *sink, unsigned from,
                      yonin_squares to)
{
    const uint8_t piece = view->position->board[from];
    const unsigned kind = yonin_kind(piece);
    const unsigned facing = yonin_facing(piece);
    const yonin_squares zone = yonin_zones[facing];
    const yonin_squares promoting = yonin_has(zone, from) ? to : to & zone;
    if (promoting == 0 || !yonin_promotes[kind]) {
        add_all(view, sink, from, to, false);
        return;
    }
    add_all(view, sink, from, kind == YONIN_PAWN ? to & ~yonin_last_lines[facing] : to, false);
    add_all(view, sink, from, promoting, true);
}

void yonin_find_moves(const struct yonin_view *view, struct yonin_sink *sink)
{
    if (view->answers != 0) {
        yonin_squares pieces = view->position->owned[view->seat] & ~YONIN_BIT(view->king);
        for (; pieces != 0; pieces &= pieces - 1) {
            const unsigned from = yonin_first(pieces);
            const yonin_squares to = yonin_destinations(view, from);
            if (to != 0) {
                add_piece(view, sink, from, to);
                if (sink->first_only && sink->count > 0) {
                    return;
                }
            }
        }
    }
    add_all(view, sink, view->king, yonin_king_destinations(view), false);
}

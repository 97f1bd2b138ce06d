#include "yonin_board.h"

/* Legality as the seam asks for it: lists, counts, and the reason why not. */

static bool is_over(const struct position *position, const struct game_options *options,
                    const struct history *history)
{
    struct outcome outcome;
    if (position->as.yonin.turn == RULES_SEAT_NONE) {
        return true;
    }
    yonin_outcome(position, options, history, &outcome);
    return outcome.reason != END_NONE;
}

/* --- perpetual check (rule 35) -------------------------------------------------------------------
 */

/* Only a seat whose last move gave a new check can be a perpetual checker, and only where some
 * position has been there three times. */
static bool may_be_perpetual(const struct history *history, int seat)
{
    if (history == NULL) {
        return false;
    }
    size_t last = history->count;
    while (last > 0 && history->at[last - 1].mover != seat) {
        last--;
    }
    if (last == 0 || !history->at[last - 1].gave_new_check) {
        return false;
    }
    for (size_t i = 0; i < history->count; i++) {
        if (yonin_occurrences(history, history->at[i].key) + 1 >= RULES_REPETITIONS) {
            return true;
        }
    }
    return false;
}

static bool is_perpetual(const struct position *position, const struct game_options *options,
                         const struct history *history, struct move move)
{
    struct position after;
    struct ply_effects effects;
    yonin_play(position, options, move, &after, &effects);
    return yonin_is_perpetual(history, (unsigned)position->as.yonin.turn, yonin_hash(&after),
                              effects.gave_new_check);
}

/* (iv): where nothing would be left, nothing is taken away. */
static void refuse_perpetual(const struct position *position, const struct game_options *options,
                             const struct history *history, struct move_list *moves)
{
    struct move_list kept = {0};
    for (size_t i = 0; i < moves->count; i++) {
        if (!is_perpetual(position, options, history, moves->at[i])) {
            kept.at[kept.count++] = moves->at[i];
        }
    }
    if (kept.count > 0) {
        moves->count = kept.count;
        for (size_t i = 0; i < kept.count; i++) {
            moves->at[i] = kept.at[i];
        }
    }
}

/* --- lists ---------------------------------------------------------------------------------------
 */

static void find_all(const struct position *position, const struct game_options *options,
                     struct yonin_sink *sink)
{
    struct yonin_view view;
    yonin_view(&position->as.yonin, options, (unsigned)position->as.yonin.turn, &view);
    yonin_find_moves(&view, sink);
    yonin_find_drops(&view, sink);
}

void yonin_legal_moves(const struct position *position, const struct game_options *options,
                       const struct history *history, struct move_list *moves)
{
    moves->count = 0;
    if (is_over(position, options, history)) {
        return;
    }
    find_all(position, options, &(struct yonin_sink){.list = moves});
    if (may_be_perpetual(history, position->as.yonin.turn)) {
        refuse_perpetual(position, options, history, moves);
    }
}

size_t yonin_count_moves(const struct position *position, const struct game_options *options)
{
    if (is_over(position, options, NULL)) {
        return 0;
    }
    return yonin_count_of(&position->as.yonin, options, (unsigned)position->as.yonin.turn);
}

/* --- reasons -------------------------------------------------------------------------------------
 */

static bool refuse(struct illegal *why, enum illegal_reason reason)
{
    why->reason = reason;
    return false;
}

static bool refuse_at(struct illegal *why, enum illegal_reason reason, yonin_squares squares)
{
    why->reason = reason;
    for (; squares != 0 && why->square_count < RULES_CAPTURED_MAX; squares &= squares - 1) {
        why->squares[why->square_count++] = (uint8_t)yonin_first(squares);
    }
    return false;
}

static bool is_rook(uint8_t piece)
{
    return (yonin_kind(piece) & ~(unsigned)YONIN_PROMOTED) == YONIN_ROOK;
}

static bool in_line(unsigned a, unsigned b)
{
    return yonin_row(a) == yonin_row(b) || yonin_column(a) == yonin_column(b);
}

/* The piece, its way and what it meets there. */
static bool check_way(const struct yonin_view *view, struct yonin_step step, struct illegal *why)
{
    const struct yonin_position *position = view->position;
    const uint8_t piece = position->board[step.from];
    const yonin_squares to = YONIN_BIT(step.to);
    if (piece == YONIN_EMPTY) {
        return refuse_at(why, ILLEGAL_NO_PIECE, YONIN_BIT(step.from));
    }
    if (!yonin_has(position->owned[view->seat], step.from)) {
        return refuse_at(why, ILLEGAL_NOT_YOUR_PIECE, YONIN_BIT(step.from));
    }
    if (step.from == step.to) {
        return refuse(why, ILLEGAL_NO_MOVE);
    }
    const bool steps = (yonin_steps(yonin_patterns[piece], step.from) & to) != 0;
    if (!steps && !(is_rook(piece) && in_line(step.from, step.to))) {
        return refuse(why, ILLEGAL_BAD_GEOMETRY);
    }
    if ((position->owned[view->seat] & to) != 0) {
        return refuse_at(why, ILLEGAL_OWN_PIECE, to);
    }
    const yonin_squares between = yonin_between(step.from, step.to) & position->occupied;
    if (between != 0) {
        return refuse_at(why, ILLEGAL_BLOCKED, between);
    }
    if (view->pairs && (position->owned[yonin_partner(view->seat)] & to) != 0) {
        return refuse_at(why, ILLEGAL_PARTNER_PIECE, to);
    }
    return (view->forbidden & to) == 0 || refuse_at(why, ILLEGAL_KING_NOT_CAPTURABLE, to);
}

static bool check_promotion(const struct yonin_view *view, struct yonin_step step,
                            struct illegal *why)
{
    const uint8_t piece = view->position->board[step.from];
    const unsigned kind = yonin_kind(piece);
    const unsigned facing = yonin_facing(piece);
    if (!step.promotes) {
        const bool must = kind == YONIN_PAWN && yonin_has(yonin_last_lines[facing], step.to);
        return !must || refuse(why, ILLEGAL_MUST_PROMOTE);
    }
    const bool zone = (yonin_zones[facing] & (YONIN_BIT(step.from) | YONIN_BIT(step.to))) != 0;
    return (yonin_promotes[kind] && zone) || refuse(why, ILLEGAL_CANNOT_PROMOTE);
}

/* The unpromoted pawns that a drop would stand in one line with. */
static yonin_squares pawns_in_line(const struct yonin_position *position, unsigned seat,
                                   unsigned square)
{
    yonin_squares line = seat % 2 == 0 ? YONIN_LINE_OF_COLUMN_0 << yonin_column(square)
                                       : yonin_row_set(yonin_row(square), LINE_FULL);
    yonin_squares pawns = 0;
    for (line &= position->owned[seat]; line != 0; line &= line - 1) {
        const unsigned at = yonin_first(line);
        if (position->board[at] == yonin_piece(YONIN_PAWN, seat)) {
            pawns |= YONIN_BIT(at);
        }
    }
    return pawns;
}

/* Where a pawn looks; there is such a square, or the pawn would be dead. */
static unsigned ahead_of(unsigned seat, unsigned square)
{
    assert(!yonin_has(yonin_last_lines[seat], square));
    return (unsigned)((int)square + yonin_forward[seat]);
}

static bool check_pawn_drop(const struct yonin_view *view, unsigned square, struct illegal *why)
{
    const struct yonin_position *position = view->position;
    if (yonin_has(yonin_last_lines[view->seat], square)) {
        return refuse(why, ILLEGAL_DEAD_PAWN);
    }
    const yonin_squares pawns = pawns_in_line(position, view->seat, square);
    if (pawns != 0) {
        return refuse_at(why, ILLEGAL_NIFU, pawns);
    }
    const unsigned ahead = ahead_of(view->seat, square);
    return yonin_kind(position->board[ahead]) != YONIN_INVERTED ||
           refuse_at(why, ILLEGAL_PAWN_BEFORE_INVERTED_KING, YONIN_BIT(ahead));
}

static bool check_drop(const struct yonin_view *view, struct yonin_step step, struct illegal *why)
{
    const struct yonin_position *position = view->position;
    const yonin_squares to = YONIN_BIT(step.to);
    if ((position->owned[view->seat] & to) != 0) {
        return refuse_at(why, ILLEGAL_OWN_PIECE, to);
    }
    if ((position->occupied & to) != 0) {
        return refuse_at(why, ILLEGAL_OCCUPIED, to);
    }
    if (position->hands[view->seat][step.from] == 0) {
        return refuse(why, ILLEGAL_NOT_IN_HAND);
    }
    return step.from != YONIN_HELD_PAWN || check_pawn_drop(view, step.to, why);
}

/* What only shows once the piece stands there. */
static bool check_after(const struct yonin_view *view, struct move move, struct illegal *why)
{
    struct yonin_position after = *view->position;
    const struct yonin_step step = yonin_step(move);
    (void)yonin_apply(&after, view->seat, move);
    const yonin_squares checkers = yonin_checkers(&after, view->seat);
    if (checkers != 0) {
        return refuse_at(why, ILLEGAL_LEAVES_KING_IN_CHECK, checkers);
    }
    if (view->pairs && yonin_checks_partner(view, move)) {
        return refuse_at(why, ILLEGAL_CHECKS_PARTNER,
                         YONIN_BIT(view->position->kings[yonin_partner(view->seat)]));
    }
    if (step.drops && step.from == YONIN_HELD_PAWN && yonin_drop_mates(view, step.to)) {
        return refuse_at(why, ILLEGAL_PAWN_DROP_MATE, YONIN_BIT(ahead_of(view->seat, step.to)));
    }
    return true;
}

/* The last of all filters, so that it takes no part in mates (35 iv). */
static bool check_perpetual(const struct position *position, const struct game_options *options,
                            const struct history *history, struct move move, struct illegal *why)
{
    struct move_list moves;
    if (!may_be_perpetual(history, position->as.yonin.turn) ||
        !is_perpetual(position, options, history, move)) {
        return true;
    }
    yonin_legal_moves(position, options, history, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        if (moves.at[i].bits == move.bits) {
            return true; /* lifted: every move would be refused */
        }
    }
    return refuse(why, ILLEGAL_PERPETUAL_CHECK);
}

bool yonin_is_legal(const struct position *position, const struct game_options *options,
                    const struct history *history, struct move move, struct illegal *why)
{
    const struct yonin_position *yonin = &position->as.yonin;
    const struct yonin_step step = yonin_step(move);
    struct yonin_view view;
    *why = (struct illegal){.reason = ILLEGAL_NONE};
    if (yonin->turn == RULES_SEAT_NONE) {
        return false;
    }
    yonin_view(yonin, options, (unsigned)yonin->turn, &view);
    const bool fits = step.drops ? check_drop(&view, step, why)
                                 : check_way(&view, step, why) && check_promotion(&view, step, why);
    return fits && check_after(&view, move, why) && !is_over(position, options, history) &&
           check_perpetual(position, options, history, move, why);
}

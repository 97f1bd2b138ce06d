#include "yonin_board.h"

/* Pieces from the hand. */

static void add_drops(const struct yonin_view *view, struct yonin_sink *sink, unsigned held,
                      yonin_squares squares)
{
    if (sink->list == NULL && !view->pairs) {
        sink->count += yonin_count(squares);
        return;
    }
    for (; squares != 0; squares &= squares - 1) {
        yonin_add(view, sink, yonin_drop(held, yonin_first(squares)));
    }
}

/* The lines along the seat's own forward axis that hold an unpromoted pawn facing like it (rule
 * 10). Such a pawn is its own: while a seat is alive, whatever faces like it belongs to it. */
static yonin_squares pawn_lines(const struct yonin_position *position, unsigned seat)
{
    const uint8_t pawn = yonin_piece(YONIN_PAWN, seat);
    yonin_squares lines = 0;
    for (yonin_squares own = position->owned[seat]; own != 0; own &= own - 1) {
        const unsigned at = yonin_first(own);
        if (position->board[at] == pawn) {
            lines |= seat % 2 == 0 ? YONIN_LINE_OF_COLUMN_0 << yonin_column(at)
                                   : yonin_row_set(yonin_row(at), LINE_FULL);
        }
    }
    return lines;
}

/* Where a pawn of the seat would stand right before a king. */
static yonin_squares before_king(const struct yonin_position *position, unsigned seat,
                                 unsigned king_of)
{
    const uint8_t backwards = yonin_piece(YONIN_PAWN, yonin_partner(seat));
    return yonin_steps(yonin_patterns[backwards], position->kings[king_of]);
}

yonin_squares yonin_pawn_squares(const struct yonin_position *position, unsigned seat)
{
    yonin_squares squares = YONIN_ALL_SQUARES & ~position->occupied & ~yonin_last_lines[seat] &
                            ~pawn_lines(position, seat);
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        if (!yonin_alive(position, i)) {
            squares &= ~before_king(position, seat, i); /* rule 12 */
        }
    }
    return squares;
}

bool yonin_drop_mates(const struct yonin_view *view, unsigned square)
{
    const unsigned seat = view->seat;
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        if (i == seat || !yonin_alive(view->position, i) ||
            !yonin_has(before_king(view->position, seat, i), square)) {
            continue;
        }
        /* As if the checked seat moved at once; its own pawn drops are judged in the same way, each
         * level with one pawn less in hand. */
        struct yonin_position after = *view->position;
        after.checked |= (uint8_t)(1u << i);
        (void)yonin_apply(&after, seat, yonin_drop(YONIN_HELD_PAWN, square));
        return !yonin_can_move(&after, view->options, i);
    }
    return false;
}

static yonin_squares without_mates(const struct yonin_view *view, yonin_squares squares)
{
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        if (i == view->seat || !yonin_alive(view->position, i)) {
            continue;
        }
        const yonin_squares before = before_king(view->position, view->seat, i) & squares;
        if (before != 0 && yonin_drop_mates(view, yonin_first(before))) {
            squares &= ~before;
        }
    }
    return squares;
}

void yonin_find_drops(const struct yonin_view *view, struct yonin_sink *sink)
{
    const struct yonin_position *position = view->position;
    const uint8_t *hand = position->hands[view->seat];
    const yonin_squares empty = YONIN_ALL_SQUARES & ~position->occupied & view->answers;
    if (empty == 0) {
        return;
    }
    for (unsigned held = YONIN_HELD_ROOK; held < YONIN_HELD_PAWN; held++) {
        if (hand[held] > 0) {
            add_drops(view, sink, held, empty);
        }
    }
    if (hand[YONIN_HELD_PAWN] == 0 || (sink->first_only && sink->count > 0)) {
        return;
    }
    const yonin_squares squares = yonin_pawn_squares(position, view->seat) & view->answers;
    add_drops(view, sink, YONIN_HELD_PAWN, without_mates(view, squares));
}

bool yonin_can_move(const struct yonin_position *position, const struct game_options *options,
                    unsigned seat)
{
    struct yonin_view view;
    struct yonin_sink sink = {.first_only = true};
    yonin_view(position, options, seat, &view);
    yonin_find_moves(&view, &sink);
    if (sink.count == 0) {
        yonin_find_drops(&view, &sink);
    }
    return sink.count > 0;
}

size_t yonin_count_of(const struct yonin_position *position, const struct game_options *options,
                      unsigned seat)
{
    struct yonin_view view;
    struct yonin_sink sink = {0};
    yonin_view(position, options, seat, &view);
    yonin_find_moves(&view, &sink);
    yonin_find_drops(&view, &sink);
    return sink.count;
}

#include "yonin_board.h"

/* Counting move sequences. The move limit is settled once for the whole tree, and the last ply is
 * counted together with the one before it, so that nobody is asked twice whether they can move. */

static uint64_t count_plies(const struct position *position, const struct game_options *options,
                            unsigned depth, bool play_every_leaf)
{
    struct move_list moves = {.count = 0};
    struct yonin_view view;
    uint64_t leaves = 0;
    if (position->as.yonin.turn == RULES_SEAT_NONE) {
        return 0;
    }
    yonin_view(&position->as.yonin, options, (unsigned)position->as.yonin.turn, &view);
    yonin_find_moves(&view, &(struct yonin_sink){.list = &moves});
    yonin_find_drops(&view, &(struct yonin_sink){.list = &moves});
    if (depth == 1 && !play_every_leaf) {
        return moves.count;
    }
    for (size_t i = 0; i < moves.count; i++) {
        if (depth == 2 && !play_every_leaf) {
            leaves += yonin_count_replies(&position->as.yonin, options, moves.at[i]);
            continue;
        }
        struct position after;
        struct ply_effects effects;
        yonin_play(position, options, moves.at[i], &after, &effects);
        leaves += depth == 1 ? 1 : count_plies(&after, options, depth - 1, play_every_leaf);
    }
    return leaves;
}

uint64_t yonin_perft(const struct position *position, const struct game_options *options,
                     unsigned depth, bool play_every_leaf)
{
    const uint64_t limit = options->value[YONIN_MOVE_LIMIT];
    assert(depth <= RULES_PERFT_DEPTH_MAX);
    if (depth == 0) {
        return 1;
    }
    if (limit != 0 && (uint64_t)position->as.yonin.ply + depth > limit) {
        return 0;
    }
    return count_plies(position, options, depth, play_every_leaf);
}

#include "yonin_board.h"

static uint64_t count_plies(const struct position *position, const struct game_options *options,
                            unsigned depth, bool play_every_leaf)
{
    struct move_list moves;
    uint64_t leaves = 0;
    if (depth == 1 && !play_every_leaf) {
        return yonin_count_moves(position, options);
    }
    yonin_legal_moves(position, options, NULL, &moves);
    for (size_t i = 0; i < moves.count; i++) {
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
    assert(depth <= RULES_PERFT_DEPTH_MAX);
    return depth == 0 ? 1 : count_plies(position, options, depth, play_every_leaf);
}

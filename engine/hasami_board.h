#ifndef ENGINE_HASAMI_BOARD_H
#define ENGINE_HASAMI_BOARD_H

/*
 * What the files of Hasami Shogi share with one another and with nobody else. The functions whose
 * names and arguments match a member of struct game_rules are that member; rules.h describes them.
 *
 * Threads: pure, any thread. Ownership: caller-owned values, nothing kept.
 */

#include "bitboard.h"
#include "rules.h"

_Static_assert((int)HASAMI_SIDE == (int)LINE_SQUARES, "a line of the board fits a line word");

/* Options by their place in the table of hasami.c. */
enum hasami_option { HASAMI_WIN_CONDITION, HASAMI_MOVE_LIMIT, HASAMI_OPTIONS };
enum hasami_win { HASAMI_CAPTURE_5, HASAMI_LEAD_3, HASAMI_CAPTURE_ALL };

/* A move has four bits each for from-row, from-column, to-row, to-column. */
struct hasami_step {
    unsigned from_row, from_col, to_row, to_col;
};

static inline struct hasami_step hasami_step(struct move move)
{
    const struct hasami_step step = {move.bits >> 12 & 15u, move.bits >> 8 & 15u,
                                     move.bits >> 4 & 15u, move.bits & 15u};
    return step;
}

static inline struct move hasami_move(unsigned from_row, unsigned from_col, unsigned to_row,
                                      unsigned to_col)
{
    const struct move move = {(uint16_t)(from_row << 12 | from_col << 8 | to_row << 4 | to_col)};
    return move;
}

static inline unsigned hasami_occupied_row(const struct hasami_position *position, unsigned row)
{
    return position->rows[0][row] | (unsigned)position->rows[1][row];
}

static inline unsigned hasami_occupied_col(const struct hasami_position *position, unsigned col)
{
    return position->cols[0][col] | (unsigned)position->cols[1][col];
}

/* Moves of the side on turn by geometry alone, whether or not the game is over. */
static inline unsigned hasami_mobility(const struct hasami_position *position)
{
    const unsigned side = position->turn;
    unsigned total = 0;

    for (unsigned i = 0; i < HASAMI_SIDE; i++) {
        total += line_mobility(position->rows[side][i], hasami_occupied_row(position, i));
        total += line_mobility(position->cols[side][i], hasami_occupied_col(position, i));
    }
    return total;
}

/* What a landing takes: columns in its row and rows in its column. A corner man that is taken is
 * in one of the two as well, since the man that takes it stands right beside it. */
struct hasami_taken {
    uint16_t in_row;
    uint16_t in_col;
};

/* position and notation (hasami_position.c) */
void hasami_put(struct hasami_position *position, unsigned seat, unsigned row, unsigned col);
uint64_t hasami_hash(const struct position *position);
bool hasami_parse_position(const char *text, size_t length, const struct game_options *options,
                           struct position *position, struct text_error *error);
size_t hasami_format_position(const struct position *position, char text[RULES_POSITION_TEXT_MAX]);

/* moves (hasami_moves.c) */
/* The list that hasami_mobility counts. */
void hasami_generate(const struct hasami_position *position, struct move_list *moves);
void hasami_legal_moves(const struct position *position, const struct game_options *options,
                        const struct history *history, struct move_list *moves);
size_t hasami_count_moves(const struct position *position, const struct game_options *options);
bool hasami_is_legal(const struct position *position, const struct game_options *options,
                     const struct history *history, struct move move, struct illegal *why);
enum illegal_reason hasami_parse_move(const char *text, size_t length, struct move *move);
void hasami_format_move(struct move move, char text[RULES_MOVE_TEXT_MAX]);

/* captures and the successor (hasami_captures.c) */
/* The second half of a ply. The turn has passed already and the man has left its square; it lands
 * on this one and takes what it encloses. */
struct hasami_taken hasami_land(struct hasami_position *position, unsigned row, unsigned col);
/* By row, the empty squares on which a man of the side on turn would take somebody. */
void hasami_taking_squares(const struct hasami_position *position, uint16_t rows[HASAMI_SIDE]);
/* Plays a move that is legal by geometry; `after` is another object than `before`. */
struct hasami_taken hasami_advance(const struct hasami_position *before, struct move move,
                                   struct hasami_position *after);
void hasami_play(const struct position *before, const struct game_options *options,
                 struct move move, struct position *after, struct ply_effects *effects);

/* outcome (hasami_outcome.c) */
/* Whether the captures of `seat` fulfil the chosen condition. */
bool hasami_captured_enough(const struct hasami_position *position,
                            const struct game_options *options, unsigned seat);
/* Over by something other than immobility; history may be NULL. Cheaper than the outcome, and
 * enough where a move by geometry is known to exist or its absence shows by itself. */
bool hasami_over(const struct position *position, const struct game_options *options,
                 const struct history *history);
void hasami_outcome(const struct position *position, const struct game_options *options,
                    const struct history *history, struct outcome *outcome);
void hasami_resign(const struct position *position, int seat, struct outcome *outcome);

/* hasami_evaluate.c */
int32_t hasami_evaluate(const struct position *position, const struct game_options *options,
                        int seat);

/* hasami_perft.c */
uint64_t hasami_perft(const struct position *position, const struct game_options *options,
                      unsigned depth, bool play_every_leaf);

#endif

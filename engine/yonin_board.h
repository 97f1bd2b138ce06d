#ifndef ENGINE_YONIN_BOARD_H
#define ENGINE_YONIN_BOARD_H

/*
 * What the files of four-player shogi share with one another and with nobody else. The functions
 * whose names and arguments match a member of struct game_rules are that member; rules.h describes
 * them. Numbers in comments ("rule 13") are those of the rulebook's points as our rules list them.
 *
 * Threads: pure, any thread. Ownership: caller-owned values, nothing kept.
 */

#include "bitboard.h"
#include "rules.h"

#include <assert.h>

_Static_assert((int)YONIN_SIDE == (int)LINE_SQUARES, "a line of the board fits a line word");
_Static_assert((int)YONIN_SQUARES == (int)RULES_SQUARES, "the seam's squares");

/* Options by their place in the table of yonin.c. */
enum yonin_option {
    YONIN_FORMAT,
    YONIN_ENDING,
    YONIN_ORPHANED_PIECES,
    YONIN_MOVE_LIMIT,
    YONIN_OPTIONS
};
enum yonin_format { YONIN_INDIVIDUAL, YONIN_PAIRS };
enum yonin_ending { YONIN_TWO_MATES, YONIN_LAST_SURVIVOR };
enum yonin_orphaned { YONIN_TO_MATER, YONIN_OWNERLESS };

/* --- pieces -------------------------------------------------------------------------------------
 */

/* Kind in the low four bits, facing (a seat) in the two above. */
enum yonin_kind {
    YONIN_EMPTY,
    YONIN_PAWN,
    YONIN_SILVER,
    YONIN_GOLD,
    YONIN_ROOK,
    YONIN_KING,
    YONIN_INVERTED, /* the king of a mated seat */
    YONIN_PROMOTED = 8,
    YONIN_TOKIN = YONIN_PROMOTED | YONIN_PAWN,
    YONIN_PROMOTED_SILVER = YONIN_PROMOTED | YONIN_SILVER,
    YONIN_DRAGON = YONIN_PROMOTED | YONIN_ROOK,
};
enum { YONIN_PIECES = 64, YONIN_KINDS = 16, YONIN_NOBODY = YONIN_SEATS };

static inline uint8_t yonin_piece(unsigned kind, unsigned facing)
{
    return (uint8_t)(kind | facing << 4);
}

static inline unsigned yonin_kind(uint8_t piece)
{
    return piece & 15u;
}

static inline unsigned yonin_facing(uint8_t piece)
{
    return piece >> 4;
}

/* Places in a hand, which is the order of texts too. */
enum yonin_held { YONIN_HELD_ROOK, YONIN_HELD_GOLD, YONIN_HELD_SILVER, YONIN_HELD_PAWN };
extern const uint8_t yonin_held_kinds[YONIN_HAND_KINDS];
/* By unpromoted kind: its place in a hand. */
extern const uint8_t yonin_held_places[YONIN_KINDS];
extern const bool yonin_promotes[YONIN_KINDS];

/* --- squares ------------------------------------------------------------------------------------
 */

#define YONIN_BIT(square) ((yonin_squares)1 << (square))
#define YONIN_LINE_OF_COLUMN_0                                                                     \
    (YONIN_BIT(0) | YONIN_BIT(9) | YONIN_BIT(18) | YONIN_BIT(27) | YONIN_BIT(36) | YONIN_BIT(45) | \
     YONIN_BIT(54) | YONIN_BIT(63) | YONIN_BIT(72))
#define YONIN_ALL_SQUARES (YONIN_BIT(YONIN_SQUARES) - 1)

static inline unsigned yonin_row(unsigned square)
{
    return square / YONIN_SIDE;
}

static inline unsigned yonin_column(unsigned square)
{
    return square % YONIN_SIDE;
}

static inline yonin_squares yonin_row_set(unsigned row, unsigned word)
{
    return (yonin_squares)word << (row * YONIN_SIDE);
}

static inline bool yonin_has(yonin_squares set, unsigned square)
{
    return (set >> square & 1) != 0;
}

/* The lowest square of a set that is not empty. */
static inline unsigned yonin_first(yonin_squares set)
{
    const uint64_t low = (uint64_t)set;
    return low != 0 ? (unsigned)__builtin_ctzll(low)
                    : 64u + (unsigned)__builtin_ctzll((uint64_t)(set >> 64));
}

/* By adding fields of bits: the compiler's own, without the processor's instruction, is a call. The
 * seventeen squares of the upper word add into fields of the lower one that have room for them. */
static inline unsigned yonin_count(yonin_squares set)
{
    const uint64_t ones = UINT64_C(0x5555555555555555);
    const uint64_t twos = UINT64_C(0x3333333333333333);
    const uint64_t fours = UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t low = (uint64_t)set;
    uint64_t high = (uint64_t)(set >> 64);
    low -= low >> 1 & ones;
    high -= high >> 1 & ones;
    low = (low & twos) + (low >> 2 & twos);
    high = (high & twos) + (high >> 2 & twos);
    low = (low & fours) + (low >> 4 & fours) + (high & fours) + (high >> 4 & fours);
    return (unsigned)(low * UINT64_C(0x0101010101010101) >> 56);
}

/* By nine-bit word: the squares of column 0 whose rows it names. */
extern const yonin_squares yonin_column_sets[LINE_FULL + 1];
/* By column: it and its neighbours, so that steps do not run round the edge. */
extern const yonin_squares yonin_near_columns[YONIN_SIDE];
/* By piece: its single steps as a 3 x 3 pattern around square (1, 1). */
extern const uint32_t yonin_patterns[YONIN_PIECES];
/* By facing. */
extern const yonin_squares yonin_zones[YONIN_SEATS];      /* where promotion is allowed */
extern const yonin_squares yonin_last_lines[YONIN_SEATS]; /* where a pawn has no move */
extern const int yonin_forward[YONIN_SEATS];              /* one step ahead, in squares */

enum { YONIN_PATTERN_CENTRE = YONIN_SIDE + 1, YONIN_PATTERN_FULL = 0x1C0A07 };

static inline yonin_squares yonin_steps(uint32_t pattern, unsigned square)
{
    return (yonin_squares)pattern << square >> YONIN_PATTERN_CENTRE &
           yonin_near_columns[yonin_column(square)] & YONIN_ALL_SQUARES;
}

/* What a rook reaches, the first piece in its way included. */
static inline yonin_squares yonin_rook_reach(const uint16_t rows[YONIN_SIDE],
                                             const uint16_t cols[YONIN_SIDE], unsigned square)
{
    const unsigned row = yonin_row(square);
    const unsigned col = yonin_column(square);
    return yonin_row_set(row, line_attack(rows[row], col)) |
           yonin_column_sets[line_attack(cols[col], row)] << col;
}

/* Squares strictly between two of one row or column; else none. */
static inline yonin_squares yonin_between(unsigned a, unsigned b)
{
    if (yonin_row(a) == yonin_row(b)) {
        return yonin_row_set(yonin_row(a), line_between(yonin_column(a), yonin_column(b)));
    }
    if (yonin_column(a) == yonin_column(b)) {
        return yonin_column_sets[line_between(yonin_row(a), yonin_row(b))] << yonin_column(a);
    }
    return 0;
}

/* --- seats --------------------------------------------------------------------------------------
 */

static inline unsigned yonin_next(unsigned seat)
{
    return (seat + 1) % YONIN_SEATS;
}

static inline unsigned yonin_partner(unsigned seat)
{
    return (seat + 2) % YONIN_SEATS;
}

static inline bool yonin_alive(const struct yonin_position *position, unsigned seat)
{
    return (position->alive >> seat & 1) != 0;
}

static inline bool yonin_pairs(const struct game_options *options)
{
    return options->value[YONIN_FORMAT] == YONIN_PAIRS;
}

/* Whoever may check a seat: all others, a partner too (rule 39). */
static inline yonin_squares yonin_others(const struct yonin_position *position, unsigned seat)
{
    return (position->owned[0] | position->owned[1] | position->owned[2] | position->owned[3]) &
           ~position->owned[seat];
}

/* Owner of a square: a seat, or YONIN_NOBODY. */
static inline unsigned yonin_owner(const struct yonin_position *position, unsigned square)
{
    unsigned seat = 0;
    while (seat < YONIN_SEATS && !yonin_has(position->owned[seat], square)) {
        seat++;
    }
    return seat;
}

/* --- moves --------------------------------------------------------------------------------------
 */

/* to: bits 0-6; from: bits 7-13 (a drop: the place in the hand); promotes: 14; a drop: 15. */
struct yonin_step {
    unsigned from, to;
    bool promotes, drops;
};

static inline struct yonin_step yonin_step(struct move move)
{
    const struct yonin_step step = {move.bits >> 7 & 127u, move.bits & 127u,
                                    (move.bits >> 14 & 1u) != 0, move.bits >> 15 != 0};
    return step;
}

static inline struct move yonin_board_move(unsigned from, unsigned to, bool promotes)
{
    const struct move move = {(uint16_t)(to | from << 7 | (promotes ? 1u << 14 : 0u))};
    return move;
}

static inline struct move yonin_drop(unsigned held, unsigned to)
{
    const struct move move = {(uint16_t)(to | held << 7 | 1u << 15)};
    return move;
}

/* --- the board (yonin.c) ------------------------------------------------------------------------
 */

void yonin_put(struct yonin_position *position, unsigned square, uint8_t piece, unsigned owner);
void yonin_take(struct yonin_position *position, unsigned square, unsigned owner);
/* Pieces on the board, in hand and credited inverted kings (rule 28). */
unsigned yonin_total(const struct yonin_position *position, unsigned seat);
unsigned yonin_mates_of(const struct yonin_position *position, unsigned seat);

/* --- attacks (yonin_attacks.c) ------------------------------------------------------------------
 */

/* Pieces of `by` that attack a square. */
yonin_squares yonin_attackers(const struct yonin_position *position, unsigned square,
                              yonin_squares by);
/* The same as if `gone` were empty. */
yonin_squares yonin_attackers_without(const struct yonin_position *position, unsigned square,
                                      yonin_squares by, unsigned gone);
static inline yonin_squares yonin_checkers(const struct yonin_position *position, unsigned seat)
{
    return yonin_attackers(position, position->kings[seat], yonin_others(position, seat));
}

/* Bit = seat. */
uint8_t yonin_seats_in_check(const struct yonin_position *position);

/* --- legal moves (yonin_moves.c, yonin_drops.c, yonin_legal.c) ----------------------------------
 */

/* All that the moves of one seat have in common. */
struct yonin_view {
    const struct yonin_position *position;
    const struct game_options *options;
    unsigned seat;
    unsigned king;
    bool pairs;
    yonin_squares others;
    yonin_squares forbidden; /* squares no piece of the seat may go to */
    yonin_squares checkers;
    yonin_squares answers; /* where a piece other than the king may go: all, or what ends a check */
    yonin_squares pinned;
};
void yonin_view(const struct yonin_position *position, const struct game_options *options,
                unsigned seat, struct yonin_view *view);

/* What to do with moves as they are found. */
struct yonin_sink {
    struct move_list *list; /* NULL: only counted */
    size_t count;
    bool first_only; /* one is enough */
};
void yonin_find_moves(const struct yonin_view *view, struct yonin_sink *sink);
void yonin_find_drops(const struct yonin_view *view, struct yonin_sink *sink);
/* Of a seat as if it were to move now; no history. */
bool yonin_can_move(const struct yonin_position *position, const struct game_options *options,
                    unsigned seat);
size_t yonin_count_of(const struct yonin_position *position, const struct game_options *options,
                      unsigned seat);

/* Destinations of a piece that is not a king, by movement, check and pin. */
yonin_squares yonin_destinations(const struct yonin_view *view, unsigned from);
yonin_squares yonin_king_destinations(const struct yonin_view *view);
/* Pairs: whether a move would give the partner a new check (rule 37). */
bool yonin_checks_partner(const struct yonin_view *view, struct move move);

/* A move that is legal but for rule 37. */
static inline void yonin_add(const struct yonin_view *view, struct yonin_sink *sink,
                             struct move move)
{
    if (view->pairs && yonin_checks_partner(view, move)) {
        return;
    }
    if (sink->list != NULL) {
        assert(sink->list->count < RULES_MOVES_MAX);
        sink->list->at[sink->list->count++] = move;
    }
    sink->count++;
}

/* Where a pawn of the seat may be dropped but for check and mate (rules 10 to 12). */
yonin_squares yonin_pawn_squares(const struct yonin_position *position, unsigned seat);
/* Whether dropping a pawn there mates somebody at once (rule 13). */
bool yonin_drop_mates(const struct yonin_view *view, unsigned square);

void yonin_legal_moves(const struct position *position, const struct game_options *options,
                       const struct history *history, struct move_list *moves);
size_t yonin_count_moves(const struct position *position, const struct game_options *options);
bool yonin_is_legal(const struct position *position, const struct game_options *options,
                    const struct history *history, struct move move, struct illegal *why);

/* --- a ply (yonin_play.c) -----------------------------------------------------------------------
 */

/* The board after a move by a seat; turn, givers and eliminations are not settled yet. True: it
 * captured something. */
bool yonin_apply(struct yonin_position *position, unsigned seat, struct move move);
void yonin_play(const struct position *before, const struct game_options *options, struct move move,
                struct position *after, struct ply_effects *effects);
/* Moves of the seat that is on turn after a move, none where that ends the game; for counting. */
size_t yonin_count_replies(const struct yonin_position *before, const struct game_options *options,
                           struct move move);
/* How many mates end the game, and whether they have ended it. */
unsigned yonin_last_mate(const struct game_options *options);
bool yonin_ended(const struct yonin_position *position, const struct game_options *options);

/* --- the end (yonin_outcome.c) ------------------------------------------------------------------
 */

void yonin_outcome(const struct position *position, const struct game_options *options,
                   const struct history *history, struct outcome *outcome);
/* Rule 35 (ii): whether a move of the seat on turn, leading to `key` with or without a new check,
 * is refused as perpetual check (before the lifting of iv). */
bool yonin_is_perpetual(const struct history *history, unsigned seat, uint64_t key,
                        bool gives_new_check);
/* How often a position has been there. */
size_t yonin_occurrences(const struct history *history, uint64_t key);

/* --- texts (yonin_text.c, yonin_parse.c) and the rest -------------------------------------------
 */

uint64_t yonin_hash(const struct position *position);
/* Whether a game can lead to a position as it was read; else why not. */
bool yonin_check_position(const struct yonin_position *position, const struct game_options *options,
                          struct text_error *error);
bool yonin_parse_position(const char *text, size_t length, const struct game_options *options,
                          struct position *position, struct text_error *error);
size_t yonin_format_position(const struct position *position, char text[RULES_POSITION_TEXT_MAX]);
void yonin_piece_text(const struct position *position, uint8_t square,
                      char text[RULES_PIECE_TEXT_MAX]);
enum illegal_reason yonin_parse_move(const char *text, size_t length, struct move *move);
void yonin_format_move(struct move move, char text[RULES_MOVE_TEXT_MAX]);
int32_t yonin_evaluate(const struct position *position, const struct game_options *options,
                       int seat);
uint64_t yonin_perft(const struct position *position, const struct game_options *options,
                     unsigned depth, bool play_every_leaf);

#endif

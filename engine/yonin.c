#include "yonin_board.h"

/* The game's entry in the array of games: its options, its pools, and the smallest of its
 * functions. */

static const char *const formats[] = {
    [YONIN_INDIVIDUAL] = "individual", [YONIN_PAIRS] = "pairs", NULL};
static const char *const endings[] = {
    [YONIN_TWO_MATES] = "two_mates", [YONIN_LAST_SURVIVOR] = "last_survivor", NULL};
static const char *const orphaned[] = {
    [YONIN_TO_MATER] = "to_mater", [YONIN_OWNERLESS] = "ownerless", NULL};

/* clang-format off */
static const struct option_rules option_table[] = {
    [YONIN_FORMAT]          = {.key = "format",          .words = formats},
    [YONIN_ENDING]          = {.key = "ending",          .words = endings},
    [YONIN_ORPHANED_PIECES] = {.key = "orphaned_pieces", .words = orphaned},
    [YONIN_MOVE_LIMIT]      = {.key = "move_limit",      .max = 2000},
};
/* clang-format on */
_Static_assert(sizeof option_table / sizeof option_table[0] == YONIN_OPTIONS, "one line each");
_Static_assert((int)YONIN_OPTIONS <= (int)RULES_OPTIONS_MAX, "values have room");

static const struct pool_rules pool_table[] = {
    {.key = "yonin"                                       },
    { .key = "yonin_pairs", .options = {.value = {[YONIN_FORMAT] = YONIN_PAIRS}}},
};

static const enum end_reason end_reasons[] = {
    END_MATES, END_LAST_SURVIVOR, END_TEAM_MATE, END_REPETITION, END_MOVE_LIMIT, END_NONE,
};

static const enum illegal_reason illegal_reasons[] = {
    ILLEGAL_SYNTAX,
    ILLEGAL_OFF_BOARD,
    ILLEGAL_NO_PIECE,
    ILLEGAL_NOT_YOUR_PIECE,
    ILLEGAL_NO_MOVE,
    ILLEGAL_BAD_GEOMETRY,
    ILLEGAL_OWN_PIECE,
    ILLEGAL_OCCUPIED,
    ILLEGAL_BLOCKED,
    ILLEGAL_PARTNER_PIECE,
    ILLEGAL_KING_NOT_CAPTURABLE,
    ILLEGAL_NOT_IN_HAND,
    ILLEGAL_MUST_PROMOTE,
    ILLEGAL_CANNOT_PROMOTE,
    ILLEGAL_DEAD_PAWN,
    ILLEGAL_NIFU,
    ILLEGAL_PAWN_BEFORE_INVERTED_KING,
    ILLEGAL_LEAVES_KING_IN_CHECK,
    ILLEGAL_CHECKS_PARTNER,
    ILLEGAL_PAWN_DROP_MATE,
    ILLEGAL_PERPETUAL_CHECK,
    ILLEGAL_NONE,
};

/* --- the board -----------------------------------------------------------------------------------
 */

void yonin_put(struct yonin_position *position, unsigned square, uint8_t piece, unsigned owner)
{
    assert(square < YONIN_SQUARES && position->board[square] == YONIN_EMPTY);
    assert(owner <= YONIN_NOBODY);
    const yonin_squares bit = YONIN_BIT(square);
    position->board[square] = piece;
    position->occupied |= bit;
    position->rows[yonin_row(square)] |= (uint16_t)(1u << yonin_column(square));
    position->cols[yonin_column(square)] |= (uint16_t)(1u << yonin_row(square));
    if ((yonin_kind(piece) & ~(unsigned)YONIN_PROMOTED) == YONIN_ROOK) {
        position->rooks |= bit;
    }
    if (owner != YONIN_NOBODY) {
        position->owned[owner] |= bit;
    }
}

void yonin_take(struct yonin_position *position, unsigned square, unsigned owner)
{
    assert(square < YONIN_SQUARES && position->board[square] != YONIN_EMPTY);
    const yonin_squares others = ~YONIN_BIT(square);
    assert(owner <= YONIN_NOBODY);
    position->board[square] = YONIN_EMPTY;
    position->occupied &= others;
    position->rows[yonin_row(square)] &= (uint16_t) ~(1u << yonin_column(square));
    position->cols[yonin_column(square)] &= (uint16_t) ~(1u << yonin_row(square));
    position->rooks &= others;
    if (owner != YONIN_NOBODY) {
        position->owned[owner] &= others;
    }
}

static void put_seat(struct yonin_position *position, unsigned seat)
{
    /* Of seat s: offsets from its king on 5i, in (column, row) steps seen by the seat. */
    static const struct {
        uint8_t kind;
        int8_t side, ahead;
    } pieces[] = {
        {YONIN_KING,   0,  0},
        {YONIN_GOLD,   -1, 0},
        {YONIN_GOLD,   1,  0},
        {YONIN_SILVER, -2, 0},
        {YONIN_SILVER, 2,  0},
        {YONIN_ROOK,   0,  1},
        {YONIN_PAWN,   -1, 1},
        {YONIN_PAWN,   1,  1},
        {YONIN_PAWN,   0,  2},
    };
    static const uint8_t kings[YONIN_SEATS] = {76, 36, 4, 44}; /* 5i 9e 5a 1e */
    const int ahead = yonin_forward[seat];
    const int side = yonin_forward[yonin_next(seat)];
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        const int square = kings[seat] + pieces[i].side * side + pieces[i].ahead * ahead;
        yonin_put(position, (unsigned)square, yonin_piece(pieces[i].kind, seat), seat);
    }
    position->kings[seat] = kings[seat];
    position->givers[seat] = RULES_SEAT_NONE;
}

static void start(struct position *position)
{
    struct yonin_position *yonin = &position->as.yonin;
    *yonin = (struct yonin_position){.alive = (1u << YONIN_SEATS) - 1};
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        put_seat(yonin, seat);
    }
}

/* --- small questions -----------------------------------------------------------------------------
 */

static int turn(const struct position *position)
{
    return position->as.yonin.turn;
}

static uint32_t ply(const struct position *position)
{
    return position->as.yonin.ply;
}

unsigned yonin_mates_of(const struct yonin_position *position, unsigned seat)
{
    unsigned mates = 0;
    for (unsigned i = 0; i < position->mate_count; i++) {
        mates += position->mates[i].credited == (int)seat;
    }
    return mates;
}

static unsigned in_hand(const struct yonin_position *position, unsigned seat)
{
    unsigned held = 0;
    for (unsigned i = 0; i < YONIN_HAND_KINDS; i++) {
        held += position->hands[seat][i];
    }
    return held;
}

unsigned yonin_total(const struct yonin_position *position, unsigned seat)
{
    return yonin_count(position->owned[seat]) + in_hand(position, seat) +
           yonin_mates_of(position, seat);
}

static void seat_facts(const struct position *position, int seat, struct seat_facts *facts)
{
    assert(seat >= 0 && seat < YONIN_SEATS);
    const struct yonin_position *yonin = &position->as.yonin;
    const unsigned who = (unsigned)seat;
    const bool alive = yonin_alive(yonin, who);
    *facts = (struct seat_facts){
        .alive = alive,
        .in_check = alive && yonin_checkers(yonin, who) != 0,
        .pieces = (uint8_t)yonin_total(yonin, who),
        .captured = (uint8_t)in_hand(yonin, who),
        .mates = (uint8_t)yonin_mates_of(yonin, who),
    };
    for (unsigned i = 0; i < YONIN_HAND_KINDS; i++) {
        facts->hand[i] = yonin->hands[who][i];
    }
}

static uint8_t team(const struct game_options *options, int seat)
{
    assert(seat >= 0 && seat < YONIN_SEATS);
    return (uint8_t)(yonin_pairs(options) ? seat % 2 : seat);
}

/* Rule 34: a draw of pairs is played again, a solo game has places. */
static bool replays_repetition(const struct game_options *options)
{
    return yonin_pairs(options);
}

const struct game_rules yonin_rules = {
    .key = "yonin",
    .seat_letters = "swne",
    .seat_count = YONIN_SEATS,
    .hand_letters = "RGSP",
    .options = option_table,
    .option_count = sizeof option_table / sizeof option_table[0],
    .pools = pool_table,
    .pool_count = sizeof pool_table / sizeof pool_table[0],
    .end_reasons = end_reasons,
    .illegal_reasons = illegal_reasons,
    .start = start,
    .turn = turn,
    .ply = ply,
    .hash = yonin_hash,
    .legal_moves = yonin_legal_moves,
    .count_moves = yonin_count_moves,
    .is_legal = yonin_is_legal,
    .play = yonin_play,
    .outcome = yonin_outcome,
    .resign = NULL, /* rule 32 */
    .seat_facts = seat_facts,
    .team = team,
    .replays_repetition = replays_repetition,
    .evaluate = yonin_evaluate,
    .perft = yonin_perft,
    .parse_position = yonin_parse_position,
    .format_position = yonin_format_position,
    .piece_text = yonin_piece_text,
    .piece_legend = "^ faces rank a (s), > file 1 (w), v rank i (n), < file 9 (e)\n"
                    "a letter behind it: another owner; -: nobody's; +: promoted; X: a mated king",
    .parse_move = yonin_parse_move,
    .format_move = yonin_format_move,
};

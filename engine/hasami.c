#include "hasami_board.h"

/* The game's entry in the array of games: its options, its pool, and the smallest of its functions.
 */

static void start(struct position *position);
static int turn(const struct position *position);
static uint32_t ply(const struct position *position);
static void seat_facts(const struct position *position, int seat, struct seat_facts *facts);
static uint8_t team(const struct game_options *options, int seat);
static void piece_text(const struct position *position, uint8_t square,
                       char text[RULES_PIECE_TEXT_MAX]);
static bool replays_repetition(const struct game_options *options);

static const char *const win_conditions[] = {
    [HASAMI_CAPTURE_5] = "capture_5",
    [HASAMI_LEAD_3] = "lead_3",
    [HASAMI_CAPTURE_ALL] = "capture_all",
    NULL,
};

static const struct option_rules option_table[] = {
    [HASAMI_WIN_CONDITION] = {.key = "win_condition", .words = win_conditions},
    [HASAMI_MOVE_LIMIT] = {.key = "move_limit",    .max = 2000            },
};
_Static_assert(sizeof option_table / sizeof option_table[0] == HASAMI_OPTIONS, "one line each");
_Static_assert((int)HASAMI_OPTIONS <= (int)RULES_OPTIONS_MAX, "values have room");

static const struct pool_rules pool_table[] = {{.key = "hasami"}};

static const enum end_reason end_reasons[] = {
    END_CAPTURE, END_IMMOBILE, END_RESIGN, END_REPETITION, END_MOVE_LIMIT, END_NONE,
};

static const enum illegal_reason illegal_reasons[] = {
    ILLEGAL_SYNTAX,  ILLEGAL_OFF_BOARD,    ILLEGAL_NO_PIECE,  ILLEGAL_NOT_YOUR_PIECE,
    ILLEGAL_NO_MOVE, ILLEGAL_BAD_GEOMETRY, ILLEGAL_OWN_PIECE, ILLEGAL_OCCUPIED,
    ILLEGAL_BLOCKED, ILLEGAL_NONE,
};

const struct game_rules hasami_rules = {
    .key = "hasami",
    .seat_letters = "bw",
    .seat_count = HASAMI_SEATS,
    .hand_letters = "",
    .options = option_table,
    .option_count = HASAMI_OPTIONS,
    .pools = pool_table,
    .pool_count = sizeof pool_table / sizeof pool_table[0],
    .end_reasons = end_reasons,
    .illegal_reasons = illegal_reasons,
    .start = start,
    .turn = turn,
    .ply = ply,
    .hash = hasami_hash,
    .legal_moves = hasami_legal_moves,
    .count_moves = hasami_count_moves,
    .is_legal = hasami_is_legal,
    .play = hasami_play,
    .outcome = hasami_outcome,
    .resign = hasami_resign,
    .seat_facts = seat_facts,
    .team = team,
    .replays_repetition = replays_repetition,
    .evaluate = hasami_evaluate,
    .perft = hasami_perft,
    .parse_position = hasami_parse_position,
    .format_position = hasami_format_position,
    .piece_text = piece_text,
    .parse_move = hasami_parse_move,
    .format_move = hasami_format_move,
};

static void start(struct position *position)
{
    struct hasami_position *hasami = &position->as.hasami;

    *hasami = (struct hasami_position){0};
    for (unsigned col = 0; col < HASAMI_SIDE; col++) {
        hasami_put(hasami, 0, HASAMI_SIDE - 1, col);
        hasami_put(hasami, 1, 0, col);
    }
    assert(hasami->men[0] == HASAMI_MEN && hasami->men[1] == HASAMI_MEN);
}

/* The side field stays what it is after the end, so there is always somebody "on turn". */
static int turn(const struct position *position)
{
    assert(position->as.hasami.turn < HASAMI_SEATS);
    return position->as.hasami.turn;
}

static uint32_t ply(const struct position *position)
{
    return position->as.hasami.ply;
}

static void seat_facts(const struct position *position, int seat, struct seat_facts *facts)
{
    assert(seat >= 0 && seat < HASAMI_SEATS);
    const uint8_t *men = position->as.hasami.men;

    *facts = (struct seat_facts){
        .alive = true, .pieces = men[seat], .captured = (uint8_t)(HASAMI_MEN - men[seat ^ 1])};
}

static uint8_t team(const struct game_options *options, int seat)
{
    assert(options != NULL);
    assert(seat >= 0 && seat < HASAMI_SEATS);
    return (uint8_t)seat;
}

static void piece_text(const struct position *position, uint8_t square,
                       char text[RULES_PIECE_TEXT_MAX])
{
    static const char letters[HASAMI_SEATS] = {'P', 'p'};
    assert(square < RULES_SQUARES);
    const unsigned row = square / HASAMI_SIDE;
    const unsigned col = square % HASAMI_SIDE;

    text[0] = '\0';
    text[1] = '\0';
    for (unsigned seat = 0; seat < HASAMI_SEATS; seat++) {
        if ((position->as.hasami.rows[seat][row] >> col & 1u) != 0) {
            text[0] = letters[seat];
        }
    }
}

/* R27, R35: "a draw, and it is played again", whatever the options. */
static bool replays_repetition(const struct game_options *options)
{
    assert(options != NULL);
    return true;
}

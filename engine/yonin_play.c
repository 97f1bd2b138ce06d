#include "yonin_board.h"

/* A ply: the board, who is in check by whom, whose turn it is, and who falls (rules 15 to 26). */

bool yonin_apply(struct yonin_position *position, unsigned seat, struct move move)
{
    const struct yonin_step step = yonin_step(move);
    bool captured = false;
    if (step.drops) {
        assert(position->hands[seat][step.from] > 0);
        position->hands[seat][step.from]--;
        yonin_put(position, step.to, yonin_piece(yonin_held_kinds[step.from], seat), seat);
        return false;
    }
    const uint8_t piece = position->board[step.from];
    const uint8_t taken = position->board[step.to];
    if (taken != YONIN_EMPTY) {
        const unsigned kind = yonin_kind(taken) & ~(unsigned)YONIN_PROMOTED;
        assert(kind != YONIN_KING && kind != YONIN_INVERTED);
        yonin_take(position, step.to);
        position->hands[seat][yonin_held_places[kind]]++;
        captured = true;
    }
    yonin_take(position, step.from);
    yonin_put(position, step.to, piece | (step.promotes ? YONIN_PROMOTED : 0), seat);
    if (yonin_kind(piece) == YONIN_KING) {
        position->kings[seat] = (uint8_t)step.to;
    }
    return captured;
}

bool yonin_ended(const struct yonin_position *position, const struct game_options *options)
{
    if (yonin_pairs(options)) {
        return position->mate_count >= 1;
    }
    return options->value[YONIN_ENDING] == YONIN_TWO_MATES ? position->mate_count >= 2
                                                           : position->mate_count >= 3;
}

/* --- who falls -----------------------------------------------------------------------------------
 */

/* A check that nobody gives any more has no giver. An elimination can only take checks away. */
static void forget_givers(struct yonin_position *position)
{
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        if (position->givers[i] != RULES_SEAT_NONE &&
            (!yonin_alive(position, i) || yonin_checkers(position, i) == 0)) {
            position->givers[i] = RULES_SEAT_NONE;
        }
    }
}

/* Rules 23 and 24: the hand goes to whoever is credited, the pieces as the option says. */
static void hand_over(struct yonin_position *position, const struct game_options *options,
                      unsigned victim, int credited)
{
    for (unsigned i = 0; i < YONIN_HAND_KINDS; i++) {
        if (credited != RULES_SEAT_NONE) {
            position->hands[credited][i] =
                (uint8_t)(position->hands[credited][i] + position->hands[victim][i]);
        }
        position->hands[victim][i] = 0;
    }
    if (credited != RULES_SEAT_NONE && options->value[YONIN_ORPHANED_PIECES] == YONIN_TO_MATER) {
        position->owned[credited] |= position->owned[victim];
    }
    position->owned[victim] = 0;
}

static void eliminate(struct yonin_position *position, const struct game_options *options,
                      unsigned victim, bool in_check, unsigned last_mover)
{
    const unsigned king = position->kings[victim];
    const int credited = in_check ? position->givers[victim] : (int)last_mover;
    assert(position->mate_count < YONIN_MATES_MAX);
    assert(credited == RULES_SEAT_NONE || yonin_alive(position, (unsigned)credited));
    position->mates[position->mate_count++] = (struct yonin_mate){(int8_t)victim, (int8_t)credited};
    position->alive &= (uint8_t) ~(1u << victim);
    position->board[king] = yonin_piece(YONIN_INVERTED, victim);
    position->owned[victim] &= ~YONIN_BIT(king);
    hand_over(position, options, victim, credited);
    forget_givers(position);
}

/* --- whose turn it is ----------------------------------------------------------------------------
 */

/* Whoever is in check goes first, in clockwise order from the one before (rules 15, 16). */
static unsigned next_to_move(const struct yonin_position *position, unsigned from, bool *in_check)
{
    unsigned seat = from;
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        seat = yonin_next(seat);
        if (yonin_alive(position, seat) && yonin_checkers(position, seat) != 0) {
            *in_check = true;
            return seat;
        }
    }
    *in_check = false;
    do {
        seat = yonin_next(seat);
    } while (!yonin_alive(position, seat));
    return seat;
}

static void settle_turn(struct yonin_position *position, const struct game_options *options,
                        unsigned mover, struct ply_effects *effects)
{
    unsigned from = mover;
    for (;;) {
        bool in_check = false;
        const unsigned next = next_to_move(position, from, &in_check);
        if (yonin_can_move(position, options, next)) {
            position->turn = (int8_t)next;
            return;
        }
        eliminate(position, options, next, in_check, mover);
        const struct yonin_mate *mate = &position->mates[position->mate_count - 1];
        effects->eliminations[effects->elimination_count++] =
            (struct elimination){mate->victim, mate->credited};
        if (yonin_ended(position, options)) {
            position->turn = RULES_SEAT_NONE;
            return;
        }
        from = next;
    }
}

/* --- a ply ---------------------------------------------------------------------------------------
 */

/* Rule 22 and the definition of a new check: by the piece just moved, or by one that did not attack
 * before. True: somebody got one. */
static bool note_checks(struct yonin_position *position, unsigned mover, unsigned to,
                        const yonin_squares before[YONIN_SEATS])
{
    bool gave = false;
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        if (i == mover || !yonin_alive(position, i)) {
            continue;
        }
        const yonin_squares now = yonin_checkers(position, i);
        if (now == 0) {
            position->givers[i] = RULES_SEAT_NONE;
        } else if ((now & (YONIN_BIT(to) | ~before[i])) != 0) {
            position->givers[i] = (int8_t)mover;
            gave = true;
        }
    }
    position->givers[mover] = RULES_SEAT_NONE;
    return gave;
}

void yonin_play(const struct position *before, const struct game_options *options, struct move move,
                struct position *after, struct ply_effects *effects)
{
    struct yonin_position *position = &after->as.yonin;
    yonin_squares checks[YONIN_SEATS] = {0};
    if (before != after) {
        *position = before->as.yonin;
    }
    const struct yonin_step step = yonin_step(move);
    assert(position->turn != RULES_SEAT_NONE);
    const unsigned mover = (unsigned)position->turn;
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        if (i != mover && yonin_alive(position, i)) {
            checks[i] = yonin_checkers(position, i);
        }
    }
    *effects = (struct ply_effects){0};
    if (yonin_apply(position, mover, move)) {
        effects->captured[effects->captured_count++] = (uint8_t)step.to;
    }
    position->ply++;
    assert(yonin_checkers(position, mover) == 0);
    effects->gave_new_check = note_checks(position, mover, step.to, checks);
    settle_turn(position, options, mover, effects);
}

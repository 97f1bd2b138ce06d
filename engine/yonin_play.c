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
        yonin_take(position, step.to, yonin_owner(position, step.to));
        position->hands[seat][yonin_held_places[kind]]++;
        captured = true;
    }
    assert(yonin_has(position->owned[seat], step.from));
    yonin_take(position, step.from, seat);
    yonin_put(position, step.to, piece | (step.promotes ? YONIN_PROMOTED : 0), seat);
    if (yonin_kind(piece) == YONIN_KING) {
        position->kings[seat] = (uint8_t)step.to;
    }
    return captured;
}

unsigned yonin_last_mate(const struct game_options *options)
{
    if (yonin_pairs(options)) {
        return 1;
    }
    return options->value[YONIN_ENDING] == YONIN_TWO_MATES ? 2 : YONIN_MATES_MAX;
}

bool yonin_ended(const struct yonin_position *position, const struct game_options *options)
{
    return position->mate_count >= yonin_last_mate(options);
}

/* --- who falls -----------------------------------------------------------------------------------
 */

/* While a seat is alive, whatever faces like it is its own. */
static bool owns_its_facing(const struct yonin_position *position, unsigned seat)
{
    for (yonin_squares others = position->occupied & ~position->owned[seat]; others != 0;
         others &= others - 1) {
        if (yonin_facing(position->board[yonin_first(others)]) == seat) {
            return false;
        }
    }
    return true;
}

/* An elimination can only take checks away; one that is gone has no giver, and neither has one that
 * was given by somebody who is gone. (In a game from the start the giver is alive: whoever gave a
 * check never has the turn before the checked seat. A set-up may say otherwise.) */
static void look_again(struct yonin_position *position)
{
    const unsigned before = position->checked;
    position->checked = yonin_seats_in_check(position);
    assert((position->checked & ~before) == 0);
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        const int8_t giver = position->givers[i];
        const bool gone = giver != RULES_SEAT_NONE && !yonin_alive(position, (unsigned)giver);
        if ((position->checked >> i & 1) == 0 || gone) {
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

/* Rule 22: a mate is the giver's, a stalemate the last mover's. A chain of eliminations can come
 * round to the last mover, whom its own move has left without another: that stalemate is nobody's,
 * and so is one after it, for only a living seat is credited. */
static int creditee(const struct yonin_position *position, unsigned victim, unsigned last_mover)
{
    if ((position->checked >> victim & 1) != 0) {
        return position->givers[victim];
    }
    const bool may_inherit = victim != last_mover && yonin_alive(position, last_mover);
    return may_inherit ? (int)last_mover : RULES_SEAT_NONE;
}

static void eliminate(struct yonin_position *position, const struct game_options *options,
                      unsigned victim, unsigned last_mover)
{
    const unsigned king = position->kings[victim];
    const int credited = creditee(position, victim, last_mover);
    assert(victim < YONIN_SEATS && position->mate_count < YONIN_MATES_MAX);
    assert(owns_its_facing(position, victim));
    assert(credited == RULES_SEAT_NONE || yonin_alive(position, (unsigned)credited));
    position->mates[position->mate_count++] = (struct yonin_mate){(int8_t)victim, (int8_t)credited};
    position->alive &= (uint8_t) ~(1u << victim);
    position->board[king] = yonin_piece(YONIN_INVERTED, victim);
    position->owned[victim] &= ~YONIN_BIT(king);
    hand_over(position, options, victim, credited);
    look_again(position);
}

/* --- whose turn it is ----------------------------------------------------------------------------
 */

/* Whoever is in check goes first, in clockwise order from the one before (rules 15, 16). */
static unsigned next_to_move(const struct yonin_position *position, unsigned from)
{
    const unsigned candidates = position->checked != 0 ? position->checked : position->alive;
    unsigned seat = from;
    assert(candidates != 0);
    do {
        seat = yonin_next(seat);
    } while ((candidates >> seat & 1) == 0);
    return seat;
}

/* Rules 17 to 20 and 26, from the seat on that cannot move. */
static void settle_eliminations(struct yonin_position *position, const struct game_options *options,
                                unsigned mover, struct ply_effects *effects)
{
    unsigned next = (unsigned)position->turn;
    do {
        eliminate(position, options, next, mover);
        const struct yonin_mate *mate = &position->mates[position->mate_count - 1];
        effects->eliminations[effects->elimination_count++] =
            (struct elimination){mate->victim, mate->credited};
        if (yonin_ended(position, options)) {
            position->turn = RULES_SEAT_NONE;
            return;
        }
        next = next_to_move(position, next);
        position->turn = (int8_t)next;
    } while (!yonin_can_move(position, options, next));
}

/* --- a ply ---------------------------------------------------------------------------------------
 */

static bool in_line(unsigned a, unsigned b)
{
    return yonin_row(a) == yonin_row(b) || yonin_column(a) == yonin_column(b);
}

/* A king that was in no check can only be in one by the piece that arrived or along a line that the
 * piece left. */
static bool may_be_checked(const struct yonin_position *before,
                           const struct yonin_position *position, struct yonin_step step,
                           unsigned seat)
{
    const unsigned king = position->kings[seat];
    const uint8_t piece = position->board[step.to];
    return (before->checked >> seat & 1) != 0 ||
           yonin_has(yonin_steps(yonin_patterns[piece], step.to), king) ||
           (yonin_has(position->rooks, step.to) && in_line(step.to, king)) ||
           (!step.drops && in_line(step.from, king));
}

/* Rule 22 and the definition of a new check: by the piece just moved, or by one that did not attack
 * before. */
static void note_checks(const struct yonin_position *before, struct yonin_position *position,
                        unsigned mover, struct yonin_step step, bool *gave_new_check)
{
    unsigned in_check = 0;
    *gave_new_check = false;
    position->givers[mover] = RULES_SEAT_NONE;
    for (unsigned i = 0; i < YONIN_SEATS; i++) {
        if (i == mover || !yonin_alive(position, i)) {
            continue;
        }
        const yonin_squares now =
            may_be_checked(before, position, step, i) ? yonin_checkers(position, i) : 0;
        if (now == 0) {
            position->givers[i] = RULES_SEAT_NONE;
            continue;
        }
        in_check |= 1u << i;
        if ((now & (YONIN_BIT(step.to) | ~yonin_checkers(before, i))) != 0) {
            position->givers[i] = (int8_t)mover;
            *gave_new_check = true;
        }
    }
    position->checked = (uint8_t)in_check;
}

/* The board, the checks and who comes next; not yet whether that one can move. */
static void advance(const struct yonin_position *before, struct move move,
                    struct yonin_position *position, struct ply_effects *effects)
{
    const struct yonin_step step = yonin_step(move);
    assert(before->turn != RULES_SEAT_NONE);
    const unsigned mover = (unsigned)before->turn;
    *position = *before;
    *effects = (struct ply_effects){0};
    if (yonin_apply(position, mover, move)) {
        effects->captured[effects->captured_count++] = (uint8_t)step.to;
    }
    if (position->ply < YONIN_PLY_MAX) {
        position->ply++; /* what is written can be read again */
    }
    note_checks(before, position, mover, step, &effects->gave_new_check);
    position->turn = (int8_t)next_to_move(position, mover);
}

void yonin_play(const struct position *before, const struct game_options *options, struct move move,
                struct position *after, struct ply_effects *effects)
{
    const struct yonin_position start = before->as.yonin;
    struct yonin_position *position = &after->as.yonin;
    advance(&start, move, position, effects);
    assert(yonin_checkers(position, (unsigned)start.turn) == 0);
    if (!yonin_can_move(position, options, (unsigned)position->turn)) {
        settle_eliminations(position, options, (unsigned)start.turn, effects);
    }
}

size_t yonin_count_replies(const struct yonin_position *before, const struct game_options *options,
                           struct move move)
{
    struct yonin_position position;
    struct ply_effects effects;
    advance(before, move, &position, &effects);
    const size_t count = yonin_count_of(&position, options, (unsigned)position.turn);
    if (count > 0) {
        return count; /* so the seat can move, and nobody falls */
    }
    settle_eliminations(&position, options, (unsigned)before->turn, &effects);
    return position.turn == RULES_SEAT_NONE
               ? 0
               : yonin_count_of(&position, options, (unsigned)position.turn);
}

/* What must hold in every position, tried on thousands of plies of random games with fixed seeds.
 */

#include "yonin_plain.h"

#include <criterion/criterion.h>
#include <string.h>

static void check_text(const struct playout *playout);
static void check_turned(const struct playout *playout);
static void check_pieces(const struct playout *playout);
static void check_owners(const struct playout *playout);
static void check_checks(const struct playout *playout);
static void check_credit(const struct playout *playout);
static void check_end(const struct playout *playout);

Test(yonin_properties, a_written_position_reads_back_the_same)
{
    for_each_random_ply(35, check_text);
}

Test(yonin_properties, a_quarter_turn_of_board_and_seats_turns_everything)
{
    for_each_random_ply(14, check_turned);
}

Test(yonin_properties, pieces_are_neither_made_nor_lost)
{
    for_each_random_ply(35, check_pieces);
}

Test(yonin_properties, what_faces_like_a_living_seat_is_its_own)
{
    for_each_random_ply(35, check_owners);
}

Test(yonin_properties, whoever_is_in_check_has_a_giver_and_is_asked_first)
{
    for_each_random_ply(35, check_checks);
}

Test(yonin_properties, a_mate_is_credited_to_a_living_seat_while_its_mover_lives)
{
    for_each_random_ply(70, check_credit);
}

Test(yonin_properties, a_game_goes_on_exactly_while_there_is_a_legal_move)
{
    for_each_random_ply(35, check_end);
}

/* --- texts and hashes ------------------------------------------------------------------------ */

/* All that is kept up from move to move so that nobody has to look it up. */
static void expect_same_sets(const struct position *kept, const struct position *fresh)
{
    const struct yonin_position *left = &kept->as.yonin;
    const struct yonin_position *right = &fresh->as.yonin;

    cr_assert(left->occupied == right->occupied && left->rooks == right->rooks);
    cr_assert_eq(memcmp(left->owned, right->owned, sizeof left->owned), 0);
    cr_assert_eq(memcmp(left->rows, right->rows, sizeof left->rows), 0);
    cr_assert_eq(memcmp(left->cols, right->cols, sizeof left->cols), 0);
    cr_assert_eq(memcmp(left->kings, right->kings, sizeof left->kings), 0);
    cr_assert_eq(left->alive, right->alive);
    cr_assert_eq(left->checked, right->checked);
}

static void check_text(const struct playout *playout)
{
    char text[RULES_POSITION_TEXT_MAX];
    char again[RULES_POSITION_TEXT_MAX];
    const size_t length = yonin()->format_position(&playout->position, text);
    const struct position read = position_under(yonin(), &playout->options, text);

    cr_assert_eq(length, strlen(text));
    (void)yonin()->format_position(&read, again);
    cr_assert_str_eq(text, again);
    cr_assert_eq(yonin()->hash(&read), yonin()->hash(&playout->position));
    cr_assert_eq(yonin()->ply(&read), playout->count - 1);
    expect_same_sets(&playout->position, &read);
}

/* --- the quarter turn ------------------------------------------------------------------------ */

static struct position turned(const struct position *position, const struct game_options *options)
{
    const struct plain plain = plain_of(position);
    const struct plain other = plain_turned(&plain);
    char text[RULES_POSITION_TEXT_MAX];

    plain_text(&other, text);
    return position_under(yonin(), options, text);
}

static void expect_turned(const struct position *here, const struct position *there)
{
    const struct plain plain = plain_of(here);
    const struct plain other = plain_turned(&plain);
    char expected[RULES_POSITION_TEXT_MAX];
    char found[RULES_POSITION_TEXT_MAX];

    plain_text(&other, expected);
    (void)yonin()->format_position(there, found);
    cr_assert_str_eq(found, expected);
}

static void check_turned_ply(const struct playout *playout, const struct position *other,
                             struct move move)
{
    const struct move moved = plain_turned_move(move);
    struct position here, there;
    struct ply_effects effects, others;
    struct outcome outcome, turned_outcome;
    struct illegal why;

    cr_assert(yonin()->is_legal(other, &playout->options, NULL, moved, &why));
    yonin()->play(&playout->position, &playout->options, move, &here, &effects);
    yonin()->play(other, &playout->options, moved, &there, &others);
    expect_turned(&here, &there);
    cr_assert_eq(effects.elimination_count, others.elimination_count);
    cr_assert_eq(effects.gave_new_check, others.gave_new_check);
    for (size_t i = 0; i < effects.elimination_count; i++) {
        cr_assert_eq(others.eliminations[i].seat, plain_turned_seat(effects.eliminations[i].seat));
        cr_assert_eq(others.eliminations[i].credited,
                     plain_turned_seat(effects.eliminations[i].credited));
    }
    yonin()->outcome(&here, &playout->options, NULL, &outcome);
    yonin()->outcome(&there, &playout->options, NULL, &turned_outcome);
    cr_assert_eq(outcome.reason, turned_outcome.reason);
    for (int seat = 0; seat < 4; seat++) {
        cr_assert_eq(outcome.places[seat], turned_outcome.places[plain_turned_seat(seat)]);
    }
}

static void check_turned(const struct playout *playout)
{
    const struct position other = turned(&playout->position, &playout->options);
    struct move_list moves;

    yonin()->legal_moves(&playout->position, &playout->options, NULL, &moves);
    cr_assert_eq(yonin()->count_moves(&other, &playout->options), moves.count);
    for (size_t i = 0; i < moves.count; i++) {
        check_turned_ply(playout, &other, moves.at[i]);
    }
}

/* --- pieces and owners ----------------------------------------------------------------------- */

static void check_pieces(const struct playout *playout)
{
    const struct plain plain = plain_of(&playout->position);
    unsigned total = 0;

    cr_assert_eq(plain_count(&plain, 'K') + plain_count(&plain, 'X'), 4);
    cr_assert_eq(plain_count(&plain, 'R'), 4);
    cr_assert_eq(plain_count(&plain, 'G'), 8);
    cr_assert_eq(plain_count(&plain, 'S'), 8);
    cr_assert_eq(plain_count(&plain, 'P'), 12);
    for (int seat = 0; seat < 4; seat++) {
        struct seat_facts facts;

        yonin()->seat_facts(&playout->position, seat, &facts);
        cr_assert_eq(facts.captured, facts.hand[0] + facts.hand[1] + facts.hand[2] + facts.hand[3]);
        total += facts.pieces - (facts.alive ? 1u : 0u) - facts.mates;
    }
    cr_assert_leq(total, 32);
    if (strchr(plain.mates, '>') == NULL) {
        cr_assert_eq(total, 32);
    }
}

static void check_owners(const struct playout *playout)
{
    const struct plain plain = plain_of(&playout->position);

    for (size_t square = 0; square < RULES_SQUARES; square++) {
        const char *cell = plain.cells[square];
        struct seat_facts facts;

        if (cell[0] == '\0') {
            continue;
        }
        const char *facing = cell + (cell[0] == '+' ? 2 : 1);
        yonin()->seat_facts(&playout->position, rules_seat(yonin(), *facing), &facts);
        if (facts.alive) {
            cr_assert_eq(facing[1], '\0', "%s faces like a living seat", cell);
        } else {
            cr_assert(cell[0] == 'X' || facing[1] != '\0', "%s is a mated seat's", cell);
        }
    }
}

/* --- checks and mates ------------------------------------------------------------------------ */

static void check_checks(const struct playout *playout)
{
    const struct plain plain = plain_of(&playout->position);
    const int8_t mover = playout->history[playout->count - 1].mover;
    const int turn = yonin()->turn(&playout->position);
    bool any = false;
    struct seat_facts facts;

    for (int seat = 0; seat < 4; seat++) {
        const char checked[] = {yonin()->seat_letters[seat], '<', '\0'};

        yonin()->seat_facts(&playout->position, seat, &facts);
        cr_assert_eq(facts.in_check, strstr(plain.givers, checked) != NULL);
        cr_assert(seat != mover || !facts.in_check);
        any = any || facts.in_check;
    }
    if (turn != RULES_SEAT_NONE) {
        yonin()->seat_facts(&playout->position, turn, &facts);
        cr_assert(facts.alive && facts.in_check == any);
    }
}

static void check_credit(const struct playout *playout)
{
    for (size_t i = 0; i < playout->effects.elimination_count; i++) {
        const struct elimination *fallen = &playout->effects.eliminations[i];
        const int8_t mover = playout->history[playout->count - 1].mover;

        bool mover_fell = fallen->seat == mover;

        for (size_t j = 0; j < i; j++) {
            const int8_t before = playout->effects.eliminations[j].seat;

            cr_assert_neq(fallen->credited, before);
            mover_fell = mover_fell || before == mover;
        }
        cr_assert_neq(fallen->credited, fallen->seat);
        cr_assert(fallen->credited != RULES_SEAT_NONE || mover_fell);
    }
}

static void check_end(const struct playout *playout)
{
    const struct history history = playout_history(playout);
    struct move_list moves;

    yonin()->legal_moves(&playout->position, &playout->options, &history, &moves);
    cr_assert_eq(moves.count > 0, playout->outcome.reason == END_NONE);
    cr_assert(moves.count <= RULES_MOVES_MAX);
    for (int seat = 0; seat < 4; seat++) {
        const uint8_t place = playout->outcome.places[seat];

        cr_assert(playout->outcome.reason == END_NONE ? place == 0 : place >= 1 && place <= 4);
    }
}

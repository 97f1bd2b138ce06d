/* How a seat stands at one look. */

#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static int32_t value_of(const struct game_rules *rules, const char *options, const char *position,
                        int seat)
{
    const struct game_options chosen = options_of(rules, options);
    const struct position read = position_under(rules, &chosen, position);
    return rules->evaluate(&read, &chosen, seat);
}

/* The seat that moves, before and after its move, of every line of play that takes something. */
static void expect_gain(const struct game_rules *rules, const struct position *before,
                        const struct game_options *options, struct move move)
{
    struct position after;
    struct ply_effects effects;
    const int mover = rules->turn(before);
    rules->play(before, options, move, &after, &effects);
    if (effects.captured_count > 0) {
        cr_expect_gt(rules->evaluate(&after, options, mover),
                     rules->evaluate(before, options, mover), "%s", rules->key);
    }
}

Test(evaluate, nobody_is_ahead_at_the_start_of_any_game)
{
    for (size_t i = 0; i < rules_count(); i++) {
        const struct game_rules *rules = rules_at(i);
        const struct game_options options = options_of(rules, "");
        struct position start;
        rules->start(&start);
        for (int seat = 0; seat < rules->seat_count; seat++) {
            cr_expect_eq(rules->evaluate(&start, &options, seat), 0, "%s, seat %d", rules->key,
                         seat);
        }
    }
}

Test(evaluate, a_man_of_hasami_is_worth_more_than_any_threat)
{
    const int32_t even = value_of(hasami(), "", "p8/9/9/9/9/9/9/9/P8 b", 0);
    const int32_t ahead = value_of(hasami(), "", "p8/9/9/9/9/9/9/9/PP7 b", 0);
    cr_expect_gt(ahead, even + 80);
    cr_expect_eq(value_of(hasami(), "", "p8/9/9/9/9/9/9/9/PP7 b", 1), -ahead);
}

Test(evaluate, a_threat_counts_for_whoever_can_carry_it_out)
{
    const char threatened[] = "9/9/9/9/3pP4/9/9/p8/P8 w";
    cr_expect_gt(value_of(hasami(), "", threatened, 1), 0);
    cr_expect_lt(value_of(hasami(), "", threatened, 0), 0);
}

Test(evaluate, taking_a_piece_from_anybody_is_a_gain_in_four_player_shogi)
{
    struct chance chance = {7};
    const struct game_options options = options_of(yonin(), "");
    size_t looked_at = 0;
    for (int i = 0; i < 200; i++) {
        const struct position position = random_position(&chance, yonin(), &options);
        struct move_list moves;
        yonin()->legal_moves(&position, &options, NULL, &moves);
        for (size_t j = 0; j < moves.count; j++) {
            expect_gain(yonin(), &position, &options, moves.at[j]);
            looked_at++;
        }
    }
    cr_expect_gt(looked_at, 1000);
}

Test(evaluate, partners_stand_alike_and_their_rivals_as_badly)
{
    struct chance chance = {3};
    const struct game_options pairs = options_of(yonin(), "format=pairs");
    for (int i = 0; i < 200; i++) {
        const struct position position = random_position(&chance, yonin(), &pairs);
        const int32_t value = yonin()->evaluate(&position, &pairs, 0);
        cr_expect_eq(yonin()->evaluate(&position, &pairs, 2), value);
        cr_expect_eq(yonin()->evaluate(&position, &pairs, 1),
                     yonin()->evaluate(&position, &pairs, 3));
        cr_expect_leq(abs(yonin()->evaluate(&position, &pairs, 1) + value), 1);
    }
}

Test(evaluate, values_stay_far_from_the_bounds_of_their_type)
{
    struct chance chance = {5};
    for (size_t i = 0; i < rules_count(); i++) {
        const struct game_rules *rules = rules_at(i);
        const struct game_options options = options_of(rules, "");
        for (int j = 0; j < 200; j++) {
            const struct position position = random_position(&chance, rules, &options);
            for (int seat = 0; seat < rules->seat_count; seat++) {
                cr_expect_lt(abs(rules->evaluate(&position, &options, seat)), 1000000);
            }
        }
    }
}

/* The same position again and again: when it ends the game, and what a perpetual checker may not
 * do (rules 33 to 35). */

#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>

static uint64_t hash_of(const char *text);
static struct outcome outcome_after(const char *options, const struct history_entry *entries,
                                    size_t count);

/* Every seat moves a silver out and back. */
#define SILVERS "7i8h 9c8b 3a2b 1g2h 8h7i 8b9c 2b3a "

Test(yonin_repetition, the_fourth_appearance_ends_the_game_and_the_start_is_the_first)
{
    expect_play("", YONIN_START, SILVERS "2h1g " SILVERS "2h1g " SILVERS,
                "2SnGnKnGnSn2/3PnRnPn3/Sw3Pn3Se/GwPw5PeGe/KwRwPw3PeReKe/GwPw5PeGe/Sw3Ps4/"
                "3PsRsPs1Se1/2SsGsKsGsSs2 -/-/-/- e - - 23",
                "");
    expect_play("", YONIN_START, SILVERS "2h1g " SILVERS "2h1g " SILVERS "2h1g",
                "2SnGnKnGnSn2/3PnRnPn3/Sw3Pn3Se/GwPw5PeGe/KwRwPw3PeReKe/GwPw5PeGe/Sw3Ps3Se/"
                "3PsRsPs3/2SsGsKsGsSs2 -/-/-/- s - - 24",
                "repetition 1 1 1 1");
}

Test(yonin_repetition, pairs_draw_by_repetition_and_play_again)
{
    const struct game_options pairs = options_of(yonin(), "format=pairs");
    const struct game_options solo = options_of(yonin(), "");

    expect_play("format=pairs", YONIN_START, SILVERS "2h1g " SILVERS "2h1g " SILVERS "2h1g",
                "2SnGnKnGnSn2/3PnRnPn3/Sw3Pn3Se/GwPw5PeGe/KwRwPw3PeReKe/GwPw5PeGe/Sw3Ps3Se/"
                "3PsRsPs3/2SsGsKsGsSs2 -/-/-/- s - - 24",
                "repetition 1 1 1 1");
    cr_expect(yonin()->replays_repetition(&pairs));
    cr_expect_not(yonin()->replays_repetition(&solo));
}

Test(yonin_repetition, repetition_comes_before_the_move_limit)
{
    struct playout playout;

    playout_line(&playout, yonin(), "move_limit=24", YONIN_START,
                 SILVERS "2h1g " SILVERS "2h1g " SILVERS "2h1g");
    cr_expect_eq(playout.outcome.reason, END_REPETITION);
    playout_line(&playout, yonin(), "move_limit=23", YONIN_START,
                 SILVERS "2h1g " SILVERS "2h1g " SILVERS);
    cr_expect_eq(playout.outcome.reason, END_MOVE_LIMIT);
}

Test(yonin_repetition, without_a_history_nothing_is_repeated)
{
    struct playout playout;
    struct outcome outcome;
    struct move_list moves;

    playout_line(&playout, yonin(), "", YONIN_START,
                 SILVERS "2h1g " SILVERS "2h1g " SILVERS "2h1g");
    yonin()->outcome(&playout.position, &playout.options, NULL, &outcome);
    cr_expect_eq(outcome.reason, END_NONE);
    yonin()->legal_moves(&playout.position, &playout.options, NULL, &moves);
    cr_expect_eq(moves.count, 9);
    const struct history history = playout_history(&playout);
    yonin()->legal_moves(&playout.position, &playout.options, &history, &moves);
    cr_expect_eq(moves.count, 0);
}

#define BOARD "4Xn4/9/4PnsSns3/9/Kw1Pw5Ke/9/5Ps3/9/3RsKs4 "

Test(yonin_repetition, a_position_is_its_board_its_hands_and_its_turn)
{
    const uint64_t hash = hash_of(BOARD "P/2P/-/- s n>s - 40");

    cr_expect_eq(hash, hash_of(BOARD "P/2P/-/- s n>s - 41"));
    cr_expect_neq(hash, hash_of(BOARD "P/2P/-/- w n>s - 40"));
    cr_expect_neq(hash, hash_of(BOARD "2P/P/-/- s n>s - 40"));
    cr_expect_neq(hash, hash_of(BOARD "P/2P/-/G s n>s - 40"));
    cr_expect_neq(hash, hash_of("4Xn4/9/4PnsSns3/9/Kw1Pw5Ke/9/5Ps3/9/3+RsKs4 P/2P/-/- s n>s - 40"));
    cr_expect_neq(hash, hash_of("4Xn4/9/4PnwSnw3/9/Kw1Pw5Ke/9/5Ps3/9/3RsKs4 P/2P/-/- s n>w - 40"));
    cr_expect_neq(hash, hash_of("4Xn4/9/4Pn-Sn-3/9/Kw1Pw5Ke/9/5Ps3/9/3RsKs4 P/2P/-/- s n>* - 40"));
}

Test(yonin_repetition, who_was_credited_makes_no_other_position)
{
    cr_expect_eq(hash_of("4Xn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s n>s - 40"),
                 hash_of("4Xn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s n>w - 40"));
}

Test(yonin_repetition, who_gave_a_check_makes_no_other_position)
{
    static const char board[] = "4Kn4/9/9/9/Kw7Ke/9/9/9/3KsRs4 -/-/-/- n - ";
    char text[RULES_POSITION_TEXT_MAX];

    (void)snprintf(text, sizeof text, "%s- 1", board);
    const uint64_t nobody = hash_of(text);
    (void)snprintf(text, sizeof text, "%sn<s 1", board);
    cr_expect_eq(hash_of(text), nobody);
    (void)snprintf(text, sizeof text, "%sn<e 1", board);
    cr_expect_eq(hash_of(text), nobody);
}

/* --- perpetual check ------------------------------------------------------------------------- */

#define CHASE "4Kn4/9/9/9/Kw7Ke/9/9/7Rs1/4Ks4 -/-/-/- s - - 0"
#define LAP   "2h1h 1e2e 1h2h 2e1e "
#define QUIET "5i6i 9e9d 5a5b 1e1d 6i5i 9d9e 5b5a 1d1e "

Test(yonin_repetition, perpetual_check_does_not_end_the_game)
{
    expect_play("", CHASE, LAP LAP LAP, "4Kn4/9/9/9/Kw7Ke/9/9/7Rs1/4Ks4 -/-/-/- s - - 12", "");
}

Test(yonin_repetition, a_perpetual_checker_may_not_repeat_again)
{
    expect_legal("", CHASE, LAP LAP "2h1h 1e2e 1h2h 2e1e", "2h2e");
    expect_illegal("", CHASE, LAP LAP LAP, "2h1h", "perpetual-check", "");
    expect_moves("", CHASE, LAP LAP, "2h1", "2h1h");
    expect_moves("", CHASE, LAP LAP LAP, "2h1", "");
}

Test(yonin_repetition, a_perpetual_checker_may_give_another_check)
{
    expect_legal("", CHASE, LAP LAP LAP, "2h2e");
    expect_play("", CHASE, LAP LAP LAP "2h2e",
                "4Kn4/9/9/9/Kw6RsKe/9/9/9/4Ks4 -/-/-/- w - w<s,e<s 13", "");
}

Test(yonin_repetition, after_a_quiet_move_the_fifth_appearance_ends_the_game)
{
    expect_play("", CHASE, LAP LAP LAP QUIET, "4Kn4/9/9/9/Kw7Ke/9/9/7Rs1/4Ks4 -/-/-/- s - - 20",
                "repetition 1 2 2 2");
}

Test(yonin_repetition, one_quiet_move_since_the_first_appearance_is_no_perpetual_check)
{
    expect_play("", CHASE, QUIET LAP LAP, "4Kn4/9/9/9/Kw7Ke/9/9/7Rs1/4Ks4 -/-/-/- s - - 16",
                "repetition 1 2 2 2");
    expect_play("", CHASE, LAP QUIET LAP, "4Kn4/9/9/9/Kw7Ke/9/9/7Rs1/4Ks4 -/-/-/- s - - 16",
                "repetition 1 2 2 2");
}

Test(yonin_repetition, a_position_let_through_still_meets_the_move_limit)
{
    expect_play("move_limit=12", CHASE, LAP LAP LAP,
                "4Kn4/9/9/9/Kw7Ke/9/9/7Rs1/4Ks4 -/-/-/- s - - 12", "move_limit 1 2 2 2");
}

Test(yonin_repetition, checks_to_one_seat_after_another_are_perpetual_too)
{
#define ROUND "8c1c 1e2e 1c9c 9e8e 5a5b 2e2f 9c8c 8e9e 5b5a 2f1e "
    static const char start[] = "4Kn4/9/1Rs7/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0";

    expect_play("", start, ROUND ROUND ROUND, "4Kn4/9/1Rs7/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 30",
                "");
    expect_illegal("", start, ROUND ROUND ROUND, "8c1c", "perpetual-check", "");
    expect_legal("", start, ROUND ROUND ROUND, "8c9c");
}

#define FORCED "Kw3Kn4/9/9/9/9/9/1Ke7/Se7Rw/Ks1RsRn5 -/-/-/- s - - 0"
#define TURN   "7i8i 8g7g 8i7i 7g8g "

Test(yonin_repetition, where_nothing_else_is_left_the_repeating_check_is_let_through_and_draws)
{
    expect_moves("format=pairs", FORCED, TURN TURN TURN, "", "7i8i");
    expect_play("format=pairs", FORCED, TURN TURN TURN "7i8i",
                "Kw3Kn4/9/9/9/9/9/1Ke7/Se7Rw/KsRs1Rn5 -/-/-/- e - e<s 13", "repetition 1 1 1 1");
}

Test(yonin_repetition, a_perpetual_checker_is_left_out_only_of_the_list_with_a_history)
{
    struct playout playout;
    struct move_list moves;
    struct illegal why;

    playout_line(&playout, yonin(), "", CHASE, LAP LAP LAP);
    yonin()->legal_moves(&playout.position, &playout.options, NULL, &moves);
    const size_t all = moves.count;
    const struct history history = playout_history(&playout);
    yonin()->legal_moves(&playout.position, &playout.options, &history, &moves);
    cr_expect_eq(moves.count, all - 1);
    cr_expect(yonin()->is_legal(&playout.position, &playout.options, NULL, move_of(yonin(), "2h1h"),
                                &why));
    cr_expect_eq(yonin()->count_moves(&playout.position, &playout.options), all);
}

/* --- histories of our own -------------------------------------------------------------------- */

enum { S, W, N, E };

Test(yonin_repetition, a_seat_that_has_not_moved_since_is_no_perpetual_checker)
{
    const uint64_t key = hash_of(YONIN_START);
    const struct history_entry entries[] = {
        {key,     RULES_SEAT_NONE, false},
        {key ^ 1, E,               false},
        {key,     E,               false},
        {key ^ 1, E,               false},
        {key,     E,               false},
        {key ^ 1, E,               false},
        {key,     E,               false},
    };

    cr_expect_eq(outcome_after("", entries, 6).reason, END_NONE);
    cr_expect_eq(outcome_after("", entries, 7).reason, END_REPETITION);
}

Test(yonin_repetition, of_two_perpetual_checkers_the_one_that_had_to_repeat_ends_the_game)
{
    const uint64_t key = hash_of(YONIN_START);
    struct history_entry entries[] = {
        {key,     RULES_SEAT_NONE, false},
        {key ^ 1, S,               true },
        {key,     E,               true },
        {key ^ 1, S,               true },
        {key,     E,               true },
        {key ^ 1, S,               true },
        {key,     E,               true },
    };

    cr_expect_eq(outcome_after("", entries, 7).reason, END_REPETITION);
    entries[2].gave_new_check = false;
    cr_expect_eq(outcome_after("", entries, 7).reason, END_NONE);
    entries[1].gave_new_check = false;
    cr_expect_eq(outcome_after("", entries, 7).reason, END_REPETITION);
}

Test(yonin_repetition, what_came_before_the_first_appearance_does_not_count)
{
    const uint64_t key = hash_of(YONIN_START);
    const struct history_entry entries[] = {
        {key ^ 2, RULES_SEAT_NONE, false},
        {key ^ 3, S,               false},
        {key,     E,               false},
        {key ^ 1, S,               true },
        {key,     E,               false},
        {key ^ 1, S,               true },
        {key,     E,               false},
        {key ^ 1, S,               true },
        {key,     E,               false},
    };

    cr_expect_eq(outcome_after("", entries, 9).reason, END_NONE);
}

Test(yonin_repetition, one_quiet_move_since_the_first_appearance_frees_the_fourth)
{
    const struct game_options options = options_of(yonin(), "");
    const struct position position = position_of(yonin(), CHASE);
    const uint64_t now = yonin()->hash(&position);
    const uint64_t key = hash_of("4Kn4/9/9/9/Kw7Ke/9/9/8Rs/4Ks4 -/-/-/- e - e<s 1");
    struct history_entry entries[] = {
        {1,   RULES_SEAT_NONE, false},
        {2,   S,               false}, /* before the first appearance: does not count */
        {3,   E,               false},
        {key, S,               true },
        {4,   E,               false},
        {5,   S,               false},
        {6,   E,               false},
        {key, S,               true },
        {7,   E,               false},
        {key, S,               true },
        {now, E,               false},
    };
    const struct history history = {entries, sizeof entries / sizeof entries[0]};
    struct illegal why;

    cr_expect(yonin()->is_legal(&position, &options, &history, move_of(yonin(), "2h1h"), &why));
    entries[5].gave_new_check = true;
    cr_expect_not(yonin()->is_legal(&position, &options, &history, move_of(yonin(), "2h1h"), &why));
    cr_expect_eq(why.reason, ILLEGAL_PERPETUAL_CHECK);
}

Test(yonin_repetition, a_perpetual_checker_may_not_repeat_for_the_fifth_time_either)
{
    const struct game_options options = options_of(yonin(), "");
    const struct position position = position_of(yonin(), CHASE);
    const uint64_t now = yonin()->hash(&position);
    const uint64_t key = hash_of("4Kn4/9/9/9/Kw7Ke/9/9/8Rs/4Ks4 -/-/-/- e - e<s 1");
    const struct history_entry entries[] = {
        {1,   RULES_SEAT_NONE, false},
        {key, S,               true },
        {2,   E,               false},
        {key, S,               true },
        {3,   E,               false},
        {key, S,               true },
        {4,   E,               false},
        {key, S,               true }, /* let through: nothing else was left */
        {now, E,               false},
    };
    const struct history history = {entries, sizeof entries / sizeof entries[0]};
    struct illegal why;

    cr_expect_not(yonin()->is_legal(&position, &options, &history, move_of(yonin(), "2h1h"), &why));
    cr_expect_eq(why.reason, ILLEGAL_PERPETUAL_CHECK);
}

static uint64_t hash_of(const char *text)
{
    const struct position position = position_of(yonin(), text);

    return yonin()->hash(&position);
}

/* Of the start, as if it had come about in that way. */
static struct outcome outcome_after(const char *options, const struct history_entry *entries,
                                    size_t count)
{
    const struct game_options chosen = options_of(yonin(), options);
    const struct history history = {entries, count};
    struct position position;
    struct outcome outcome;

    yonin()->start(&position);
    yonin()->outcome(&position, &chosen, &history, &outcome);
    return outcome;
}

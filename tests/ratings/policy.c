#include "ratings/policy.h"

#include <criterion/criterion.h>
#include <string.h>

/* A game that nothing speaks against. */
static struct policy_start good_start(void)
{
    return (struct policy_start){
        .wants_rating = true,
        .pool_rules = true,
        .turn_seconds = 30,
        .repeat_limit = POLICY_REPEAT_LIMIT,
    };
}

Test(policy, a_game_that_nothing_speaks_against_is_rated)
{
    struct policy_start start = good_start();
    cr_assert_eq(policy_at_start(&start), POLICY_RATED);
    start.turn_seconds = 1;
    start.recent_rated = POLICY_REPEAT_LIMIT - 1;
    cr_assert_eq(policy_at_start(&start), POLICY_RATED);
}

Test(policy, each_obstacle_alone_names_itself)
{
    struct policy_start start = good_start();
    start.has_cpu_seat = true;
    cr_assert_eq(policy_at_start(&start), POLICY_CPU_SEAT);
    start = good_start();
    start.pool_rules = false;
    cr_assert_eq(policy_at_start(&start), POLICY_LOCAL_RULES);
    start = good_start();
    start.turn_seconds = 0;
    cr_assert_eq(policy_at_start(&start), POLICY_NO_CLOCK);
    start = good_start();
    start.recent_rated = POLICY_REPEAT_LIMIT;
    cr_assert_eq(policy_at_start(&start), POLICY_REPEAT_LIMIT_REACHED);
    start = good_start();
    start.wants_rating = false;
    cr_assert_eq(policy_at_start(&start), POLICY_CASUAL);
}

Test(policy, of_several_obstacles_the_first_in_order_is_named)
{
    struct policy_start start = {
        .has_cpu_seat = true,
        .recent_rated = POLICY_REPEAT_LIMIT,
        .repeat_limit = POLICY_REPEAT_LIMIT,
    };
    cr_expect_eq(policy_at_start(&start), POLICY_CPU_SEAT);
    start.has_cpu_seat = false;
    cr_expect_eq(policy_at_start(&start), POLICY_LOCAL_RULES);
    start.pool_rules = true;
    cr_expect_eq(policy_at_start(&start), POLICY_NO_CLOCK);
    start.turn_seconds = 60;
    cr_expect_eq(policy_at_start(&start), POLICY_REPEAT_LIMIT_REACHED);
    start.recent_rated = 0;
    cr_expect_eq(policy_at_start(&start), POLICY_CASUAL);
    start.wants_rating = true;
    cr_expect_eq(policy_at_start(&start), POLICY_RATED);
}

Test(policy, the_repeat_limit_is_the_operators)
{
    struct policy_start start = good_start();
    start.recent_rated = 7;
    start.repeat_limit = 8;
    cr_expect_eq(policy_at_start(&start), POLICY_RATED);
    start.recent_rated = 8;
    cr_expect_eq(policy_at_start(&start), POLICY_REPEAT_LIMIT_REACHED);
    start.recent_rated = 9;
    cr_expect_eq(policy_at_start(&start), POLICY_REPEAT_LIMIT_REACHED);
}

Test(policy, the_first_two_draws_of_a_chain_are_rated_and_no_later_one)
{
    cr_expect(policy_draw_is_rated(0));
    cr_expect(policy_draw_is_rated(1));
    for (uint32_t draws_before = 2; draws_before < 10; draws_before++) {
        cr_expect_not(policy_draw_is_rated(draws_before));
    }
}

Test(policy, a_replay_follows_each_draw_up_to_the_seventh_and_none_the_eighth)
{
    struct policy_replay replay = {.game_replays = true, .person_left = true};
    for (replay.draws_before = 0; replay.draws_before < 7; replay.draws_before++) {
        cr_expect(policy_replay_follows(&replay), "draw %u", replay.draws_before + 1);
    }
    for (replay.draws_before = 7; replay.draws_before < 10; replay.draws_before++) {
        cr_expect_not(policy_replay_follows(&replay), "draw %u", replay.draws_before + 1);
    }
    replay.draws_before = UINT32_MAX;
    cr_expect_not(policy_replay_follows(&replay));
}

Test(policy, no_replay_where_the_game_has_none_or_nobody_would_play_it)
{
    struct policy_replay replay = {.game_replays = false, .person_left = true};
    cr_expect_not(policy_replay_follows(&replay));
    replay = (struct policy_replay){.game_replays = true, .person_left = false};
    cr_expect_not(policy_replay_follows(&replay));
    replay = (struct policy_replay){.game_replays = true, .person_left = true, .owner_gone = true};
    cr_expect_not(policy_replay_follows(&replay));
}

Test(policy, leaving_caps_the_gain)
{
    static const struct {
        struct policy_seat seat;
        bool capped;
    } cases[] = {
        {{.cpu_at_end = false, .cpu_plies = 0, .plies = 30}, false},
        {{.cpu_at_end = false, .cpu_plies = 3, .plies = 30}, false},
        {{.cpu_at_end = false, .cpu_plies = 4, .plies = 30}, true },
        {{.cpu_at_end = false, .cpu_plies = 3, .plies = 3},  false},
        {{.cpu_at_end = false, .cpu_plies = 4, .plies = 4},  true },
        {{.cpu_at_end = true, .cpu_plies = 0, .plies = 1},   true },
        {{.cpu_at_end = true, .cpu_plies = 3, .plies = 30},  true },
        {{.cpu_at_end = true, .cpu_plies = 4, .plies = 30},  true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(policy_may_not_gain(&cases[i].seat), cases[i].capped, "case %zu", i);
    }
}

Test(policy, a_seat_without_moves_is_not_capped)
{
    cr_expect_not(policy_may_not_gain(&(struct policy_seat){.cpu_at_end = true}));
    cr_expect_not(policy_may_not_gain(&(struct policy_seat){.cpu_at_end = false}));
}

Test(policy, a_score_is_a_win_a_draw_or_a_loss_by_place_and_side)
{
    enum { L = POLICY_LOSS, D = POLICY_DRAW, W = POLICY_WIN };
    static const struct {
        unsigned count;
        uint8_t places[4];
        uint8_t sides[4];
        uint8_t scores[4];
    } cases[] = {
        {2, {1, 2},       {0, 1},       {W, L}      },
        {2, {2, 1},       {0, 1},       {L, W}      },
        {2, {1, 1},       {0, 1},       {D, D}      },
        {4, {1, 2, 3, 4}, {0, 1, 2, 3}, {W, L, L, L}},
        {4, {3, 1, 3, 2}, {0, 1, 2, 3}, {L, W, L, L}},
        {4, {1, 2, 2, 2}, {0, 1, 2, 3}, {W, L, L, L}},
        {4, {1, 1, 3, 4}, {0, 1, 2, 3}, {D, D, L, L}},
        {4, {4, 1, 1, 1}, {0, 1, 2, 3}, {L, D, D, D}},
        {4, {1, 1, 1, 1}, {0, 1, 2, 3}, {D, D, D, D}},
        {4, {1, 2, 1, 2}, {0, 1, 0, 1}, {W, L, W, L}},
        {4, {2, 1, 2, 1}, {0, 1, 0, 1}, {L, W, L, W}},
        {4, {1, 1, 1, 1}, {0, 1, 0, 1}, {D, D, D, D}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (unsigned seat = 0; seat < cases[c].count; seat++) {
            enum policy_score score =
                policy_score(cases[c].places, cases[c].sides, cases[c].count, seat);
            cr_expect_eq((unsigned)score, cases[c].scores[seat], "case %zu seat %u", c, seat);
        }
    }
}

Test(policy, every_reason_has_its_word_and_is_found_by_it)
{
    static const char *const words[POLICY_UNRATED_REASONS] = {
        NULL,     "cpu_seat",    "local_rules", "no_clock", "repeat_limit",
        "casual", "repeat_draw", "no_show",     "void",
    };
    for (unsigned i = 1; i < POLICY_UNRATED_REASONS; i++) {
        enum unrated_reason reason = (enum unrated_reason)i;
        cr_expect_str_eq(unrated_reason_text(reason), words[i]);
        cr_expect_eq(unrated_reason_find(words[i]), reason);
    }
}

Test(policy, a_rated_game_has_no_word_and_strange_words_are_no_reason)
{
    cr_expect_null(unrated_reason_text(POLICY_RATED));
    cr_expect_eq(unrated_reason_find(NULL), POLICY_RATED);
    cr_expect_eq(unrated_reason_find(""), POLICY_RATED);
    cr_expect_eq(unrated_reason_find("CASUAL"), POLICY_RATED);
}

/* --- not coming ----------------------------------------------------------------------------------
 */

static const int64_t MINUTE_MS = 60000;
static const int64_t HOUR_MS = 3600000;

static int64_t until(int64_t now_ms, size_t count, const int64_t *at_ms)
{
    return policy_no_show_until(at_ms, count, now_ms);
}

Test(policy, three_no_shows_within_an_hour_mean_a_pause_of_ten_minutes_after_the_last)
{
    const int64_t times[] = {HOUR_MS, HOUR_MS + MINUTE_MS, 2 * HOUR_MS - 1};
    const int64_t last_ms = 2 * HOUR_MS - 1;
    cr_expect_eq(until(last_ms, 2, times), 0, "two are not three");
    cr_expect_eq(until(last_ms, 3, times), last_ms + 10 * MINUTE_MS);
    cr_expect_eq(until(last_ms + 10 * MINUTE_MS - 1, 3, times), last_ms + 10 * MINUTE_MS);
    cr_expect_eq(until(last_ms + 10 * MINUTE_MS, 3, times), 0);
    cr_expect_eq(until(0, 0, NULL), 0);
}

Test(policy, three_that_lie_an_hour_apart_are_no_reason)
{
    const int64_t times[] = {HOUR_MS, HOUR_MS + MINUTE_MS, 2 * HOUR_MS};
    cr_expect_eq(until(2 * HOUR_MS, 3, times), 0);
}

Test(policy, the_order_of_no_shows_does_not_matter_and_each_more_begins_the_pause_anew)
{
    const int64_t times[] = {3 * MINUTE_MS, MINUTE_MS, 8 * MINUTE_MS, 2 * MINUTE_MS};
    cr_expect_eq(until(8 * MINUTE_MS, 4, times), 18 * MINUTE_MS);
    cr_expect_eq(until(8 * MINUTE_MS, 2, times), 0);
}

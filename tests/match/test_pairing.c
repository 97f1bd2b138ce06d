#include "match/pairing.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Who plays whom, by example. What holds whatever the tickets is in test_pairing_rules.c. */

enum { TICKETS_MAX = 16 };
#define SECOND INT64_C(1000)
static const int64_t now_ms = INT64_C(1800000000000);

struct table {
    struct pairing_ticket tickets[TICKETS_MAX];
    struct pairing_group groups[TICKETS_MAX];
    int64_t opens_at_ms[TICKETS_MAX];
    struct pairing_round round;
};

/* Tickets of players 1, 2, ... with these ratings that have all waited for so long. */
static struct table *table_of(const int64_t *ratings, size_t count, int64_t waited_ms)
{
    static struct table table;
    memset(&table, 0, sizeof table);
    cr_assert_leq(count, TICKETS_MAX);
    for (size_t i = 0; i < count; i++) {
        table.tickets[i] = (struct pairing_ticket){
            .ticket_no = 101 + (int64_t)i,
            .player_no = 1 + (int64_t)i,
            .rating_milli = ratings[i] * 1000,
            .created_at_ms = now_ms - waited_ms,
        };
    }
    table.round = (struct pairing_round){
        .tickets = table.tickets,
        .count = count,
        .seats = 2,
        .now_ms = now_ms,
        .groups = table.groups,
        .opens_at_ms = table.opens_at_ms,
    };
    return &table;
}
#define TABLE(waited_ms, ...)                                                                      \
    table_of((const int64_t[]){__VA_ARGS__}, sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t),     \
             waited_ms)

static size_t pair(struct table *table)
{
    cr_assert(pairing_round(&table->round));
    return table->round.group_count;
}

static void expect_group(const struct table *table, size_t group, const size_t *members,
                         size_t count)
{
    cr_assert_eq(table->round.seats, count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(table->groups[group].members[i], members[i], "member %zu of %zu is %zu", i,
                     group, table->groups[group].members[i]);
    }
}
#define EXPECT_GROUP(table, group, ...)                                                            \
    expect_group(table, group, (const size_t[]){__VA_ARGS__},                                      \
                 sizeof(size_t[]){__VA_ARGS__} / sizeof(size_t))

/* --- windows -------------------------------------------------------------------------------------
 */

Test(pairing, a_window_opens_with_the_time_waited_and_with_nothing_else)
{
    static const struct {
        int64_t waited_ms;
        int64_t window_milli;
    } cases[] = {
        {-1,     100000           },
        {0,      100000           },
        {1,      100010           },
        {1000,   110000           },
        {29999,  399990           },
        {30000,  400000           },
        {30001,  400020           },
        {31000,  420000           },
        {119999, 2199980          },
        {120000, PAIRING_UNBOUNDED},
        {600000, PAIRING_UNBOUNDED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(pairing_window(cases[i].waited_ms), cases[i].window_milli, "after %ld ms",
                     (long)cases[i].waited_ms);
    }
}

Test(pairing, a_gap_is_accepted_from_the_first_millisecond_on_at_which_the_window_is_as_wide)
{
    for (int64_t gap = 0; gap < 2500000; gap += 7) {
        int64_t after_ms = pairing_opens_after(gap);
        cr_assert_geq(pairing_window(after_ms), gap);
        cr_assert(after_ms == 0 || pairing_window(after_ms - 1) < gap, "gap %ld", (long)gap);
    }
    cr_expect_eq(pairing_opens_after(INT64_MAX), PAIRING_OPEN_MS);
}

Test(pairing, the_smaller_window_counts)
{
    struct table *table = TABLE(0, 1500, 1700);
    cr_expect_eq(pair(table), 0);
    table->tickets[0].created_at_ms = now_ms - 60 * SECOND;
    cr_expect_eq(pair(table), 0, "the older accepts, the younger does not");
    table->tickets[1].created_at_ms = now_ms - 9999;
    cr_expect_eq(pair(table), 0);
    table->tickets[1].created_at_ms = now_ms - 10000;
    cr_assert_eq(pair(table), 1);
    cr_expect_eq(table->groups[0].spread_milli, 200000);
}

Test(pairing, equal_ratings_meet_at_once)
{
    struct table *table = TABLE(0, 1500, 1500);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 1);
}

Test(pairing, from_two_minutes_on_anybody_meets_anybody)
{
    struct table *table = TABLE(120 * SECOND - 1, 100, 4000);
    cr_expect_eq(pair(table), 0);
    table = TABLE(120 * SECOND, 100, 4000);
    cr_expect_eq(pair(table), 1);
}

Test(pairing, ratings_at_both_ends_of_their_range_do_not_overflow)
{
    struct table *table = TABLE(120 * SECOND, 100, INT64_C(1000000000000), 100);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 2);
}

/* --- order ---------------------------------------------------------------------------------------
 */

Test(pairing, fewer_tickets_than_seats_make_no_group)
{
    struct table *table = TABLE(0, 1500, 1500, 1500);
    table->round.count = 0;
    cr_expect_eq(pair(table), 0);
    table->round.count = 1;
    cr_expect_eq(pair(table), 0);
    table->round.count = 3;
    table->round.seats = 4;
    cr_expect_eq(pair(table), 0);
}

Test(pairing, the_oldest_takes_the_nearest_rating_above_or_below)
{
    struct table *table = TABLE(30 * SECOND, 1500, 1700, 1400, 1580);
    cr_assert_eq(pair(table), 2);
    EXPECT_GROUP(table, 0, 0, 3);
    table = TABLE(30 * SECOND, 1500, 1700, 1430, 1580);
    cr_assert_eq(pair(table), 2);
    EXPECT_GROUP(table, 0, 0, 2);
    EXPECT_GROUP(table, 1, 1, 3);
}

Test(pairing, of_two_equally_near_the_older_one_is_taken)
{
    struct table *table = TABLE(30 * SECOND, 1500, 1900, 1450, 1550, 1450);
    cr_assert_geq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 2);
    table = TABLE(0, 1500, 1550, 1450);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 1);
}

Test(pairing, who_is_far_from_everybody_waits_and_keeps_nobody_from_playing)
{
    struct table *table = TABLE(0, 2800, 1500, 1500, 1510);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 1, 2);
}

Test(pairing, young_ones_in_between_do_not_hide_an_old_one_beyond)
{
    struct table *table = TABLE(0, 1500, 1800, 1605, 1610, 1615);
    table->tickets[0].created_at_ms = now_ms - 60 * SECOND;
    table->tickets[1].created_at_ms = now_ms - 50 * SECOND;
    cr_assert_eq(pair(table), 2);
    EXPECT_GROUP(table, 0, 0, 1);
}

/* --- four seats ----------------------------------------------------------------------------------
 */

Test(pairing, four_seats_take_the_board_with_the_smallest_spread)
{
    struct table *table = TABLE(10 * SECOND, 1500, 1600, 1400, 1590, 1410, 1580, 1501);
    table->round.seats = 4;
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 3, 5, 6);
    cr_expect_eq(table->groups[0].spread_milli, 90000);
}

Test(pairing, the_spread_of_four_is_within_the_window_of_the_youngest)
{
    struct table *table = TABLE(60 * SECOND, 1500, 1560, 1440, 1500);
    table->round.seats = 4;
    table->tickets[3].created_at_ms = now_ms - 1999;
    cr_expect_eq(pair(table), 0, "each is within 60 points of the oldest, but not of each other");
    table->tickets[3].created_at_ms = now_ms - 2000;
    cr_expect_eq(pair(table), 1);
}

/* --- pairs ---------------------------------------------------------------------------------------
 */

static struct table *pairs_of(struct table *table, const int64_t *partners, size_t count)
{
    cr_assert_eq(table->round.count, count);
    table->round.seats = 4;
    table->round.pairs = true;
    for (size_t i = 0; i < count; i++) {
        table->tickets[i].partner_no = partners[i];
    }
    return table;
}
#define PAIRS(table, ...)                                                                          \
    pairs_of(table, (const int64_t[]){__VA_ARGS__},                                                \
             sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t))

Test(pairing, of_four_alone_the_split_with_the_most_equal_means_is_made)
{
    struct table *table = PAIRS(TABLE(40 * SECOND, 1800, 1500, 1500, 1200), 0, 0, 0, 0);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 1, 3, 2);
    table = PAIRS(TABLE(40 * SECOND, 1800, 1790, 1210, 1200), 0, 0, 0, 0);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 1, 3, 2);
    table = PAIRS(TABLE(40 * SECOND, 1500, 1500, 1400, 1600), 0, 0, 0, 0);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 2, 1, 3);
}

Test(pairing, two_who_name_each_other_sit_opposite_and_count_with_their_mean)
{
    struct table *table = PAIRS(TABLE(0, 1500, 1000, 1550, 2000), 0, 4, 0, 2);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 1, 0, 3, 2);
    cr_expect_eq(table->groups[0].spread_milli, 50000);
    table = PAIRS(TABLE(0, 1500, 1500, 1500, 1500), 3, 4, 1, 2);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 1, 2, 3);
}

Test(pairing, the_window_of_two_partners_is_that_of_the_younger)
{
    struct table *table = PAIRS(TABLE(60 * SECOND, 1500, 1500, 1650, 1650), 2, 1, 4, 3);
    table->tickets[3].created_at_ms = now_ms - 4999;
    cr_expect_eq(pair(table), 0);
    table->tickets[3].created_at_ms = now_ms - 5000;
    cr_expect_eq(pair(table), 1);
}

Test(pairing, whose_partner_is_not_there_or_wants_another_waits)
{
    struct table *table = PAIRS(TABLE(200 * SECOND, 1500, 1500, 1500, 1500), 0, 0, 0, 9);
    cr_expect_eq(pair(table), 0);
    table = PAIRS(TABLE(200 * SECOND, 1500, 1500, 1500, 1500), 0, 0, 4, 1);
    cr_expect_eq(pair(table), 0);
    table = PAIRS(TABLE(200 * SECOND, 1500, 1500, 1500, 1500, 1500), 9, 0, 0, 0, 0);
    cr_assert_eq(pair(table), 1);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_neq(table->groups[0].members[i], 0);
    }
    cr_expect_eq(table->opens_at_ms[0], 0, "nobody knows when the partner comes");
}

Test(pairing, an_odd_single_keeps_no_pairs_from_playing)
{
    struct table *table = PAIRS(TABLE(0, 1500, 1500, 1500, 1500, 1500), 0, 3, 2, 5, 4);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 1, 3, 2, 4);
    table = PAIRS(TABLE(0, 1500, 1500, 1500), 0, 3, 2);
    cr_expect_eq(pair(table), 0);
}

/* --- who met -------------------------------------------------------------------------------------
 */

static void met(struct table *table, size_t a, size_t b)
{
    table->tickets[a].last[0] = table->tickets[b].player_no;
    table->tickets[b].last[0] = table->tickets[a].player_no;
}

Test(pairing, the_last_opponent_is_avoided_while_somebody_else_waits)
{
    struct table *table = TABLE(0, 1500, 1500, 1550);
    met(table, 0, 1);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 2);
}

Test(pairing, where_nobody_else_waits_the_last_opponent_is_met_again_at_once)
{
    struct table *table = TABLE(0, 1500, 1500);
    met(table, 0, 1);
    cr_expect_eq(pair(table), 1);
    table = TABLE(0, 1500, 1500, 1650);
    met(table, 0, 1);
    cr_assert_eq(pair(table), 1, "the third is no one whom both windows accept");
    EXPECT_GROUP(table, 0, 0, 1);
}

Test(pairing, one_who_is_avoided_waits_although_nobody_else_is_near_the_other)
{
    struct table *table = TABLE(0, 1500, 1590, 1410);
    table->tickets[0].last[0] = 2;
    table->tickets[1].last[0] = 1;
    table->tickets[2].last[0] = 1;
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 2);
}

Test(pairing, after_a_minute_the_last_opponent_is_as_good_as_anybody)
{
    struct table *table = TABLE(60 * SECOND - 1, 1500, 1500, 1550);
    met(table, 0, 1);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 2);
    table = TABLE(60 * SECOND, 1500, 1500, 1550);
    met(table, 0, 1);
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 1);
}

Test(pairing, a_board_of_four_has_no_more_of_the_last_one_than_it_needs)
{
    struct table *table = TABLE(0, 1500, 1500, 1500, 1500, 1550, 1560);
    table->round.seats = 4;
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0, others = 0; j < 4; j++) {
            if (j != i) {
                table->tickets[i].last[others++] = table->tickets[j].player_no;
            }
        }
    }
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 1, 4, 5);
    table->round.count = 4;
    cr_assert_eq(pair(table), 1, "nobody else waits");
}

Test(pairing, a_set_over_the_repeat_limit_plays_where_there_is_no_other_board)
{
    struct table *table = TABLE(0, 1500, 1500, 1590);
    const uint64_t set = pairing_set((const int64_t[]){2, 1}, 2);
    table->tickets[0].over[0] = set;
    table->tickets[1].over[0] = set;
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 2);
    table->round.count = 2;
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 1);
}

Test(pairing, a_set_is_the_same_in_any_order_and_another_with_another_player)
{
    const uint64_t set = pairing_set((const int64_t[]){3, 17, 4, 5}, 4);
    cr_expect_eq(pairing_set((const int64_t[]){5, 3, 4, 17}, 4), set);
    cr_expect_neq(pairing_set((const int64_t[]){5, 3, 4, 18}, 4), set);
    cr_expect_neq(pairing_set((const int64_t[]){5, 3, 4}, 3), set);
    cr_expect_neq(set, 0);
}

/* --- who has waited for long ---------------------------------------------------------------------
 */

Test(pairing, for_one_far_from_all_others_the_one_who_will_accept_it_first_is_kept_free)
{
    struct table *table = TABLE(10 * SECOND, 2600, 1500, 1510, 1900, 1520);
    table->tickets[0].created_at_ms = now_ms - 180 * SECOND + 1;
    cr_assert_eq(pair(table), 1, "the window of the fourth is too small for all others");
    EXPECT_GROUP(table, 0, 1, 2);
    table = TABLE(10 * SECOND, 2600, 1500, 1510, 1580, 1600);
    table->tickets[0].created_at_ms = now_ms - 180 * SECOND;
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 1, 2);
    cr_expect_eq(table->opens_at_ms[4], table->opens_at_ms[0]);
    cr_expect_eq(table->opens_at_ms[4], now_ms - 10 * SECOND + pairing_opens_after(1000000));
    cr_expect_eq(table->opens_at_ms[3], 0, "nobody else is free");
}

Test(pairing, whoever_is_kept_free_is_somebody_else_whom_a_last_opponent_could_meet)
{
    struct table *table = TABLE(10 * SECOND, 2600, 1500, 1510, 1590);
    table->tickets[0].created_at_ms = now_ms - 180 * SECOND;
    met(table, 1, 2);
    cr_expect_eq(pair(table), 0);
    table->round.tickets++;
    table->round.count--;
    cr_assert_eq(pair(table), 1);
    EXPECT_GROUP(table, 0, 0, 2);
}

/* --- what is foretold ----------------------------------------------------------------------------
 */

Test(pairing, who_goes_on_waiting_is_told_when_a_board_will_fit)
{
    struct table *table = TABLE(5 * SECOND, 1500, 1800, 1520);
    table->tickets[1].created_at_ms = now_ms - 2 * SECOND;
    table->tickets[2].created_at_ms = now_ms - SECOND;
    table->round.count = 2;
    cr_assert_eq(pair(table), 0);
    cr_expect_eq(table->opens_at_ms[0], now_ms - 2 * SECOND + 20 * SECOND);
    cr_expect_eq(table->opens_at_ms[1], table->opens_at_ms[0]);
    table->round.count = 3;
    cr_assert_eq(pair(table), 1);
    cr_expect_eq(table->opens_at_ms[1], 0, "alone again");
}

#include "match/pairing.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>

enum { TICKETS_MAX = 64 };

/* Tickets in order of age, whose players and numbers follow from their places. */
static size_t tickets_of(const int64_t *ratings, size_t count, struct pairing_ticket *tickets)
{
    for (size_t i = 0; i < count; i++) {
        int64_t number = (int64_t)i + 1;
        tickets[i] = (struct pairing_ticket){100 + number, number, ratings[i] * 1000, 0};
    }
    return count;
}

#define GROUPS_OF(seats, max, groups, ...)                                                         \
    groups_of((const int64_t[]){__VA_ARGS__}, sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t),    \
              seats, groups, max)
static size_t groups_of(const int64_t *ratings, size_t count, size_t seats,
                        struct pairing_group *groups, size_t max)
{
    struct pairing_ticket tickets[TICKETS_MAX];
    return pairing_groups(tickets, tickets_of(ratings, count, tickets), seats, groups, max);
}

static void expect_members(const struct pairing_group *group, size_t first, size_t second)
{
    cr_expect(group->members[0] == first && group->members[1] == second,
              "expected %zu and %zu, found %zu and %zu", first, second, group->members[0],
              group->members[1]);
}

Test(pairing, fewer_tickets_than_seats_make_no_group)
{
    struct pairing_group group;
    cr_expect_eq(pairing_groups(NULL, 0, 2, &group, 1), 0);
    cr_expect_eq(GROUPS_OF(2, 1, &group, 1500), 0);
    cr_expect_eq(GROUPS_OF(4, 1, &group, 1500, 1500, 1500), 0);
}

Test(pairing, the_oldest_ticket_takes_the_nearest_rating_above_or_below)
{
    struct pairing_group group;
    cr_assert_eq(GROUPS_OF(2, 1, &group, 1500, 1700, 1400, 1580), 1);
    expect_members(&group, 0, 3);
    cr_assert_eq(GROUPS_OF(2, 1, &group, 1500, 1700, 1430, 1580), 1);
    expect_members(&group, 0, 2);
}

Test(pairing, of_two_equally_near_the_older_one_is_taken)
{
    struct pairing_group group;
    cr_assert_eq(GROUPS_OF(2, 1, &group, 1500, 1900, 1450, 1550, 1450), 1);
    expect_members(&group, 0, 2);
    cr_assert_eq(GROUPS_OF(2, 1, &group, 1500, 1550, 1450), 1);
    expect_members(&group, 0, 1);
}

Test(pairing, an_oldest_ticket_far_from_everybody_is_served_first_all_the_same)
{
    struct pairing_group groups[2];
    cr_assert_eq(GROUPS_OF(2, 2, groups, 2800, 1500, 1500, 1510), 2);
    expect_members(&groups[0], 0, 3);
    expect_members(&groups[1], 1, 2);
}

Test(pairing, a_ticket_left_over_stays_unpaired)
{
    struct pairing_group groups[4];
    cr_assert_eq(GROUPS_OF(2, 4, groups, 1500, 1600, 1510, 1590, 1300), 2);
    expect_members(&groups[0], 0, 2);
    expect_members(&groups[1], 1, 3);
}

Test(pairing, no_more_groups_are_made_than_asked_for)
{
    struct pairing_group groups[2] = {{{7, 7}}, {{7, 7}}};
    cr_assert_eq(GROUPS_OF(2, 1, groups, 1500, 1500, 1500, 1500), 1);
    cr_expect_eq(groups[1].members[0], 7, "written beyond what was asked for");
    cr_expect_eq(GROUPS_OF(2, 0, groups, 1500, 1500), 0);
}

Test(pairing, four_seats_take_the_three_nearest_and_list_them_by_age)
{
    struct pairing_group group;
    cr_assert_eq(GROUPS_OF(4, 1, &group, 1500, 2200, 1540, 1460, 1900, 1501), 1);
    cr_expect_eq(group.members[0], 0);
    cr_expect_eq(group.members[1], 2);
    cr_expect_eq(group.members[2], 3);
    cr_expect_eq(group.members[3], 5);
}

Test(pairing, ratings_at_both_ends_of_their_range_do_not_overflow)
{
    struct pairing_group group;
    cr_assert_eq(GROUPS_OF(2, 1, &group, 100, INT64_C(1000000000000), 100), 1);
    expect_members(&group, 0, 2);
}

/* --- whatever the tickets ------------------------------------------------------------------------
 */

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Nobody is in two groups, members ascend, and no free ticket was nearer to the oldest one than the
 * farthest that it got. */
static void check_groups(const struct pairing_ticket *tickets, size_t count, size_t seats,
                         const struct pairing_group *groups, size_t made)
{
    bool taken[TICKETS_MAX] = {false};
    cr_assert_eq(made, count / seats);
    for (size_t g = 0; g < made; g++) {
        const size_t *members = groups[g].members;
        int64_t farthest = 0;
        for (size_t i = 0; i < members[0]; i++) {
            cr_expect(taken[i], "an older ticket was passed over");
        }
        for (size_t i = 0; i < seats; i++) {
            cr_assert(members[i] < count && !taken[members[i]]);
            cr_assert(i == 0 || members[i - 1] < members[i]);
            taken[members[i]] = true;
            int64_t gap =
                llabs(tickets[members[i]].rating_milli - tickets[members[0]].rating_milli);
            farthest = gap > farthest ? gap : farthest;
        }
        for (size_t i = 0; i < count; i++) {
            cr_expect(taken[i] || llabs(tickets[i].rating_milli -
                                        tickets[members[0]].rating_milli) >= farthest,
                      "a nearer ticket was passed over");
        }
    }
}

Test(pairing, groups_are_disjoint_nearest_first_and_starve_nobody)
{
    uint64_t state = 1;
    for (int round = 0; round < 500; round++) {
        struct pairing_ticket tickets[TICKETS_MAX];
        struct pairing_group groups[TICKETS_MAX];
        int64_t ratings[TICKETS_MAX];
        size_t count = next(&state) % (TICKETS_MAX + 1);
        size_t seats = 2 + next(&state) % 3;
        for (size_t i = 0; i < count; i++) {
            ratings[i] = 100 + (int64_t)(next(&state) % 40) * 50;
        }
        (void)tickets_of(ratings, count, tickets);
        size_t made = pairing_groups(tickets, count, seats, groups, TICKETS_MAX);
        check_groups(tickets, count, seats, groups, made);
    }
}

/* --- two pairs -----------------------------------------------------------------------------------
 */

/* Ticket i is of player i + 1; `partners[i]` is a player or 0. */
static bool pairs_of(const int64_t *ratings, const int64_t *partners, size_t count,
                     struct pairing_group *group)
{
    struct pairing_ticket tickets[TICKETS_MAX];
    tickets_of(ratings, count, tickets);
    for (size_t i = 0; i < count; i++) {
        tickets[i].partner_no = partners[i];
    }
    return pairing_pairs(tickets, count, group);
}

static void expect_pairs(const struct pairing_group *group, const size_t members[4])
{
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(group->members[i], members[i], "member %zu is %zu, expected %zu", i,
                     group->members[i], members[i]);
    }
}

Test(pairing, of_four_alone_the_split_with_the_most_equal_means_is_made)
{
    static const int64_t nobody[4] = {0};
    struct pairing_group group;
    cr_assert(pairs_of((const int64_t[]){1800, 1500, 1500, 1200}, nobody, 4, &group));
    expect_pairs(&group, (const size_t[]){0, 1, 3, 2});
    cr_assert(pairs_of((const int64_t[]){1800, 1790, 1210, 1200}, nobody, 4, &group));
    expect_pairs(&group, (const size_t[]){0, 1, 3, 2});
    cr_assert(pairs_of((const int64_t[]){1500, 1400, 1600, 1500}, nobody, 4, &group));
    expect_pairs(&group, (const size_t[]){0, 1, 3, 2});
    cr_assert(pairs_of((const int64_t[]){1500, 1500, 1400, 1600}, nobody, 4, &group));
    expect_pairs(&group, (const size_t[]){0, 2, 1, 3});
}

Test(pairing, two_who_name_each_other_sit_opposite)
{
    struct pairing_group group;
    cr_assert(pairs_of((const int64_t[]){1500, 1500, 1500, 1500}, (const int64_t[]){0, 4, 0, 2}, 4,
                       &group));
    expect_pairs(&group, (const size_t[]){1, 0, 3, 2});
    cr_assert(pairs_of((const int64_t[]){1500, 1500, 1500, 1500}, (const int64_t[]){3, 4, 1, 2}, 4,
                       &group));
    expect_pairs(&group, (const size_t[]){0, 1, 2, 3});
}

Test(pairing, whose_partner_is_not_there_or_wants_another_waits)
{
    struct pairing_group group;
    const int64_t alike[5] = {1500, 1500, 1500, 1500, 1500};
    cr_expect_not(pairs_of(alike, (const int64_t[]){0, 0, 0, 9}, 4, &group));
    cr_expect_not(pairs_of(alike, (const int64_t[]){0, 0, 4, 1}, 4, &group));
    cr_assert(pairs_of(alike, (const int64_t[]){9, 0, 0, 0, 0}, 5, &group));
    for (size_t i = 0; i < 4; i++) {
        cr_expect_neq(group.members[i], 0);
    }
}

Test(pairing, the_nearest_players_are_taken_as_pairs_or_alone)
{
    struct pairing_group group;
    const int64_t partners[6] = {0, 3, 2, 0, 0, 0};
    cr_assert(pairs_of((const int64_t[]){1500, 2000, 2000, 1510, 1520, 1530}, partners, 6, &group));
    for (size_t i = 0; i < 4; i++) {
        cr_expect(group.members[i] != 1 && group.members[i] != 2);
    }
    cr_assert(pairs_of((const int64_t[]){1500, 1500, 1500, 1510, 1900, 1900}, partners, 6, &group));
    expect_pairs(&group, (const size_t[]){1, 0, 2, 3});
}

Test(pairing, an_odd_single_keeps_no_pairs_from_playing)
{
    struct pairing_group group;
    const int64_t alike[5] = {1500, 1500, 1500, 1500, 1500};
    cr_assert(pairs_of(alike, (const int64_t[]){0, 3, 2, 5, 4}, 5, &group));
    expect_pairs(&group, (const size_t[]){1, 3, 2, 4});
    cr_expect_not(pairs_of(alike, (const int64_t[]){0, 3, 2}, 3, &group));
}

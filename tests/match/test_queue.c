#include "match/queue.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The waiting tickets in memory, without a service around them. */

static const int64_t start_ms = INT64_C(1800000000000);
static struct queue *queue;

static void enter(void)
{
    queue = queue_new();
    cr_assert_not_null(queue);
}

static void leave(void)
{
    queue_free(queue);
}

TestSuite(queue, .init = enter, .fini = leave);

static struct db_ticket ticket_of(int64_t ticket_no, const char *pool, uint16_t turn_seconds,
                                  int64_t created_at_ms)
{
    struct db_ticket ticket = {.ticket_no = ticket_no,
                               .player_no = ticket_no + 1000,
                               .turn_seconds = turn_seconds,
                               .rating_milli = 1500000,
                               .status = "waiting",
                               .created_at_ms = created_at_ms};
    (void)snprintf(ticket.pool, sizeof ticket.pool, "%s", pool);
    return ticket;
}

static struct queue_kind come(const struct db_ticket *ticket)
{
    struct queue_kind kind;
    cr_assert(queue_kind_of(ticket, &kind));
    cr_assert(queue_reserve(queue, &kind));
    queue_enter(queue, ticket);
    return kind;
}

static size_t waiting(size_t kind)
{
    struct queue_view view;
    cr_assert(queue_copy(queue, kind, false, &view));
    size_t count = view.count;
    queue_view_free(&view);
    return count;
}

Test(queue, tickets_of_another_pool_or_turn_time_stand_elsewhere)
{
    const struct db_ticket tickets[] = {
        ticket_of(1, "hasami", 30, start_ms),
        ticket_of(2, "hasami", 60, start_ms),
        ticket_of(3, "yonin", 30, start_ms),
        ticket_of(4, "hasami", 30, start_ms),
    };
    for (size_t i = 0; i < 4; i++) {
        (void)come(&tickets[i]);
    }
    cr_assert_eq(queue_kinds(queue), 3);
    cr_expect_eq(waiting(0), 2);
    cr_expect_eq(waiting(1), 1);
    cr_expect_eq(waiting(2), 1);
}

Test(queue, a_copy_is_in_order_of_age)
{
    struct queue_view view;
    const int64_t ages[] = {5, 3, 9, 3};
    for (int64_t i = 0; i < 4; i++) {
        struct db_ticket ticket = ticket_of(i + 1, "hasami", 30, start_ms + ages[i]);
        (void)come(&ticket);
    }
    cr_assert(queue_copy(queue, 0, false, &view));
    const int64_t expected[] = {2, 4, 1, 3};
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(view.tickets[i].ticket_no, expected[i], "place %zu", i);
    }
    queue_view_free(&view);
}

Test(queue, a_kind_is_copied_once_for_each_who_comes)
{
    struct queue_view view;
    struct db_ticket ticket = ticket_of(1, "hasami", 30, start_ms);
    (void)come(&ticket);
    cr_assert(queue_copy(queue, 0, true, &view));
    cr_expect_eq(view.count, 1);
    queue_view_free(&view);
    cr_assert(queue_copy(queue, 0, true, &view));
    cr_expect_eq(view.count, 0);
    queue_view_free(&view);
    cr_expect_eq(waiting(0), 1);
}

Test(queue, whoever_leaves_is_gone_and_the_others_stay)
{
    enum { MANY = 1000 };
    for (int64_t i = 1; i <= MANY; i++) {
        struct db_ticket ticket = ticket_of(i, "hasami", 30, start_ms + i);
        (void)come(&ticket);
    }
    for (int64_t i = 1; i <= MANY; i++) {
        if (i % 3 != 0) {
            queue_leave(queue, i);
            queue_leave(queue, i); /* nothing */
        }
    }
    queue_leave(queue, MANY + 1);
    struct queue_view view;
    cr_assert(queue_copy(queue, 0, false, &view));
    cr_assert_eq(view.count, MANY / 3);
    for (size_t i = 0; i < view.count; i++) {
        cr_expect_eq(view.tickets[i].ticket_no, 3 * ((int64_t)i + 1));
    }
    queue_view_free(&view);
}

Test(queue, ages_are_listed_a_page_at_a_time)
{
    struct queue_age ages[2];
    for (int64_t i = 1; i <= 5; i++) {
        struct db_ticket ticket = ticket_of(i, "hasami", 30, start_ms + i);
        (void)come(&ticket);
    }
    queue_leave(queue, 3);
    cr_assert_eq(queue_ages(queue, 0, 1, ages, 2), 2);
    cr_expect(ages[0].ticket_no == 2 && ages[1].ticket_no == 4);
    cr_expect_eq(ages[1].created_at_ms, start_ms + 4);
    cr_assert_eq(queue_ages(queue, 0, 4, ages, 2), 1);
    cr_expect_eq(ages[0].ticket_no, 5);
    cr_expect_eq(queue_ages(queue, 0, 5, ages, 2), 0);
}

Test(queue, every_ticket_of_a_long_queue_keeps_its_heartbeat)
{
    enum { MANY = 100000, PAGE = 64 };
    for (int64_t i = 1; i <= MANY; i++) {
        struct db_ticket ticket = ticket_of(i, i % 2 == 0 ? "hasami" : "yonin", 30, start_ms);
        (void)come(&ticket);
        queue_hear(queue, i, start_ms + i);
        queue_hear(queue, i, start_ms); /* it was late */
    }
    for (int64_t i = 1; i <= MANY; i++) {
        cr_assert_eq(queue_heard_ms(queue, i), start_ms + i);
    }
    for (size_t kind = 0; kind < 2; kind++) {
        struct queue_age ages[PAGE];
        size_t count = queue_ages(queue, kind, 0, ages, PAGE);
        for (size_t i = 0; i < count; i++) {
            cr_assert_eq(ages[i].heard_ms, start_ms + ages[i].ticket_no);
        }
    }
}

Test(queue, whoever_is_not_in_it_is_not_heard)
{
    struct db_ticket ticket = ticket_of(1, "hasami", 30, start_ms);
    queue_hear(queue, 1, start_ms);
    (void)come(&ticket);
    cr_expect_eq(queue_heard_ms(queue, 1), 0);
    queue_hear(queue, 1, start_ms);
    queue_leave(queue, 1);
    cr_expect_eq(queue_heard_ms(queue, 1), 0);
}

Test(queue, what_is_learned_about_a_ticket_is_in_the_next_copy)
{
    struct queue_view view;
    struct db_ticket ticket = ticket_of(1, "hasami", 30, start_ms);
    (void)come(&ticket);
    cr_assert(queue_copy(queue, 0, false, &view));
    cr_expect_not(view.known[0]);
    view.tickets[0].last[0] = 77;
    view.tickets[0].over[0] = 88;
    queue_learn(queue, 0, &view.tickets[0]);
    queue_view_free(&view);
    cr_assert(queue_copy(queue, 0, false, &view));
    cr_expect(view.known[0]);
    cr_expect_eq(view.tickets[0].last[0], 77);
    cr_expect_eq(view.tickets[0].over[0], 88);
    queue_view_free(&view);
}

/* --- estimates -----------------------------------------------------------------------------------
 */

Test(queue, without_neighbours_the_median_of_the_latest_waits_is_what_is_known)
{
    int64_t left_ms = -1;
    struct db_ticket ticket = ticket_of(1, "hasami", 30, start_ms);
    struct queue_kind kind = come(&ticket);
    cr_expect_not(queue_estimate(queue, &ticket, start_ms, &left_ms));
    const int64_t waits[] = {9000, 1000, 30000};
    for (size_t i = 0; i < 3; i++) {
        queue_waited(queue, &kind, waits[i], start_ms);
    }
    cr_assert(queue_estimate(queue, &ticket, start_ms + 4000, &left_ms));
    cr_expect_eq(left_ms, 5000);
    cr_expect_not(queue_estimate(queue, &ticket, start_ms + 9001, &left_ms), "longer than usual");
    struct db_ticket other = ticket_of(2, "hasami", 60, start_ms);
    cr_expect_not(queue_estimate(queue, &other, start_ms, &left_ms), "of another turn time");
}

Test(queue, waits_of_more_than_an_hour_ago_say_nothing)
{
    int64_t left_ms = -1;
    struct db_ticket ticket = ticket_of(1, "hasami", 30, start_ms);
    struct queue_kind kind = come(&ticket);
    queue_waited(queue, &kind, 90000, start_ms - 3600000);
    cr_assert(queue_estimate(queue, &ticket, start_ms, &left_ms));
    cr_expect_eq(left_ms, 90000);
    queue_waited(queue, &kind, 1000, start_ms);
    cr_assert(queue_estimate(queue, &ticket, start_ms + 1, &left_ms));
    cr_expect_eq(left_ms, 999);
}

Test(queue, only_the_latest_waits_count)
{
    int64_t left_ms = -1;
    struct db_ticket ticket = ticket_of(1, "hasami", 30, start_ms);
    struct queue_kind kind = come(&ticket);
    for (int i = 0; i < 32; i++) {
        queue_waited(queue, &kind, 90000, start_ms);
    }
    for (int i = 0; i < 17; i++) {
        queue_waited(queue, &kind, 2000, start_ms);
    }
    cr_assert(queue_estimate(queue, &ticket, start_ms, &left_ms));
    cr_expect_eq(left_ms, 2000);
}

Test(queue, with_neighbours_the_time_at_which_the_windows_are_open_counts)
{
    int64_t left_ms = -1;
    struct db_ticket ticket = ticket_of(1, "hasami", 30, start_ms);
    struct queue_kind kind = come(&ticket);
    queue_waited(queue, &kind, 1000, start_ms);
    queue_foretell(queue, 0, 1, start_ms + 12000);
    cr_assert(queue_estimate(queue, &ticket, start_ms + 500, &left_ms));
    cr_expect_eq(left_ms, 11500);
    cr_assert(queue_estimate(queue, &ticket, start_ms + 12001, &left_ms));
    cr_expect_eq(left_ms, 0);
    queue_foretell(queue, 0, 1, 0);
    cr_assert(queue_estimate(queue, &ticket, start_ms + 500, &left_ms));
    cr_expect_eq(left_ms, 500);
}

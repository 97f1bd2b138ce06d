#include "match/recency.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static struct recency *recency_new(void)
{
    struct recency *recency = calloc(1, sizeof *recency);
    cr_assert_not_null(recency);
    return recency;
}

Test(recency, who_was_never_heard_of_has_no_time)
{
    struct recency *recency = recency_new();
    cr_expect_eq(recency_last(recency, 1), 0);
    cr_expect_eq(recency_last(recency, INT64_MAX), 0);
    free(recency);
}

Test(recency, the_last_touch_is_what_is_remembered)
{
    struct recency *recency = recency_new();
    recency_touch(recency, 7, 1000);
    cr_expect_eq(recency_last(recency, 7), 1000);
    recency_touch(recency, 7, 2500);
    cr_expect_eq(recency_last(recency, 7), 2500);
    free(recency);
}

Test(recency, neighbours_do_not_disturb_each_other)
{
    struct recency *recency = recency_new();
    for (int64_t number = 1; number <= RECENCY_SLOTS; number++) {
        recency_touch(recency, number, number * 10);
    }
    for (int64_t number = 1; number <= RECENCY_SLOTS; number++) {
        cr_assert_eq(recency_last(recency, number), number * 10);
    }
    free(recency);
}

Test(recency, of_two_that_share_a_slot_the_later_wins_and_the_other_looks_quiet)
{
    struct recency *recency = recency_new();
    recency_touch(recency, 5, 1000);
    recency_touch(recency, 5 + RECENCY_SLOTS, 2000);
    cr_expect_eq(recency_last(recency, 5), 0);
    cr_expect_eq(recency_last(recency, 5 + RECENCY_SLOTS), 2000);
    recency_touch(recency, 5, 3000);
    cr_expect_eq(recency_last(recency, 5), 3000);
    cr_expect_eq(recency_last(recency, 5 + RECENCY_SLOTS), 0);
    free(recency);
}

/* --- two writers, one slot -----------------------------------------------------------------------
 */

enum { TOUCHES = 200000 };

struct contested {
    struct recency *recency;
    int64_t number;
    int64_t first_ms; /* the times of this number are [first, first + TOUCHES) */
};

static void *touch_often(void *context)
{
    struct contested *contested = context;
    for (int64_t i = 0; i < TOUCHES; i++) {
        recency_touch(contested->recency, contested->number, contested->first_ms + i);
    }
    return NULL;
}

Test(recency, a_slot_in_dispute_answers_with_a_time_that_somebody_touched_it_at)
{
    struct recency *recency = recency_new();
    struct contested pair[2] = {
        {recency, 9,                 1000000},
        {recency, 9 + RECENCY_SLOTS, 9000000},
    };
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, touch_often, &pair[i]), 0);
    }
    for (int i = 0; i < TOUCHES; i++) {
        int64_t last = recency_last(recency, pair[i % 2].number);
        bool made_up = last != 0 && (last < 1000000 || last >= 1000000 + TOUCHES) &&
                       (last < 9000000 || last >= 9000000 + TOUCHES);
        cr_assert(!made_up, "%lld", (long long)last);
    }
    for (size_t i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    free(recency);
}

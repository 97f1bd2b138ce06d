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

/* The n-th number of the set that 5 is in. */
static int64_t of_set(int64_t n)
{
    return 5 + n * RECENCY_SETS;
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

Test(recency, as_many_neighbours_as_there_are_places_do_not_disturb_each_other)
{
    enum { PLACES = RECENCY_SETS * RECENCY_WAYS };
    struct recency *recency = recency_new();
    for (int64_t number = 1; number <= PLACES; number++) {
        recency_touch(recency, number, number * 10);
    }
    for (int64_t number = 1; number <= PLACES; number++) {
        cr_assert_eq(recency_last(recency, number), number * 10);
    }
    free(recency);
}

Test(recency, a_newcomer_takes_the_place_of_the_longest_quiet)
{
    struct recency *recency = recency_new();
    for (int64_t n = 0; n < RECENCY_WAYS; n++) {
        recency_touch(recency, of_set(n), 1000 + n);
    }
    recency_touch(recency, of_set(0), 2000); /* heard of again: now the second is the quietest */
    recency_touch(recency, of_set(9), 3000);
    cr_expect_eq(recency_last(recency, of_set(0)), 2000);
    cr_expect_eq(recency_last(recency, of_set(1)), 0);
    for (int64_t n = 2; n < RECENCY_WAYS; n++) {
        cr_expect_eq(recency_last(recency, of_set(n)), 1000 + n);
    }
    cr_expect_eq(recency_last(recency, of_set(9)), 3000);
    free(recency);
}

Test(recency, nobody_is_forgotten_before_four_others_of_the_set_were_heard_of)
{
    struct recency *recency = recency_new();
    for (int64_t n = 0; n < 100; n++) {
        recency_touch(recency, of_set(n), 1000 + n);
        for (int64_t back = 0; back < RECENCY_WAYS && back <= n; back++) {
            cr_assert_eq(recency_last(recency, of_set(n - back)), 1000 + n - back);
        }
    }
    free(recency);
}

/* --- threads of one set --------------------------------------------------------------------------
 */

enum { TOUCHES = 200000 };

struct contested {
    struct recency *recency;
    int64_t number;
    bool lost;
};

/* As many as there are places: each always finds its own last time. */
static void *touch_often(void *context)
{
    struct contested *contested = context;
    for (int64_t i = 1; i <= TOUCHES; i++) {
        recency_touch(contested->recency, contested->number, i);
        contested->lost |= recency_last(contested->recency, contested->number) != i;
    }
    return NULL;
}

Test(recency, a_set_in_dispute_keeps_all_that_it_has_room_for)
{
    struct recency *recency = recency_new();
    struct contested contested[RECENCY_WAYS];
    pthread_t threads[RECENCY_WAYS];
    for (int64_t n = 0; n < RECENCY_WAYS; n++) {
        contested[n] = (struct contested){recency, of_set(n), false};
        cr_assert_eq(pthread_create(&threads[n], NULL, touch_often, &contested[n]), 0);
    }
    for (size_t n = 0; n < RECENCY_WAYS; n++) {
        pthread_join(threads[n], NULL);
        cr_expect_not(contested[n].lost);
    }
    free(recency);
}

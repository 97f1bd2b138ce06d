#include "api/bucket.h"

#include <criterion/criterion.h>

#define SECOND INT64_C(1000000000)

static const struct bucket_rate ten_a_minute = {.quota = 10, .window_s = 60};

/* How many single tokens can be had at one moment. */
static unsigned drain(const struct bucket_rate *rate, int64_t *full_at, int64_t now)
{
    unsigned taken = 0;
    while (bucket_take(rate, full_at, now, 1)) {
        taken++;
        cr_assert_leq(taken, rate->quota);
    }
    return taken;
}

Test(bucket, a_new_one_holds_exactly_its_quota)
{
    static const struct bucket_rate rates[] = {
        {1,       1    },
        {1,       3600 },
        {7,       60   },
        {30,      3600 },
        {3600,    60   },
        {7200,    60   },
        {1000000, 86400}
    };
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        int64_t full_at = 0;
        cr_expect_eq(drain(&rates[i], &full_at, 5 * SECOND), rates[i].quota);
    }
}

Test(bucket, a_token_flows_in_after_its_share_of_the_window_and_not_before)
{
    int64_t full_at = 0;
    int64_t now = 100 * SECOND;
    cr_assert_eq(drain(&ten_a_minute, &full_at, now), 10);
    cr_expect_not(bucket_take(&ten_a_minute, &full_at, now + 6 * SECOND - 1, 1));
    cr_expect(bucket_take(&ten_a_minute, &full_at, now + 6 * SECOND, 1));
    cr_expect_not(bucket_take(&ten_a_minute, &full_at, now + 6 * SECOND, 1));
}

Test(bucket, is_full_after_one_window_and_never_fuller)
{
    int64_t full_at = 0;
    cr_assert_eq(drain(&ten_a_minute, &full_at, 0), 10);
    cr_expect_eq(bucket_left(&ten_a_minute, full_at, 60 * SECOND - 1), 9);
    cr_expect_eq(bucket_left(&ten_a_minute, full_at, 60 * SECOND), 10);
    cr_expect_eq(drain(&ten_a_minute, &full_at, 100000 * SECOND), 10);
}

Test(bucket, a_cost_is_taken_whole_or_not_at_all)
{
    int64_t full_at = 0;
    cr_expect(bucket_take(&ten_a_minute, &full_at, 0, 7));
    int64_t before = full_at;
    cr_expect_not(bucket_take(&ten_a_minute, &full_at, 0, 4));
    cr_expect_eq(full_at, before);
    cr_expect(bucket_take(&ten_a_minute, &full_at, 0, 3));
    cr_expect_eq(bucket_left(&ten_a_minute, full_at, 0), 0);
}

Test(bucket, a_charge_empties_it_at_most)
{
    int64_t full_at = 0;
    bucket_charge(&ten_a_minute, &full_at, 0, 4);
    cr_expect_eq(bucket_left(&ten_a_minute, full_at, 0), 6);
    bucket_charge(&ten_a_minute, &full_at, 0, 100);
    cr_expect_eq(bucket_left(&ten_a_minute, full_at, 0), 0);
    cr_expect_eq(bucket_wait_s(&ten_a_minute, full_at, 0, 10), 60);
}

Test(bucket, what_is_given_back_can_be_taken_again)
{
    int64_t full_at = 0;
    cr_assert_eq(drain(&ten_a_minute, &full_at, 0), 10);
    bucket_give_back(&ten_a_minute, &full_at, 1);
    cr_expect_eq(drain(&ten_a_minute, &full_at, 0), 1);
}

Test(bucket, what_is_given_back_to_a_full_one_is_lost)
{
    int64_t full_at = 0;
    cr_assert(bucket_take(&ten_a_minute, &full_at, 0, 1));
    bucket_give_back(&ten_a_minute, &full_at, 1);
    bucket_give_back(&ten_a_minute, &full_at, 1);
    cr_expect_eq(drain(&ten_a_minute, &full_at, SECOND), 10);
}

Test(bucket, the_wait_is_rounded_up_to_seconds)
{
    int64_t full_at = 0;
    cr_expect_eq(bucket_wait_s(&ten_a_minute, full_at, 0, 10), 0);
    cr_assert_eq(drain(&ten_a_minute, &full_at, 0), 10);
    cr_expect_eq(bucket_wait_s(&ten_a_minute, full_at, 0, 1), 6);
    cr_expect_eq(bucket_wait_s(&ten_a_minute, full_at, 1, 1), 6);
    cr_expect_eq(bucket_wait_s(&ten_a_minute, full_at, 5 * SECOND, 1), 1);
    cr_expect_eq(bucket_wait_s(&ten_a_minute, full_at, 6 * SECOND, 1), 0);
    cr_expect_eq(bucket_wait_s(&ten_a_minute, full_at, 6 * SECOND, 2), 6);
}

/* After the wait it says, the request is taken; whatever was taken before. */
Test(bucket, who_waits_as_long_as_told_gets_in)
{
    static const struct bucket_rate rates[] = {
        {3600, 60  },
        {7,    60  },
        {30,   3600}
    };
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        int64_t full_at = 0;
        for (int64_t now = 0; now < 200 * SECOND; now += 37 * SECOND / 10) {
            (void)drain(&rates[i], &full_at, now);
            int64_t later = now + bucket_wait_s(&rates[i], full_at, now, 1) * SECOND;
            int64_t copy = full_at;
            cr_expect(bucket_take(&rates[i], &copy, later, 1));
        }
    }
}

/* Over any stretch of time no more than the quota at once and the rate thereafter. */
Test(bucket, a_flood_gets_the_quota_and_then_the_rate)
{
    static const struct bucket_rate rate = {.quota = 3600, .window_s = 60};
    int64_t full_at = 0;
    unsigned taken = 0;
    for (int64_t now = 0; now <= 70 * SECOND; now += SECOND / 1000) {
        taken += bucket_take(&rate, &full_at, now, 1);
    }
    cr_expect_eq(taken, 3600 + 70 * 60, "%u", taken);
}

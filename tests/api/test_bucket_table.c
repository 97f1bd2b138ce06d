#include "api/bucket_table.h"
#include "match/secrets_hash.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>

static const struct bucket_rate quick = {.quota = 7200, .window_s = 60};
static const struct bucket_rate slow = {.quota = 10, .window_s = 3600};

static uint64_t hash_of(uint32_t number)
{
    static const uint8_t key[SECRETS_HASH_KEY_BYTES] = {1, 2, 3};
    return secrets_hash(key, &number, sizeof number);
}

static struct bucket_table *table_new(void)
{
    struct bucket_table *table = bucket_table_new();
    cr_assert_not_null(table);
    return table;
}

static bool take(struct bucket_table *table, uint64_t hash, const struct bucket_rate *rate)
{
    struct bucket_standing standing;
    bucket_table_take(table, hash, rate, 0, 1, &standing);
    return standing.granted;
}

Test(bucket_table, everybody_has_a_bucket_of_their_own)
{
    struct bucket_table *table = table_new();
    for (unsigned i = 0; i < 10; i++) {
        cr_expect(take(table, hash_of(1), &slow));
    }
    cr_expect_not(take(table, hash_of(1), &slow));
    cr_expect(take(table, hash_of(2), &slow));
    bucket_table_free(table);
}

Test(bucket_table, an_answer_says_how_the_bucket_stands)
{
    struct bucket_table *table = table_new();
    struct bucket_standing standing;
    bucket_table_take(table, 5, &slow, 0, 4, &standing);
    cr_expect(standing.granted);
    cr_expect_eq(standing.left, 6);
    cr_expect_eq(standing.full_s, 4 * 360);
    cr_expect_eq(standing.wait_s, 0);
    bucket_table_charge(table, 5, &slow, 0, 6, &standing);
    cr_expect_eq(standing.left, 0);
    bucket_table_take(table, 5, &slow, 0, 2, &standing);
    cr_expect_not(standing.granted);
    cr_expect_eq(standing.left, 0);
    cr_expect_eq(standing.wait_s, 720);
    bucket_table_free(table);
}

Test(bucket_table, what_is_given_back_is_there_again)
{
    struct bucket_table *table = table_new();
    for (unsigned i = 0; i < 10; i++) {
        cr_assert(take(table, 9, &slow));
    }
    bucket_table_give_back(table, 9, &slow, 1);
    cr_expect(take(table, 9, &slow));
    cr_expect_not(take(table, 9, &slow));
    bucket_table_give_back(table, 10, &slow, 1); /* nobody's: nothing */
    bucket_table_free(table);
}

Test(bucket_table, is_as_large_with_a_million_callers_as_with_none)
{
    /* Two words a bucket, and the locks. */
    cr_expect_leq(bucket_table_bytes(), BUCKET_TABLE_ENTRIES * 16 + 64 * 64);
}

/* 20,000 have used up a budget; then a million others ask once each. */
Test(bucket_table, a_flood_of_callers_washes_out_nobody_who_has_used_up_a_budget)
{
    enum { SPENT = 20000, FLOOD = 1000000 };
    struct bucket_table *table = table_new();
    struct bucket_standing standing;
    for (uint32_t i = 0; i < SPENT; i++) {
        bucket_table_charge(table, hash_of(i), &slow, 0, slow.quota, &standing);
    }
    unsigned forgotten_before = 0;
    for (uint32_t i = 0; i < SPENT; i++) {
        forgotten_before += take(table, hash_of(i), &slow);
    }
    for (uint32_t i = 0; i < FLOOD; i++) {
        cr_assert(take(table, hash_of(SPENT + i), &quick));
    }
    unsigned forgotten = 0;
    for (uint32_t i = 0; i < SPENT; i++) {
        forgotten += take(table, hash_of(i), &slow);
    }
    cr_expect_leq(forgotten_before, SPENT / 100, "%u", forgotten_before);
    cr_expect_leq(forgotten, SPENT / 100, "%u", forgotten);
    bucket_table_free(table);
}

enum { THREADS = 4, TRIES = 5000 };

struct crowd {
    struct bucket_table *table;
    atomic_uint granted;
};

static void *crowd_main(void *context)
{
    struct crowd *crowd = context;
    for (unsigned i = 0; i < TRIES; i++) {
        atomic_fetch_add(&crowd->granted, take(crowd->table, 77, &quick));
    }
    return NULL;
}

Test(bucket_table, many_threads_together_get_the_quota_and_no_more)
{
    struct crowd crowd = {.table = table_new()};
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, crowd_main, &crowd), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    cr_expect_eq(atomic_load(&crowd.granted), quick.quota);
    bucket_table_free(crowd.table);
}

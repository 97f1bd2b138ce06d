#include "match/env.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, READS = 20000 };

static const int64_t HOUR_MS = INT64_C(3600) * 1000;

/* Somebody sets the wall clock of the machine, as far as whoever reads it here can tell: the linker
 * takes this for the C library's. */
static struct {
    _Atomic int64_t set_by_s;
    atomic_int reads;
} wall;

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): theirs are reserved */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME) {
        now->tv_sec += (time_t)atomic_load(&wall.set_by_s);
        atomic_fetch_add(&wall.reads, 1);
    }
    return failed;
}

Test(env, time_starts_at_the_machine_s_utc)
{
    struct env_real real;
    int64_t before_ms = env_utc_ms();
    env_real_init(&real, 0);
    struct match_env env = env_real_env(&real);
    int64_t now_ms = env.now_ms(env.context);
    cr_assert(now_ms >= before_ms && now_ms < before_ms + HOUR_MS);
    cr_assert_gt(before_ms, INT64_C(1577836800000), "after 2020, in milliseconds");
}

Test(env, a_clock_that_was_set_back_starts_at_the_last_stamp)
{
    struct env_real real;
    int64_t stamp_ms = env_utc_ms() + HOUR_MS;
    env_real_init(&real, stamp_ms);
    struct match_env env = env_real_env(&real);
    int64_t now_ms = env.now_ms(env.context);
    cr_assert(now_ms >= stamp_ms && now_ms < stamp_ms + HOUR_MS);
    cr_assert(real.behind_ms > 0 && real.behind_ms <= HOUR_MS);
}

/* D64: neither time nor what the machine counts jumps, for the wall clock is not even read. */
Test(env, a_wall_clock_that_is_set_meanwhile_changes_nothing)
{
    static const int64_t steps_s[] = {7200, -7200, INT64_C(400) * 86400, 0};
    struct env_real real;
    env_real_init(&real, 0);
    struct match_env env = env_real_env(&real);
    int64_t began_ms = env.now_ms(env.context);
    int64_t steady_ms = env.steady_ms(env.context);
    int64_t utc_ms = env_utc_ms();
    atomic_store(&wall.reads, 0);
    for (size_t i = 0; i < sizeof steps_s / sizeof steps_s[0]; i++) {
        atomic_store(&wall.set_by_s, steps_s[i]);
        int64_t now_ms = env.now_ms(env.context);
        int64_t counted_ms = env.steady_ms(env.context);
        cr_expect(now_ms >= began_ms && now_ms < began_ms + HOUR_MS, "step %zu", i);
        cr_expect(counted_ms >= steady_ms && counted_ms < steady_ms + HOUR_MS, "step %zu", i);
    }
    cr_expect_eq(atomic_load(&wall.reads), 0);
    atomic_store(&wall.set_by_s, 7200);
    cr_expect_geq(env_utc_ms(), utc_ms + HOUR_MS, "it was set indeed");
    cr_expect_eq(atomic_load(&wall.reads), 1);
}

Test(env, an_old_stamp_changes_nothing)
{
    struct env_real real;
    int64_t before_ms = env_utc_ms();
    env_real_init(&real, before_ms - HOUR_MS);
    cr_assert_geq(real.utc_at_start_ms, before_ms);
    cr_assert_eq(real.behind_ms, 0);
}

Test(env, advancing_moves_time_forward_by_that_much)
{
    struct env_real real;
    env_real_init(&real, 0);
    struct match_env env = env_real_env(&real);
    int64_t before_ms = env.now_ms(env.context);
    atomic_fetch_add(&real.advanced_ms, HOUR_MS);
    int64_t after_ms = env.now_ms(env.context);
    cr_assert(after_ms >= before_ms + HOUR_MS && after_ms < before_ms + 2 * HOUR_MS);
}

Test(env, what_the_machine_counts_is_not_moved_by_hand)
{
    struct env_real real;
    env_real_init(&real, 0);
    struct match_env env = env_real_env(&real);
    int64_t before_ms = env.steady_ms(env.context);
    atomic_fetch_add(&real.advanced_ms, HOUR_MS);
    int64_t after_ms = env.steady_ms(env.context);
    cr_assert(after_ms >= before_ms && after_ms < before_ms + HOUR_MS);
}

struct shared_clock {
    struct env_real real;
    _Atomic int64_t latest_ms;
    atomic_int falls;
};

/* What any thread has published must not lie after what another reads later. */
static void *read_clock(void *context)
{
    struct shared_clock *shared = context;
    struct match_env env = env_real_env(&shared->real);
    for (int i = 0; i < READS; i++) {
        int64_t seen_ms = atomic_load(&shared->latest_ms);
        int64_t now_ms = env.now_ms(env.context);
        if (now_ms < seen_ms) {
            atomic_fetch_add(&shared->falls, 1);
        }
        while (now_ms > seen_ms &&
               !atomic_compare_exchange_weak(&shared->latest_ms, &seen_ms, now_ms)) {
        }
        if (i % 100 == 0) {
            atomic_fetch_add(&shared->real.advanced_ms, 1);
        }
    }
    return NULL;
}

Test(env, time_never_falls_from_one_thread_to_another)
{
    struct shared_clock shared = {.falls = 0};
    env_real_init(&shared.real, 0);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, read_clock, &shared), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    cr_assert_eq(atomic_load(&shared.falls), 0);
}

Test(env, random_fills_exactly_what_was_asked_for)
{
    struct env_real real;
    env_real_init(&real, 0);
    struct match_env env = env_real_env(&real);
    unsigned char first[66] = {0};
    unsigned char second[66] = {0};
    env.random(env.context, first + 1, 64);
    env.random(env.context, second + 1, 64);
    cr_assert(first[0] == 0 && first[65] == 0);
    cr_assert_neq(memcmp(first, second, sizeof first), 0);
    env.random(env.context, first, 0);
}

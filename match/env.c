#include "env.h"

#include <assert.h>
#include <sodium.h>
#include <stdatomic.h>
#include <time.h>

enum { MS_PER_S = 1000, NS_PER_MS = 1000 * 1000 };

static int64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    int failed = clock_gettime(clock, &now);
    assert(failed == 0);
    return (int64_t)now.tv_sec * MS_PER_S + now.tv_nsec / NS_PER_MS;
}

int64_t env_utc_ms(void)
{
    return clock_ms(CLOCK_REALTIME);
}

int64_t env_steady_ms(const struct match_env *env)
{
    return env->steady_ms == NULL ? 0 : env->steady_ms(env->context);
}

uint32_t env_draw(const struct match_env *env, uint32_t below)
{
    uint32_t bits = 0;
    assert(below > 0);
    env->random(env->context, &bits, sizeof bits);
    return (uint32_t)(((uint64_t)bits * below) >> 32);
}

void env_real_init(struct env_real *real, int64_t not_before_ms)
{
    assert(real != NULL);
    int ready = sodium_init(); /* the generator must stand before a second thread draws from it */
    assert(ready >= 0);
    int64_t utc_ms = env_utc_ms();
    real->behind_ms = utc_ms < not_before_ms ? not_before_ms - utc_ms : 0;
    real->utc_at_start_ms = utc_ms + real->behind_ms;
    real->monotonic_at_start_ms = clock_ms(CLOCK_MONOTONIC);
    atomic_init(&real->advanced_ms, 0);
}

/* Both terms only grow and are read in one order by all threads, so their sum never falls: who has
 * seen a time reads the terms later than it was made. */
static int64_t real_now_ms(void *context)
{
    struct env_real *real = context;
    int64_t advanced_ms = atomic_load(&real->advanced_ms);
    int64_t since_start_ms = clock_ms(CLOCK_MONOTONIC) - real->monotonic_at_start_ms;
    assert(since_start_ms >= 0 && advanced_ms >= 0);
    return real->utc_at_start_ms + since_start_ms + advanced_ms;
}

static int64_t real_steady_ms(void *context)
{
    const struct env_real *real = context;
    return clock_ms(CLOCK_MONOTONIC) - real->monotonic_at_start_ms;
}

static void real_random(void *context, void *bytes, size_t count)
{
    assert(context != NULL && (bytes != NULL || count == 0));
    randombytes_buf(bytes, count);
}

struct match_env env_real_env(struct env_real *real)
{
    assert(real != NULL);
    return (struct match_env){
        .now_ms = real_now_ms, .random = real_random, .context = real, .steady_ms = real_steady_ms};
}

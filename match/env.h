#ifndef MATCH_ENV_H
#define MATCH_ENV_H

/*
 * Time and randomness, injected: the domain never asks the machine for either. Tests pass a clock
 * they move by hand and a seeded generator.
 *
 * Threads: the functions of an environment may be called from any thread.
 */

#include <stddef.h>
#include <stdint.h>

struct match_env {
    int64_t (*now_ms)(void *context); /* milliseconds UTC, never falling */
    void (*random)(void *context, void *bytes, size_t count);
    void *context;
    /* Milliseconds that pass while the machine runs, and that nobody moves by hand: by it the
     * service notices that it stood still. NULL: it never does. */
    int64_t (*steady_ms)(void *context);
};

/* 0 where nothing passes. */
int64_t env_steady_ms(const struct match_env *env);
/* 0 to `below` - 1, each as likely as any other but for one part in 2^32 / below. */
uint32_t env_draw(const struct match_env *env, uint32_t below);

/* The machine's own: UTC read once, the monotonic clock since. */
struct env_real {
    int64_t utc_at_start_ms;
    int64_t monotonic_at_start_ms;
    int64_t behind_ms;           /* how far UTC lay before `not_before_ms`; else 0 */
    _Atomic int64_t advanced_ms; /* tests move time forward through it */
};

/* Starts at UTC, or at `not_before_ms` where that is later (a clock that was set back). */
void env_real_init(struct env_real *real, int64_t not_before_ms);
/* Borrows `real`. */
struct match_env env_real_env(struct env_real *real);
/* UTC by the machine, for use before an environment exists. */
int64_t env_utc_ms(void);

#endif

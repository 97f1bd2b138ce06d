#ifndef API_BUCKET_H
#define API_BUCKET_H

/*
 * Token buckets, as arithmetic. A bucket is one number: the time at which it is full again. Nothing
 * has to run while nobody asks, and a bucket that is full looks like one that never was.
 *
 * Threads: pure. Ownership: values. Times are nanoseconds of one clock that never falls.
 */

#include <stdbool.h>
#include <stdint.h>

/* `quota` tokens flow in evenly in `window_s` seconds, and no more than that are ever there. */
struct bucket_rate {
    uint32_t quota;
    uint32_t window_s;
};

enum { BUCKET_QUOTA_MAX = 1000000, BUCKET_WINDOW_MAX_S = 24 * 60 * 60 };

/* Takes `cost` tokens (1 to the quota), or nothing where they are not there. */
bool bucket_take(const struct bucket_rate *rate, int64_t *full_at_ns, int64_t now_ns,
                 uint32_t cost);

/* Takes what is there of `cost` tokens, for what has happened already. */
void bucket_charge(const struct bucket_rate *rate, int64_t *full_at_ns, int64_t now_ns,
                   uint32_t cost);

/* Puts back what was taken in vain. */
void bucket_give_back(const struct bucket_rate *rate, int64_t *full_at_ns, uint32_t cost);

/* Whole tokens that are there. */
uint32_t bucket_left(const struct bucket_rate *rate, int64_t full_at_ns, int64_t now_ns);

/* Whole seconds, rounded up, until `cost` tokens are there; with the quota: until it is full. */
uint32_t bucket_wait_s(const struct bucket_rate *rate, int64_t full_at_ns, int64_t now_ns,
                       uint32_t cost);

#endif

#include "bucket.h"

#include <assert.h>

#define NS_PER_S INT64_C(1000000000)

/* What one token takes to flow in. A quota that does not divide the window is rounded down, so that
 * the whole quota is there after the window at the latest. */
static int64_t token_ns(const struct bucket_rate *rate)
{
    assert(rate->quota >= 1 && rate->quota <= BUCKET_QUOTA_MAX);
    assert(rate->window_s >= 1 && rate->window_s <= BUCKET_WINDOW_MAX_S);
    return rate->window_s * NS_PER_S / rate->quota;
}

/* What is missing to a full bucket, as the time that it takes to flow in. */
static int64_t missing_ns(int64_t full_at_ns, int64_t now_ns)
{
    return full_at_ns > now_ns ? full_at_ns - now_ns : 0;
}

bool bucket_take(const struct bucket_rate *rate, int64_t *full_at_ns, int64_t now_ns, uint32_t cost)
{
    assert(cost >= 1 && cost <= rate->quota);
    int64_t token = token_ns(rate);
    int64_t after_ns = missing_ns(*full_at_ns, now_ns) + cost * token;
    if (after_ns > rate->quota * token) {
        return false;
    }
    *full_at_ns = now_ns + after_ns;
    return true;
}

void bucket_charge(const struct bucket_rate *rate, int64_t *full_at_ns, int64_t now_ns,
                   uint32_t cost)
{
    int64_t token = token_ns(rate);
    int64_t empty_ns = rate->quota * token;
    int64_t after_ns =
        missing_ns(*full_at_ns, now_ns) + (cost < rate->quota ? cost : rate->quota) * token;
    *full_at_ns = now_ns + (after_ns < empty_ns ? after_ns : empty_ns);
}

void bucket_give_back(const struct bucket_rate *rate, int64_t *full_at_ns, uint32_t cost)
{
    assert(cost <= rate->quota);
    /* A time in the past is as good as any: the bucket is full. */
    *full_at_ns -= cost * token_ns(rate);
}

uint32_t bucket_left(const struct bucket_rate *rate, int64_t full_at_ns, int64_t now_ns)
{
    int64_t token = token_ns(rate);
    int64_t there_ns = rate->quota * token - missing_ns(full_at_ns, now_ns);
    return there_ns <= 0 ? 0 : (uint32_t)(there_ns / token);
}

uint32_t bucket_wait_s(const struct bucket_rate *rate, int64_t full_at_ns, int64_t now_ns,
                       uint32_t cost)
{
    assert(cost <= rate->quota);
    int64_t token = token_ns(rate);
    int64_t wait_ns = missing_ns(full_at_ns, now_ns) - (rate->quota - cost) * token;
    return wait_ns <= 0 ? 0 : (uint32_t)((wait_ns + NS_PER_S - 1) / NS_PER_S);
}

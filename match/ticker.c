#include "ticker.h"

#include "clocks.h"
#include "credit.h"
#include "origin.h"
#include "rounds.h"
#include "service.h"

#include <stdlib.h>
#include <time.h>

enum {
    TICK_MS = 100,   /* at the longest: clocks that tests move by hand are looked at as often */
    TICK_MIN_MS = 5, /* what waits for room or for somebody is not asked for all the time */
    EXPIRY_MS = 500,
};

struct ticker {
    struct match *match;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t stop;
    bool stopping;
};

static void *ticker_main(void *context);

struct ticker *ticker_start(struct match *match)
{
    struct ticker *ticker = calloc(1, sizeof *ticker);
    if (ticker == NULL) {
        return NULL;
    }
    ticker->match = match;
    pthread_mutex_init(&ticker->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&ticker->stop, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&ticker->thread, NULL, ticker_main, ticker) != 0) {
        pthread_cond_destroy(&ticker->stop);
        pthread_mutex_destroy(&ticker->lock);
        free(ticker);
        return NULL;
    }
    return ticker;
}

void ticker_stop(struct ticker *ticker)
{
    if (ticker == NULL) {
        return;
    }
    pthread_mutex_lock(&ticker->lock);
    ticker->stopping = true;
    pthread_cond_signal(&ticker->stop);
    pthread_mutex_unlock(&ticker->lock);
    pthread_join(ticker->thread, NULL);
    pthread_cond_destroy(&ticker->stop);
    pthread_mutex_destroy(&ticker->lock);
    free(ticker);
}

/* How long to sleep, never what time it is. */
static int64_t monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Until the next game is due, or a tick. */
static int64_t rest_ms(struct match *match)
{
    int64_t next_ms = due_next(match->due);
    int64_t now_ms = match_now_ms(match);
    if (next_ms >= now_ms + TICK_MS) {
        return TICK_MS;
    }
    return next_ms < now_ms + TICK_MIN_MS ? TICK_MIN_MS : next_ms - now_ms;
}

/* True: time to stop. */
static bool ticker_sleep(struct ticker *ticker)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += rest_ms(ticker->match) * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_mutex_lock(&ticker->lock);
    if (!ticker->stopping) {
        pthread_cond_timedwait(&ticker->stop, &ticker->lock, &until);
    }
    bool stopping = ticker->stopping;
    pthread_mutex_unlock(&ticker->lock);
    return stopping;
}

/* What is not urgent. */
static void tick_slowly(struct match *match, bool *names_left)
{
    tickets_expire(match);
    *names_left = names_fold(match);
    credit_stamp(match->credit);
}

static void *ticker_main(void *context)
{
    struct ticker *ticker = context;
    struct match *match = ticker->match;
    bool names_left = false;
    int64_t hour = 0;
    int64_t expiry_ms = 0;
    while (!ticker_sleep(ticker)) {
        credit_settle(match->credit);
        clocks_tick(match);
        events_expire(match->events, match_now_ms(match));
        rounds_tick(match->rounds, match_now_ms(match));
        if (monotonic_ms() >= expiry_ms) {
            expiry_ms = monotonic_ms() + EXPIRY_MS;
            tick_slowly(match, &names_left);
        } else if (names_left) {
            names_left = names_fold(match);
        }
        if (origin_hour(match_now_ms(match)) != hour) {
            hour = origin_hour(match_now_ms(match));
            origins_forget(match);
        }
    }
    return NULL;
}

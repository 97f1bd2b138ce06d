#include "ticker.h"

#include "origin.h"
#include "service.h"

#include <stdlib.h>
#include <time.h>

enum { TICK_MS = 100, TICKS_PER_EXPIRY = 5 };

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

/* True: time to stop. */
static bool ticker_sleep(struct ticker *ticker)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until); /* how long to sleep, never what time it is */
    until.tv_nsec += TICK_MS * 1000000L;
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

static void *ticker_main(void *context)
{
    struct ticker *ticker = context;
    struct match *match = ticker->match;
    bool names_left = false;
    int64_t hour = 0;
    for (unsigned tick = 0; !ticker_sleep(ticker); tick++) {
        events_expire(match->events, match_now_ms(match));
        if (tick % TICKS_PER_EXPIRY == 0) {
            presence_tick(match);
            tickets_expire(match);
        }
        if (names_left || tick % TICKS_PER_EXPIRY == 0) {
            names_left = names_fold(match);
        }
        if (origin_hour(match_now_ms(match)) != hour) {
            hour = origin_hour(match_now_ms(match));
            origins_forget(match);
        }
    }
    return NULL;
}

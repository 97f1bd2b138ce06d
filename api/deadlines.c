#include "deadlines.h"

#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_MS = 250,
    STALL_TICKS = 2, /* what this thread catches up with at most */
    STALL_MS = STALL_TICKS * TICK_MS,
};

struct deadlines {
    pthread_mutex_t lock; /* of the list, and of every fd in it */
    struct deadline *first;
    atomic_int_fast64_t tick; /* counted by the thread: no clock is read for a request */
    int stop_fd;
    pthread_t thread;
};

static void sweep(struct deadlines *deadlines, int64_t tick)
{
    pthread_mutex_lock(&deadlines->lock);
    for (struct deadline *at = deadlines->first; at != NULL; at = at->next) {
        int64_t due = atomic_load_explicit(&at->at_tick, memory_order_relaxed);
        if (due != 0 && due <= tick) {
            (void)shutdown(at->fd, SHUT_RDWR);
            atomic_store_explicit(&at->at_tick, 0, memory_order_relaxed);
        }
    }
    pthread_mutex_unlock(&deadlines->lock);
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A busy machine that wakes this thread a little late each time makes no deadline longer. Where
 * nothing ran at all for longer, that time is charged to no client. */
static void *run(void *context)
{
    struct deadlines *deadlines = context;
    struct pollfd stop = {.fd = deadlines->stop_fd, .events = POLLIN};
    int64_t next_ms = now_ms() + TICK_MS;
    for (;;) {
        int64_t left_ms = next_ms - now_ms();
        if (left_ms < -STALL_MS) {
            next_ms -= left_ms;
        }
        if (poll(&stop, 1, left_ms > 0 ? (int)left_ms : 0) > 0) {
            return NULL;
        }
        int64_t tick = atomic_fetch_add(&deadlines->tick, 1) + 1;
        sweep(deadlines, tick);
        next_ms += TICK_MS;
    }
}

struct deadlines *deadlines_new(void)
{
    struct deadlines *deadlines = calloc(1, sizeof *deadlines);
    if (deadlines == NULL) {
        return NULL;
    }
    deadlines->stop_fd = eventfd(0, EFD_CLOEXEC);
    pthread_mutex_init(&deadlines->lock, NULL);
    if (deadlines->stop_fd < 0 || pthread_create(&deadlines->thread, NULL, run, deadlines) != 0) {
        if (deadlines->stop_fd >= 0) {
            close(deadlines->stop_fd);
        }
        pthread_mutex_destroy(&deadlines->lock);
        free(deadlines);
        return NULL;
    }
    return deadlines;
}

void deadlines_free(struct deadlines *deadlines)
{
    if (deadlines == NULL) {
        return;
    }
    assert(deadlines->first == NULL);
    (void)eventfd_write(deadlines->stop_fd, 1);
    pthread_join(deadlines->thread, NULL);
    close(deadlines->stop_fd);
    pthread_mutex_destroy(&deadlines->lock);
    free(deadlines);
}

void deadlines_add(struct deadlines *deadlines, struct deadline *deadline, int fd)
{
    assert(deadlines != NULL && deadline != NULL && fd >= 0);
    deadline->fd = fd;
    deadline->previous = NULL;
    pthread_mutex_lock(&deadlines->lock);
    deadline->next = deadlines->first;
    if (deadline->next != NULL) {
        deadline->next->previous = deadline;
    }
    deadlines->first = deadline;
    pthread_mutex_unlock(&deadlines->lock);
}

void deadlines_remove(struct deadlines *deadlines, struct deadline *deadline)
{
    assert(deadlines != NULL && deadline != NULL);
    pthread_mutex_lock(&deadlines->lock);
    if (deadline->next != NULL) {
        deadline->next->previous = deadline->previous;
    }
    if (deadline->previous != NULL) {
        deadline->previous->next = deadline->next;
    } else {
        assert(deadlines->first == deadline);
        deadlines->first = deadline->next;
    }
    pthread_mutex_unlock(&deadlines->lock);
}

void deadline_begin(struct deadlines *deadlines, struct deadline *deadline, int64_t within_ms)
{
    assert(deadlines != NULL && deadline != NULL);
    deadline->began_tick = atomic_load_explicit(&deadlines->tick, memory_order_relaxed);
    deadline_extend(deadline, within_ms);
}

void deadline_extend(struct deadline *deadline, int64_t within_ms)
{
    assert(deadline != NULL && within_ms > 0);
    /* One more tick, because the one it began in was partly over, and those that the thread may
     * have been late by. */
    int64_t due = deadline->began_tick + within_ms / TICK_MS + 1 + STALL_TICKS;
    atomic_store_explicit(&deadline->at_tick, due, memory_order_relaxed);
}

void deadline_clear(struct deadline *deadline)
{
    assert(deadline != NULL);
    atomic_store_explicit(&deadline->at_tick, 0, memory_order_relaxed);
}

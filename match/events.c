#include "events.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { BUCKETS = 1024 }; /* a power of two, about the waiters of a busy machine */

/*
 * How a waiter is never touched or woken after events_remove: what is to be woken moves, under the
 * lock, from its bucket to a batch on the waking thread's stack. There it is still linked, so a
 * remove takes it out like from a bucket. The thread takes one waiter at a time out of its batch,
 * notes it as `waking`, and calls its wake function without the lock; a remove that finds its
 * waiter noted waits until the call has returned. The note is an address that is only compared:
 * once its wake function was entered, the owner may free a waiter.
 */
struct batch {
    struct event_waiter list; /* ring with this as its head */
    const struct event_waiter *waking;
    pthread_t thread;
    struct batch *next;
};

struct events {
    pthread_mutex_t lock;
    pthread_cond_t woken; /* some batch went on by one */
    struct batch *batches;
    int64_t earliest_ms; /* no deadline lies before it */
    bool is_stopped;
    struct event_waiter buckets[BUCKETS]; /* heads of rings */
};

/* --- rings: no end needs a case of its own ---------------------------------------------------- */

static void ring_init(struct event_waiter *head)
{
    head->next = head;
    head->previous = head;
}

static void ring_append(struct event_waiter *head, struct event_waiter *waiter)
{
    waiter->previous = head->previous;
    waiter->next = head;
    head->previous->next = waiter;
    head->previous = waiter;
}

static void ring_unlink(struct event_waiter *waiter)
{
    assert(waiter->next->previous == waiter && waiter->previous->next == waiter);
    waiter->next->previous = waiter->previous;
    waiter->previous->next = waiter->next;
}

static struct event_waiter *bucket_of(struct events *events, enum event_topic topic, int64_t number)
{
    uint64_t key = (uint64_t)number * EVENT_TOPICS + (uint64_t)topic;
    key *= UINT64_C(0x9e3779b97f4a7c15); /* neighbours spread */
    return &events->buckets[(key >> 32) % BUCKETS];
}

/* --- batches: the lock is held except around the wake functions ------------------------------- */

static void batch_open(struct events *events, struct batch *batch)
{
    ring_init(&batch->list);
    batch->waking = NULL;
    batch->thread = pthread_self();
    batch->next = events->batches;
    events->batches = batch;
}

static void batch_take(struct batch *batch, struct event_waiter *waiter)
{
    assert(waiter->queued);
    ring_unlink(waiter);
    ring_append(&batch->list, waiter);
}

static void batch_close(struct events *events, const struct batch *batch)
{
    struct batch **link = &events->batches;
    while (*link != batch) {
        assert(*link != NULL);
        link = &(*link)->next;
    }
    *link = batch->next;
}

static void batch_wake(struct events *events, struct batch *batch)
{
    while (batch->list.next != &batch->list) {
        struct event_waiter *waiter = batch->list.next;
        ring_unlink(waiter);
        waiter->queued = false;
        void (*wake)(void *) = waiter->wake;
        void *context = waiter->context;
        batch->waking = waiter;
        pthread_mutex_unlock(&events->lock);
        wake(context); /* the waiter may be gone from here on */
        pthread_mutex_lock(&events->lock);
        batch->waking = NULL;
        pthread_cond_broadcast(&events->woken);
    }
    batch_close(events, batch);
}

/* Whether another thread is inside this waiter's wake function. Inside its own a remove must not
 * wait for itself. */
static bool is_waking_elsewhere(const struct events *events, const struct event_waiter *waiter)
{
    for (const struct batch *batch = events->batches; batch != NULL; batch = batch->next) {
        if (batch->waking == waiter && !pthread_equal(batch->thread, pthread_self())) {
            return true;
        }
    }
    return false;
}

/* --- the interface ---------------------------------------------------------------------------- */

struct events *events_new(void)
{
    struct events *events = calloc(1, sizeof *events);
    if (events == NULL) {
        return NULL;
    }
    pthread_mutex_init(&events->lock, NULL);
    pthread_cond_init(&events->woken, NULL);
    events->earliest_ms = INT64_MAX;
    for (size_t i = 0; i < BUCKETS; i++) {
        ring_init(&events->buckets[i]);
    }
    return events;
}

void events_free(struct events *events)
{
    if (events == NULL) {
        return;
    }
    assert(events->batches == NULL);
    pthread_cond_destroy(&events->woken);
    pthread_mutex_destroy(&events->lock);
    free(events);
}

void events_add(struct events *events, struct event_waiter *waiter)
{
    assert(waiter->wake != NULL && !waiter->queued);
    pthread_mutex_lock(&events->lock);
    waiter->queued = true;
    if (events->is_stopped) {
        struct batch batch;
        batch_open(events, &batch);
        ring_append(&batch.list, waiter);
        batch_wake(events, &batch);
    } else {
        ring_append(bucket_of(events, waiter->topic, waiter->number), waiter);
        if (waiter->deadline_ms < events->earliest_ms) {
            events->earliest_ms = waiter->deadline_ms;
        }
    }
    pthread_mutex_unlock(&events->lock);
}

bool events_remove(struct events *events, struct event_waiter *waiter)
{
    assert(waiter != NULL);
    pthread_mutex_lock(&events->lock);
    bool removed = waiter->queued;
    if (removed) {
        ring_unlink(waiter);
        waiter->queued = false;
    }
    while (is_waking_elsewhere(events, waiter)) {
        pthread_cond_wait(&events->woken, &events->lock);
    }
    pthread_mutex_unlock(&events->lock);
    return removed;
}

void events_publish(struct events *events, enum event_topic topic, int64_t number)
{
    struct batch batch;
    pthread_mutex_lock(&events->lock);
    batch_open(events, &batch);
    struct event_waiter *head = bucket_of(events, topic, number);
    struct event_waiter *next;
    for (struct event_waiter *waiter = head->next; waiter != head; waiter = next) {
        next = waiter->next;
        if (waiter->topic == topic && waiter->number == number) {
            batch_take(&batch, waiter);
        }
    }
    batch_wake(events, &batch);
    pthread_mutex_unlock(&events->lock);
}

/* Moves what is due and finds the earliest deadline of the rest. */
static void take_due(struct events *events, int64_t now_ms, struct batch *batch)
{
    events->earliest_ms = INT64_MAX;
    for (size_t i = 0; i < BUCKETS; i++) {
        struct event_waiter *head = &events->buckets[i];
        struct event_waiter *next;
        for (struct event_waiter *waiter = head->next; waiter != head; waiter = next) {
            next = waiter->next;
            if (waiter->deadline_ms <= now_ms) {
                batch_take(batch, waiter);
            } else if (waiter->deadline_ms < events->earliest_ms) {
                events->earliest_ms = waiter->deadline_ms;
            }
        }
    }
}

void events_expire(struct events *events, int64_t now_ms)
{
    struct batch batch;
    pthread_mutex_lock(&events->lock);
    if (now_ms >= events->earliest_ms) {
        batch_open(events, &batch);
        take_due(events, now_ms, &batch);
        batch_wake(events, &batch);
    }
    pthread_mutex_unlock(&events->lock);
}

void events_stop(struct events *events)
{
    struct batch batch;
    pthread_mutex_lock(&events->lock);
    events->is_stopped = true;
    batch_open(events, &batch);
    take_due(events, INT64_MAX, &batch);
    batch_wake(events, &batch);
    pthread_mutex_unlock(&events->lock);
}

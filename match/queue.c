#include "queue.h"

#include "db/writer.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAITS = 32,                     /* latest waits of a kind that an estimate goes by */
    WAITS_KEPT_MS = 60 * 60 * 1000, /* older ones say nothing of now */
    DEAD_MIN = 64,                  /* entries that have left, before the others move up */
};

struct entry {
    struct pairing_ticket ticket;
    int64_t opens_at_ms;
    int64_t heard_ms; /* 0: nobody has asked for it yet */
    bool known;
    bool gone;
};

struct wait {
    int64_t ms;
    int64_t at_ms;
};

struct bucket {
    struct queue_kind kind;
    struct entry *entries; /* by ticket number, ascending */
    size_t count;
    size_t gone;
    size_t capacity;
    bool changed;
    struct wait waits[WAITS]; /* a ring */
    size_t wait_count;        /* ever */
};

struct queue {
    pthread_mutex_t lock;
    struct bucket *buckets;
    size_t count;
};

struct queue *queue_new(void)
{
    struct queue *queue = calloc(1, sizeof *queue);
    if (queue != NULL) {
        pthread_mutex_init(&queue->lock, NULL);
    }
    return queue;
}

void queue_free(struct queue *queue)
{
    if (queue == NULL) {
        return;
    }
    for (size_t i = 0; i < queue->count; i++) {
        free(queue->buckets[i].entries);
    }
    free(queue->buckets);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

bool queue_kind_of(const struct db_ticket *ticket, struct queue_kind *kind)
{
    kind->rules = rules_find_pool(ticket->pool, &kind->pool);
    kind->turn_seconds = ticket->turn_seconds;
    return kind->rules != NULL;
}

/* --- coming and going ----------------------------------------------------------------------------
 */

/* NULL: nobody of this kind has come yet. */
static struct bucket *find_bucket(struct queue *queue, const struct queue_kind *kind)
{
    for (size_t i = 0; i < queue->count; i++) {
        struct bucket *bucket = &queue->buckets[i];
        if (bucket->kind.pool == kind->pool && bucket->kind.turn_seconds == kind->turn_seconds) {
            return bucket;
        }
    }
    return NULL;
}

static struct bucket *add_bucket(struct queue *queue, const struct queue_kind *kind)
{
    struct bucket *buckets = realloc(queue->buckets, (queue->count + 1) * sizeof *buckets);
    if (buckets == NULL) {
        return NULL;
    }
    queue->buckets = buckets;
    buckets[queue->count] = (struct bucket){.kind = *kind};
    return &buckets[queue->count++];
}

static bool has_room(struct queue *queue, const struct queue_kind *kind)
{
    struct bucket *bucket = find_bucket(queue, kind);
    if (bucket == NULL) {
        bucket = add_bucket(queue, kind);
    }
    if (bucket == NULL || bucket->capacity - bucket->count >= DB_BATCH_MAX) {
        return bucket != NULL;
    }
    size_t capacity = 2 * bucket->capacity + DB_BATCH_MAX;
    struct entry *entries = realloc(bucket->entries, capacity * sizeof *entries);
    if (entries == NULL) {
        return false;
    }
    bucket->entries = entries;
    bucket->capacity = capacity;
    return true;
}

bool queue_reserve(struct queue *queue, const struct queue_kind *kind)
{
    pthread_mutex_lock(&queue->lock);
    bool room = has_room(queue, kind);
    pthread_mutex_unlock(&queue->lock);
    return room;
}

void queue_enter(struct queue *queue, const struct db_ticket *ticket)
{
    struct queue_kind kind;
    bool known = queue_kind_of(ticket, &kind);
    assert(known && ticket->ended_at_ms == 0);
    (void)known;
    pthread_mutex_lock(&queue->lock);
    struct bucket *bucket = find_bucket(queue, &kind);
    assert(bucket != NULL && bucket->count < bucket->capacity);
    assert(bucket->count == 0 ||
           bucket->entries[bucket->count - 1].ticket.ticket_no < ticket->ticket_no);
    bucket->entries[bucket->count++] = (struct entry){
        .ticket = {.ticket_no = ticket->ticket_no,
                   .player_no = ticket->player_no,
                   .rating_milli = ticket->rating_milli,
                   .partner_no = ticket->partner_no,
                   .created_at_ms = ticket->created_at_ms},
    };
    bucket->changed = true;
    pthread_mutex_unlock(&queue->lock);
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    return (a->ticket.ticket_no > b->ticket.ticket_no) -
           (a->ticket.ticket_no < b->ticket.ticket_no);
}

/* NULL: it does not wait here. */
static struct entry *find_entry(const struct bucket *bucket, int64_t ticket_no)
{
    const struct entry wanted = {.ticket = {.ticket_no = ticket_no}};
    struct entry *found = bucket->count == 0 ? NULL
                                             : bsearch(&wanted, bucket->entries, bucket->count,
                                                       sizeof wanted, compare_entries);
    return found == NULL || found->gone ? NULL : found;
}

/* Likewise, whatever its kind. */
static struct entry *find_anywhere(const struct queue *queue, int64_t ticket_no,
                                   struct bucket **bucket)
{
    struct entry *entry = NULL;
    for (size_t i = 0; i < queue->count && entry == NULL; i++) {
        *bucket = &queue->buckets[i];
        entry = find_entry(*bucket, ticket_no);
    }
    return entry;
}

/* Those who wait move up. */
static void close_ranks(struct bucket *bucket)
{
    size_t kept = 0;
    for (size_t i = 0; i < bucket->count; i++) {
        if (!bucket->entries[i].gone) {
            bucket->entries[kept++] = bucket->entries[i];
        }
    }
    assert(kept + bucket->gone == bucket->count);
    bucket->count = kept;
    bucket->gone = 0;
}

void queue_leave(struct queue *queue, int64_t ticket_no)
{
    struct bucket *bucket = NULL;
    pthread_mutex_lock(&queue->lock);
    struct entry *entry = find_anywhere(queue, ticket_no, &bucket);
    if (entry != NULL) {
        entry->gone = true;
        bucket->gone++;
        if (bucket->gone >= DEAD_MIN && bucket->gone > bucket->count / 2) {
            close_ranks(bucket);
        }
    }
    pthread_mutex_unlock(&queue->lock);
}

void queue_hear(struct queue *queue, int64_t ticket_no, int64_t at_ms)
{
    struct bucket *bucket = NULL;
    pthread_mutex_lock(&queue->lock);
    struct entry *entry = find_anywhere(queue, ticket_no, &bucket);
    if (entry != NULL && entry->heard_ms < at_ms) {
        entry->heard_ms = at_ms;
    }
    pthread_mutex_unlock(&queue->lock);
}

int64_t queue_heard_ms(struct queue *queue, int64_t ticket_no)
{
    struct bucket *bucket = NULL;
    pthread_mutex_lock(&queue->lock);
    const struct entry *entry = find_anywhere(queue, ticket_no, &bucket);
    int64_t heard_ms = entry == NULL ? 0 : entry->heard_ms;
    pthread_mutex_unlock(&queue->lock);
    return heard_ms;
}

/* --- looking through it --------------------------------------------------------------------------
 */

size_t queue_kinds(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    size_t count = queue->count;
    pthread_mutex_unlock(&queue->lock);
    return count;
}

/* Requests are complete in one order and come to the writer in almost the same. */
static void sort_by_age(struct queue_view *view)
{
    for (size_t i = 1; i < view->count; i++) {
        const struct pairing_ticket ticket = view->tickets[i];
        const bool known = view->known[i];
        size_t j = i;
        for (; j > 0 && view->tickets[j - 1].created_at_ms > ticket.created_at_ms; j--) {
            view->tickets[j] = view->tickets[j - 1];
            view->known[j] = view->known[j - 1];
        }
        view->tickets[j] = ticket;
        view->known[j] = known;
    }
}

static bool copy_bucket(const struct bucket *bucket, struct queue_view *view)
{
    size_t waiting = bucket->count - bucket->gone;
    view->tickets = calloc(waiting + 1, sizeof *view->tickets);
    view->known = calloc(waiting + 1, sizeof *view->known);
    if (view->tickets == NULL || view->known == NULL) {
        return false;
    }
    for (size_t i = 0; i < bucket->count; i++) {
        const struct entry *entry = &bucket->entries[i];
        if (!entry->gone) {
            view->tickets[view->count] = entry->ticket;
            view->known[view->count++] = entry->known;
        }
    }
    assert(view->count == waiting);
    return true;
}

bool queue_copy(struct queue *queue, size_t kind, bool changed_only, struct queue_view *view)
{
    bool copied = true;
    pthread_mutex_lock(&queue->lock);
    assert(kind < queue->count);
    struct bucket *bucket = &queue->buckets[kind];
    *view = (struct queue_view){.kind = bucket->kind};
    if (bucket->changed || !changed_only) {
        copied = copy_bucket(bucket, view);
        bucket->changed = bucket->changed && !copied;
    }
    pthread_mutex_unlock(&queue->lock);
    if (copied) {
        sort_by_age(view);
    } else {
        queue_view_free(view);
    }
    return copied;
}

void queue_view_free(struct queue_view *view)
{
    free(view->tickets);
    free(view->known);
    *view = (struct queue_view){.count = 0};
}

void queue_learn(struct queue *queue, size_t kind, const struct pairing_ticket *ticket)
{
    pthread_mutex_lock(&queue->lock);
    assert(kind < queue->count);
    struct entry *entry = find_entry(&queue->buckets[kind], ticket->ticket_no);
    if (entry != NULL) {
        memcpy(entry->ticket.last, ticket->last, sizeof ticket->last);
        memcpy(entry->ticket.over, ticket->over, sizeof ticket->over);
        entry->known = true;
    }
    pthread_mutex_unlock(&queue->lock);
}

size_t queue_ages(struct queue *queue, size_t kind, int64_t after, struct queue_age *ages,
                  size_t max)
{
    size_t found = 0;
    pthread_mutex_lock(&queue->lock);
    assert(kind < queue->count);
    const struct bucket *bucket = &queue->buckets[kind];
    size_t low = 0;
    for (size_t high = bucket->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (bucket->entries[middle].ticket.ticket_no <= after) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < bucket->count && found < max; low++) {
        const struct entry *entry = &bucket->entries[low];
        if (!entry->gone) {
            ages[found++] = (struct queue_age){entry->ticket.ticket_no, entry->ticket.player_no,
                                               entry->ticket.created_at_ms, entry->heard_ms};
        }
    }
    pthread_mutex_unlock(&queue->lock);
    return found;
}

/* --- estimates -----------------------------------------------------------------------------------
 */

void queue_foretell(struct queue *queue, size_t kind, int64_t ticket_no, int64_t opens_at_ms)
{
    pthread_mutex_lock(&queue->lock);
    assert(kind < queue->count);
    struct entry *entry = find_entry(&queue->buckets[kind], ticket_no);
    if (entry != NULL) {
        entry->opens_at_ms = opens_at_ms;
    }
    pthread_mutex_unlock(&queue->lock);
}

void queue_waited(struct queue *queue, const struct queue_kind *kind, int64_t waited_ms,
                  int64_t at_ms)
{
    assert(waited_ms >= 0);
    pthread_mutex_lock(&queue->lock);
    struct bucket *bucket = find_bucket(queue, kind);
    if (bucket == NULL) {
        bucket = add_bucket(queue, kind);
    }
    if (bucket != NULL) {
        bucket->waits[bucket->wait_count++ % WAITS] = (struct wait){waited_ms, at_ms};
    }
    pthread_mutex_unlock(&queue->lock);
}

/* Of those that are not too old; -1: there are none. */
static int64_t median_wait(const struct bucket *bucket, int64_t now_ms)
{
    int64_t sorted[WAITS];
    size_t count = 0;
    for (size_t i = 0; i < WAITS && i < bucket->wait_count; i++) {
        const struct wait *wait = &bucket->waits[i];
        if (now_ms - wait->at_ms > WAITS_KEPT_MS) {
            continue;
        }
        size_t j = count++;
        for (; j > 0 && sorted[j - 1] > wait->ms; j--) {
            sorted[j] = sorted[j - 1];
        }
        sorted[j] = wait->ms;
    }
    return count == 0 ? -1 : sorted[count / 2];
}

static bool estimate_in(const struct bucket *bucket, const struct db_ticket *ticket, int64_t now_ms,
                        int64_t *left_ms)
{
    const struct entry *entry = find_entry(bucket, ticket->ticket_no);
    bool opens = entry != NULL && entry->opens_at_ms != 0;
    int64_t median_ms = median_wait(bucket, now_ms);
    int64_t until_ms = opens ? entry->opens_at_ms : ticket->created_at_ms + median_ms;
    if (!opens && (median_ms < 0 || until_ms < now_ms)) {
        return false; /* it waits longer than usual, and nobody else does */
    }
    *left_ms = until_ms < now_ms ? 0 : until_ms - now_ms;
    return true;
}

bool queue_estimate(struct queue *queue, const struct db_ticket *ticket, int64_t now_ms,
                    int64_t *left_ms)
{
    struct queue_kind kind;
    bool known = false;
    pthread_mutex_lock(&queue->lock);
    if (queue_kind_of(ticket, &kind)) {
        const struct bucket *bucket = find_bucket(queue, &kind);
        known = bucket != NULL && estimate_in(bucket, ticket, now_ms, left_ms);
    }
    pthread_mutex_unlock(&queue->lock);
    return known;
}

#include "bucket_table.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    WAYS = 8,
    SETS = BUCKET_TABLE_ENTRIES / WAYS,
    SHARDS = 64,
};

/* All zero is a free place, and at the same time the bucket of hash 0, full for ever. */
struct entry {
    uint64_t hash;
    int64_t full_at_ns;
};

struct set {
    struct entry entries[WAYS];
};

struct bucket_table {
    struct shard {
        _Alignas(64) pthread_mutex_t lock; /* a cache line each: neighbours do not wait */
    } shards[SHARDS];
    struct set sets[SETS];
};

struct bucket_table *bucket_table_new(void)
{
    static_assert(sizeof(struct bucket_table) % 64 == 0, "aligned_alloc wants it");
    struct bucket_table *table = aligned_alloc(64, sizeof *table);
    if (table == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&table->shards[i].lock, NULL);
    }
    for (size_t i = 0; i < SETS; i++) {
        table->sets[i] = (struct set){0};
    }
    return table;
}

void bucket_table_free(struct bucket_table *table)
{
    if (table == NULL) {
        return;
    }
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_destroy(&table->shards[i].lock);
    }
    free(table);
}

size_t bucket_table_bytes(void)
{
    return sizeof(struct bucket_table);
}

static struct set *set_lock(struct bucket_table *table, uint64_t hash, pthread_mutex_t **lock)
{
    size_t number = hash % SETS;
    *lock = &table->shards[number % SHARDS].lock;
    pthread_mutex_lock(*lock);
    return &table->sets[number];
}

static struct entry *find(struct set *set, uint64_t hash)
{
    for (size_t i = 0; i < WAYS; i++) {
        if (set->entries[i].hash == hash) {
            return &set->entries[i];
        }
    }
    return NULL;
}

/* The bucket of this hash; for a new one the place of the bucket that is nearest to full. */
static struct entry *find_or_make(struct set *set, uint64_t hash)
{
    struct entry *entry = find(set, hash);
    if (entry != NULL) {
        return entry;
    }
    entry = &set->entries[0];
    for (size_t i = 1; i < WAYS; i++) {
        if (set->entries[i].full_at_ns < entry->full_at_ns) {
            entry = &set->entries[i];
        }
    }
    *entry = (struct entry){.hash = hash};
    return entry;
}

static void describe(const struct entry *entry, const struct bucket_rate *rate, int64_t now_ns,
                     uint32_t cost, struct bucket_standing *standing)
{
    standing->left = bucket_left(rate, entry->full_at_ns, now_ns);
    standing->full_s = bucket_wait_s(rate, entry->full_at_ns, now_ns, rate->quota);
    standing->wait_s = standing->granted ? 0 : bucket_wait_s(rate, entry->full_at_ns, now_ns, cost);
}

void bucket_table_take(struct bucket_table *table, uint64_t hash, const struct bucket_rate *rate,
                       int64_t now_ns, uint32_t cost, struct bucket_standing *standing)
{
    pthread_mutex_t *lock = NULL;
    struct entry *entry = find_or_make(set_lock(table, hash, &lock), hash);
    standing->granted = bucket_take(rate, &entry->full_at_ns, now_ns, cost);
    describe(entry, rate, now_ns, cost, standing);
    pthread_mutex_unlock(lock);
}

void bucket_table_charge(struct bucket_table *table, uint64_t hash, const struct bucket_rate *rate,
                         int64_t now_ns, uint32_t cost, struct bucket_standing *standing)
{
    pthread_mutex_t *lock = NULL;
    struct entry *entry = find_or_make(set_lock(table, hash, &lock), hash);
    bucket_charge(rate, &entry->full_at_ns, now_ns, cost);
    standing->granted = true;
    describe(entry, rate, now_ns, cost, standing);
    pthread_mutex_unlock(lock);
}

void bucket_table_give_back(struct bucket_table *table, uint64_t hash,
                            const struct bucket_rate *rate, uint32_t cost)
{
    pthread_mutex_t *lock = NULL;
    struct entry *entry = find(set_lock(table, hash, &lock), hash);
    if (entry != NULL) {
        bucket_give_back(rate, &entry->full_at_ns, cost);
    }
    pthread_mutex_unlock(lock);
}

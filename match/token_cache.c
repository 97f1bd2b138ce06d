#include "token_cache.h"

#include "limits.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS = 16, SLOTS = LIMIT_TOKENS_CACHED / SHARDS };

/* An entry of an older epoch is none. */
struct slot {
    uint64_t epoch;
    uint32_t holds; /* jobs under way on tokens of this slot */
    uint64_t stamp; /* rises with every hold and every release */
    struct db_identity identity;
};

struct token_cache {
    _Atomic uint64_t epoch; /* from 1; rises with every hold and release of all */
    _Atomic uint32_t holds_of_all;
    struct shard {
        pthread_mutex_t lock;
        uint64_t hits;
        uint64_t misses;
        struct slot slots[SLOTS];
    } shards[SHARDS];
};

struct token_cache *token_cache_new(void)
{
    struct token_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL) {
        return NULL;
    }
    atomic_init(&cache->epoch, 1);
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&cache->shards[i].lock, NULL);
    }
    return cache;
}

void token_cache_free(struct token_cache *cache)
{
    if (cache == NULL) {
        return;
    }
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_destroy(&cache->shards[i].lock);
    }
    free(cache);
}

/* Token ids are random bytes: they are their own hash. */
static struct slot *slot_lock(struct token_cache *cache, const uint8_t id[DB_TOKEN_ID_BYTES],
                              struct shard **shard)
{
    uint64_t hash;
    static_assert(sizeof hash == DB_TOKEN_ID_BYTES, "an id is one word");
    memcpy(&hash, id, sizeof hash);
    *shard = &cache->shards[hash % SHARDS];
    pthread_mutex_lock(&(*shard)->lock);
    return &(*shard)->slots[hash / SHARDS % SLOTS];
}

static bool is_of(const struct slot *slot, const uint8_t id[DB_TOKEN_ID_BYTES])
{
    return memcmp(slot->identity.token.token_id, id, DB_TOKEN_ID_BYTES) == 0;
}

bool token_cache_get(struct token_cache *cache, const uint8_t id[DB_TOKEN_ID_BYTES],
                     struct db_identity *identity, struct token_stamp *stamp)
{
    struct shard *shard = NULL;
    stamp->all = atomic_load(&cache->epoch);
    struct slot *slot = slot_lock(cache, id, &shard);
    stamp->token = slot->stamp;
    bool found = slot->epoch == stamp->all && slot->holds == 0 &&
                 atomic_load(&cache->holds_of_all) == 0 && is_of(slot, id);
    if (found) {
        *identity = slot->identity;
    }
    shard->hits += found;
    shard->misses += !found;
    pthread_mutex_unlock(&shard->lock);
    return found;
}

void token_cache_counts(struct token_cache *cache, uint64_t *hits, uint64_t *misses)
{
    *hits = 0;
    *misses = 0;
    for (size_t i = 0; i < SHARDS; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        *hits += shard->hits;
        *misses += shard->misses;
        pthread_mutex_unlock(&shard->lock);
    }
}

void token_cache_offer(struct token_cache *cache, const struct db_identity *identity,
                       struct token_stamp stamp)
{
    struct shard *shard = NULL;
    struct slot *slot = slot_lock(cache, identity->token.token_id, &shard);
    if (slot->holds == 0 && slot->stamp == stamp.token) {
        /* Filled with its own epoch: a hold of all that came in between has made it an old one. */
        slot->epoch = stamp.all;
        slot->identity = *identity;
    }
    pthread_mutex_unlock(&shard->lock);
}

void token_cache_hold(struct token_cache *cache, const uint8_t id[DB_TOKEN_ID_BYTES])
{
    struct shard *shard = NULL;
    struct slot *slot = slot_lock(cache, id, &shard);
    slot->holds++;
    slot->stamp++;
    if (is_of(slot, id)) {
        slot->epoch = 0;
    }
    pthread_mutex_unlock(&shard->lock);
}

void token_cache_release(struct token_cache *cache, const uint8_t id[DB_TOKEN_ID_BYTES])
{
    struct shard *shard = NULL;
    struct slot *slot = slot_lock(cache, id, &shard);
    assert(slot->holds > 0);
    slot->holds--;
    slot->stamp++; /* what was read during the hold may be from before the commit */
    pthread_mutex_unlock(&shard->lock);
}

void token_cache_hold_all(struct token_cache *cache)
{
    atomic_fetch_add(&cache->holds_of_all, 1);
    atomic_fetch_add(&cache->epoch, 1);
}

void token_cache_release_all(struct token_cache *cache)
{
    atomic_fetch_add(&cache->epoch, 1);
    uint32_t holds = atomic_fetch_sub(&cache->holds_of_all, 1);
    assert(holds > 0);
    (void)holds;
}

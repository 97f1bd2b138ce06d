#include "frame_cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { SHARDS = 16, SLOTS = 64 }; /* powers of two; some three MiB when all are full */

struct frame_cache {
    struct shard {
        pthread_mutex_t lock;
        struct frame_text *slots[SLOTS];
    } shards[SHARDS];
};

struct frame_text *frame_text_new(size_t length)
{
    struct frame_text *text = calloc(1, sizeof *text + length);
    if (text != NULL) {
        atomic_init(&text->references, 1);
        text->length = length;
    }
    return text;
}

void frame_text_unref(struct frame_text *text)
{
    if (text != NULL &&
        atomic_fetch_sub_explicit(&text->references, 1, memory_order_acq_rel) == 1) {
        free(text);
    }
}

static struct frame_text *text_ref(struct frame_text *text)
{
    atomic_fetch_add_explicit(&text->references, 1, memory_order_relaxed);
    return text;
}

struct frame_cache *frame_cache_new(void)
{
    struct frame_cache *cache = calloc(1, sizeof *cache);
    for (size_t i = 0; cache != NULL && i < SHARDS; i++) {
        pthread_mutex_init(&cache->shards[i].lock, NULL);
    }
    return cache;
}

void frame_cache_free(struct frame_cache *cache)
{
    if (cache == NULL) {
        return;
    }
    for (size_t i = 0; i < SHARDS; i++) {
        for (size_t j = 0; j < SLOTS; j++) {
            frame_text_unref(cache->shards[i].slots[j]);
        }
        pthread_mutex_destroy(&cache->shards[i].lock);
    }
    free(cache);
}

/* Events of one game that follow each other lie in different shards, and those of neighbours not on
 * top of each other. Locked; the caller unlocks the shard. */
static struct frame_text **slot_lock(struct frame_cache *cache, int64_t game_no, uint32_t seq,
                                     struct shard **shard)
{
    uint64_t key = ((uint64_t)game_no << 32 ^ seq) * UINT64_C(0x9e3779b97f4a7c15);
    *shard = &cache->shards[(key >> 32) % SHARDS];
    pthread_mutex_lock(&(*shard)->lock);
    return &(*shard)->slots[(key >> 40) % SLOTS];
}

struct frame_text *frame_cache_get(struct frame_cache *cache, int64_t game_no, uint32_t seq)
{
    assert(cache != NULL);
    struct shard *shard = NULL;
    struct frame_text *found = NULL;
    struct frame_text **slot = slot_lock(cache, game_no, seq, &shard);
    if (*slot != NULL && (*slot)->game_no == game_no && (*slot)->seq == seq) {
        found = text_ref(*slot);
    }
    pthread_mutex_unlock(&shard->lock);
    return found;
}

void frame_cache_put(struct frame_cache *cache, struct frame_text *text)
{
    assert(cache != NULL && text != NULL);
    struct shard *shard = NULL;
    struct frame_text **slot = slot_lock(cache, text->game_no, text->seq, &shard);
    struct frame_text *old = *slot;
    *slot = text_ref(text);
    pthread_mutex_unlock(&shard->lock);
    frame_text_unref(old);
}

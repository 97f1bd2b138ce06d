#include "poll_told.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { SLOTS = 4096 }; /* a power of two; some two MiB when all are full */

struct poll_told {
    pthread_mutex_t lock;
    struct slot {
        int64_t key; /* 0: free */
        struct told told;
    } slots[SLOTS];
};

bool told_has(const struct told *told, int64_t game_no, uint32_t number)
{
    for (size_t i = 0; i < told->count; i++) {
        if (told->games[i].game_no == game_no && told->games[i].number == number) {
            return true;
        }
    }
    return false;
}

void told_add(struct told *told, int64_t game_no, uint32_t number)
{
    if (told->count < TOLD_GAMES) {
        told->games[told->count++] = (struct told_game){game_no, number};
    }
}

struct poll_told *poll_told_new(void)
{
    struct poll_told *polls = calloc(1, sizeof *polls);
    if (polls != NULL) {
        pthread_mutex_init(&polls->lock, NULL);
    }
    return polls;
}

void poll_told_free(struct poll_told *polls)
{
    if (polls != NULL) {
        pthread_mutex_destroy(&polls->lock);
        free(polls);
    }
}

static int64_t key_of(int64_t device_no, bool all)
{
    assert(device_no > 0);
    return device_no * 2 + all;
}

/* Neighbours have places of their own. */
static struct slot *slot_of(struct poll_told *polls, int64_t key)
{
    return &polls->slots[(uint64_t)key % SLOTS];
}

bool poll_told_get(struct poll_told *polls, int64_t device_no, bool all, struct told *told)
{
    int64_t key = key_of(device_no, all);
    pthread_mutex_lock(&polls->lock);
    const struct slot *slot = slot_of(polls, key);
    bool known = slot->key == 0 || slot->key == key;
    *told = slot->key == key ? slot->told : (struct told){.count = 0};
    pthread_mutex_unlock(&polls->lock);
    return known;
}

void poll_told_put(struct poll_told *polls, int64_t device_no, bool all, const struct told *told)
{
    int64_t key = key_of(device_no, all);
    pthread_mutex_lock(&polls->lock);
    *slot_of(polls, key) = (struct slot){key, *told};
    pthread_mutex_unlock(&polls->lock);
}

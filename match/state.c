#include "state.h"

#include "limits.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct game_state *state_new(const struct db_game *game, const struct db_seat *seats,
                             size_t seat_count, struct game_line *line)
{
    assert(seat_count <= DB_SEATS_MAX);
    assert(line == NULL || line->ply == game->ply);
    struct game_state *state = malloc(sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    atomic_init(&state->references, 1);
    state->game = *game;
    state->seat_count = seat_count;
    memcpy(state->seats, seats, seat_count * sizeof *seats);
    state->line = line == NULL ? NULL : line_ref(line);
    state->epoch = 0;
    return state;
}

struct game_rows state_rows(const struct game_state *state)
{
    struct game_rows rows = {.game = state->game, .seat_count = state->seat_count};
    memcpy(rows.seats, state->seats, state->seat_count * sizeof *rows.seats);
    return rows;
}

int64_t deadline_shown(const struct db_game *game, const struct db_seat *seats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (seats[i].seat[0] == game->turn[0]) {
            return seats[i].cpu ? 0 : game->deadline_at_ms;
        }
    }
    return 0; /* it is nobody's turn */
}

static struct game_state *state_ref(struct game_state *state)
{
    atomic_fetch_add_explicit(&state->references, 1, memory_order_relaxed);
    return state;
}

void state_unref(struct game_state *state)
{
    if (state == NULL) {
        return;
    }
    if (atomic_fetch_sub_explicit(&state->references, 1, memory_order_acq_rel) == 1) {
        line_unref(state->line);
        free(state);
    }
}

enum db_status game_rows_find(struct db *db, const struct game_id *id, struct game_rows *rows)
{
    enum db_status status = db_game_find(db, id, &rows->game);
    return status == DB_OK ? db_seats(db, rows->game.game_no, rows->seats, &rows->seat_count)
                           : status;
}

enum db_status state_load(struct db *db, const struct game_id *id, struct game_state **state)
{
    struct game_rows rows;
    struct game_line *line = NULL;
    struct ply_effects effects;
    enum db_status status = game_rows_find(db, id, &rows);
    if (status == DB_OK && strcmp(rows.game.status, "playing") == 0) {
        status = line_rebuild(db, &rows.game, rows.game.ply, &line, &effects);
    }
    if (status != DB_OK) {
        return status;
    }
    *state = state_new(&rows.game, rows.seats, rows.seat_count, line);
    line_unref(line);
    return *state == NULL ? DB_ERROR : DB_OK;
}

/* --- the cache: one slot a game, so a full slot simply forgets its older game ------------------
 */

enum { SHARDS = 16, SLOTS = LIMIT_GAMES_CACHED / SHARDS };

struct slot {
    struct game_state *state;
    uint32_t holds; /* jobs under way on games of this slot */
    uint64_t stamp; /* rises with every hold and every release */
    uint64_t epoch; /* from 1; rises with every hold and release of seats */
};

struct state_cache {
    struct shard {
        pthread_mutex_t lock;
        uint64_t hits;
        uint64_t misses;
        struct slot slots[SLOTS];
    } shards[SHARDS];
};

struct state_cache *state_cache_new(void)
{
    struct state_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&cache->shards[i].lock, NULL);
        for (size_t j = 0; j < SLOTS; j++) {
            cache->shards[i].slots[j].epoch = 1;
        }
    }
    return cache;
}

void state_cache_free(struct state_cache *cache)
{
    if (cache == NULL) {
        return;
    }
    for (size_t i = 0; i < SHARDS; i++) {
        for (size_t j = 0; j < SLOTS; j++) {
            state_unref(cache->shards[i].slots[j].state);
        }
        pthread_mutex_destroy(&cache->shards[i].lock);
    }
    free(cache);
}

/* Ids are random: three characters after the prefix spread as well as any hash of them. FNV over
 * the whole text costs nothing and does not count on it. */
static uint64_t hash_of(const struct game_id *id)
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (const char *at = id->id.text; *at != '\0'; at++) {
        hash = (hash ^ (uint8_t)*at) * 0x100000001b3U;
    }
    return hash ^ hash >> 32;
}

/* Locked; the caller unlocks the shard. */
static struct slot *slot_lock(struct state_cache *cache, const struct game_id *id,
                              struct shard **shard)
{
    uint64_t hash = hash_of(id);
    *shard = &cache->shards[hash % SHARDS];
    pthread_mutex_lock(&(*shard)->lock);
    return &(*shard)->slots[hash / SHARDS % SLOTS];
}

static bool is_of(const struct game_state *state, const struct game_id *id)
{
    return state != NULL && strcmp(state->game.id.id.text, id->id.text) == 0;
}

struct game_state *state_cache_get(struct state_cache *cache, const struct game_id *id,
                                   struct state_stamp *stamp)
{
    struct shard *shard = NULL;
    struct game_state *state = NULL;
    struct slot *slot = slot_lock(cache, id, &shard);
    stamp->game = slot->stamp;
    stamp->seats = slot->epoch;
    if (slot->holds == 0 && is_of(slot->state, id) && slot->state->epoch == slot->epoch) {
        state = state_ref(slot->state);
    }
    shard->hits += state != NULL;
    shard->misses += state == NULL;
    pthread_mutex_unlock(&shard->lock);
    return state;
}

void state_cache_counts(struct state_cache *cache, uint64_t *hits, uint64_t *misses)
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

void state_cache_offer(struct state_cache *cache, struct game_state *state,
                       struct state_stamp stamp)
{
    struct shard *shard = NULL;
    struct game_state *old = NULL;
    if (state->line == NULL) {
        return;
    }
    state->epoch = stamp.seats; /* a hold of them that came in between has made it an old one */
    struct slot *slot = slot_lock(cache, &state->game.id, &shard);
    if (slot->holds == 0 && slot->stamp == stamp.game) {
        old = slot->state;
        slot->state = state_ref(state);
    }
    pthread_mutex_unlock(&shard->lock);
    state_unref(old);
}

static void hold(struct state_cache *cache, const struct game_id *id, bool seats)
{
    struct shard *shard = NULL;
    struct game_state *old = NULL;
    struct slot *slot = slot_lock(cache, id, &shard);
    slot->holds++;
    slot->stamp++;
    slot->epoch += seats;
    if (is_of(slot->state, id)) {
        old = slot->state;
        slot->state = NULL;
    }
    pthread_mutex_unlock(&shard->lock);
    state_unref(old);
}

void state_cache_hold(struct state_cache *cache, const struct game_id *id)
{
    hold(cache, id, false);
}

void state_cache_hold_all(struct state_cache *cache)
{
    for (size_t i = 0; i < SHARDS; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        for (size_t j = 0; j < SLOTS; j++) {
            shard->slots[j].holds++;
            shard->slots[j].stamp++;
            state_unref(shard->slots[j].state);
            shard->slots[j].state = NULL;
        }
        pthread_mutex_unlock(&shard->lock);
    }
}

void state_cache_release_all(struct state_cache *cache)
{
    for (size_t i = 0; i < SHARDS; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        for (size_t j = 0; j < SLOTS; j++) {
            assert(shard->slots[j].holds > 0);
            shard->slots[j].holds--;
            shard->slots[j].stamp++;
        }
        pthread_mutex_unlock(&shard->lock);
    }
}

void state_cache_hold_seats(struct state_cache *cache, const struct game_id *id)
{
    hold(cache, id, true);
}

static void release(struct state_cache *cache, const struct game_id *id, struct game_state *now,
                    bool seats)
{
    struct shard *shard = NULL;
    struct game_state *old = NULL;
    struct slot *slot = slot_lock(cache, id, &shard);
    assert(slot->holds > 0);
    slot->holds--;
    slot->epoch += seats;
    slot->stamp++; /* what was read during the hold may be from before the commit */
    /* Where another job is under way on the slot, its release says what is newest. */
    if (now != NULL && now->line != NULL && slot->holds == 0) {
        old = slot->state;
        slot->state = state_ref(now);
    }
    pthread_mutex_unlock(&shard->lock);
    state_unref(old);
}

void state_cache_release(struct state_cache *cache, const struct game_id *id,
                         struct game_state *now)
{
    release(cache, id, now, false);
}

void state_cache_release_seats(struct state_cache *cache, const struct game_id *id)
{
    release(cache, id, NULL, true);
}

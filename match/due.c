#include "due.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_AT_START = 64 };

/*
 * A binary heap of entries, and an open table from game numbers to their places in it, always at
 * most half full. Both grow together and never shrink: a busy day comes again.
 */
struct place {
    int64_t game_no; /* 0: free */
    size_t at;       /* in the heap */
};

struct due {
    pthread_mutex_t lock;
    size_t count;
    size_t room; /* of the heap; the table has twice as many, a power of two */
    struct due_game *heap;
    struct place *places;
};

struct due *due_new(void)
{
    struct due *due = calloc(1, sizeof *due);
    if (due == NULL) {
        return NULL;
    }
    due->room = ROOM_AT_START;
    due->heap = calloc(due->room, sizeof *due->heap);
    due->places = calloc(due->room * 2, sizeof *due->places);
    if (due->heap == NULL || due->places == NULL) {
        due_free(due);
        return NULL;
    }
    pthread_mutex_init(&due->lock, NULL);
    return due;
}

void due_free(struct due *due)
{
    if (due == NULL) {
        return;
    }
    if (due->heap != NULL && due->places != NULL) {
        pthread_mutex_destroy(&due->lock);
    }
    free(due->heap);
    free(due->places);
    free(due);
}

/* --- the table -----------------------------------------------------------------------------------
 */

static size_t home_of(const struct due *due, int64_t game_no)
{
    return (size_t)((uint64_t)game_no * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (due->room * 2 - 1);
}

static size_t slot_after(const struct due *due, size_t slot)
{
    return (slot + 1) & (due->room * 2 - 1);
}

/* Where the game is, or the free slot where it would be. */
static size_t slot_of(const struct due *due, int64_t game_no)
{
    size_t slot = home_of(due, game_no);
    while (due->places[slot].game_no != 0 && due->places[slot].game_no != game_no) {
        slot = slot_after(due, slot);
    }
    return slot;
}

/* Whoever was pushed past a slot that becomes free moves back into it. */
static void slot_clear(struct due *due, size_t slot)
{
    size_t free_slot = slot;
    due->places[slot] = (struct place){0};
    for (size_t at = slot_after(due, slot); due->places[at].game_no != 0;
         at = slot_after(due, at)) {
        size_t home = home_of(due, due->places[at].game_no);
        size_t mask = due->room * 2 - 1;
        if (((at - home) & mask) >= ((at - free_slot) & mask)) {
            due->places[free_slot] = due->places[at];
            due->places[at] = (struct place){0};
            free_slot = at;
        }
    }
}

/* --- the heap ------------------------------------------------------------------------------------
 */

static void put(struct due *due, size_t place, const struct due_game *game)
{
    due->heap[place] = *game;
    due->places[slot_of(due, game->game_no)] = (struct place){game->game_no, place};
}

/* Entries move down into the gap at `place` until `game` may stand in it. */
static void rise(struct due *due, size_t place, const struct due_game *game)
{
    while (place > 0 && due->heap[(place - 1) / 2].at_ms > game->at_ms) {
        const struct due_game parent = due->heap[(place - 1) / 2];
        put(due, place, &parent);
        place = (place - 1) / 2;
    }
    put(due, place, game);
}

/* Entries move up into it. */
static void sink(struct due *due, size_t place, const struct due_game *game)
{
    for (size_t child = 2 * place + 1; child < due->count; child = 2 * place + 1) {
        child += child + 1 < due->count && due->heap[child + 1].at_ms < due->heap[child].at_ms;
        if (due->heap[child].at_ms >= game->at_ms) {
            break;
        }
        const struct due_game moved = due->heap[child];
        put(due, place, &moved);
        place = child;
    }
    put(due, place, game);
}

static void remove_at(struct due *due, size_t place)
{
    slot_clear(due, slot_of(due, due->heap[place].game_no));
    due->count--;
    if (place == due->count) {
        return;
    }
    const struct due_game last = due->heap[due->count];
    bool rises = place > 0 && due->heap[(place - 1) / 2].at_ms > last.at_ms;
    if (rises) {
        rise(due, place, &last);
    } else {
        sink(due, place, &last);
    }
}

static bool grow(struct due *due)
{
    size_t room = due->room * 2;
    struct place *places = calloc(room * 2, sizeof *places);
    struct due_game *heap = places == NULL ? NULL : realloc(due->heap, room * sizeof *heap);
    if (heap == NULL) {
        free(places);
        return false;
    }
    free(due->places);
    due->heap = heap;
    due->places = places;
    due->room = room;
    for (size_t i = 0; i < due->count; i++) {
        due->places[slot_of(due, heap[i].game_no)] = (struct place){heap[i].game_no, i};
    }
    return true;
}

/* --- the interface -------------------------------------------------------------------------------
 */

static bool is_game(const struct due_game *entry, const struct due_game *game)
{
    return strcmp(entry->id.id.text, game->id.id.text) == 0;
}

static bool add(struct due *due, const struct due_game *game)
{
    bool kept = due->count < due->room || grow(due);
    if (kept) {
        rise(due, due->count++, game);
    }
    return kept;
}

bool due_set(struct due *due, const struct due_game *game)
{
    bool kept = true;
    assert(game->game_no > 0);
    pthread_mutex_lock(&due->lock);
    const struct place *place = &due->places[slot_of(due, game->game_no)];
    if (place->game_no == 0) {
        kept = add(due, game);
    } else if (!is_game(&due->heap[place->at], game)) {
        remove_at(due, place->at);
        kept = add(due, game);
    } else if (due->heap[place->at].at_ms > game->at_ms) {
        rise(due, place->at, game);
    }
    pthread_mutex_unlock(&due->lock);
    return kept;
}

bool due_set_again(struct due *due, const struct due_game *game)
{
    pthread_mutex_lock(&due->lock);
    const struct place *place = &due->places[slot_of(due, game->game_no)];
    bool kept = place->game_no != 0 || add(due, game);
    pthread_mutex_unlock(&due->lock);
    return kept;
}

void due_drop(struct due *due, int64_t game_no)
{
    pthread_mutex_lock(&due->lock);
    const struct place *place = &due->places[slot_of(due, game_no)];
    if (place->game_no != 0) {
        remove_at(due, place->at);
    }
    pthread_mutex_unlock(&due->lock);
}

bool due_take(struct due *due, int64_t now_ms, struct due_game *game)
{
    pthread_mutex_lock(&due->lock);
    bool found = due->count > 0 && due->heap[0].at_ms <= now_ms;
    if (found) {
        *game = due->heap[0];
        remove_at(due, 0);
    }
    pthread_mutex_unlock(&due->lock);
    return found;
}

int64_t due_next(struct due *due)
{
    pthread_mutex_lock(&due->lock);
    int64_t at_ms = due->count == 0 ? INT64_MAX : due->heap[0].at_ms;
    pthread_mutex_unlock(&due->lock);
    return at_ms;
}

size_t due_count(struct due *due)
{
    pthread_mutex_lock(&due->lock);
    size_t count = due->count;
    pthread_mutex_unlock(&due->lock);
    return count;
}

#include "stream_places.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 };

struct stream_places {
    unsigned max;
    bool limited;
    pthread_mutex_t lock;
    unsigned taken;
    unsigned waiting; /* long polls */
    struct stream_place *buckets[BUCKETS];
};

struct stream_places *stream_places_new(unsigned max, bool limited)
{
    struct stream_places *places = calloc(1, sizeof *places);
    if (places != NULL) {
        places->max = max;
        places->limited = limited;
        pthread_mutex_init(&places->lock, NULL);
    }
    return places;
}

void stream_places_free(struct stream_places *places)
{
    if (places != NULL) {
        assert(places->taken == 0 && places->waiting == 0);
        pthread_mutex_destroy(&places->lock);
        free(places);
    }
}

/* Who fills a bucket with addresses of their choice makes it as long as there are places. */
static struct stream_place **bucket_of(struct stream_places *places,
                                       const struct stream_place *place)
{
    uint64_t words[2];
    memcpy(words, place->address.bytes, sizeof words);
    uint64_t key = (uint64_t)place->device_no ^ words[0] ^ (words[1] << 1);
    return &places->buckets[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % BUCKETS];
}

static unsigned count_of_owner(const struct stream_place *at, const struct stream_place *owner)
{
    unsigned count = 0;
    for (; at != NULL; at = at->next) {
        count += at->device_no == owner->device_no &&
                 memcmp(&at->address, &owner->address, sizeof at->address) == 0;
    }
    return count;
}

static bool is_full(const struct stream_places *places)
{
    return places->taken + places->waiting >= places->max;
}

static void link_place(struct stream_place **head, struct stream_place *place)
{
    place->next = *head;
    place->previous = NULL;
    if (place->next != NULL) {
        place->next->previous = place;
    }
    *head = place;
}

enum place_status stream_place_take(struct stream_places *places, const struct budget_owner *owner,
                                    struct stream_place *place)
{
    assert(places != NULL && owner != NULL && place != NULL);
    enum place_status status = PLACE_TAKEN;
    bool device = owner->device_no != 0;
    unsigned limit = device ? STREAMS_OF_DEVICE : STREAMS_OF_ADDRESS;
    *place = (struct stream_place){
        .counted = places->limited && (device || !owner->exempt),
        .device_no = owner->device_no,
    };
    if (!device) {
        place->address = address_subscriber(&owner->address);
    }
    pthread_mutex_lock(&places->lock);
    struct stream_place **head = bucket_of(places, place);
    if (place->counted && count_of_owner(*head, place) >= limit) {
        status = PLACE_NONE_FOR_OWNER;
    } else if (is_full(places)) {
        status = PLACE_NONE_AT_ALL;
    } else {
        places->taken++;
        if (place->counted) {
            link_place(head, place);
        }
    }
    pthread_mutex_unlock(&places->lock);
    return status;
}

void stream_place_leave(struct stream_places *places, struct stream_place *place)
{
    pthread_mutex_lock(&places->lock);
    assert(places->taken > 0);
    places->taken--;
    if (place->counted && place->next != NULL) {
        place->next->previous = place->previous;
    }
    if (place->counted && place->previous != NULL) {
        place->previous->next = place->next;
    } else if (place->counted) {
        *bucket_of(places, place) = place->next;
    }
    pthread_mutex_unlock(&places->lock);
}

unsigned stream_places_taken(struct stream_places *places)
{
    pthread_mutex_lock(&places->lock);
    unsigned taken = places->taken;
    pthread_mutex_unlock(&places->lock);
    return taken;
}

bool stream_places_wait(struct stream_places *places)
{
    pthread_mutex_lock(&places->lock);
    bool full = is_full(places);
    places->waiting += !full;
    pthread_mutex_unlock(&places->lock);
    return !full;
}

void stream_places_waited(struct stream_places *places)
{
    pthread_mutex_lock(&places->lock);
    assert(places->waiting > 0);
    places->waiting--;
    pthread_mutex_unlock(&places->lock);
}

#include "arrivals.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct arrivals {
    pthread_mutex_t lock;
    struct match_arrival ring; /* its head; the oldest is next */
};

struct arrivals *arrivals_new(void)
{
    struct arrivals *arrivals = calloc(1, sizeof *arrivals);
    if (arrivals == NULL) {
        return NULL;
    }
    pthread_mutex_init(&arrivals->lock, NULL);
    arrivals->ring.next = &arrivals->ring;
    arrivals->ring.previous = &arrivals->ring;
    return arrivals;
}

void arrivals_free(struct arrivals *arrivals)
{
    if (arrivals == NULL) {
        return;
    }
    assert(arrivals->ring.next == &arrivals->ring);
    pthread_mutex_destroy(&arrivals->lock);
    free(arrivals);
}

/* The time is read under the lock: so the list is in order, and whoever looks at the list after a
 * deadline sees all that came before it. */
void arrivals_add(struct arrivals *arrivals, const struct match_env *env,
                  struct match_arrival *arrival)
{
    struct match_arrival *head = &arrivals->ring;
    assert(!arrival->taken_down);
    arrival->taken_down = true;
    pthread_mutex_lock(&arrivals->lock);
    arrival->at_ms = env->now_ms(env->context);
    arrival->next = head;
    arrival->previous = head->previous;
    head->previous->next = arrival;
    head->previous = arrival;
    pthread_mutex_unlock(&arrivals->lock);
}

void arrivals_remove(struct arrivals *arrivals, struct match_arrival *arrival)
{
    assert(arrival->taken_down);
    arrival->taken_down = false;
    pthread_mutex_lock(&arrivals->lock);
    arrival->next->previous = arrival->previous;
    arrival->previous->next = arrival->next;
    pthread_mutex_unlock(&arrivals->lock);
}

bool arrivals_before(struct arrivals *arrivals, int64_t at_ms)
{
    const struct match_arrival *head = &arrivals->ring;
    pthread_mutex_lock(&arrivals->lock);
    bool found = head->next != head && head->next->at_ms < at_ms;
    pthread_mutex_unlock(&arrivals->lock);
    return found;
}

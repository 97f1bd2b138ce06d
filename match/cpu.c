#include "cpu.h"

#include "attend.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct cpu {
    struct match *match;
    pthread_mutex_t lock;
    pthread_cond_t work;
    bool stopping;
    size_t first; /* of the ring */
    size_t count;
    struct due_game ring[LIMIT_CPU_QUEUE];
    size_t busy;
    uint64_t full; /* offers that found no room */
    size_t worker_count;
    pthread_t workers[LIMIT_CPU_WORKERS];
};

/* False: told to stop. `was_busy`: with the game before. */
static bool take(struct cpu *cpu, bool was_busy, struct due_game *game)
{
    pthread_mutex_lock(&cpu->lock);
    cpu->busy -= was_busy;
    while (cpu->count == 0 && !cpu->stopping) {
        pthread_cond_wait(&cpu->work, &cpu->lock);
    }
    bool taken = !cpu->stopping;
    if (taken) {
        *game = cpu->ring[cpu->first];
        cpu->first = (cpu->first + 1) % LIMIT_CPU_QUEUE;
        cpu->count--;
        cpu->busy++;
    }
    pthread_mutex_unlock(&cpu->lock);
    return taken;
}

static void *worker_main(void *context)
{
    struct cpu *cpu = context;
    struct due_game game;
    bool busy = false;
    while (take(cpu, busy, &game)) {
        busy = true;
        attend(cpu->match, &game);
    }
    return NULL;
}

struct cpu *cpu_start(struct match *match)
{
    struct cpu *cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL) {
        return NULL;
    }
    size_t wanted = match->options.cpu_workers;
    assert(wanted >= 1 && wanted <= LIMIT_CPU_WORKERS);
    cpu->match = match;
    pthread_mutex_init(&cpu->lock, NULL);
    pthread_cond_init(&cpu->work, NULL);
    while (cpu->worker_count < wanted &&
           pthread_create(&cpu->workers[cpu->worker_count], NULL, worker_main, cpu) == 0) {
        cpu->worker_count++;
    }
    if (cpu->worker_count == wanted) {
        return cpu;
    }
    cpu_stop(cpu);
    cpu_free(cpu);
    return NULL;
}

void cpu_stop(struct cpu *cpu)
{
    if (cpu == NULL) {
        return;
    }
    pthread_mutex_lock(&cpu->lock);
    cpu->stopping = true;
    pthread_cond_broadcast(&cpu->work);
    pthread_mutex_unlock(&cpu->lock);
    for (size_t i = 0; i < cpu->worker_count; i++) {
        pthread_join(cpu->workers[i], NULL);
    }
    cpu->worker_count = 0;
}

void cpu_free(struct cpu *cpu)
{
    if (cpu != NULL) {
        assert(cpu->worker_count == 0);
        pthread_cond_destroy(&cpu->work);
        pthread_mutex_destroy(&cpu->lock);
        free(cpu);
    }
}

bool cpu_offer(struct cpu *cpu, const struct due_game *game)
{
    if (cpu == NULL) {
        return false;
    }
    pthread_mutex_lock(&cpu->lock);
    bool room = cpu->count < LIMIT_CPU_QUEUE && !cpu->stopping;
    if (room) {
        cpu->ring[(cpu->first + cpu->count++) % LIMIT_CPU_QUEUE] = *game;
        pthread_cond_signal(&cpu->work);
    }
    cpu->full += cpu->count == LIMIT_CPU_QUEUE && !room;
    pthread_mutex_unlock(&cpu->lock);
    return room;
}

struct cpu_counts cpu_counts(struct cpu *cpu)
{
    struct cpu_counts counts = {.first_at_ms = INT64_MAX};
    if (cpu == NULL) {
        return counts;
    }
    pthread_mutex_lock(&cpu->lock);
    counts.workers = cpu->worker_count;
    counts.busy = cpu->busy;
    counts.queued = cpu->count;
    counts.full = cpu->full;
    if (cpu->count > 0) {
        counts.first_at_ms = cpu->ring[cpu->first].at_ms;
    }
    pthread_mutex_unlock(&cpu->lock);
    return counts;
}

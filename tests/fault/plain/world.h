#ifndef TESTS_FAULT_PLAIN_WORLD_H
#define TESTS_FAULT_PLAIN_WORLD_H

/*
 * A service on a file of its own, without a test runner: with a clock that is moved by hand and
 * chance that hangs on the seed. What goes wrong ends the process and leaves the file.
 *
 * Threads: those of the service; world_* are called from one. Ownership: world_open/world_close.
 */

#include "match/service.h"

#include <semaphore.h>
#include <stdatomic.h>

struct world {
    char folder[64];
    char db_path[96];
    char key_path[104];
    struct match *match;
    struct match_env env;
    struct secrets *secrets;
    _Atomic int64_t now_ms;
    pthread_mutex_t chance_lock;
    uint64_t chance;
};

void world_open(struct world *world, uint64_t seed);
/* Proves the whole file, says how much it was, and removes it. */
void world_close(struct world *world);
int64_t world_player(struct world *world);

/* For commands whose op wakes by this, which begins here and ends with the wait for the command. */
struct match_op world_op(sem_t *woken);
enum match_status world_finish(struct match_op *op, enum match_status begun, sem_t *woken);

uint64_t world_mixed(uint64_t *state);
__attribute__((format(printf, 2, 3), noreturn)) void world_die(const struct world *world,
                                                               const char *format, ...);

#endif

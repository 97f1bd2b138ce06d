#ifndef TESTS_MATCH_STAGE_H
#define TESTS_MATCH_STAGE_H

/*
 * The whole service object on a real file, with a clock that is moved by hand and chance that is
 * the same on every run.
 *
 * Threads: one, and those of the service. Ownership: a suite has one stage; stage_enter and
 * stage_leave are called from its init and fini.
 */

#include "match/match.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

struct stage {
    struct match *match; /* NULL: nobody serves the file yet */
    struct secrets *secrets;
    struct match_env env;
    _Atomic int64_t now_ms;
    _Atomic int64_t stood_ms; /* on top of it: for so long the service has stood still */
    uint64_t chance;
    pthread_mutex_t chance_lock;
    sem_t woken; /* posted by every command of stage_op that is over */
    _Atomic int fatal_calls;
    _Atomic(enum db_status) fatal_status;
};

void stage_enter(struct stage *stage, int64_t at_ms);
/* Serves the file with these options; the stage's own are filled in. */
void stage_serve(struct stage *stage, struct match_options options);
/* The service must end as it was last told: with the failure of its storage, or with none. */
void stage_stop(struct stage *stage);
void stage_leave(struct stage *stage);

int64_t stage_now_ms(const struct stage *stage);

struct match_op stage_op(struct stage *stage);
/* Until the tickets that came were looked at, and those who met sit. */
void stage_settle(struct stage *stage);
/* Waits for a command that was begun, and for what it gives the rounds to do; its status when it is
 * over. */
enum match_status stage_finish(struct stage *stage, const struct match_op *op,
                               enum match_status begun);
int64_t stage_player(struct stage *stage);

#endif

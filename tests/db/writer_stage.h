#ifndef TESTS_DB_WRITER_STAGE_H
#define TESTS_DB_WRITER_STAGE_H

/*
 * A running writer on a real file, and jobs that say what became of them.
 *
 * Threads: the test's own; run and done are on the writer's. Ownership: one stage a test, made by
 * stage_enter and taken down by stage_leave (init and fini of a suite).
 */

#include "db/writer.h"
#include "store.h"

#include <semaphore.h>
#include <stdatomic.h>

struct stage {
    struct db_writer *writer;
    _Atomic int64_t now_ms;
    _Atomic int fatal_calls;
    _Atomic int fatal_status;
    sem_t held; /* posted by a job that waits inside its batch */
    sem_t gate; /* what it waits for */
    sem_t done; /* posted by every job that is done */
};

struct work {
    struct db_job job;
    struct stage *stage;
    int64_t at_ms;         /* what the job writes, as a player's created_at_ms */
    enum db_status answer; /* what it answers after its own work */
    enum db_status status; /* what it was told */
    int done_calls;
};

extern struct stage stage;

void stage_enter(void);
void stage_leave(void);
/* A writer on the test's file, where there is none. */
void stage_start(void);

/* A job that adds one player; its `run`, `done` and `answer` may be changed. */
struct work work_new(int64_t at_ms);
struct work *work_of(struct db_job *job);
void work_done(struct db_job *job, enum db_status status);

/* Keeps the writer inside a batch of this one job until the gate opens. */
void stage_hold(struct work *gate);
/* Until this many jobs are done. */
void stage_wait(int jobs);
/* One job from end to end. */
enum db_status write_one(int64_t at_ms);

/* Rows of player, as another program sees them. */
int64_t players(void);

#endif

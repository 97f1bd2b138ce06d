#ifndef MATCH_WAITED_H
#define MATCH_WAITED_H

/*
 * A write job that its thread waits for, at start and at the end, when there is nobody else to
 * serve.
 *
 * Ownership: the caller's, and so is what surrounds it.
 */

#include "service.h"

struct waited_job {
    struct db_job job; /* first: so that `run` finds what surrounds it */
    pthread_mutex_t lock;
    pthread_cond_t finished;
    bool is_finished;
    enum db_status status;
};

/* Queues it and waits: how it went. DB_STOPPING: it was not taken. */
enum db_status waited_write(struct match *match, struct waited_job *job,
                            enum db_status (*run)(struct db_job *, struct db *));

#endif

#ifndef MATCH_WAITED_H
#define MATCH_WAITED_H

/*
 * Something that the writer does and a thread waits for which has nobody else to serve: at the
 * start, at the end, and for operators.
 *
 * Threads: one waits, the writer's ends it. Ownership: the caller's, and so is what surrounds it.
 */

#include "service.h"

struct waited {
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool is_over;
};
void waited_begin(struct waited *waited);
/* A command's `wake`, with this as its context. */
void waited_over(void *waited);
/* Waits for that; then nothing is left of it. */
void waited_end(struct waited *waited);

/* A job that is no command. */
struct waited_job {
    struct db_job job; /* first: so that `run` finds what surrounds it */
    struct waited waited;
    enum db_status status;
};
/* Queues it and waits: how it went. DB_STOPPING: it was not taken. */
enum db_status waited_write(struct match *match, struct waited_job *job,
                            enum db_status (*run)(struct db_job *, struct db *));

#endif

#include "waited.h"

void waited_begin(struct waited *waited)
{
    pthread_mutex_init(&waited->lock, NULL);
    pthread_cond_init(&waited->over, NULL);
    waited->is_over = false;
}

void waited_over(void *waited)
{
    struct waited *it = waited;
    pthread_mutex_lock(&it->lock);
    it->is_over = true;
    pthread_cond_signal(&it->over);
    pthread_mutex_unlock(&it->lock);
}

void waited_end(struct waited *waited)
{
    pthread_mutex_lock(&waited->lock);
    while (!waited->is_over) {
        pthread_cond_wait(&waited->over, &waited->lock);
    }
    pthread_mutex_unlock(&waited->lock);
    pthread_cond_destroy(&waited->over);
    pthread_mutex_destroy(&waited->lock);
}

static void waited_done(struct db_job *job, enum db_status status)
{
    struct waited_job *waited = (struct waited_job *)job;
    waited->status = status;
    waited_over(&waited->waited);
}

enum db_status waited_write(struct match *match, struct waited_job *job,
                            enum db_status (*run)(struct db_job *, struct db *))
{
    job->job = (struct db_job){.run = run, .done = waited_done};
    waited_begin(&job->waited);
    if (!db_writer_submit(match->writer, &job->job)) {
        waited_done(&job->job, DB_STOPPING);
    }
    waited_end(&job->waited);
    return job->status;
}

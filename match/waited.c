#include "waited.h"

static void waited_done(struct db_job *job, enum db_status status)
{
    struct waited_job *waited = (struct waited_job *)job;
    pthread_mutex_lock(&waited->lock);
    waited->status = status;
    waited->is_finished = true;
    pthread_cond_signal(&waited->finished);
    pthread_mutex_unlock(&waited->lock);
}

enum db_status waited_write(struct match *match, struct waited_job *job,
                            enum db_status (*run)(struct db_job *, struct db *))
{
    job->job = (struct db_job){.run = run, .done = waited_done};
    job->is_finished = false;
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->finished, NULL);
    if (db_writer_submit(match->writer, &job->job)) {
        pthread_mutex_lock(&job->lock);
        while (!job->is_finished) {
            pthread_cond_wait(&job->finished, &job->lock);
        }
        pthread_mutex_unlock(&job->lock);
    } else {
        job->status = DB_STOPPING;
    }
    pthread_cond_destroy(&job->finished);
    pthread_mutex_destroy(&job->lock);
    return job->status;
}

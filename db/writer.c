#include "writer.h"

#include "driver.h"
#include "fault.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    CHECKPOINT_PAGES = 1000,
    PAGE_BYTES = 4096,
    GATHER_NS = 300000, /* what a batch may wait for more of its crowd */
    ACK_PAUSE_NS = 5000000,
    NS_PER_SECOND = 1000000000,
};

struct db_writer {
    struct db_writer_options options;
    struct db *db;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct db_job *first;
    struct db_job **last;
    uint32_t queued;
    _Atomic uint32_t under_way; /* jobs of the batch that is not done yet */
    bool sleeping;
    uint32_t wanted;  /* while sleeping: jobs that are worth waking up for */
    uint32_t written; /* jobs of the last batch */
    bool stopping;
    enum db_status fatal; /* DB_OK while all is well; the writer thread's own until it ends */
    _Atomic uint64_t batches;
    _Atomic uint64_t stamps;
    _Atomic uint64_t jobs;
    _Atomic uint32_t last_batch;
    _Atomic uint64_t wal_bytes;
    pthread_mutex_t tally_lock;
    struct db_tally done;
    struct db_live at_start;
};

/* One job and how it went, while its batch is under way. */
struct batch {
    size_t count;
    bool changed; /* there is something to commit */
    struct db_job *jobs[DB_BATCH_MAX];
    enum db_status status[DB_BATCH_MAX];
};

static void *writer_main(void *context);

enum db_status db_writer_start(const struct db_writer_options *options, struct db_writer **writer)
{
    struct db_writer *started = calloc(1, sizeof *started);
    if (started == NULL) {
        return DB_ERROR;
    }
    started->options = *options;
    started->last = &started->first;
    enum db_status status = db_connect(options->path, DB_MODE_WRITER, &started->db);
    if (status == DB_OK) {
        status = db_count_live(started->db, &started->at_start);
    }
    if (status != DB_OK) {
        db_close(started->db);
        free(started);
        return status;
    }
    pthread_mutex_init(&started->lock, NULL);
    pthread_mutex_init(&started->tally_lock, NULL);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&started->work, &clock);
    pthread_condattr_destroy(&clock);
    if (pthread_create(&started->thread, NULL, writer_main, started) != 0) {
        db_close(started->db);
        free(started);
        return DB_ERROR;
    }
    *writer = started;
    return DB_OK;
}

bool db_writer_submit(struct db_writer *writer, struct db_job *job)
{
    assert(job->run != NULL && job->done != NULL);
    pthread_mutex_lock(&writer->lock);
    bool taken = !writer->stopping && writer->queued < DB_QUEUE_MAX;
    if (taken) {
        job->next = NULL;
        job->queued_ms = db_monotonic_ms();
        *writer->last = job;
        writer->last = &job->next;
        writer->queued++;
        if (writer->sleeping && writer->queued >= writer->wanted) {
            pthread_cond_signal(&writer->work);
        }
    }
    pthread_mutex_unlock(&writer->lock);
    return taken;
}

void db_writer_stats(struct db_writer *writer, struct db_writer_stats *stats)
{
    pthread_mutex_lock(&writer->lock);
    stats->queued = writer->queued + atomic_load(&writer->under_way);
    pthread_mutex_unlock(&writer->lock);
    stats->batches = atomic_load(&writer->batches);
    stats->stamps = atomic_load(&writer->stamps);
    stats->jobs = atomic_load(&writer->jobs);
    stats->last_batch = atomic_load(&writer->last_batch);
    stats->wal_bytes = atomic_load(&writer->wal_bytes);
    pthread_mutex_lock(&writer->tally_lock);
    stats->done = writer->done;
    pthread_mutex_unlock(&writer->tally_lock);
    stats->live = writer->at_start;
    db_live_add(&stats->live, &stats->done.live);
}

bool db_writer_is_here(const struct db_writer *writer)
{
    return pthread_equal(pthread_self(), writer->thread) != 0;
}

enum db_status db_writer_stop(struct db_writer *writer)
{
    if (writer == NULL) {
        return DB_OK;
    }
    pthread_mutex_lock(&writer->lock);
    writer->stopping = true;
    pthread_cond_signal(&writer->work);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    enum db_status status = writer->fatal;
    db_close(writer->db);
    pthread_cond_destroy(&writer->work);
    pthread_mutex_destroy(&writer->tally_lock);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
    return status;
}

/* --- the thread ----------------------------------------------------------------------------------
 */

/* Sleeps until so many jobs are queued; `until` (of the monotonic clock) may be NULL. */
static void await(struct db_writer *writer, uint32_t jobs, const struct timespec *until)
{
    int ended = 0;
    writer->sleeping = true;
    writer->wanted = jobs;
    while (writer->queued < jobs && !writer->stopping && ended == 0) {
        ended = until == NULL ? pthread_cond_wait(&writer->work, &writer->lock)
                              : pthread_cond_timedwait(&writer->work, &writer->lock, until);
    }
    writer->sleeping = false;
}

/* A crowd that waits for its answers comes back at once with its next jobs. Half of it is waited
 * for, so that a commit carries many, while the other half is on its way: measured, a fifth more
 * moves a second. A lone writer waits for nobody. */
static void gather(struct db_writer *writer, uint32_t crowd)
{
    struct timespec until;
    uint32_t jobs = crowd / 2 < DB_BATCH_MAX ? crowd / 2 : DB_BATCH_MAX;
    if (writer->queued >= jobs) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += GATHER_NS;
    if (until.tv_nsec >= NS_PER_SECOND) {
        until.tv_nsec -= NS_PER_SECOND;
        until.tv_sec++;
    }
    await(writer, jobs, &until);
}

/* The oldest job of the queue, which is locked and not empty. */
static struct db_job *pop(struct db_writer *writer)
{
    struct db_job *job = writer->first;
    writer->first = job->next;
    writer->queued--;
    if (writer->first == NULL) {
        writer->last = &writer->first;
    }
    return job;
}

/* Whatever queued while the last batch committed, or a little longer. False: stopping, and nothing
 * is left. */
static bool take_batch(struct db_writer *writer, struct batch *batch)
{
    batch->count = 0;
    pthread_mutex_lock(&writer->lock);
    uint32_t crowd = writer->written + writer->queued;
    await(writer, 1, NULL);
    gather(writer, crowd);
    while (writer->first != NULL && batch->count < DB_BATCH_MAX) {
        batch->jobs[batch->count++] = pop(writer);
    }
    writer->written = (uint32_t)batch->count;
    atomic_store(&writer->under_way, writer->written);
    pthread_mutex_unlock(&writer->lock);
    return batch->count > 0;
}

/* Read-only as SQLite knows it, on a connection that could write until now. */
static void obey_fault(struct db *db)
{
    if (FAULT_IS_PREPARED("readonly")) {
        bool on = FAULT_IS_ON("readonly");
        enum db_status status =
            db_script(db, on ? "PRAGMA query_only=ON" : "PRAGMA query_only=OFF", NULL);
        assert(status == DB_OK);
        (void)status;
    }
}

/* One more try to get past a foreign lock would take this job beyond its deadline. */
static bool is_out_of_time(const struct db_job *job)
{
    return db_monotonic_ms() + DB_BUSY_TRY_MS > job->queued_ms + DB_BUSY_DEADLINE_MS;
}

/* A foreign lock is waited for, but no longer than the oldest job of the batch can wait. */
static enum db_status begin(struct db *db, const struct db_job *oldest)
{
    enum db_status status = DB_BUSY;
    obey_fault(db);
    do {
        status = db_begin_immediate(db);
    } while (status == DB_BUSY && !is_out_of_time(oldest));
    return status;
}

/* The lock that a batch gave up on has cost those their time, too, who queued behind it. */
static void give_up_late(struct db_writer *writer)
{
    struct db_job *late = NULL;
    do {
        pthread_mutex_lock(&writer->lock);
        bool found = writer->first != NULL && is_out_of_time(writer->first);
        late = found ? pop(writer) : NULL;
        pthread_mutex_unlock(&writer->lock);
        if (late != NULL) {
            late->done(late, DB_BUSY);
        }
    } while (late != NULL);
}

/* A refused job takes back its own work only. A failure that took the transaction with it, or that
 * SQLite met in the file, is the batch's. */
static enum db_status run_job(struct db *db, struct db_job *job, enum db_status *job_status)
{
    enum db_status status = db_savepoint(db);
    if (status != DB_OK) {
        return status;
    }
    const struct db_tally before = db->tally;
    *job_status = job->run(job, db);
    if (*job_status != DB_OK) {
        db->tally = before;
    }
    if (db->broken != DB_OK) {
        return db->broken;
    }
    if (!db_in_transaction(db)) {
        assert(*job_status != DB_OK);
        return *job_status;
    }
    return *job_status == DB_OK ? db_release(db) : db_rollback_to(db);
}

static bool is_stamped(const struct db_writer *writer, const struct batch *batch)
{
    return batch->changed && writer->options.now_ms != NULL;
}

static enum db_status run_jobs(struct db_writer *writer, struct batch *batch)
{
    struct db *db = writer->db;
    enum db_status status = DB_OK;
    for (size_t i = 0; i < batch->count && status == DB_OK; i++) {
        int64_t before = query_all_changes(db);
        status = run_job(db, batch->jobs[i], &batch->status[i]);
        if (status == DB_OK && batch->status[i] == DB_OK && query_all_changes(db) != before) {
            batch->changed = true;
        }
        FAULT_POINT("mid_batch");
    }
    if (status == DB_OK && is_stamped(writer, batch)) {
        status = db_server_stamp(db, writer->options.now_ms(writer->options.context));
    }
    return status;
}

static void complete(struct batch *batch, enum db_status batch_status)
{
    for (size_t i = 0; i < batch->count; i++) {
        enum db_status status = batch_status == DB_OK ? batch->status[i] : batch_status;
        batch->jobs[i]->done(batch->jobs[i], status);
    }
    batch->count = 0;
}

/* The negative control of the kill harness: the lie that it must find out. */
static void acknowledge_too_early(struct batch *batch)
{
    if (FAULT_IS("ack_before_commit")) {
        const struct timespec pause = {.tv_nsec = ACK_PAUSE_NS};
        complete(batch, DB_OK);
        (void)nanosleep(&pause, NULL);
    }
}

/* Once COMMIT has begun to write, a failing disk leaves open whether the pages are on it. */
static enum db_status commit_pages(struct db *db)
{
    enum db_status status = db_commit(db);
    if (FAULT_IS_ON("no_fsync")) {
        db->broken = DB_FSYNC;
        status = DB_FSYNC;
    }
    return status != DB_OK && db->broken != DB_OK ? DB_IN_DOUBT : status;
}

/* Refusals alone cost no fsync: what there is of their transaction is rolled back. */
static enum db_status commit(struct db_writer *writer, struct batch *batch)
{
    enum db_status status = db_check_moved(writer->db);
    if (status == DB_OK && !batch->changed) {
        return DB_OK;
    }
    if (status == DB_OK) {
        FAULT_POINT("before_commit");
        acknowledge_too_early(batch);
        status = commit_pages(writer->db);
    }
    if (status == DB_OK) {
        FAULT_POINT("after_commit");
    }
    return status;
}

static bool is_fatal(enum db_status status)
{
    return status == DB_IO || status == DB_FSYNC || status == DB_CORRUPT || status == DB_MOVED;
}

static void note_failure(struct db_writer *writer, enum db_status status)
{
    if (is_fatal(status) && writer->fatal == DB_OK) {
        writer->fatal = status;
        writer->options.on_fatal(writer->options.context, status);
    }
}

static enum db_status write_batch(struct db_writer *writer, struct batch *batch)
{
    struct db *db = writer->db;
    size_t count = batch->count;
    enum db_status status = writer->fatal;
    batch->changed = false;
    if (status == DB_OK) {
        status = begin(db, batch->jobs[0]);
    }
    db->tally = (struct db_tally){0};
    if (status == DB_OK) {
        status = run_jobs(writer, batch);
        if (status == DB_OK) {
            status = commit(writer, batch);
        }
        db_rollback(db); /* where there was no commit, or it failed */
    }
    assert(!db_in_transaction(db));
    note_failure(writer, db->broken != DB_OK ? db->broken : status);
    if (status == DB_OK) {
        pthread_mutex_lock(&writer->tally_lock);
        db_tally_add(&writer->done, &db->tally);
        pthread_mutex_unlock(&writer->tally_lock);
    }
    atomic_fetch_add(&writer->batches, 1);
    atomic_fetch_add(&writer->stamps, status == DB_OK && is_stamped(writer, batch));
    atomic_fetch_add(&writer->jobs, count);
    atomic_store(&writer->last_batch, (uint32_t)count);
    atomic_store(&writer->under_way, 0);
    complete(batch, status);
    return status;
}

/* Between batches, so that a checkpoint never delays an acknowledgement that is due. */
static void checkpoint(struct db_writer *writer)
{
    struct db *db = writer->db;
    atomic_store(&writer->wal_bytes, (uint64_t)db->wal_pages * PAGE_BYTES);
    if (db->wal_pages >= CHECKPOINT_PAGES && writer->fatal == DB_OK) {
        enum db_status status = db_checkpoint_passive(db);
        note_failure(writer, status);
    }
}

static void *writer_main(void *context)
{
    struct db_writer *writer = context;
    struct batch batch;
    while (take_batch(writer, &batch)) {
        if (write_batch(writer, &batch) == DB_BUSY) {
            give_up_late(writer);
        }
        checkpoint(writer);
    }
    if (writer->fatal == DB_OK) {
        /* A foreign reader may be in the way; then the WAL stays, and the next start reads it. */
        enum db_status status = db_checkpoint_truncate(writer->db);
        writer->fatal = status == DB_BUSY ? DB_OK : status;
    }
    return NULL;
}

#include "writer_stage.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

/* The single writer, whole: its thread, its batches, a real file. */

enum { MANY = 1000 };

TestSuite(writer, .init = stage_enter, .fini = stage_leave, .timeout = 300);

/* --- batches -------------------------------------------------------------------------------------
 */

Test(writer, jobs_that_queue_up_share_a_commit)
{
    static struct work works[MANY];
    struct work gate;
    struct db_writer_stats before;
    struct db_writer_stats after;
    db_writer_stats(stage.writer, &before);
    stage_hold(&gate);
    for (int i = 0; i < MANY; i++) {
        works[i] = work_new(i + 1);
        cr_assert(db_writer_submit(stage.writer, &works[i].job));
    }
    (void)sem_post(&stage.gate);
    stage_wait(MANY + 1);
    db_writer_stats(stage.writer, &after);
    for (int i = 0; i < MANY; i++) {
        cr_assert_eq(works[i].status, DB_OK);
        cr_assert_eq(works[i].done_calls, 1);
    }
    uint64_t batches = after.batches - before.batches;
    cr_assert_eq(after.jobs - before.jobs, MANY + 1);
    cr_assert_eq(batches, 1 + (MANY + DB_BATCH_MAX - 1) / DB_BATCH_MAX);
    cr_assert_leq(after.last_batch, DB_BATCH_MAX);
    cr_assert_eq(after.queued, 0);
    cr_assert_eq(players(), MANY);
}

Test(writer, a_refused_job_takes_back_its_own_work_only)
{
    struct work works[3] = {work_new(1), work_new(2), work_new(3)};
    struct work gate;
    works[1].answer = DB_NONE; /* after its insert */
    stage_hold(&gate);
    for (int i = 0; i < 3; i++) {
        cr_assert(db_writer_submit(stage.writer, &works[i].job));
    }
    (void)sem_post(&stage.gate);
    stage_wait(4);
    cr_assert_eq(works[0].status, DB_OK);
    cr_assert_eq(works[1].status, DB_NONE);
    cr_assert_eq(works[2].status, DB_OK);
    cr_assert_eq(players(), 2);
    cr_assert_eq(write_one(1), DB_CONFLICT, "the schema refuses a second player of that id");
    cr_assert_eq(write_one(2), DB_OK);
}

Test(writer, a_full_queue_takes_nothing_more)
{
    static struct work works[DB_QUEUE_MAX + DB_BATCH_MAX];
    struct work gate;
    int taken = 0;
    stage_hold(&gate);
    for (int i = 0; i < DB_QUEUE_MAX + DB_BATCH_MAX; i++) {
        works[i] = work_new(i + 1);
        taken += db_writer_submit(stage.writer, &works[i].job);
    }
    cr_expect_eq(taken, DB_QUEUE_MAX);
    (void)sem_post(&stage.gate);
    stage_wait(taken + 1);
    cr_assert_eq(players(), taken);
    cr_assert_eq(write_one(100000), DB_OK, "there is room again");
}

/* Neither a job that is taken back nor one that only looks changes anything. */
Test(writer, a_batch_of_refusals_is_not_written)
{
    struct stat before;
    struct stat after;
    struct work gate;
    struct work refused = work_new(2);
    refused.answer = DB_NONE; /* after its insert */
    cr_assert_eq(write_one(1), DB_OK);
    cr_assert_eq(stat(store_file("banzuke.db-wal"), &before), 0);
    stage_hold(&gate);
    cr_assert(db_writer_submit(stage.writer, &refused.job));
    (void)sem_post(&stage.gate);
    stage_wait(2);
    cr_assert_eq(gate.status, DB_OK);
    cr_assert_eq(refused.status, DB_NONE);
    cr_assert_eq(stat(store_file("banzuke.db-wal"), &after), 0);
    cr_assert_eq(after.st_size, before.st_size);
    cr_assert_eq(players(), 1);
    cr_assert_eq(write_one(2), DB_OK);
}

Test(writer, every_batch_that_stores_anything_stores_a_stamp)
{
    struct db_writer_stats stats;
    sqlite3 *foreign = foreign_open(store_path());
    cr_assert_eq(write_one(1), DB_OK);
    int64_t first = foreign_int(foreign, "SELECT last_stamp_ms FROM server");
    cr_assert_eq(write_one(2), DB_OK);
    int64_t second = foreign_int(foreign, "SELECT last_stamp_ms FROM server");
    cr_assert_geq(first, STORE_NOW_MS);
    cr_assert_gt(second, first);
    struct work refused = work_new(3);
    refused.answer = DB_NONE;
    cr_assert(db_writer_submit(stage.writer, &refused.job));
    stage_wait(1);
    cr_assert_eq(foreign_int(foreign, "SELECT last_stamp_ms FROM server"), second);
    db_writer_stats(stage.writer, &stats);
    cr_assert(stats.batches == 3 && stats.stamps == 2);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

static _Atomic int here;

static enum db_status run_here(struct db_job *job, struct db *db)
{
    (void)db;
    atomic_fetch_add(&here, db_writer_is_here(work_of(job)->stage->writer));
    return DB_OK;
}

static void done_here(struct db_job *job, enum db_status status)
{
    atomic_fetch_add(&here, db_writer_is_here(work_of(job)->stage->writer));
    work_done(job, status);
}

Test(writer, jobs_and_their_ends_are_on_its_thread_and_nobody_else)
{
    struct work work = work_new(1);
    work.job.run = run_here;
    work.job.done = done_here;
    cr_assert(db_writer_submit(stage.writer, &work.job));
    stage_wait(1);
    cr_expect_eq(atomic_load(&here), 2);
    cr_expect_not(db_writer_is_here(stage.writer));
}

Test(writer, stopping_runs_what_is_queued_and_empties_the_wal)
{
    static struct work works[MANY];
    struct stat wal;
    for (int i = 0; i < MANY; i++) {
        works[i] = work_new(i + 1);
        cr_assert(db_writer_submit(stage.writer, &works[i].job));
    }
    cr_assert_eq(db_writer_stop(stage.writer), DB_OK);
    stage.writer = NULL;
    for (int i = 0; i < MANY; i++) {
        cr_assert_eq(works[i].status, DB_OK);
    }
    cr_assert(stat(store_file("banzuke.db-wal"), &wal) != 0 || wal.st_size == 0);
    cr_assert_eq(players(), MANY);
}

Test(writer, the_wal_is_checkpointed_on_the_way)
{
    struct db_writer_stats stats;
    enum { BIG_JOBS = 3000 };
    static struct work works[BIG_JOBS];
    for (int i = 0; i < BIG_JOBS; i++) {
        works[i] = work_new(i + 1);
        while (!db_writer_submit(stage.writer, &works[i].job)) {
            stage_wait(1);
            (void)sem_post(&stage.done);
        }
        if (i % 4 == 0) {
            stage_wait(1); /* small batches write many pages */
        }
    }
    stage_wait(BIG_JOBS - (BIG_JOBS + 3) / 4);
    db_writer_stats(stage.writer, &stats);
    cr_assert_lt(stats.wal_bytes, 8192000, "%d bytes", (int)stats.wal_bytes);
}

/* --- who begins and who checkpoints --------------------------------------------------------------
 */

static _Atomic int begins_immediate;
static _Atomic int begins_other;
static _Atomic int checkpoints;
static _Atomic int checkpoints_elsewhere;
static pthread_t test_thread;

static int trace(unsigned kind, void *context, void *statement, void *text)
{
    const char *sql = text;
    (void)context;
    (void)statement;
    if (kind == SQLITE_TRACE_STMT && strncmp(sql, "BEGIN", 5) == 0) {
        atomic_fetch_add(strcmp(sql, "BEGIN IMMEDIATE") == 0 ? &begins_immediate : &begins_other,
                         1);
    }
    if (kind == SQLITE_TRACE_STMT && strncmp(sql, "PRAGMA wal_checkpoint", 21) == 0) {
        atomic_fetch_add(&checkpoints, 1);
        if (pthread_equal(pthread_self(), test_thread) != 0) {
            atomic_fetch_add(&checkpoints_elsewhere, 1);
        }
    }
    return 0;
}

static int trace_every_connection(sqlite3 *handle, char **message, const void *api)
{
    (void)message;
    (void)api;
    return sqlite3_trace_v2(handle, SQLITE_TRACE_STMT, trace, NULL);
}

Test(writer, every_write_begins_immediately_and_only_the_writer_checkpoints)
{
    cr_assert_eq(db_writer_stop(stage.writer), DB_OK);
    test_thread = pthread_self();
    (void)sqlite3_auto_extension((void (*)(void))trace_every_connection);
    stage_start();
    for (int i = 1; i <= 500; i++) {
        cr_assert_eq(write_one(i), DB_OK);
    }
    cr_assert_eq(db_writer_stop(stage.writer), DB_OK);
    stage.writer = NULL;
    sqlite3_reset_auto_extension();
    cr_assert_eq(atomic_load(&begins_immediate), 500);
    cr_assert_eq(atomic_load(&begins_other), 0);
    cr_assert_geq(atomic_load(&checkpoints), 2, "at a thousand pages, and at the end");
    cr_assert_eq(atomic_load(&checkpoints_elsewhere), 0);
}

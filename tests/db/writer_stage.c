#include "writer_stage.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { NOW_STEP_MS = 7 };

struct stage stage;

static int64_t stage_now(void *context)
{
    struct stage *s = context;
    return atomic_fetch_add(&s->now_ms, NOW_STEP_MS);
}

static void stage_fatal(void *context, enum db_status status)
{
    struct stage *s = context;
    atomic_fetch_add(&s->fatal_calls, 1);
    atomic_store(&s->fatal_status, (int)status);
}

void stage_start(void)
{
    struct db_writer_options options = {
        .path = store_path(), .now_ms = stage_now, .on_fatal = stage_fatal, .context = &stage};
    cr_assert_eq(db_writer_start(&options, &stage.writer), DB_OK);
}

void stage_enter(void)
{
    struct db_server server = {"0123456789abcdef", 1, 1};
    store_enter();
    struct db *db = store_open();
    cr_assert_eq(db_server_insert(db, &server), DB_OK);
    store_close(db);
    atomic_store(&stage.now_ms, STORE_NOW_MS);
    (void)sem_init(&stage.held, 0, 0);
    (void)sem_init(&stage.gate, 0, 0);
    (void)sem_init(&stage.done, 0, 0);
    stage_start();
}

void stage_leave(void)
{
    cr_expect_eq(db_writer_stop(stage.writer), (enum db_status)atomic_load(&stage.fatal_status));
    store_leave();
}

/* --- jobs ----------------------------------------------------------------------------------------
 */

struct work *work_of(struct db_job *job)
{
    return (struct work *)(void *)job; /* its first member */
}

static enum db_status insert(struct db *db, int64_t at_ms)
{
    struct db_player player = {.has_name = true, .name = "aki", .created_at_ms = at_ms};
    (void)snprintf(player.id.id.text, sizeof player.id.id.text, "p_%026lld", (long long)at_ms);
    return db_player_insert(db, &player);
}

static enum db_status run_insert(struct db_job *job, struct db *db)
{
    struct work *work = work_of(job);
    enum db_status status = insert(db, work->at_ms);
    return status == DB_OK ? work->answer : status;
}

static enum db_status run_wait(struct db_job *job, struct db *db)
{
    (void)db;
    (void)sem_post(&work_of(job)->stage->held);
    while (sem_wait(&work_of(job)->stage->gate) != 0) {
    }
    return DB_OK;
}

void work_done(struct db_job *job, enum db_status status)
{
    struct work *work = work_of(job);
    work->status = status;
    work->done_calls++;
    (void)sem_post(&work->stage->done);
}

struct work work_new(int64_t at_ms)
{
    return (struct work){
        .job = {.run = run_insert, .done = work_done},
        .stage = &stage,
        .at_ms = at_ms,
        .answer = DB_OK,
        .status = DB_ERROR
    };
}

/* The writer is inside a batch of this one job until the gate opens. */
void stage_hold(struct work *gate)
{
    *gate = (struct work){
        .job = {.run = run_wait, .done = work_done},
          .stage = &stage
    };
    cr_assert(db_writer_submit(stage.writer, &gate->job));
    while (sem_wait(&stage.held) != 0) {
    }
}

void stage_wait(int jobs)
{
    for (int i = 0; i < jobs; i++) {
        while (sem_wait(&stage.done) != 0) {
        }
    }
}

/* One job from end to end. */
enum db_status write_one(int64_t at_ms)
{
    struct work work = work_new(at_ms);
    cr_assert(db_writer_submit(stage.writer, &work.job));
    stage_wait(1);
    cr_assert_eq(work.done_calls, 1);
    return work.status;
}

int64_t players(void)
{
    sqlite3 *foreign = foreign_open(store_path());
    int64_t count = foreign_int(foreign, "SELECT count(*) FROM player");
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    return count;
}

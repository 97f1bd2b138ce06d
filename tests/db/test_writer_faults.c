#include "writer_stage.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The writer with other programs in the way, without room, and killed. */

/* The deadline, and what a busy machine needs to tell of it. */
enum { BUSY_WAIT_MAX_MS = DB_BUSY_DEADLINE_MS + 150 };

TestSuite(writer_faults, .init = stage_enter, .fini = stage_leave, .timeout = 300);

/* --- others in the way ---------------------------------------------------------------------------
 */

Test(writer_faults, a_foreign_lock_is_waited_for_but_not_for_ever)
{
    struct db *reader = NULL;
    struct db_player player;
    sqlite3 *foreign = foreign_open(store_path());
    cr_assert_eq(write_one(1), DB_OK);
    cr_assert_eq(db_open_reader(store_path(), &reader), DB_OK);
    foreign_run(foreign, "BEGIN IMMEDIATE");
    int64_t before_ms = db_monotonic_ms();
    struct work work = work_new(2);
    cr_assert(db_writer_submit(stage.writer, &work.job));
    cr_assert_eq(db_player_load(reader, 1, &player), DB_OK, "reads go on");
    stage_wait(1);
    int64_t waited_ms = db_monotonic_ms() - before_ms;
    cr_assert_eq(work.status, DB_BUSY);
    cr_assert(waited_ms >= DB_BUSY_DEADLINE_MS - 300 && waited_ms < BUSY_WAIT_MAX_MS, "%d ms",
              (int)waited_ms);
    foreign_run(foreign, "COMMIT");
    cr_assert_eq(write_one(3), DB_OK);
    cr_assert_eq(atomic_load(&stage.fatal_calls), 0);
    cr_assert_eq(players(), 2);
    db_close(reader);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

static _Atomic int64_t longest_ms;

static void done_in_time(struct db_job *job, enum db_status status)
{
    int64_t waited_ms = db_monotonic_ms() - job->queued_ms;
    if (waited_ms > atomic_load(&longest_ms)) {
        atomic_store(&longest_ms, waited_ms); /* the writer's thread alone */
    }
    work_done(job, status);
}

/* Several batches every half second, so that some always queue behind one that waits. */
Test(writer_faults, nobody_waits_longer_for_a_foreign_lock_by_queueing_behind_others)
{
    enum { CROWDS = 6, CROWD = 4 * DB_BATCH_MAX };
    static struct work works[CROWDS][CROWD];
    const struct timespec pause = {.tv_nsec = 500000000};
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "BEGIN IMMEDIATE");
    for (int i = 0; i < CROWDS; i++) {
        for (int j = 0; j < CROWD; j++) {
            works[i][j] = work_new(1);
            works[i][j].job.done = done_in_time;
            cr_assert(db_writer_submit(stage.writer, &works[i][j].job));
        }
        (void)nanosleep(&pause, NULL);
    }
    stage_wait(CROWDS * CROWD);
    for (int i = 0; i < CROWDS * CROWD; i++) {
        cr_assert_eq(works[i / CROWD][i % CROWD].status, DB_BUSY);
    }
    cr_assert_leq(atomic_load(&longest_ms), BUSY_WAIT_MAX_MS, "%d ms",
                  (int)atomic_load(&longest_ms));
    foreign_run(foreign, "COMMIT");
    cr_assert_eq(write_one(1), DB_OK, "there is nothing left of the wait");
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(writer_faults, a_lock_that_is_gone_in_time_delays_only)
{
    struct work work = work_new(1);
    const struct timespec pause = {.tv_nsec = 600000000};
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "BEGIN IMMEDIATE");
    cr_assert(db_writer_submit(stage.writer, &work.job));
    (void)nanosleep(&pause, NULL);
    foreign_run(foreign, "COMMIT");
    stage_wait(1);
    cr_assert_eq(work.status, DB_OK);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

static void expect_fatal(enum db_status expected)
{
    cr_assert_eq(write_one(2), expected);
    cr_assert_eq(write_one(3), expected, "nothing is acknowledged any more");
    cr_assert_eq(atomic_load(&stage.fatal_calls), 1);
    cr_assert_eq(atomic_load(&stage.fatal_status), (int)expected);
}

Test(writer_faults, a_file_that_was_moved_away_is_noticed_before_the_commit)
{
    char moved[128];
    cr_assert_eq(write_one(1), DB_OK);
    (void)snprintf(moved, sizeof moved, "%s", store_file("moved.db"));
    cr_assert_eq(rename(store_path(), moved), 0);
    expect_fatal(DB_MOVED);
}

Test(writer_faults, a_file_that_was_deleted_is_noticed_too)
{
    cr_assert_eq(write_one(1), DB_OK);
    cr_assert_eq(unlink(store_path()), 0);
    expect_fatal(DB_MOVED);
}

/* The pages are there, and yet nobody may say so: the next start tells. */
Test(writer_faults, a_commit_that_is_not_confirmed_leaves_its_jobs_in_doubt)
{
    char fault[160];
    (void)snprintf(fault, sizeof fault, "while:no_fsync:%s", store_path());
    cr_assert_eq(write_one(1), DB_OK);
    cr_assert_eq(setenv("BANZUKE_FAULT", fault, 1), 0);
    cr_expect_eq(write_one(2), DB_IN_DOUBT);
    cr_expect_eq(write_one(3), DB_FSYNC, "which nobody began to store");
    cr_assert_eq(unsetenv("BANZUKE_FAULT"), 0);
    cr_expect_eq(atomic_load(&stage.fatal_calls), 1);
    cr_expect_eq(atomic_load(&stage.fatal_status), (int)DB_FSYNC);
    cr_expect_eq(players(), 2);
}

/* What SQLite says of the file ends everything; the same word from a job about one row does not. */
static enum db_status run_damage(struct db_job *job, struct db *db)
{
    (void)job;
    foreign_run(db->handle, "PRAGMA writable_schema=RESET"); /* the schema is read afresh */
    db->broken = DB_CORRUPT;
    return DB_CORRUPT;
}

Test(writer_faults, damage_that_sqlite_met_is_the_end)
{
    struct work work = work_new(1);
    work.job.run = run_damage;
    cr_assert(db_writer_submit(stage.writer, &work.job));
    stage_wait(1);
    cr_assert_eq(work.status, DB_CORRUPT);
    cr_assert_eq(write_one(2), DB_CORRUPT);
    cr_assert_eq(atomic_load(&stage.fatal_calls), 1);
}

Test(writer_faults, damage_that_a_job_met_in_a_row_is_its_own)
{
    struct work work = work_new(1);
    work.answer = DB_CORRUPT;
    cr_assert(db_writer_submit(stage.writer, &work.job));
    stage_wait(1);
    cr_assert_eq(work.status, DB_CORRUPT);
    cr_assert_eq(write_one(2), DB_OK);
    cr_assert_eq(atomic_load(&stage.fatal_calls), 0);
    cr_assert_eq(players(), 1);
}

/* --- no room -------------------------------------------------------------------------------------
 */

static enum db_status run_limit(struct db_job *job, struct db *db)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "PRAGMA max_page_count = %lld", (long long)work_of(job)->at_ms);
    return db_script(db, sql, NULL);
}

static void limit_pages(int64_t pages)
{
    struct work work = work_new(pages);
    work.job.run = run_limit;
    cr_assert(db_writer_submit(stage.writer, &work.job));
    stage_wait(1);
    cr_assert_eq(work.status, DB_OK);
}

static int64_t write_until_refused(int64_t from, enum db_status expected)
{
    enum db_status status = DB_OK;
    int64_t at_ms = from;
    for (; status == DB_OK && at_ms < from + 20000; at_ms++) {
        status = write_one(at_ms);
    }
    cr_assert_eq(status, expected, "%s", db_status_text(status));
    return at_ms - 1; /* not stored */
}

Test(writer_faults, a_full_disk_refuses_writes_until_there_is_room)
{
    struct db *reader = NULL;
    struct db_player player;
    cr_assert_eq(write_one(1), DB_OK);
    limit_pages(1); /* no further page than there are */
    int64_t at_ms = write_until_refused(2, DB_FULL);
    cr_assert_eq(db_open_reader(store_path(), &reader), DB_OK);
    cr_assert_eq(db_player_load(reader, 1, &player), DB_OK, "reads go on");
    db_close(reader);
    cr_assert_eq(players(), at_ms - 1, "nothing of a refused job is there");
    limit_pages(1000000);
    cr_assert_eq(write_one(at_ms), DB_OK);
    cr_assert_eq(atomic_load(&stage.fatal_calls), 0);
}

Test(writer_faults, a_limit_on_file_sizes_is_lack_of_room_as_well)
{
    struct rlimit before;
    struct rlimit limit;
    cr_assert_eq(write_one(1), DB_OK);
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 262144;
    (void)setrlimit(RLIMIT_FSIZE, &limit);
    int64_t at_ms = write_until_refused(2, DB_FULL);
    (void)setrlimit(RLIMIT_FSIZE, &before);
    cr_assert_eq(write_one(at_ms), DB_OK);
    cr_assert_eq(atomic_load(&stage.fatal_calls), 0);
    cr_assert_eq(players(), at_ms);
}

Test(writer_faults, a_wal_that_cannot_be_brought_into_the_file_at_the_end_is_told)
{
    enum { ENOUGH = 200, FIRST_PAGE = 4096 };
    struct rlimit before;
    struct rlimit limit;
    for (int i = 1; i <= ENOUGH; i++) {
        cr_assert_eq(write_one(i), DB_OK);
    }
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = FIRST_PAGE; /* nothing can be written behind it */
    (void)setrlimit(RLIMIT_FSIZE, &limit);
    cr_assert_eq(db_writer_stop(stage.writer), DB_FULL);
    stage.writer = NULL;
    (void)setrlimit(RLIMIT_FSIZE, &before);
    cr_assert_eq(players(), ENOUGH, "what was acknowledged is in the WAL");
}

Test(writer_faults, a_reader_in_the_way_of_the_last_checkpoint_is_no_failure)
{
    sqlite3 *foreign = foreign_open(store_path());
    cr_assert_eq(write_one(1), DB_OK);
    foreign_run(foreign, "BEGIN");
    cr_assert_eq(foreign_int(foreign, "SELECT count(*) FROM player"), 1);
    cr_assert_eq(write_one(2), DB_OK);
    cr_assert_eq(db_writer_stop(stage.writer), DB_OK);
    stage.writer = NULL;
    cr_assert(store_exists("banzuke.db-wal"));
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    cr_assert_eq(players(), 2);
}

/* --- failpoints ----------------------------------------------------------------------------------
 */

/* Writes players 1, 2, ... one a batch in a process that the failpoint kills; what is left of them.
 */
static int64_t left_by(const char *fault)
{
    cr_assert_eq(db_writer_stop(stage.writer), DB_OK);
    stage.writer = NULL;
    pid_t child = fork();
    if (child == 0) {
        (void)setenv("BANZUKE_FAULT", fault, 1);
        stage_start();
        for (int i = 1; i <= 9; i++) {
            (void)write_one(i);
        }
        _exit(0);
    }
    int how = 0;
    cr_assert_eq(waitpid(child, &how, 0), child);
    cr_assert(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL, "the failpoint was not reached");
    struct db_report report;
    store_prepare(DB_OK, &report);
    return players();
}

Test(writer_faults, killed_before_the_commit_leaves_nothing_of_the_batch)
{
    cr_assert_eq(left_by("kill:before_commit:3"), 2);
}

Test(writer_faults, killed_in_the_middle_of_a_batch_leaves_nothing_of_it)
{
    cr_assert_eq(left_by("kill:mid_batch:3"), 2);
}

Test(writer_faults, killed_after_the_commit_leaves_all_of_it)
{
    cr_assert_eq(left_by("kill:after_commit:3"), 3);
}

static sqlite3 *witness;
static int64_t witnessed;

static void witness_done(struct db_job *job, enum db_status status)
{
    cr_assert_eq(status, DB_OK);
    witnessed = foreign_int(witness, "SELECT count(*) FROM player");
    work_done(job, status);
}

/* Players that another program sees at the moment of the acknowledgement. */
static int64_t seen_when_acknowledged(void)
{
    struct work work = work_new(1);
    work.job.done = witness_done;
    witness = foreign_open(store_path());
    cr_assert_eq(foreign_int(witness, "SELECT count(*) FROM player"), 0);
    cr_assert(db_writer_submit(stage.writer, &work.job));
    stage_wait(1);
    cr_assert_eq(db_writer_stop(stage.writer), DB_OK);
    stage.writer = NULL;
    cr_assert_eq(sqlite3_close(witness), SQLITE_OK);
    return witnessed;
}

Test(writer_faults, what_is_acknowledged_is_committed)
{
    cr_assert_eq(seen_when_acknowledged(), 1);
}

Test(writer_faults, the_negative_control_acknowledges_too_early)
{
    (void)setenv("BANZUKE_FAULT", "ack_before_commit", 1);
    cr_assert_eq(seen_when_acknowledged(), 0);
}

#ifndef DB_WRITER_H
#define DB_WRITER_H

/*
 * The single writer: one thread, one read-write connection, group commit. Jobs queue up while the
 * last COMMIT runs; the next batch takes all of them (DB_BATCH_MAX at most), each in a savepoint
 * of one BEGIN IMMEDIATE. Where many have been writing, it waits a third of a millisecond for half
 * of them to come back. `done` is called after COMMIT, never before: what it acknowledges has
 * survived a power cut.
 *
 * Threads: submit and stats from any thread; run and done are called on the writer's own thread.
 * Ownership: a job belongs to its submitter and must live until `done`, which is called exactly
 * once for every job that submit took.
 */

#include "db.h"
#include "tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DB_BATCH_MAX = 128,
    DB_QUEUE_MAX = 4096,        /* jobs waiting; submit refuses beyond */
    DB_BUSY_DEADLINE_MS = 2000, /* a job waits for a foreign lock at most this long: DB_BUSY */
};

struct db_job {
    struct db_job *next; /* the writer's while queued, and so is the next */
    int64_t queued_ms;   /* monotonic */
    /* Inside a transaction. Anything but DB_OK rolls this job's own work back and is passed on to
     * `done`. May be run again after a soft failure: keep nothing between runs. */
    enum db_status (*run)(struct db_job *job, struct db *db);
    /* After COMMIT (or the failure). Quick and without database access. */
    void (*done)(struct db_job *job, enum db_status status);
};

struct db_writer;

struct db_writer_options {
    const char *path;
    /* For the stamp of every batch that stores anything; NULL: none has one. */
    int64_t (*now_ms)(void *context);
    /* A failure after which nothing may be acknowledged any more (DB_IO, DB_CORRUPT, DB_MOVED):
     * called once, on the writer's thread. All later jobs fail with the same status; those whose
     * COMMIT met it are DB_IN_DOUBT. */
    void (*on_fatal)(void *context, enum db_status status);
    void *context;
};

struct db_writer_stats {
    uint64_t batches;
    uint64_t stamps; /* batches that stored anything, and with it their time */
    uint64_t jobs;
    uint32_t queued; /* submitted and not done */
    uint32_t last_batch;
    uint64_t wal_bytes;   /* after the last batch */
    struct db_tally done; /* by committed jobs since the start */
    struct db_live live;  /* now */
};

/* Opens the read-write connection (the file must exist and be migrated) and starts the thread. */
DB_NODISCARD enum db_status db_writer_start(const struct db_writer_options *options,
                                            struct db_writer **writer);

/* False: the queue is full or the writer is stopping; the job was not taken. */
DB_NODISCARD bool db_writer_submit(struct db_writer *writer, struct db_job *job);

void db_writer_stats(struct db_writer *writer, struct db_writer_stats *stats);

/* Whether the caller is the writer's own thread: inside a job, or its `done`. */
bool db_writer_is_here(const struct db_writer *writer);

/* Runs what is queued, truncates the WAL, joins the thread, frees. Anything but DB_OK: what
 * on_fatal was told, or else why the WAL could not be brought into the file. Accepts NULL. */
DB_NODISCARD enum db_status db_writer_stop(struct db_writer *writer);

#endif

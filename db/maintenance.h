#ifndef DB_MAINTENANCE_H
#define DB_MAINTENANCE_H

/*
 * What operators do to a file: bring it up to date, copy it.
 *
 * Whole copies of a database file, page by page through SQLite: what was committed before the copy
 * began is in it, whoever writes meanwhile. A copy is one file without a WAL, 0600, proved by
 * quick_check and foreign_key_check and on the disk before it gets its name; killed at any point,
 * there is at most a file whose name ends in `.part-` and a number, which the next copy to that
 * name removes. A copy knows that it is one (db_server_copied_at), so that whoever serves it can
 * say so in the chain.
 *
 * Threads: one call, one thread. Ownership: everything borrowed for the call.
 */

#include "db.h"

/* db_prepare for a file that must be there (DB_DENIED): an older one is migrated, or refused as
 * DB_OLDER. The report of DB_OK says what was done, if anything was. */
DB_NODISCARD enum db_status db_prepare_existing(const char *path, int64_t now_ms, bool migrates,
                                                struct db_lock **lock, struct db_report *report);

struct db_copy {
    int schema_version;
    int64_t bytes;
    bool has_link;       /* false: the chain is empty */
    struct db_link link; /* its head, in the copy */
};

/* A copy of `path` at `to`, which must not exist (DB_DENIED); the file may be served meanwhile, and
 * its schema may be older than this build's. Failures come with a report. */
DB_NODISCARD enum db_status db_backup(const char *path, const char *to, int64_t now_ms,
                                      struct db_copy *copy, struct db_report *report);

/* db_open_inspector for a copy of the file as it is: an older schema is no reason to refuse. */
DB_NODISCARD enum db_status db_open_source(const char *path, struct db **db,
                                           struct db_report *report);

/* What is done to a file before a migration: a copy of the database of this connection at `to`, in
 * the place of an earlier one. */
DB_NODISCARD enum db_status db_copy_replace(struct db *source, const char *to, int64_t now_ms,
                                            struct db_report *report);

#endif

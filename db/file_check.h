#ifndef DB_FILE_CHECK_H
#define DB_FILE_CHECK_H

/*
 * A database file looked at from outside, before SQLite may touch it: a file that is not ours is
 * refused and stays as it is, byte for byte.
 *
 * Threads: one, before any connection to the file is open in this process.
 */

#include "db.h"

struct file_facts {
    int64_t bytes;
    int user_version; /* of the main file; a WAL beside it may know better */
    bool had_wal;
    bool had_shm;
};

/* Whether it can be read; writing is the caller's to ask for.
 * DB_OK, DB_NONE (no such file, nor a WAL or hot journal that belongs to one), DB_DENIED,
 * DB_FOREIGN, DB_CORRUPT; the last three with a report. */
DB_NODISCARD enum db_status file_check(const char *path, struct file_facts *facts,
                                       struct db_report *report);

/* A -wal without a page lies beside the file: its last user could not take it away. */
bool file_has_empty_wal(const char *path);

/* Removes the empty -wal and the -shm that merely looking has left beside a refused file. Only
 * under the lock: a server that is using them would be ruined. */
void file_tidy(const char *path, const struct file_facts *facts);

/* fsync, rename, fsync of the folder. */
DB_NODISCARD bool file_move_into_place(const char *draft, const char *path);

/* The same for a path that must not exist: false and what is there stays. Killed at any point,
 * nothing but the whole file has that name, and the draft may still be its other one. */
DB_NODISCARD bool file_give_new_name(const char *draft, const char *path);

/* The folder of a path; returns the rest of the path. */
const char *file_folder(const char *path, char folder[DB_PATH_MAX]);

/* Fills the report and returns `status`. */
__attribute__((format(printf, 3, 4))) enum db_status
db_reportf(struct db_report *report, enum db_status status, const char *format, ...);

#endif

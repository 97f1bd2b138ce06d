#include "migrations.h"

#include "driver.h"
#include "fault.h"
#include "file_check.h"
#include "maintenance.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { QUICK_CHECK_AT_START_BYTES = 256 * 1024 * 1024 };

enum { SCHEMA_VERSION, SCHEMA_CHECKSUM, SCHEMA_RECORD, SCHEMA_QUICK_CHECK, SCHEMA_TEXTS };
static const char *const schema_texts[SCHEMA_TEXTS] = {
    [SCHEMA_VERSION] = "SELECT user_version FROM pragma_user_version /*scan*/",
    [SCHEMA_CHECKSUM] = "SELECT sha256 FROM schema_migration WHERE version = $1",
    [SCHEMA_RECORD] = ("INSERT INTO schema_migration (version, name, sha256, applied_at_ms)"
                       " VALUES ($1, $2, $3, $4)"),
    [SCHEMA_QUICK_CHECK] = "SELECT quick_check FROM pragma_quick_check(1) /*scan*/",
};
const struct sql_set sql_schema = {"schema", SLOTS_SCHEMA, SCHEMA_TEXTS, schema_texts};

static int latest_version(void)
{
    assert(migration_count > 0);
    return migrations[migration_count - 1].version;
}

/* --- the lock file: never the database itself, whose locks a close(2) would drop -----------------
 */

struct db_lock {
    int descriptor;
};

static enum db_status take_lock(const char *path, struct db_lock **lock, struct db_report *report)
{
    char name[DB_PATH_MAX];
    int length = snprintf(name, sizeof name, "%s.lock", path);
    if (length >= (int)sizeof name) {
        return db_reportf(report, DB_DENIED, "the path of the database is too long");
    }
    struct db_lock *taken = calloc(1, sizeof *taken);
    if (taken == NULL) {
        return DB_ERROR;
    }
    taken->descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (taken->descriptor < 0) {
        free(taken);
        return db_reportf(report, DB_DENIED, "%s: cannot be created: %s", name, strerror(errno));
    }
    if (flock(taken->descriptor, LOCK_EX | LOCK_NB) != 0) {
        db_unlock(taken);
        return db_reportf(report, DB_LOCKED, "%s: another banzuke serves this file", path);
    }
    *lock = taken;
    return DB_OK;
}

void db_unlock(struct db_lock *lock)
{
    if (lock != NULL) {
        (void)close(lock->descriptor);
        free(lock);
    }
}

/* --- what a file says about itself ---------------------------------------------------------------
 */

static enum db_status read_version(struct db *db, int *version)
{
    struct query query;
    query_begin(&query, db, &sql_schema, SCHEMA_VERSION);
    bool found = query_step(&query);
    if (found) {
        *version = (int)column_int(&query, 0);
    }
    return query_end_one(&query, found);
}

/* A migration that was applied with other contents than this build's means another history. */
static enum db_status check_history(struct db *db, const char *path, int version,
                                    struct db_report *report)
{
    for (size_t i = 0; i < migration_count && migrations[i].version <= version; i++) {
        char sha256[65] = "";
        struct query query;
        query_begin(&query, db, &sql_schema, SCHEMA_CHECKSUM);
        query_int(&query, 1, migrations[i].version);
        bool found = query_step(&query);
        if (found) {
            column_text(&query, 0, sha256, sizeof sha256);
        }
        enum db_status status = query_end_one(&query, found);
        if (status == DB_NONE || (status == DB_OK && strcmp(sha256, migrations[i].sha256) != 0)) {
            return db_reportf(report, DB_FOREIGN,
                              "%s: migration %s was applied with other contents than this build's",
                              path, migrations[i].name);
        }
        if (status == DB_ERROR) { /* the table itself is not there */
            return db_reportf(report, DB_FOREIGN, "%s: no record of its migrations", path);
        }
        if (status != DB_OK) {
            return db_reportf(report, status, "%s: %s", path, db_status_text(status));
        }
    }
    return DB_OK;
}

enum db_status db_quick_check(struct db *db, struct db_report *report)
{
    char finding[256] = "";
    struct query query;
    query_begin(&query, db, &sql_schema, SCHEMA_QUICK_CHECK);
    bool found = query_step(&query);
    if (found) {
        column_text(&query, 0, finding, sizeof finding);
    }
    enum db_status status = query_end_one(&query, found);
    for (char *c = strchr(finding, '\n'); c != NULL; c = strchr(c, '\n')) {
        *c = ' ';
    }
    if (status == DB_OK && strcmp(finding, "ok") != 0) {
        return db_reportf(report, DB_CORRUPT, "quick_check: %s", finding);
    }
    return status == DB_OK ? DB_OK : db_reportf(report, status, "%s", db_status_text(status));
}

static enum db_status inspect(const char *path, int *version, bool quick, struct db_report *report)
{
    struct db *db = NULL;
    enum db_status status = db_connect(path, DB_MODE_INSPECTOR, &db);
    if (status == DB_OK) {
        status = read_version(db, version);
    }
    if (status != DB_OK) {
        db_close(db);
        const char *why = status == DB_READONLY
                              ? "reading takes a -shm beside it, but the folder cannot be written"
                              : db_status_text(status);
        return db_reportf(report, status, "%s: %s", path, why);
    }
    if (*version > latest_version()) {
        status = db_reportf(report, DB_NEWER, "%s: schema version %d is newer than this build's %d",
                            path, *version, latest_version());
    } else if (quick) {
        struct db_report finding = {0};
        status = db_quick_check(db, &finding);
        if (status != DB_OK) {
            status = db_reportf(report, status, "%s: %s", path, finding.text);
        }
    }
    if (status == DB_OK) {
        status = check_history(db, path, *version, report);
    }
    db_close(db);
    return status;
}

/* --- migrating -----------------------------------------------------------------------------------
 */

static enum db_status record(struct db *db, const struct migration *migration, int64_t now_ms)
{
    struct query query;
    query_begin(&query, db, &sql_schema, SCHEMA_RECORD);
    query_int(&query, 1, migration->version);
    query_text(&query, 2, migration->name);
    query_text(&query, 3, migration->sha256);
    query_int(&query, 4, now_ms);
    return query_run(&query);
}

/* One transaction: schema, record and version together, or nothing of them. */
static enum db_status apply(struct db *db, const struct migration *migration, int64_t now_ms,
                            struct db_report *report)
{
    char version[64];
    (void)snprintf(version, sizeof version, "PRAGMA user_version = %d", migration->version);
    enum db_status status = db_begin_immediate(db);
    if (status == DB_OK) {
        status = db_script(db, migration->sql, report);
    }
    if (status == DB_OK) {
        status = record(db, migration, now_ms);
    }
    if (status == DB_OK) {
        status = db_script(db, version, report);
    }
    if (status == DB_OK) {
        status = db_commit(db);
    }
    db_rollback(db);
    return status;
}

static enum db_status migrate(struct db *db, int from, int64_t now_ms, struct db_report *report)
{
    for (size_t i = 0; i < migration_count; i++) {
        if (migrations[i].version > from) {
            enum db_status status = apply(db, &migrations[i], now_ms, report);
            if (status != DB_OK) {
                return status;
            }
        }
    }
    return DB_OK;
}

/* A new file is made under another name and moved into place whole: killed at any point, there is
 * either no file or a complete one. */
static enum db_status create(const char *path, int64_t now_ms, struct db_report *report)
{
    char draft[DB_PATH_MAX];
    char identify[64];
    struct db *db = NULL;
    (void)snprintf(draft, sizeof draft, "%s.new", path);
    (void)snprintf(identify, sizeof identify, "PRAGMA application_id = %d", DB_APPLICATION_ID);
    (void)unlink(draft);
    int descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return db_reportf(report, DB_DENIED, "%s: cannot be created: %s", path, strerror(errno));
    }
    (void)close(descriptor);
    enum db_status status = db_connect(draft, DB_MODE_DRAFT, &db);
    if (status == DB_OK) {
        status = db_script(db, identify, report);
    }
    if (status == DB_OK) {
        status = migrate(db, 0, now_ms, report);
    }
    db_close(db);
    if (status == DB_OK) {
        status = file_move_into_place(draft, path) ? DB_OK : DB_DENIED;
    }
    if (status != DB_OK) {
        (void)unlink(draft);
        return db_reportf(report, status, "%s: cannot be created: %s", path,
                          db_status_text(status));
    }
    report->created = true;
    return DB_OK;
}

static int next_version(int version)
{
    size_t i = 0;
    while (migrations[i].version <= version) {
        i++;
        assert(i < migration_count);
    }
    return migrations[i].version;
}

/* The file as it is now, from a connection of its own: should a migration turn out to have been a
 * mistake, this goes on under the build that it belongs to. */
static enum db_status copy_before(const char *path, const char *to, int64_t now_ms,
                                  struct db_report *report)
{
    struct db *source = NULL;
    struct db_report finding = {0};
    enum db_status status = db_connect(path, DB_MODE_INSPECTOR, &source);
    if (status == DB_OK) {
        status = db_copy_replace(source, to, now_ms, &finding);
        db_close(source);
    }
    return status == DB_OK
               ? DB_OK
               : db_reportf(report, status, "%s: no copy before migrating: %s", path,
                            finding.text[0] == '\0' ? db_status_text(status) : finding.text);
}

static enum db_status upgrade(const char *path, int version, int64_t now_ms,
                              struct db_report *report)
{
    struct db *db = NULL;
    char copy[DB_PATH_MAX];
    if (version == latest_version()) {
        return DB_OK;
    }
    (void)snprintf(copy, sizeof copy, "%s.before-%04d", path, next_version(version));
    enum db_status status = copy_before(path, copy, now_ms, report);
    if (status != DB_OK) {
        return status;
    }
    status = db_connect(path, DB_MODE_WRITER, &db);
    if (status == DB_OK) {
        status = migrate(db, version, now_ms, report);
    }
    db_close(db);
    if (status != DB_OK) {
        return db_reportf(report, status, "%s: migration failed: %s", path, db_status_text(status));
    }
    return db_reportf(report, DB_OK, "%s: schema %d brought to %d; as it was: %s", path, version,
                      latest_version(), copy);
}

/* --- opening -------------------------------------------------------------------------------------
 */

/* A connection that only reads cannot take away the -wal and -shm that it made. One that may write
 * does so when it closes, and SQLite lets it only while nobody else has the file open. Where the
 * WAL holds anything it is somebody's, and stays. */
static void remove_traces(const char *path)
{
    struct db *db = NULL;
    int version = 0;
    if (file_has_empty_wal(path) && db_connect(path, DB_MODE_DRAFT, &db) == DB_OK) {
        (void)read_version(db, &version); /* only who has read knows that there is a WAL */
        db_close(db);
    }
}

/* What the caller wants of a file. */
struct demand {
    bool creates;  /* a missing one is made */
    bool migrates; /* an older one is brought up to date */
};

static enum db_status prepare_locked(const char *path, struct demand demand, int64_t now_ms,
                                     bool *check_later, struct db_report *report)
{
    struct file_facts facts;
    enum db_status status = file_check(path, &facts, report);
    if (status == DB_NONE) {
        return demand.creates ? create(path, now_ms, report)
                              : db_reportf(report, DB_DENIED, "%s: no such file", path);
    }
    if (status != DB_OK) {
        return status;
    }
    if (access(path, W_OK) != 0) {
        return db_reportf(report, DB_DENIED, "%s: cannot be written: %s", path, strerror(errno));
    }
    if (facts.user_version > latest_version()) {
        return db_reportf(report, DB_NEWER, "%s: schema version %d is newer than this build's %d",
                          path, facts.user_version, latest_version());
    }
    int version = 0;
    *check_later = facts.bytes >= QUICK_CHECK_AT_START_BYTES || FAULT_IS("check_later");
    status = inspect(path, &version, !*check_later, report);
    if (status != DB_OK) {
        file_tidy(path, &facts);
        return status;
    }
    if (version != latest_version() && !demand.migrates) {
        file_tidy(path, &facts);
        return db_reportf(report, DB_OLDER, "%s: %s", path, db_status_text(DB_OLDER));
    }
    status = upgrade(path, version, now_ms, report);
    if (!demand.creates && !facts.had_wal) {
        remove_traces(path);
    }
    return status;
}

static enum db_status prepare(const char *path, struct demand demand, int64_t now_ms,
                              struct db_lock **lock, bool *check_later, struct db_report *report)
{
    *report = (struct db_report){0};
    *check_later = false;
    *lock = NULL;
    /* Behind a symbolic link there is one file, so there must be one lock. */
    char *resolved = realpath(path, NULL);
    const char *real = resolved == NULL ? path : resolved;
    enum db_status status = take_lock(real, lock, report);
    if (status == DB_OK) {
        status = prepare_locked(real, demand, now_ms, check_later, report);
    }
    free(resolved);
    if (status != DB_OK) {
        db_unlock(*lock);
        *lock = NULL;
    }
    return status;
}

enum db_status db_prepare(const char *path, int64_t now_ms, struct db_lock **lock,
                          bool *check_later, struct db_report *report)
{
    struct demand demand = {.creates = true, .migrates = true};
    return prepare(path, demand, now_ms, lock, check_later, report);
}

/* Where a file is missing, nothing is to be made beside it either. */
enum db_status db_prepare_existing(const char *path, int64_t now_ms, bool migrates,
                                   struct db_lock **lock, struct db_report *report)
{
    struct demand demand = {.creates = false, .migrates = migrates};
    bool check_later = false;
    *lock = NULL;
    if (access(path, F_OK) != 0) {
        return db_reportf(report, DB_DENIED, "%s: %s", path, strerror(errno));
    }
    return prepare(path, demand, now_ms, lock, &check_later, report);
}

static enum db_status open_inspector(const char *path, bool any_version, struct db **db,
                                     struct db_report *report)
{
    int version = 0;
    enum db_status status = inspect(path, &version, false, report);
    if (status != DB_OK) {
        return status;
    }
    if (version != latest_version() && !any_version) {
        return db_reportf(report, DB_OLDER, "%s: %s", path, db_status_text(DB_OLDER));
    }
    status = db_connect(path, DB_MODE_INSPECTOR, db);
    return status == DB_OK ? DB_OK
                           : db_reportf(report, status, "%s: %s", path, db_status_text(status));
}

static enum db_status open_beside(const char *path, bool any_version, struct db **db,
                                  struct db_report *report)
{
    struct file_facts facts;
    *report = (struct db_report){0};
    enum db_status status = file_check(path, &facts, report);
    if (status == DB_NONE) {
        return db_reportf(report, DB_DENIED, "%s: no such file", path);
    }
    if (status != DB_OK) {
        return status;
    }
    status = open_inspector(path, any_version, db, report);
    if (status == DB_OK) {
        (*db)->had_wal = facts.had_wal;
    } else if (!facts.had_wal) {
        remove_traces(path);
    }
    return status;
}

enum db_status db_open_inspector(const char *path, struct db **db, struct db_report *report)
{
    return open_beside(path, false, db, report);
}

enum db_status db_open_source(const char *path, struct db **db, struct db_report *report)
{
    return open_beside(path, true, db, report);
}

void db_close_inspector(struct db *db, const char *path)
{
    bool had_wal = db->had_wal;
    db_close(db);
    if (!had_wal) {
        remove_traces(path);
    }
}

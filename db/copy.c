#include "maintenance.h"

#include "driver.h"
#include "fault.h"
#include "file_check.h"
#include "operators.h"
#include "sqlite_failure.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PART    ".part-"
#define JOURNAL "-journal"

enum { BUSY_RETRIES = 8, BUSY_PAUSE_MS = 250 };

enum { COPY_VERSION, COPY_HAS_MARK, COPY_FOREIGN_KEYS, COPY_TEXTS };
static const char *const copy_texts[COPY_TEXTS] = {
    [COPY_VERSION] = "SELECT user_version FROM pragma_user_version /*scan*/",
    [COPY_HAS_MARK] =
        "SELECT 1 FROM pragma_table_info('server') WHERE name = 'copied_at_ms' /*scan*/",
    [COPY_FOREIGN_KEYS] = "SELECT \"table\", rowid FROM pragma_foreign_key_check LIMIT 1 /*scan*/",
};
const struct sql_set sql_copy = {"copy", SLOTS_COPY, COPY_TEXTS, copy_texts};

struct draft {
    char path[DB_PATH_MAX];
    struct db *db;
    int64_t copied_at_ms;
};

/* --- the pages -----------------------------------------------------------------------------------
 */

static void pause_ms(long ms)
{
    struct timespec pause = {.tv_nsec = ms * 1000000};
    (void)nanosleep(&pause, NULL);
}

/* All pages in one step, under one read lock: with more steps every write of another process in
 * between would make SQLite begin again. */
static enum db_status copy_pages(struct db *source, struct db *target)
{
    sqlite3_backup *backup = sqlite3_backup_init(target->handle, "main", source->handle, "main");
    if (backup == NULL) {
        return sqlite_failure(target, sqlite3_extended_errcode(target->handle));
    }
    int result = sqlite3_backup_step(backup, -1);
    for (int i = 0; i < BUSY_RETRIES && (result == SQLITE_BUSY || result == SQLITE_LOCKED); i++) {
        pause_ms(BUSY_PAUSE_MS);
        result = sqlite3_backup_step(backup, -1);
    }
    int finished = sqlite3_backup_finish(backup);
    if (result == SQLITE_DONE) {
        result = finished;
    }
    return result == SQLITE_OK ? DB_OK : sqlite_failure(target, result);
}

static enum db_status check_foreign_keys(struct db *db, struct db_report *report)
{
    char table[64] = "";
    struct query query;
    query_begin(&query, db, &sql_copy, COPY_FOREIGN_KEYS);
    bool found = query_step(&query);
    int64_t row = 0;
    if (found) {
        column_text(&query, 0, table, sizeof table);
        row = column_int(&query, 1);
    }
    enum db_status status = query_end(&query);
    if (status == DB_OK && found) {
        return db_reportf(report, DB_CORRUPT, "foreign_key_check: %s, row %lld", table,
                          (long long)row);
    }
    return status == DB_OK ? DB_OK : db_reportf(report, status, "%s", db_status_text(status));
}

static enum db_status check_copy(struct db *db, struct db_report *report)
{
    enum db_status status = db_quick_check(db, report);
    return status == DB_OK ? check_foreign_keys(db, report) : status;
}

/* --- a draft that becomes the copy --------------------------------------------------------------
 */

/* Whether this is how a draft of `base` is called, or the journal of one, by a process that is no
 * more. A number that another has by now keeps its file: until that one has ended, too. */
static bool is_left_behind(const char *name, const char *base)
{
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || strncmp(name + length, PART, sizeof PART - 1) != 0) {
        return false;
    }
    const char *number = name + length + sizeof PART - 1;
    size_t digits = strspn(number, "0123456789");
    const char *rest = number + digits;
    if (digits == 0 || digits > 9 || (*rest != '\0' && strcmp(rest, JOURNAL) != 0)) {
        return false;
    }
    pid_t process = (pid_t)strtol(number, NULL, 10);
    return process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

/* A draft is as large as the database, and may be a second name of the copy. */
static void drafts_sweep(const char *to)
{
    char folder[DB_PATH_MAX];
    const char *base = file_folder(to, folder);
    DIR *listed = opendir(folder);
    if (listed == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(listed); entry != NULL; entry = readdir(listed)) {
        if (is_left_behind(entry->d_name, base)) {
            (void)unlinkat(dirfd(listed), entry->d_name, 0);
        }
    }
    (void)closedir(listed);
}

static enum db_status draft_open(const char *to, struct draft *draft, struct db_report *report)
{
    int length = snprintf(draft->path, sizeof draft->path, "%s" PART "%ld", to, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof draft->path) {
        return db_reportf(report, DB_DENIED, "the path of the copy is too long");
    }
    (void)unlink(draft->path);
    int descriptor = open(draft->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return db_reportf(report, DB_DENIED, "%s: cannot be created: %s", to, strerror(errno));
    }
    (void)close(descriptor);
    return db_connect(draft->path, DB_MODE_DRAFT, &draft->db);
}

/* A schema of old has no place for it. */
static enum db_status mark(const struct draft *draft)
{
    struct query query;
    query_begin(&query, draft->db, &sql_copy, COPY_HAS_MARK);
    bool found = query_step(&query);
    enum db_status status = query_end(&query);
    return status == DB_OK && found ? db_server_mark_copy(draft->db, draft->copied_at_ms) : status;
}

/* The pages say that the database has a WAL; the copy is to be whole in itself. */
static enum db_status draft_fill(struct draft *draft, struct db *source, const char *to,
                                 struct db_report *report)
{
    enum db_status status = copy_pages(source, draft->db);
    if (status == DB_OK) {
        status = db_script(draft->db, "PRAGMA journal_mode=DELETE", report);
    }
    if (status == DB_OK) {
        status = mark(draft);
    }
    if (status != DB_OK) {
        return db_reportf(report, status, "%s: %s", to, db_status_text(status));
    }
    struct db_report finding = {0};
    status = check_copy(draft->db, &finding);
    return status == DB_OK ? DB_OK : db_reportf(report, status, "%s: %s", to, finding.text);
}

static enum db_status make_draft(struct draft *draft, struct db *source, const char *to,
                                 struct db_report *report)
{
    *report = (struct db_report){0};
    enum db_status status = draft_open(to, draft, report);
    if (status == DB_OK) {
        status = draft_fill(draft, source, to, report);
    }
    if (status != DB_OK && report->text[0] == '\0') {
        status = db_reportf(report, status, "%s: %s", to, db_status_text(status));
    }
    return status;
}

static enum db_status draft_keep(struct draft *draft, const char *to, bool replaces,
                                 struct db_report *report)
{
    db_close(draft->db);
    draft->db = NULL;
    FAULT_POINT("copy_unnamed");
    bool named =
        replaces ? file_move_into_place(draft->path, to) : file_give_new_name(draft->path, to);
    if (!named) {
        return db_reportf(report, DB_DENIED, "%s: cannot be created: %s", to, strerror(errno));
    }
    return DB_OK;
}

static void draft_drop(struct draft *draft)
{
    char journal[DB_PATH_MAX + 16];
    db_close(draft->db);
    if (draft->path[0] != '\0') {
        (void)unlink(draft->path);
        (void)snprintf(journal, sizeof journal, "%s" JOURNAL, draft->path);
        (void)unlink(journal);
    }
}

enum db_status db_copy_replace(struct db *source, const char *to, int64_t now_ms,
                               struct db_report *report)
{
    struct draft draft = {.db = NULL, .copied_at_ms = now_ms};
    drafts_sweep(to);
    enum db_status status = make_draft(&draft, source, to, report);
    if (status == DB_OK) {
        status = draft_keep(&draft, to, true, report);
    }
    if (status != DB_OK) {
        draft_drop(&draft);
    }
    return status;
}

/* --- backup --------------------------------------------------------------------------------------
 */

static enum db_status read_version(struct db *db, int *version)
{
    struct query query;
    query_begin(&query, db, &sql_copy, COPY_VERSION);
    bool found = query_step(&query);
    if (found) {
        *version = (int)column_int(&query, 0);
    }
    return query_end_one(&query, found);
}

static enum db_status describe(const struct draft *draft, struct db_copy *copy)
{
    struct stat found;
    *copy = (struct db_copy){0};
    enum db_status status = read_version(draft->db, &copy->schema_version);
    if (status == DB_OK) {
        status = db_chain_last(draft->db, &copy->link);
        copy->has_link = status == DB_OK;
    }
    if (stat(draft->path, &found) != 0) {
        return DB_IO;
    }
    copy->bytes = found.st_size;
    return status == DB_NONE ? DB_OK : status;
}

static enum db_status backup(struct db *source, const char *to, int64_t now_ms,
                             struct db_copy *copy, struct db_report *report)
{
    struct draft draft = {.db = NULL, .copied_at_ms = now_ms};
    enum db_status status = make_draft(&draft, source, to, report);
    if (status == DB_OK) {
        status = describe(&draft, copy);
        if (status != DB_OK) {
            status = db_reportf(report, status, "%s: %s", to, db_status_text(status));
        }
    }
    if (status == DB_OK) {
        status = draft_keep(&draft, to, false, report);
    }
    if (status != DB_OK) {
        draft_drop(&draft);
    }
    return status;
}

enum db_status db_backup(const char *path, const char *to, int64_t now_ms, struct db_copy *copy,
                         struct db_report *report)
{
    struct db *source = NULL;
    struct stat found;
    assert(path != NULL && to != NULL && copy != NULL);
    *report = (struct db_report){0};
    drafts_sweep(to);
    if (lstat(to, &found) == 0) {
        return db_reportf(report, DB_DENIED, "%s: exists, and a backup replaces nothing", to);
    }
    enum db_status status = db_open_source(path, &source, report);
    if (status != DB_OK) {
        return status;
    }
    status = backup(source, to, now_ms, copy, report);
    db_close_inspector(source, path);
    return status;
}

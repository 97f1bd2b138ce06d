#include "driver.h"
#include "fault.h"
#include "sqlite_failure.h"

#include <assert.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BUDGET_CHECK_STEPS = 4000, /* VM steps between two looks at the clock */
    LENGTH_MAX = 64 * 1024,
    SQL_LENGTH_MAX = 16 * 1024,
};

/* --- the budget of a served read -----------------------------------------------------------------
 */

int64_t db_monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int over_budget(void *context)
{
    struct db *db = context;
    int64_t now_ms = db_monotonic_ms();
    if (db->read_deadline_ms == 0) {
        db->read_deadline_ms = now_ms + (FAULT_IS_ON("no_budget") ? -1 : DB_READ_BUDGET_MS);
    }
    return now_ms > db->read_deadline_ms;
}

static int note_wal_pages(void *context, sqlite3 *handle, const char *name, int pages)
{
    struct db *db = context;
    (void)handle;
    (void)name;
    db->wal_pages = pages;
    return SQLITE_OK;
}

/* --- connections ---------------------------------------------------------------------------------
 */

enum {
    CONTROL_BEGIN,
    CONTROL_COMMIT,
    CONTROL_ROLLBACK,
    CONTROL_SAVEPOINT,
    CONTROL_RELEASE,
    CONTROL_ROLLBACK_TO,
    CONTROL_READ_BEGIN,
    CONTROL_JOURNAL_MODE,
    CONTROL_CHECKPOINT,
    CONTROL_TRUNCATE,
    CONTROLS,
};
static const char *const control_texts[CONTROLS] = {
    [CONTROL_BEGIN] = "BEGIN IMMEDIATE",
    [CONTROL_COMMIT] = "COMMIT",
    [CONTROL_ROLLBACK] = "ROLLBACK",
    [CONTROL_SAVEPOINT] = "SAVEPOINT job",
    [CONTROL_RELEASE] = "RELEASE job",
    [CONTROL_ROLLBACK_TO] = "ROLLBACK TO job",
    [CONTROL_READ_BEGIN] = "BEGIN DEFERRED",
    [CONTROL_JOURNAL_MODE] = "PRAGMA journal_mode",
    /* As statements, so that whoever traces a connection sees them. */
    [CONTROL_CHECKPOINT] = "PRAGMA wal_checkpoint(PASSIVE)",
    [CONTROL_TRUNCATE] = "PRAGMA wal_checkpoint(TRUNCATE)",
};
const struct sql_set sql_control = {"control", SLOTS_CONTROL, CONTROLS, control_texts};

static const char settings_of_all[] =
    "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"
    "PRAGMA recursive_triggers=ON; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY;"
    "PRAGMA wal_autocheckpoint=0;";
static const char *const settings_of_mode[] = {
    [DB_MODE_DRAFT] = "PRAGMA synchronous=FULL;",
    [DB_MODE_WRITER] = ("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                        "PRAGMA journal_size_limit=16777216;"),
    /* Sixteen MiB, taken only as a large file fills them: the upper pages of every index stay. */
    [DB_MODE_READER] = "PRAGMA query_only=ON; PRAGMA cache_size=-16384;",
    [DB_MODE_INSPECTOR] = "PRAGMA query_only=ON;",
};

static void configure_limits(sqlite3 *handle)
{
    (void)sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    (void)sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    (void)sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    (void)sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
    (void)sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, SQL_LENGTH_MAX);
    (void)sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
}

/* SQLite answers a journal mode it cannot have with the one it kept, not with an error. */
static enum db_status check_wal(struct db *db)
{
    char mode[DB_WORD_TEXT] = "";
    struct query query;
    query_begin(&query, db, &sql_control, CONTROL_JOURNAL_MODE);
    bool found = query_step(&query);
    if (found) {
        column_text(&query, 0, mode, sizeof mode);
    }
    enum db_status status = query_end_one(&query, found);
    return status == DB_OK && strcmp(mode, "wal") != 0 ? DB_DENIED : status;
}

static enum db_status configure(struct db *db, enum db_mode mode)
{
    sqlite3 *handle = db->handle;
    (void)sqlite3_extended_result_codes(handle, 1);
    (void)sqlite3_busy_timeout(handle, DB_BUSY_TRY_MS);
    configure_limits(handle);
    enum db_status status = db_script(db, settings_of_all, NULL);
    if (status == DB_OK) {
        status = db_script(db, settings_of_mode[mode], NULL);
    }
    if (mode == DB_MODE_WRITER) {
        status = status == DB_OK ? check_wal(db) : status;
        (void)sqlite3_wal_hook(handle, note_wal_pages, db);
    }
    if (mode == DB_MODE_READER) {
        int steps = FAULT_IS_PREPARED("no_budget") ? 1 : BUDGET_CHECK_STEPS;
        sqlite3_progress_handler(handle, steps, over_budget, db);
    }
    return status;
}

/* SQLite counts every allocation under one lock unless told otherwise before its first use. */
static void configure_library(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

enum db_status db_connect(const char *path, enum db_mode mode, struct db **db)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, configure_library);
    struct db *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return DB_ERROR;
    }
    bool writes = mode == DB_MODE_WRITER || mode == DB_MODE_DRAFT;
    int flags = writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    int result = sqlite3_open_v2(path, &opened->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
    enum db_status status = sqlite_status(result);
    if (status == DB_OK) {
        status = configure(opened, mode);
    }
    if (status != DB_OK) {
        db_close(opened);
        return status;
    }
    *db = opened;
    return DB_OK;
}

enum db_status db_open_reader(const char *path, struct db **db)
{
    return db_connect(path, DB_MODE_READER, db);
}

enum db_status db_open_checker(const char *path, struct db **db)
{
    return db_connect(path, DB_MODE_INSPECTOR, db);
}

void db_close(struct db *db)
{
    if (db == NULL) {
        return;
    }
    for (size_t i = 0; i < DB_SLOTS; i++) {
        (void)sqlite3_finalize(db->slots[i].statement);
    }
    int result = sqlite3_close(db->handle);
    assert(result == SQLITE_OK);
    (void)result;
    free(db);
}

enum db_status db_broken(const struct db *db)
{
    return db->broken;
}

enum db_status db_script(struct db *db, const char *sql, struct db_report *report)
{
    char *message = NULL;
    int result = sqlite3_exec(db->handle, sql, NULL, NULL, &message);
    if (result != SQLITE_OK && report != NULL) {
        (void)snprintf(report->text, sizeof report->text, "%s",
                       message == NULL ? sqlite3_errmsg(db->handle) : message);
    }
    sqlite3_free(message);
    return sqlite_status(result == SQLITE_OK ? SQLITE_OK : sqlite3_extended_errcode(db->handle));
}

/* --- transactions --------------------------------------------------------------------------------
 */

static enum db_status control(struct db *db, size_t which)
{
    struct query query;
    query_begin(&query, db, &sql_control, which);
    return query_run(&query);
}

enum db_status db_begin_immediate(struct db *db)
{
    return control(db, CONTROL_BEGIN);
}

enum db_status db_commit(struct db *db)
{
    return control(db, CONTROL_COMMIT);
}

void db_rollback(struct db *db)
{
    if (db_in_transaction(db)) {
        enum db_status status = control(db, CONTROL_ROLLBACK);
        assert(status == DB_OK || !db_in_transaction(db));
        (void)status;
    }
}

enum db_status db_savepoint(struct db *db)
{
    return control(db, CONTROL_SAVEPOINT);
}

enum db_status db_release(struct db *db)
{
    return control(db, CONTROL_RELEASE);
}

enum db_status db_rollback_to(struct db *db)
{
    enum db_status status = control(db, CONTROL_ROLLBACK_TO);
    return status == DB_OK ? db_release(db) : status;
}

bool db_in_transaction(const struct db *db)
{
    return sqlite3_get_autocommit(db->handle) == 0;
}

enum db_status db_read_begin(struct db *db)
{
    return control(db, CONTROL_READ_BEGIN);
}

void db_read_end(struct db *db)
{
    db_rollback(db);
}

enum db_status db_checkpoint_passive(struct db *db)
{
    return control(db, CONTROL_CHECKPOINT);
}

enum db_status db_checkpoint_truncate(struct db *db)
{
    return control(db, CONTROL_TRUNCATE);
}

enum db_status db_check_moved(struct db *db)
{
    int moved = 0;
    int result = sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (result != SQLITE_OK) {
        return sqlite_status(result);
    }
    return moved != 0 ? DB_MOVED : DB_OK;
}

/* --- queries -------------------------------------------------------------------------------------
 */

static enum db_status prepare(struct db *db, const struct sql_set *set, size_t which,
                              struct db_slot *slot)
{
    int result = sqlite3_prepare_v3(db->handle, set->texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                                    &slot->statement, NULL);
    if (result != SQLITE_OK) {
        return sqlite_failure(db, sqlite3_extended_errcode(db->handle));
    }
    for (int i = 1; i <= DB_PARAMETERS_MAX; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "$%d", i);
        slot->index[i] = (uint8_t)sqlite3_bind_parameter_index(slot->statement, name);
    }
    return DB_OK;
}

void query_begin(struct query *query, struct db *db, const struct sql_set *set, size_t which)
{
    assert(which < set->count && set->first_slot + which < DB_SLOTS);
    struct db_slot *slot = &db->slots[set->first_slot + which];
    *query = (struct query){.db = db, .status = DB_OK};
    if (slot->statement == NULL) {
        query->status = prepare(db, set, which, slot);
    }
    query->statement = slot->statement;
    query->index = slot->index;
    db->read_deadline_ms = 0;
}

/* The place of $parameter; 0 after a failure. */
static int place(const struct query *query, int parameter)
{
    assert(parameter >= 1 && parameter <= DB_PARAMETERS_MAX);
    if (query->status != DB_OK) {
        return 0;
    }
    assert(query->index[parameter] != 0);
    return query->index[parameter];
}

static void bound(struct query *query, int result)
{
    if (result != SQLITE_OK && query->status == DB_OK) {
        query->status = sqlite_status(result);
    }
}

void query_int(struct query *query, int parameter, int64_t value)
{
    int at = place(query, parameter);
    if (at != 0) {
        bound(query, sqlite3_bind_int64(query->statement, at, value));
    }
}

void query_int_or_null(struct query *query, int parameter, int64_t value)
{
    if (value == 0) {
        query_null(query, parameter);
    } else {
        query_int(query, parameter, value);
    }
}

void query_text(struct query *query, int parameter, const char *value)
{
    int at = place(query, parameter);
    if (at != 0) {
        bound(query, sqlite3_bind_text(query->statement, at, value, -1, SQLITE_STATIC));
    }
}

void query_text_or_null(struct query *query, int parameter, const char *value)
{
    if (value == NULL || value[0] == '\0') {
        query_null(query, parameter);
    } else {
        query_text(query, parameter, value);
    }
}

void query_blob(struct query *query, int parameter, const void *bytes, size_t count)
{
    int at = place(query, parameter);
    if (at != 0) {
        bound(query, sqlite3_bind_blob(query->statement, at, bytes, (int)count, SQLITE_STATIC));
    }
}

void query_null(struct query *query, int parameter)
{
    int at = place(query, parameter);
    if (at != 0) {
        bound(query, sqlite3_bind_null(query->statement, at));
    }
}

bool query_step(struct query *query)
{
    if (query->status != DB_OK) {
        return false;
    }
    int result = sqlite3_step(query->statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE) {
        query->status = sqlite_failure(query->db, result);
    }
    return result == SQLITE_ROW;
}

int64_t column_int(const struct query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

int64_t column_count(struct query *query, int column, int64_t max)
{
    int64_t number = column_int(query, column);
    if (number < 0 || number > max) {
        query->status = DB_CORRUPT;
        return 0;
    }
    return number;
}

bool column_is_null(const struct query *query, int column)
{
    return sqlite3_column_type(query->statement, column) == SQLITE_NULL;
}

void column_text(struct query *query, int column, char *text, size_t size)
{
    const unsigned char *found = sqlite3_column_text(query->statement, column);
    size_t length = (size_t)sqlite3_column_bytes(query->statement, column);
    if (found == NULL) {
        text[0] = '\0';
        return;
    }
    if (length >= size) {
        query->status = DB_CORRUPT;
        text[0] = '\0';
        return;
    }
    memcpy(text, found, length + 1);
}

void column_blob(struct query *query, int column, void *bytes, size_t count)
{
    const void *found = sqlite3_column_blob(query->statement, column);
    if (found == NULL || (size_t)sqlite3_column_bytes(query->statement, column) != count) {
        query->status = DB_CORRUPT;
        return;
    }
    memcpy(bytes, found, count);
}

size_t column_bytes(struct query *query, int column, void *bytes, size_t size)
{
    const void *found = sqlite3_column_blob(query->statement, column);
    size_t count = (size_t)sqlite3_column_bytes(query->statement, column);
    if (count > size) {
        query->status = DB_CORRUPT;
        return 0;
    }
    if (count > 0) {
        memcpy(bytes, found, count);
    }
    return count;
}

enum db_status query_end(struct query *query)
{
    if (query->statement != NULL) {
        (void)sqlite3_reset(query->statement);
    }
    query->statement = NULL;
    return query->status;
}

enum db_status query_end_one(struct query *query, bool found)
{
    enum db_status status = query_end(query);
    return status == DB_OK && !found ? DB_NONE : status;
}

enum db_status query_run(struct query *query)
{
    (void)query_step(query);
    return query_end(query);
}

int64_t query_changes(const struct db *db)
{
    return sqlite3_changes(db->handle);
}

int64_t query_all_changes(const struct db *db)
{
    return sqlite3_total_changes64(db->handle);
}

int64_t query_last_row(const struct db *db)
{
    return sqlite3_last_insert_rowid(db->handle);
}

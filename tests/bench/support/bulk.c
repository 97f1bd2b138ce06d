#include "bulk.h"

#include <assert.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>

enum { KEPT_TEXT = 1024 };

static bool execute(sqlite3 *handle, const char *sql)
{
    char *message = NULL;
    const int result = sqlite3_exec(handle, sql, NULL, NULL, &message);
    if (result != SQLITE_OK) {
        (void)fprintf(stderr, "bulk: %s\n", message == NULL ? "?" : message);
    }
    sqlite3_free(message);
    return result == SQLITE_OK;
}

/* Remembers how `what` is made, and drops it. */
static bool put_aside(sqlite3 *handle, const char *what, char sql[KEPT_TEXT])
{
    char drop[128];
    sqlite3_stmt *statement = NULL;
    bool found = sqlite3_prepare_v2(handle,
                                    "SELECT sql FROM sqlite_schema"
                                    " WHERE upper(type) || ' ' || name = ?1",
                                    -1, &statement, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(statement, 1, what, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW;
    if (found) {
        const int length =
            snprintf(sql, KEPT_TEXT, "%s", (const char *)sqlite3_column_text(statement, 0));
        found = length > 0 && length < KEPT_TEXT;
    }
    (void)sqlite3_finalize(statement);
    (void)snprintf(drop, sizeof drop, "DROP %s", what);
    if (!found) {
        (void)fprintf(stderr, "bulk: no %s\n", what);
    }
    return found && execute(handle, drop);
}

static bool fill(sqlite3 *handle, const char *const in_the_way[], const char *script)
{
    static char kept[BULK_ASIDE_MAX][KEPT_TEXT];
    size_t count = 0;
    bool good = execute(handle, "PRAGMA synchronous=OFF; PRAGMA cache_size=-200000; BEGIN");
    while (good && in_the_way[count] != NULL) {
        assert(count < BULK_ASIDE_MAX);
        good = put_aside(handle, in_the_way[count], kept[count]);
        count++;
    }
    good = good && execute(handle, script);
    for (size_t i = 0; good && i < count; i++) {
        good = execute(handle, kept[i]);
    }
    return good && execute(handle, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

bool bulk_run(const char *path, const char *const in_the_way[], const char *script)
{
    sqlite3 *handle = NULL;
    const bool good = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
                      fill(handle, in_the_way, script);
    (void)sqlite3_close(handle); /* rolls back what is not committed */
    return good;
}

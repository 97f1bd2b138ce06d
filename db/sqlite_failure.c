#include "sqlite_failure.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>

static enum db_status status_of_io(int extended)
{
    switch (extended) {
    case SQLITE_IOERR_FSYNC:
    case SQLITE_IOERR_DIR_FSYNC: return DB_FSYNC;
    case SQLITE_IOERR_NOMEM: return DB_FULL;
    default: return DB_IO;
    }
}

enum db_status sqlite_status(int result)
{
    switch (result & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE: return DB_OK;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return DB_BUSY;
    case SQLITE_NOMEM: /* room that may come back, as on a disk */
    case SQLITE_FULL: return DB_FULL;
    case SQLITE_READONLY: return result == SQLITE_READONLY_DBMOVED ? DB_MOVED : DB_READONLY;
    case SQLITE_IOERR: return status_of_io(result);
    case SQLITE_CORRUPT: return DB_CORRUPT;
    case SQLITE_NOTADB: return DB_FOREIGN;
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH: return DB_DENIED;
    case SQLITE_INTERRUPT: return DB_TIMEOUT;
    case SQLITE_CONSTRAINT: return DB_CONFLICT;
    default: return DB_ERROR;
    }
}

static int last_errno(sqlite3_file *file)
{
    int error = 0;
    if (file != NULL && file->pMethods != NULL) {
        (void)file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
    }
    return error;
}

/* SQLite knows ENOSPC alone as lack of room. A limit on file sizes and a quota are no failing disk
 * either: room may come back. */
static bool is_lack_of_room(struct db *db)
{
    static const int controls[] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        sqlite3_file *file = NULL;
        (void)sqlite3_file_control(db->handle, "main", controls[i], &file);
        int error = last_errno(file);
        if (error == EFBIG || error == EDQUOT) {
            return true;
        }
    }
    return false;
}

enum db_status sqlite_failure(struct db *db, int result)
{
    assert(result != SQLITE_OK && result != SQLITE_ROW && result != SQLITE_DONE);
    enum db_status status = sqlite_status(result);
    if (result == SQLITE_IOERR_WRITE && is_lack_of_room(db)) {
        status = DB_FULL;
    }
    bool broken = status == DB_IO || status == DB_FSYNC || status == DB_CORRUPT ||
                  status == DB_FOREIGN || status == DB_MOVED;
    if (broken && db->broken == DB_OK) {
        db->broken = status == DB_FOREIGN ? DB_CORRUPT : status;
    }
    return status;
}

#ifndef DB_SQLITE_FAILURE_H
#define DB_SQLITE_FAILURE_H

/*
 * SQLite's result codes in our words. Threads: that of the connection.
 */

#include "driver.h"

/* Of an extended result code. */
enum db_status sqlite_status(int result);

/* The same for a statement that failed on this connection. What a row says is one game's trouble;
 * what SQLite says of the file is everybody's, and the connection remembers it as `broken`. */
enum db_status sqlite_failure(struct db *db, int result);

#endif

#ifndef DB_DRIVER_H
#define DB_DRIVER_H

/*
 * The narrow seam to the database engine: connections, transactions, queries. All SQL above it is
 * the common dialect with $1, $2, ... parameters; a second engine means a second file like
 * sqlite.c.
 *
 * Threads: a connection and its queries belong to one thread at a time.
 * Ownership: a query borrows its prepared statement from the connection between query_begin and
 * query_end; texts that are bound must live until then.
 */

#include "db.h"
#include "standings.h"
#include "tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

enum {
    DB_PARAMETERS_MAX = 24,
    DB_SLOTS = 320,
    DB_READ_BUDGET_MS = 50, /* a served read that takes longer is given up: DB_TIMEOUT */
    DB_BUSY_TRY_MS = 250,   /* one statement waits this long for a foreign lock: DB_BUSY */
};

/* The SQL texts of one file, beside its bind and column code. Prepared lazily, once a connection,
 * into the slots [first_slot, first_slot + count). */
struct sql_set {
    const char *name;
    size_t first_slot;
    size_t count;
    const char *const *texts;
};
enum {
    SLOTS_PLAYERS = 0,
    SLOTS_GAMES = 16,
    SLOTS_GAME_ROWS = 40,
    SLOTS_TICKETS = 56,
    SLOTS_RATINGS = 64,
    SLOTS_RANKINGS = 80,
    SLOTS_CHAIN = 96,
    SLOTS_SERVER = 104,
    SLOTS_SCHEMA = 112,
    SLOTS_CONTROL = 116,
    SLOTS_DEVICES = 128,
    SLOTS_RECEIPTS = 152,
    SLOTS_PLAYER_NAMES = 160,
    SLOTS_GAME_LISTS = 168,
    SLOTS_RANKING_PAGES = 184,
    SLOTS_RESULTS = 192,
    SLOTS_HISTORY = 200,
    SLOTS_REVISION = 208,
    SLOTS_TALLY = 212,
    SLOTS_ORIGINS = 216,
    SLOTS_COPY = 220,
    SLOTS_OPERATORS = 224,
    SLOTS_PERSONAL = 232,
    SLOTS_CLOCKS = 240,
    SLOTS_TABLES = 256,
    SLOTS_TABLE_ROWS = 272,
    SLOTS_REMATCHES = 280,
};
extern const struct sql_set sql_control, sql_players, sql_devices, sql_games, sql_game_rows,
    sql_tickets, sql_ratings, sql_rankings, sql_chain, sql_server, sql_schema, sql_receipts,
    sql_player_names, sql_game_lists, sql_ranking_pages, sql_results, sql_history, sql_revision,
    sql_tally, sql_copy, sql_operators, sql_origins, sql_clocks, sql_personal, sql_tables,
    sql_table_rows, sql_rematches;

/* All of them, for the tests that prepare and explain every statement. */
size_t sql_sets(const struct sql_set *const **sets);

struct db_slot {
    struct sqlite3_stmt *statement;       /* NULL: not prepared yet */
    uint8_t index[DB_PARAMETERS_MAX + 1]; /* of $n: its place in the order of first appearance */
};

struct db {
    struct sqlite3 *handle;
    struct db_slot slots[DB_SLOTS];
    int64_t read_deadline_ms; /* monotonic; 0: no budget running */
    bool had_wal;             /* an inspector's: a WAL lay beside the file before it was opened */
    int wal_pages;            /* in the WAL after the last commit */
    struct db_tally tally;    /* of the transaction that is open */
    enum db_status broken;    /* the first failure of the file itself, as SQLite met it */
};

enum db_mode {
    DB_MODE_DRAFT,     /* read-write on a file nobody else knows yet; no WAL */
    DB_MODE_WRITER,    /* read-write, the one connection that ever writes or checkpoints */
    DB_MODE_READER,    /* read-only, with the budget */
    DB_MODE_INSPECTOR, /* read-only, without it */
};

DB_NODISCARD enum db_status db_connect(const char *path, enum db_mode mode, struct db **db);

/* For deadlines; no time of day. */
int64_t db_monotonic_ms(void);

/* --- transactions (the writer's) ---------------------------------------------------------------
 */

DB_NODISCARD enum db_status db_begin_immediate(struct db *db);
DB_NODISCARD enum db_status db_commit(struct db *db);
void db_rollback(struct db *db); /* whatever is open; never fails in a way that matters */
DB_NODISCARD enum db_status db_savepoint(struct db *db);
DB_NODISCARD enum db_status db_release(struct db *db);
DB_NODISCARD enum db_status db_rollback_to(struct db *db); /* and releases the savepoint */
/* Some failures roll the whole transaction back by themselves. */
bool db_in_transaction(const struct db *db);

/* Moves what it can from the WAL to the file without waiting for anybody. */
DB_NODISCARD enum db_status db_checkpoint_passive(struct db *db);
/* Empties the WAL, for the orderly end. */
DB_NODISCARD enum db_status db_checkpoint_truncate(struct db *db);
/* DB_OK, or DB_MOVED: the file was renamed or deleted under the connection. */
DB_NODISCARD enum db_status db_check_moved(struct db *db);

/* Runs a script (migrations and settings only). */
DB_NODISCARD enum db_status db_script(struct db *db, const char *sql, struct db_report *report);

/* --- queries ------------------------------------------------------------------------------------
 */

struct query {
    struct db *db;
    struct sqlite3_stmt *statement;
    const uint8_t *index;
    enum db_status status; /* the first failure; everything after it does nothing */
};

void query_begin(struct query *query, struct db *db, const struct sql_set *set, size_t which);

/* Parameters by their number in the text. */
void query_int(struct query *query, int parameter, int64_t value);
void query_int_or_null(struct query *query, int parameter, int64_t value); /* 0: NULL */
void query_text(struct query *query, int parameter, const char *value);
void query_text_or_null(struct query *query, int parameter, const char *value); /* "": NULL */
void query_blob(struct query *query, int parameter, const void *bytes, size_t count);
void query_null(struct query *query, int parameter);

/* True: there is a row, and its columns can be read (from 0). */
bool query_step(struct query *query);
int64_t column_int(const struct query *query, int column); /* NULL: 0 */
/* NULL: 0. A number below 0 or over `max` is DB_CORRUPT, and 0. */
int64_t column_count(struct query *query, int column, int64_t max);
bool column_is_null(const struct query *query, int column);
/* NULL: "". A text that does not fit is DB_CORRUPT. */
void column_text(struct query *query, int column, char *text, size_t size);
/* Anything but exactly `count` bytes is DB_CORRUPT. */
void column_blob(struct query *query, int column, void *bytes, size_t count);
/* How many there are; NULL: none. More than `size` is DB_CORRUPT. */
size_t column_bytes(struct query *query, int column, void *bytes, size_t size);

/* Gives the statement back. Once for every query_begin. */
DB_NODISCARD enum db_status query_end(struct query *query);
/* The same for a single row: DB_NONE where nothing failed and nothing was found. */
DB_NODISCARD enum db_status query_end_one(struct query *query, bool found);
/* A statement without rows: step and end. */
DB_NODISCARD enum db_status query_run(struct query *query);
/* Rows that the last statement of this connection changed. */
int64_t query_changes(const struct db *db);
int64_t query_last_row(const struct db *db);
/* Rows that all statements of this connection have changed so far, also what was rolled back. */
int64_t query_all_changes(const struct db *db);

#endif

#include "store.h"

#include "db/migrations.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What db_prepare takes, makes and refuses. A refused file stays as it is, byte for byte, and so
 * does what lies beside it. */

TestSuite(prepare, .init = store_enter, .fini = store_leave);

static struct db_report report;

static void refused(enum db_status expected)
{
    uint64_t before = store_print(store_path());
    uint64_t wal = store_print(store_file("banzuke.db-wal"));
    uint64_t shm = store_print(store_file("banzuke.db-shm"));
    store_prepare(expected, &report);
    cr_assert_eq(store_print(store_path()), before, "the refused file was changed");
    cr_assert_eq(store_print(store_file("banzuke.db-wal")), wal, "the WAL was changed");
    cr_assert_eq(store_print(store_file("banzuke.db-shm")), shm, "the WAL index was changed");
}

static void change(const char *sql)
{
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, sql);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(prepare, a_missing_file_is_made_with_every_migration)
{
    store_prepare(DB_OK, &report);
    cr_assert(report.created);
    sqlite3 *foreign = foreign_open(store_path());
    cr_assert_eq(foreign_int(foreign, "PRAGMA application_id"), DB_APPLICATION_ID);
    cr_assert_eq(foreign_int(foreign, "PRAGMA user_version"),
                 migrations[migration_count - 1].version);
    cr_assert_eq(foreign_int(foreign, "SELECT count(*) FROM schema_migration"),
                 (int64_t)migration_count);
    cr_assert_eq(foreign_int(foreign, "SELECT applied_at_ms FROM schema_migration"), STORE_NOW_MS);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    cr_assert(!store_exists("banzuke.db.new"));
}

Test(prepare, a_file_of_this_build_is_taken_as_it_is)
{
    store_prepare(DB_OK, &report);
    uint64_t before = store_print(store_path());
    store_prepare(DB_OK, &report);
    cr_assert(!report.created);
    cr_assert_eq(store_print(store_path()), before);
}

Test(prepare, a_draft_left_by_a_killed_start_is_thrown_away)
{
    store_write(store_file("banzuke.db.new"), "half", 4);
    store_prepare(DB_OK, &report);
    cr_assert(report.created);
    cr_assert(!store_exists("banzuke.db.new"));
}

Test(prepare, an_older_file_is_brought_up_to_date_with_its_rows)
{
    store_at(1);
    store_prepare(DB_OK, &report);
    cr_assert(!report.created);
    sqlite3 *foreign = foreign_open(store_path());
    cr_assert_eq(foreign_int(foreign, "PRAGMA user_version"),
                 migrations[migration_count - 1].version);
    cr_assert_eq(foreign_int(foreign, "SELECT created_at_ms FROM player WHERE name = 'aki'"), 7);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(prepare, a_migration_that_fails_leaves_the_older_file)
{
    store_at(1);
    change("CREATE TABLE ranking (in_the_way INTEGER)");
    store_prepare(DB_ERROR, &report);
    sqlite3 *foreign = foreign_open(store_path());
    cr_assert_eq(foreign_int(foreign, "PRAGMA user_version"), 1);
    cr_assert_eq(foreign_int(foreign, "SELECT count(*) FROM sqlite_schema WHERE type='view'"), 0);
    cr_assert_eq(foreign_int(foreign, "SELECT count(*) FROM player"), 1);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(prepare, an_older_file_is_too_old_to_inspect)
{
    struct db *db = NULL;
    store_at(1);
    cr_assert_eq(db_open_inspector(store_path(), &db, &report), DB_OLDER);
    cr_assert_null(db);
    cr_expect_not_null(strstr(report.text, "older"), "%s", report.text);
}

static void inspect_and_close(void)
{
    struct db *db = NULL;
    cr_assert_eq(db_open_inspector(store_path(), &db, &(struct db_report){0}), DB_OK);
    cr_assert_eq(db_read_begin(db), DB_OK);
    struct db_player player;
    cr_assert_eq(db_player_load(db, 1, &player), DB_NONE);
    db_read_end(db);
    db_close_inspector(db, store_path());
}

static bool traces_are_there(void)
{
    return store_exists("banzuke.db-wal") || store_exists("banzuke.db-shm");
}

Test(prepare, inspecting_a_file_leaves_nothing_beside_it)
{
    store_close(store_open());
    cr_assert_not(traces_are_there());
    uint64_t before = store_print(store_path());
    inspect_and_close();
    cr_expect_not(traces_are_there());
    cr_expect_eq(store_print(store_path()), before);
}

Test(prepare, refusing_to_inspect_a_file_leaves_nothing_beside_it)
{
    struct db *db = NULL;
    store_close(store_open());
    change("PRAGMA user_version = 9999");
    uint64_t before = store_print(store_path());
    cr_assert_eq(db_open_inspector(store_path(), &db, &(struct db_report){0}), DB_NEWER);
    cr_expect_not(traces_are_there());
    cr_expect_eq(store_print(store_path()), before);
}

/* In another process, as the locks of one process do not bind it. */
static pid_t hold_open(const char *sql, int *held)
{
    int pipes[2];
    char byte = 0;
    cr_assert_eq(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        sqlite3 *foreign = foreign_open(store_path());
        foreign_run(foreign, sql);
        (void)foreign_int(foreign, "SELECT count(*) FROM player");
        (void)!write(pipes[1], "!", 1);
        (void)pause();
    }
    (void)close(pipes[1]);
    cr_assert_eq(read(pipes[0], &byte, 1), 1);
    *held = pipes[0];
    return child;
}

static void let_go(pid_t child, int held)
{
    (void)kill(child, SIGKILL);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    (void)close(held);
}

Test(prepare, inspecting_takes_nothing_away_from_somebody_who_came_meanwhile)
{
    struct db *db = NULL;
    int held = -1;
    store_close(store_open());
    cr_assert_eq(db_open_inspector(store_path(), &db, &(struct db_report){0}), DB_OK);
    pid_t child = hold_open("BEGIN", &held);
    db_close_inspector(db, store_path());
    cr_expect(store_exists("banzuke.db-wal") && store_exists("banzuke.db-shm"));
    let_go(child, held);
    inspect_and_close();
}

Test(prepare, inspecting_leaves_the_wal_of_a_killed_server_as_it_is)
{
    int held = -1;
    store_close(store_open());
    pid_t child = hold_open("UPDATE pool SET game = game", &held);
    let_go(child, held);
    uint64_t before = store_print(store_path());
    uint64_t wal = store_print(store_file("banzuke.db-wal"));
    inspect_and_close();
    cr_expect_eq(store_print(store_path()), before);
    cr_expect_eq(store_print(store_file("banzuke.db-wal")), wal);
    cr_expect_neq(wal, 0);
}

Test(prepare, a_newer_file_is_refused)
{
    store_prepare(DB_OK, &report);
    change("PRAGMA user_version = 9999");
    refused(DB_NEWER);
    cr_assert_not_null(strstr(report.text, "9999"));
}

/* What the main file says lags behind: the newer version is in the WAL of a killed server only. */
Test(prepare, a_newer_file_is_refused_by_its_wal_too)
{
    store_prepare(DB_OK, &report);
    pid_t child = fork();
    if (child == 0) {
        sqlite3 *newer = foreign_open(store_path());
        foreign_run(newer, "PRAGMA journal_mode=WAL; PRAGMA user_version = 9999");
        (void)raise(SIGKILL);
    }
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_assert(store_exists("banzuke.db-wal"));
    uint64_t before = store_print(store_path());
    uint64_t wal = store_print(store_file("banzuke.db-wal"));
    store_prepare(DB_NEWER, &report);
    cr_assert_eq(store_print(store_path()), before);
    cr_assert_eq(store_print(store_file("banzuke.db-wal")), wal);
}

Test(prepare, what_a_killed_server_had_committed_is_there)
{
    store_prepare(DB_OK, &report);
    pid_t child = fork();
    if (child == 0) {
        struct db *db = store_open();
        (void)store_player(db, "aki");
        cr_assert_eq(db_commit(db), DB_OK);
        (void)raise(SIGKILL);
    }
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_assert(store_exists("banzuke.db-wal"));
    struct db *db = store_open();
    struct db_player player;
    cr_assert_eq(db_player_load(db, 1, &player), DB_OK);
    cr_assert_str_eq(player.name, "aki");
    store_close(db);
}

Test(prepare, a_migration_with_other_contents_is_another_history)
{
    store_prepare(DB_OK, &report);
    change("UPDATE schema_migration SET sha256 = replace(sha256, substr(sha256, 1, 4), 'beef')"
           " WHERE version = 1");
    refused(DB_FOREIGN);
    cr_assert_not_null(strstr(report.text, "migration"));
}

/* --- foreign and damaged files -------------------------------------------------------------------
 */

Test(prepare, an_empty_file_is_refused)
{
    store_write(store_path(), "", 0);
    refused(DB_FOREIGN);
}

Test(prepare, a_file_of_random_bytes_is_refused)
{
    unsigned char bytes[8192];
    sqlite3_randomness(sizeof bytes, bytes);
    store_write(store_path(), bytes, sizeof bytes);
    refused(DB_FOREIGN);
}

Test(prepare, a_database_of_another_program_is_refused)
{
    change("PRAGMA journal_mode=WAL; PRAGMA application_id = 77; CREATE TABLE t (x)");
    refused(DB_FOREIGN);
}

Test(prepare, a_database_of_nobody_is_refused)
{
    change("CREATE TABLE player (x)");
    refused(DB_FOREIGN);
}

/* Ours by its header, but nothing of ours in it. */
Test(prepare, a_database_without_its_migrations_is_refused)
{
    char sql[96];
    (void)snprintf(sql, sizeof sql, "CREATE TABLE t (x); PRAGMA application_id = %d",
                   DB_APPLICATION_ID);
    change(sql);
    change("PRAGMA user_version = 1");
    uint64_t before = store_print(store_path());
    struct db_lock *lock = NULL;
    bool check_later = false;
    enum db_status status = db_prepare(store_path(), STORE_NOW_MS, &lock, &check_later, &report);
    cr_assert(status == DB_FOREIGN || status == DB_CORRUPT, "%s", db_status_text(status));
    cr_assert_eq(store_print(store_path()), before);
}

static void truncate_to(off_t bytes)
{
    store_prepare(DB_OK, &report);
    cr_assert_eq(truncate(store_path(), bytes), 0);
}

Test(prepare, a_file_cut_in_half_is_damaged)
{
    struct stat found;
    store_prepare(DB_OK, &report);
    cr_assert_eq(stat(store_path(), &found), 0);
    truncate_to(found.st_size / 2);
    refused(DB_CORRUPT);
}

Test(prepare, a_file_that_is_only_a_header_is_damaged)
{
    truncate_to(100);
    refused(DB_CORRUPT);
}

Test(prepare, a_file_shorter_than_a_header_is_refused)
{
    truncate_to(60);
    refused(DB_FOREIGN);
}

Test(prepare, three_smashed_pages_are_damage)
{
    unsigned char noise[3 * 4096];
    store_prepare(DB_OK, &report);
    memset(noise, 0xa5, sizeof noise);
    int descriptor = open(store_path(), O_WRONLY | O_CLOEXEC);
    cr_assert_eq(pwrite(descriptor, noise, sizeof noise, 16384), (ssize_t)sizeof noise);
    (void)close(descriptor);
    refused(DB_CORRUPT);
}

/* --- places --------------------------------------------------------------------------------------
 */

static enum db_status prepare_at(const char *path)
{
    struct db_lock *lock = NULL;
    bool check_later = false;
    enum db_status status = db_prepare(path, STORE_NOW_MS, &lock, &check_later, &report);
    db_unlock(lock);
    return status;
}

Test(prepare, a_folder_that_is_not_there_is_denied)
{
    cr_assert_eq(prepare_at(store_file("nowhere/banzuke.db")), DB_DENIED);
    cr_assert_neq(report.text[0], '\0');
}

Test(prepare, a_folder_in_place_of_the_file_is_denied)
{
    cr_assert_eq(mkdir(store_path(), 0700), 0);
    cr_assert_eq(prepare_at(store_path()), DB_DENIED);
}

Test(prepare, a_file_system_without_files_is_denied)
{
    cr_assert_eq(prepare_at("/proc/banzuke.db"), DB_DENIED);
}

Test(prepare, a_path_beyond_every_bound_is_denied)
{
    static char path[2 * DB_PATH_MAX];
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    cr_assert_eq(prepare_at(path), DB_DENIED);
}

Test(prepare, a_symbolic_link_to_nothing_is_denied)
{
    cr_assert_eq(symlink("/tmp/banzuke-nowhere/x.db", store_path()), 0);
    cr_assert_eq(prepare_at(store_path()), DB_DENIED);
    cr_assert(store_exists("banzuke.db"));
}

Test(prepare, a_second_name_of_the_file_is_denied)
{
    store_prepare(DB_OK, &report);
    cr_assert_eq(link(store_path(), store_file("other.db")), 0);
    refused(DB_DENIED);
    cr_assert_eq(prepare_at(store_file("other.db")), DB_DENIED);
}

/* --- the lock ------------------------------------------------------------------------------------
 */

Test(prepare, a_second_server_is_refused_at_once)
{
    struct db_lock *lock = NULL;
    struct db_lock *second = NULL;
    bool check_later = false;
    cr_assert_eq(db_prepare(store_path(), 1, &lock, &check_later, &report), DB_OK);
    cr_assert_eq(db_prepare(store_path(), 1, &second, &check_later, &report), DB_LOCKED);
    cr_assert_null(second);
    db_unlock(lock);
    store_prepare(DB_OK, &report);
}

Test(prepare, a_symbolic_link_leads_to_the_same_lock)
{
    struct db_lock *lock = NULL;
    bool check_later = false;
    cr_assert_eq(db_prepare(store_path(), 1, &lock, &check_later, &report), DB_OK);
    cr_assert_eq(symlink(store_path(), store_file("link.db")), 0);
    cr_assert_eq(prepare_at(store_file("link.db")), DB_LOCKED);
    db_unlock(lock);
    cr_assert_eq(prepare_at(store_file("link.db")), DB_OK);
}

Test(prepare, the_lock_of_a_killed_server_blocks_nobody)
{
    pid_t child = fork();
    if (child == 0) {
        struct db_lock *lock = NULL;
        bool check_later = false;
        cr_assert_eq(db_prepare(store_path(), 1, &lock, &check_later, &report), DB_OK);
        (void)raise(SIGKILL);
    }
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_assert(store_exists("banzuke.db.lock"));
    store_prepare(DB_OK, &report);
}

#include "store.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What lies beside a file that is not there. SQLite would play it into a new file. */

TestSuite(leftovers, .init = store_enter, .fini = store_leave);

static struct db_report report;

/* A file that a killed process was changing, and then the file is gone. */
static void leave_companion(void (*change)(void))
{
    store_prepare(DB_OK, &report);
    pid_t child = fork();
    if (child == 0) {
        change();
        (void)raise(SIGKILL);
    }
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_assert_eq(unlink(store_path()), 0);
}

/* Refused, nothing made, and what is left stays as it is. */
static void refused_because_of(const char *suffix)
{
    char name[32];
    (void)snprintf(name, sizeof name, "banzuke.db%s", suffix);
    uint64_t before = store_print(store_file(name));
    cr_assert_neq(before, 0);
    store_prepare(DB_CORRUPT, &report);
    cr_expect_not_null(strstr(report.text, suffix), "%s", report.text);
    cr_expect_eq(store_print(store_file(name)), before);
    cr_expect_not(store_exists("banzuke.db"));
    cr_expect_not(store_exists("banzuke.db.new"));
}

static void commit_to_the_wal(void)
{
    struct db *db = store_open();
    (void)store_player(db, "aki");
    cr_assert_eq(db_commit(db), DB_OK);
}

/* More than the cache holds, so that the journal was synced and the file written to. */
static void write_under_a_journal(void)
{
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "PRAGMA journal_mode=DELETE; PRAGMA cache_size=8; BEGIN;"
                         "CREATE TABLE t (x); INSERT INTO t WITH RECURSIVE n (i) AS"
                         " (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
                         " SELECT zeroblob(1000) FROM n");
}

Test(leftovers, a_wal_whose_file_is_gone_is_not_played_into_a_new_one)
{
    leave_companion(commit_to_the_wal);
    refused_because_of("-wal");
    cr_assert_eq(unlink(store_file("banzuke.db-wal")), 0);
    store_prepare(DB_OK, &report);
    cr_assert(report.created);
}

Test(leftovers, a_hot_journal_whose_file_is_gone_is_not_played_into_a_new_one)
{
    leave_companion(write_under_a_journal);
    refused_because_of("-journal");
}

Test(leftovers, what_can_change_no_file_does_not_keep_a_new_one_from_being_made)
{
    static const char spent[512];
    leave_companion(commit_to_the_wal);
    cr_assert(store_exists("banzuke.db-shm"));
    store_write(store_file("banzuke.db-wal"), "", 0);
    store_write(store_file("banzuke.db-journal"), spent, sizeof spent);
    store_prepare(DB_OK, &report);
    cr_assert(report.created);
    struct db *db = store_open();
    struct db_player player;
    cr_assert_eq(db_player_load(db, 1, &player), DB_NONE);
    store_close(db);
}

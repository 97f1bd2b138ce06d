#include "store.h"

#include "db/maintenance.h"
#include "db/migrations.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What operators do to a file: bring it up to date, copy it. */

TestSuite(maintenance, .init = store_enter, .fini = store_leave);

static struct db_report report;
static struct db_copy copy;

static int latest(void)
{
    return migrations[migration_count - 1].version;
}

static int64_t ask(const char *path, const char *sql)
{
    sqlite3 *foreign = foreign_open(path);
    int64_t number = foreign_int(foreign, sql);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    return number;
}

static void change(const char *sql)
{
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, sql);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

/* Files in the folder whose names have this in them. */
static size_t files_like(const char *part)
{
    char folder[128];
    size_t files = 0;
    (void)snprintf(folder, sizeof folder, "%s", store_path());
    *strrchr(folder, '/') = '\0';
    DIR *listing = opendir(folder);
    cr_assert_not_null(listing);
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        files += strstr(entry->d_name, part) != NULL;
    }
    (void)closedir(listing);
    return files;
}

static char *copy_path(void)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s", store_file("copy.db"));
    return path;
}

static enum db_status prepare_existing(bool migrates)
{
    struct db_lock *lock = NULL;
    enum db_status status =
        db_prepare_existing(store_path(), STORE_NOW_MS, migrates, &lock, &report);
    cr_assert_eq(lock != NULL, status == DB_OK);
    db_unlock(lock);
    return status;
}

/* --- migrating -----------------------------------------------------------------------------------
 */

Test(maintenance, before_an_older_file_is_migrated_it_is_copied)
{
    char said[512];
    char before[128];
    store_at(1);
    cr_assert_eq(prepare_existing(true), DB_OK);
    (void)snprintf(before, sizeof before, "%s", store_file("banzuke.db.before-0002"));
    (void)snprintf(said, sizeof said, "%s: schema 1 brought to %d; as it was: %s", store_path(),
                   latest(), before);
    cr_expect_str_eq(report.text, said);
    cr_expect_eq(ask(store_path(), "PRAGMA user_version"), latest());
    cr_expect_eq(ask(before, "PRAGMA user_version"), 1);
    cr_expect_eq(ask(before, "SELECT count(*) FROM player WHERE name = 'aki'"), 1);
    cr_expect_eq(ask(before, "SELECT count(*) FROM sqlite_schema WHERE type = 'view'"), 0);
    cr_expect_eq(files_like(".part-"), 0);
}

Test(maintenance, a_file_of_every_version_keeps_its_rows)
{
    for (int version = 1; version < latest(); version++) {
        char before[64];
        (void)unlink(store_path());
        store_at(version);
        cr_assert_eq(prepare_existing(true), DB_OK, "%d: %s", version, report.text);
        (void)snprintf(before, sizeof before, "banzuke.db.before-%04d", version + 1);
        cr_expect_eq(ask(store_file(before), "PRAGMA user_version"), version);
        cr_expect_eq(ask(store_path(), "PRAGMA user_version"), latest());
        cr_expect_eq(ask(store_path(), "SELECT count(*) FROM player WHERE name = 'aki'"), 1);
        cr_expect_eq(ask(store_path(), "SELECT count(*) FROM seat JOIN game USING (game_no)"), 2);
        cr_expect_eq(ask(store_path(), "SELECT count(*) FROM pragma_foreign_key_check"), 0);
        cr_expect_eq(ask(store_path(), "SELECT quick_check = 'ok' FROM pragma_quick_check"), 1);
    }
}

Test(maintenance, serving_an_older_file_copies_it_too_and_says_so)
{
    store_at(1);
    store_prepare(DB_OK, &report);
    cr_expect_not_null(strstr(report.text, "as it was: "), "%s", report.text);
    cr_expect_eq(ask(store_file("banzuke.db.before-0002"), "PRAGMA user_version"), 1);
}

Test(maintenance, the_copy_of_an_earlier_try_is_replaced)
{
    store_at(1);
    store_write(store_file("banzuke.db.before-0002"), "half", 4);
    cr_assert_eq(prepare_existing(true), DB_OK);
    cr_expect_eq(ask(store_file("banzuke.db.before-0002"), "SELECT count(*) FROM player"), 1);
}

Test(maintenance, without_the_copy_nothing_is_migrated)
{
    store_at(1);
    char in_the_way[160];
    (void)snprintf(in_the_way, sizeof in_the_way, "%s", store_file("banzuke.db.before-0002"));
    cr_assert_eq(mkdir(in_the_way, 0700), 0);
    cr_assert_eq(prepare_existing(true), DB_DENIED);
    cr_expect_not_null(strstr(report.text, "no copy before migrating"), "%s", report.text);
    cr_expect_eq(ask(store_path(), "PRAGMA user_version"), 1);
    cr_expect_eq(files_like(".part-"), 0);
}

Test(maintenance, the_copy_before_a_migration_that_fails_stays)
{
    store_at(1);
    change("CREATE TABLE ranking (in_the_way INTEGER)");
    cr_assert_eq(prepare_existing(true), DB_ERROR);
    cr_expect_eq(ask(store_path(), "PRAGMA user_version"), 1);
    cr_expect_eq(ask(store_file("banzuke.db.before-0002"), "SELECT count(*) FROM player"), 1);
}

Test(maintenance, a_file_that_is_up_to_date_is_neither_copied_nor_changed)
{
    store_prepare(DB_OK, &report);
    uint64_t before = store_print(store_path());
    cr_assert_eq(prepare_existing(true), DB_OK);
    cr_expect_str_empty(report.text);
    cr_expect_eq(store_print(store_path()), before);
    cr_expect_eq(files_like("banzuke.db"), 2, "the file and its lock");
}

Test(maintenance, an_older_file_is_left_alone_where_migrating_was_not_asked_for)
{
    store_at(1);
    uint64_t before = store_print(store_path());
    cr_assert_eq(prepare_existing(false), DB_OLDER);
    cr_expect_not_null(strstr(report.text, "banzuke migrate"), "%s", report.text);
    cr_expect_eq(store_print(store_path()), before);
    cr_expect_eq(files_like("before"), 0);
}

Test(maintenance, a_missing_file_is_not_made)
{
    cr_assert_eq(prepare_existing(true), DB_DENIED);
    cr_expect_eq(files_like("banzuke"), 0);
}

/* --- copying -------------------------------------------------------------------------------------
 */

/* A file with a player in it, whose last transaction is still in its WAL. */
static void killed_after_a_commit(void)
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
}

Test(maintenance, a_backup_is_one_whole_file_with_what_is_in_the_wal)
{
    struct stat found;
    killed_after_a_commit();
    uint64_t before = store_print(store_path());
    uint64_t wal = store_print(store_file("banzuke.db-wal"));
    cr_assert_eq(db_backup(store_path(), copy_path(), STORE_NOW_MS, &copy, &report), DB_OK, "%s",
                 report.text);
    cr_expect_eq(store_print(store_path()), before);
    cr_expect_eq(store_print(store_file("banzuke.db-wal")), wal);
    cr_assert_eq(stat(copy_path(), &found), 0);
    cr_expect_eq(found.st_mode & 07777, 0600);
    cr_expect_eq(found.st_size, copy.bytes);
    cr_expect_eq(copy.schema_version, latest());
    cr_expect(!copy.has_link);
    cr_expect_eq(files_like("copy"), 1, "nothing beside it");
    cr_expect_eq(ask(copy_path(), "SELECT count(*) FROM player WHERE name = 'aki'"), 1);
    cr_expect_eq(ask(copy_path(), "SELECT journal_mode = 'delete' FROM pragma_journal_mode"), 1);
}

Test(maintenance, a_backup_knows_that_it_is_one_and_the_file_does_not)
{
    static const char copied[] = "SELECT copied_at_ms FROM server";
    struct db_server server = {.key_id = "0123456789abcdef", .created_at_ms = 1};
    struct db *db = store_open();
    cr_assert_eq(db_server_insert(db, &server), DB_OK);
    store_close(db);
    cr_assert_eq(db_backup(store_path(), copy_path(), STORE_NOW_MS, &copy, &report), DB_OK);
    cr_expect_eq(ask(copy_path(), copied), STORE_NOW_MS);
    cr_expect_eq(ask(store_path(), copied), 0);
}

Test(maintenance, a_backup_names_the_head_of_the_chain)
{
    struct db *db = store_open();
    int64_t game_no = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    struct db_link link = {
        .kind = "ended", .game_no = game_no, .at_ms = STORE_NOW_MS, .hash = {7, 8}
    };
    cr_assert_eq(db_chain_insert(db, &link), DB_OK);
    store_close(db);
    cr_assert_eq(db_backup(store_path(), copy_path(), STORE_NOW_MS, &copy, &report), DB_OK, "%s",
                 report.text);
    cr_assert(copy.has_link);
    cr_expect_eq(copy.link.link, 1);
    cr_expect_arr_eq(copy.link.hash, link.hash, sizeof link.hash);
}

Test(maintenance, a_backup_replaces_nothing)
{
    store_prepare(DB_OK, &report);
    store_write(copy_path(), "mine", 4);
    cr_assert_eq(db_backup(store_path(), copy_path(), STORE_NOW_MS, &copy, &report), DB_DENIED);
    cr_expect_not_null(strstr(report.text, "exists"), "%s", report.text);
    cr_expect_eq(files_like("copy"), 1);
    struct stat found;
    cr_assert_eq(stat(copy_path(), &found), 0);
    cr_expect_eq(found.st_size, 4);
}

Test(maintenance, an_older_file_can_be_backed_up)
{
    store_at(1);
    cr_assert_eq(db_backup(store_path(), copy_path(), STORE_NOW_MS, &copy, &report), DB_OK, "%s",
                 report.text);
    cr_expect_eq(copy.schema_version, 1);
}

static void expect_no_copy(enum db_status expected, const char *said)
{
    enum db_status status = db_backup(store_path(), copy_path(), STORE_NOW_MS, &copy, &report);
    cr_expect_eq(status, expected, "%s: %s", db_status_text(status), report.text);
    cr_expect_not_null(strstr(report.text, said), "%s", report.text);
    cr_expect_eq(files_like("copy"), 0);
}

Test(maintenance, a_file_with_a_row_that_points_nowhere_gives_no_copy)
{
    store_prepare(DB_OK, &report);
    change("INSERT INTO device (device_id, player_no, created_at_ms)"
           " VALUES ('d_00000000000000000000000001', 99, 1)");
    expect_no_copy(DB_CORRUPT, "foreign_key_check: device, row 1");
}

Test(maintenance, a_damaged_file_gives_no_copy)
{
    unsigned char noise[3 * 4096];
    store_prepare(DB_OK, &report);
    memset(noise, 0x5a, sizeof noise);
    FILE *file = fopen(store_path(), "r+be");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, 5L * 4096, SEEK_SET), 0);
    cr_assert_eq(fwrite(noise, 1, sizeof noise, file), sizeof noise);
    cr_assert_eq(fclose(file), 0);
    enum db_status status = db_backup(store_path(), copy_path(), STORE_NOW_MS, &copy, &report);
    cr_expect_eq(status, DB_CORRUPT, "%s: %s", db_status_text(status), report.text);
    cr_expect_eq(files_like("copy"), 0);
}

Test(maintenance, a_newer_or_a_missing_file_gives_no_copy)
{
    expect_no_copy(DB_DENIED, "no such file");
    store_prepare(DB_OK, &report);
    change("PRAGMA user_version = 9999");
    expect_no_copy(DB_NEWER, "9999");
}

Test(maintenance, a_folder_that_is_not_there_gives_no_copy)
{
    store_prepare(DB_OK, &report);
    cr_assert_eq(
        db_backup(store_path(), store_file("nowhere/copy.db"), STORE_NOW_MS, &copy, &report),
        DB_DENIED);
    cr_expect_not_null(strstr(report.text, "cannot be created"), "%s", report.text);
}

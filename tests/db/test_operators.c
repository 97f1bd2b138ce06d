#include "store.h"

#include "db/operators.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What operators did, and the bans that come of it. */

static struct db *db;
static int64_t aki;

static void enter(void)
{
    store_enter();
    db = store_open();
    aki = store_player(db, "aki");
}

static void leave(void)
{
    if (db != NULL) {
        store_close(db);
    }
    store_leave();
}

TestSuite(operators, .init = enter, .fini = leave);

static void deed(const char *what, int64_t at_ms)
{
    struct db_operator_event event = {.at_ms = at_ms, .what = what, .player_no = aki, .note = ""};
    cr_assert_eq(db_operator_event_insert(db, &event), DB_OK);
}

/* "ever always" as two digits. */
static int spell(int64_t from_ms, int64_t to_ms)
{
    struct db_ban_spell found;
    cr_assert_eq(db_ban_spell(db, aki, from_ms, to_ms, &found), DB_OK);
    return found.ever * 10 + found.always;
}

Test(operators, who_was_never_banned_was_not_at_any_time)
{
    cr_expect_eq(spell(0, 1000), 0);
    deed("rename", 10);
    cr_expect_eq(spell(0, 1000), 0);
}

Test(operators, a_ban_lasts_until_it_is_lifted)
{
    deed("ban", 100);
    cr_expect_eq(spell(50, 99), 0);
    cr_expect_eq(spell(50, 100), 10);
    cr_expect_eq(spell(100, 500), 11);
    deed("unban", 200);
    cr_expect_eq(spell(100, 199), 11);
    cr_expect_eq(spell(100, 200), 10);
    cr_expect_eq(spell(150, 250), 10);
    cr_expect_eq(spell(201, 300), 0);
    deed("ban", 300);
    cr_expect_eq(spell(201, 299), 0);
    cr_expect_eq(spell(150, 350), 10);
    cr_expect_eq(spell(300, 999), 11);
}

Test(operators, a_ban_that_the_events_do_not_tell_is_found)
{
    struct db_ban_difference found;
    cr_expect_eq(db_ban_difference(db, &found), DB_NONE);
    cr_assert_eq(db_player_ban(db, aki, 100), DB_OK);
    cr_assert_eq(db_ban_difference(db, &found), DB_OK);
    cr_expect_eq(found.stored_ms, 100);
    cr_expect_eq(found.actual_ms, 0);
    deed("ban", 100);
    cr_expect_eq(db_ban_difference(db, &found), DB_NONE);
    deed("unban", 200);
    cr_assert_eq(db_ban_difference(db, &found), DB_OK);
    cr_assert_eq(db_player_ban(db, aki, 0), DB_OK);
    cr_expect_eq(db_ban_difference(db, &found), DB_NONE);
}

Test(operators, a_file_is_the_original_unless_it_is_marked)
{
    struct db_server server = {.key_id = "0123456789abcdef", .created_at_ms = 1};
    int64_t copied_at_ms = 7;
    cr_expect_eq(db_server_copied_at(db, &copied_at_ms), DB_NONE);
    cr_assert_eq(db_server_insert(db, &server), DB_OK);
    cr_assert_eq(db_server_copied_at(db, &copied_at_ms), DB_OK);
    cr_expect_eq(copied_at_ms, 0);
    cr_assert_eq(db_server_mark_copy(db, 99), DB_OK);
    cr_assert_eq(db_server_copied_at(db, &copied_at_ms), DB_OK);
    cr_expect_eq(copied_at_ms, 99);
    cr_assert_eq(db_server_mark_copy(db, 0), DB_OK);
    cr_assert_eq(db_server_copied_at(db, &copied_at_ms), DB_OK);
    cr_expect_eq(copied_at_ms, 0);
}

Test(operators, a_deed_is_never_changed_nor_about_nothing)
{
    static const char *const refused[] = {
        "UPDATE operator_event SET note = 'x'",
        "DELETE FROM operator_event",
        "INSERT OR REPLACE INTO operator_event VALUES (1, 1, 'ban', 1, NULL, NULL)",
        "INSERT INTO operator_event VALUES (2, 1, 'ban', NULL, NULL, NULL)",
        "INSERT INTO operator_event VALUES (2, 1, 'void-game', NULL, NULL, NULL)",
        "INSERT INTO operator_event VALUES (2, 1, 'restore', 1, NULL, NULL)",
        "INSERT INTO operator_event VALUES (2, 1, 'praise', 1, NULL, NULL)",
        "INSERT INTO operator_event VALUES (2, 1, 'ban', 99, NULL, NULL)",
        "INSERT INTO operator_event VALUES (2, 1, 'ban', 1, NULL, '')",
        "INSERT INTO operator_event VALUES (2, 1, 'ban', 1, NULL, printf('%0201d', 1))",
    };
    deed("ban", 100);
    store_close(db);
    db = NULL;
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "PRAGMA foreign_keys = ON");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char *message = NULL;
        cr_expect_eq(foreign_try(foreign, refused[i], &message), SQLITE_CONSTRAINT, "%s",
                     refused[i]);
        sqlite3_free(message);
    }
    foreign_run(foreign, "INSERT INTO operator_event VALUES (2, 1, 'ban', 1, NULL,"
                         " printf('%0200d', 1))");
    cr_expect_eq(foreign_int(foreign, "SELECT count(*) FROM operator_log WHERE name = 'aki'"
                                      " AND at_utc LIKE '1970-01-01 00:00:00'"),
                 2);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

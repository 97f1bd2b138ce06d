#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Every statement of the folder, against the migrated schema. */

TestSuite(statements, .init = store_enter, .fini = store_leave);

static sqlite3 *migrated(void)
{
    struct db_report report;
    store_prepare(DB_OK, &report);
    return foreign_open(store_path());
}

Test(statements, every_one_can_be_prepared)
{
    sqlite3 *foreign = migrated();
    const struct sql_set *const *sets = NULL;
    size_t count = sql_sets(&sets);
    size_t texts = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < sets[i]->count; j++, texts++) {
            sqlite3_stmt *statement = NULL;
            cr_assert_not_null(sets[i]->texts[j], "%s %zu has no text", sets[i]->name, j);
            int result = sqlite3_prepare_v2(foreign, sets[i]->texts[j], -1, &statement, NULL);
            cr_expect_eq(result, SQLITE_OK, "%s: %s", sets[i]->texts[j], sqlite3_errmsg(foreign));
            cr_expect_leq(sqlite3_bind_parameter_count(statement), DB_PARAMETERS_MAX);
            (void)sqlite3_finalize(statement);
        }
    }
    cr_assert_gt(texts, 50);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(statements, no_two_share_a_slot)
{
    const struct sql_set *const *sets = NULL;
    const char *owner[DB_SLOTS] = {NULL};
    size_t count = sql_sets(&sets);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < sets[i]->count; j++) {
            size_t slot = sets[i]->first_slot + j;
            cr_assert_lt(slot, DB_SLOTS);
            cr_assert_null(owner[slot], "%s and %s", owner[slot], sets[i]->name);
            owner[slot] = sets[i]->name;
        }
    }
}

/* A step that reads a whole table or index, or sorts what an index should have sorted. Constant
 * tables (VALUES, LIMIT-less CTEs over them) are "SCAN n CONSTANT ROWS". */
static bool is_walk(const char *step)
{
    return strncmp(step, "SCAN ", 5) == 0 && strstr(step, "CONSTANT ROW") == NULL;
}

static void expect_no_walk(sqlite3 *foreign, const char *sql, bool sorts)
{
    char explain[4096];
    sqlite3_stmt *statement = NULL;
    (void)snprintf(explain, sizeof explain, "EXPLAIN QUERY PLAN %s", sql);
    int result = sqlite3_prepare_v2(foreign, explain, -1, &statement, NULL);
    cr_assert_eq(result, SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(foreign));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const char *step = (const char *)sqlite3_column_text(statement, 3);
        cr_expect(!is_walk(step), "%s: %s", sql, step);
        cr_expect(sorts || strstr(step, "TEMP B-TREE FOR ORDER BY") == NULL, "%s: %s", sql, step);
    }
    (void)sqlite3_finalize(statement);
}

static void expect_no_walks(sqlite3 *foreign, bool sorts)
{
    const struct sql_set *const *sets = NULL;
    size_t count = sql_sets(&sets);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < sets[i]->count; j++) {
            if (strstr(sets[i]->texts[j], "/*scan*/") == NULL) {
                expect_no_walk(foreign, sets[i]->texts[j], sorts);
            }
        }
    }
}

Test(statements, none_walks_through_a_table_unless_it_says_so)
{
    sqlite3 *foreign = migrated();
    expect_no_walks(foreign, false);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

static void fill_players(struct db *db)
{
    char name[16];
    for (int i = 0; i < 20; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        (void)store_player(db, name);
    }
}

/* ANALYZE of a small file must not talk the planner out of the indexes; twenty rows it may sort. */
Test(statements, none_does_so_on_an_analysed_file_either)
{
    struct db *db = store_open();
    fill_players(db);
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    for (int i = 0; i < 20; i++) {
        int64_t game_no = store_game(db, aki, ben);
        store_play(db, game_no, 1);
        store_finish(db, game_no);
    }
    store_rating(db, aki, DB_RANKED, 1600000);
    store_rating(db, ben, DB_PROVISIONAL, 1400000);
    store_close(db);
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "ANALYZE");
    expect_no_walks(foreign, true);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(statements, parameters_are_bound_by_their_number_not_by_their_order)
{
    struct db *db = store_open();
    struct query query;
    static const char *const texts[] = {"SELECT $2 - $1"};
    const struct sql_set set = {"test", DB_SLOTS - 1, 1, texts};
    query_begin(&query, db, &set, 0);
    query_int(&query, 1, 5);
    query_int(&query, 2, 12);
    cr_assert(query_step(&query));
    cr_assert_eq(column_int(&query, 0), 7);
    cr_assert_eq(query_end(&query), DB_OK);
    store_close(db);
}

Test(statements, a_text_that_does_not_fit_is_damage)
{
    struct db *db = store_open();
    struct query query;
    char text[4] = "xyz";
    static const char *const texts[] = {"SELECT 'four'"};
    const struct sql_set set = {"test", DB_SLOTS - 1, 1, texts};
    query_begin(&query, db, &set, 0);
    cr_assert(query_step(&query));
    column_text(&query, 0, text, sizeof text);
    cr_assert_eq(query_end(&query), DB_CORRUPT);
    cr_assert_str_eq(text, "");
    store_close(db);
}

static void expect_count(struct query *query, int64_t number, enum db_status expected)
{
    query_int(query, 1, number);
    cr_assert(query_step(query));
    cr_expect_eq(column_count(query, 0, 255), expected == DB_OK ? number : 0);
    cr_expect_eq(query_end(query), expected, "%lld", (long long)number);
}

/* Cut to the column's type, 258 would be as good as 2. */
Test(statements, a_number_that_does_not_fit_is_damage)
{
    struct db *db = store_open();
    static const char *const texts[] = {"SELECT $1"};
    const struct sql_set set = {"test", DB_SLOTS - 1, 1, texts};
    static const int64_t good[] = {0, 1, 255};
    static const int64_t bad[] = {-1, 256, 258, INT64_MAX, INT64_MIN};
    struct query query;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        query_begin(&query, db, &set, 0);
        expect_count(&query, good[i], DB_OK);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        query_begin(&query, db, &set, 0);
        expect_count(&query, bad[i], DB_CORRUPT);
    }
    store_close(db);
}

static int64_t setting(struct db *db, const char *pragma)
{
    return foreign_int(db->handle, pragma);
}

Test(statements, the_writer_has_the_settings_that_durability_needs)
{
    struct db *db = store_open();
    cr_assert_eq(db_commit(db), DB_OK);
    cr_expect_eq(setting(db, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
    cr_expect_eq(setting(db, "PRAGMA synchronous"), 2);
    cr_expect_eq(setting(db, "PRAGMA foreign_keys"), 1);
    cr_expect_eq(setting(db, "PRAGMA trusted_schema"), 0);
    cr_expect_eq(setting(db, "PRAGMA cell_size_check"), 1);
    cr_expect_eq(setting(db, "PRAGMA recursive_triggers"), 1);
    cr_expect_eq(setting(db, "PRAGMA wal_autocheckpoint"), 0);
    cr_expect_eq(setting(db, "PRAGMA temp_store"), 2);
    cr_expect_eq(setting(db, "PRAGMA journal_size_limit"), 16777216);
    cr_expect_eq(setting(db, "PRAGMA busy_timeout"), 250);
    cr_expect_eq(sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, -1), 64 * 1024);
    cr_expect_eq(sqlite3_limit(db->handle, SQLITE_LIMIT_SQL_LENGTH, -1), 16 * 1024);
    cr_expect_eq(sqlite3_limit(db->handle, SQLITE_LIMIT_ATTACHED, -1), 0);
    int defensive = 0;
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive);
    cr_expect_eq(defensive, 1);
    db_close(db);
}

Test(statements, a_reader_cannot_write)
{
    struct db *db = NULL;
    struct db_server server = {.key_id = "0123456789abcdef"};
    store_close(store_open());
    cr_assert_eq(db_open_reader(store_path(), &db), DB_OK);
    cr_assert_eq(db_server_insert(db, &server), DB_READONLY);
    cr_expect_eq(sqlite3_db_readonly(db->handle, "main"), 1);
    cr_expect_eq(setting(db, "PRAGMA query_only"), 1);
    db_close(db);
}

/* Endless on purpose: only the budget ends it. */
static const char *const endless_texts[] = {
    "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"};

Test(statements, a_read_over_its_budget_is_given_up, .timeout = 300)
{
    struct db *db = NULL;
    struct query query;
    struct db_server server;
    const struct sql_set set = {"test", DB_SLOTS - 1, 1, endless_texts};
    store_close(store_open());
    cr_assert_eq(db_open_reader(store_path(), &db), DB_OK);
    query_begin(&query, db, &set, 0);
    cr_assert(!query_step(&query));
    cr_assert_eq(query_end(&query), DB_TIMEOUT);
    cr_assert_eq(db_server_load(db, &server), DB_NONE, "the next read has a budget of its own");
    db_close(db);
}

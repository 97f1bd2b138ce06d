#include "db/migrations.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The view `ranking` with a million players, asked as people type it. Steps of SQLite's machine are
 * counted rather than milliseconds, so that nothing else can disturb it. The file is one that the
 * build before migration 12 would have left: the migration counts all of it. */

enum {
    PLAYERS = 1000000,
    BEFORE_THE_TENTHS = 11,
    STEPS_MAX = 20000,
    ROWS_MAX = 50,        /* of an answer that somebody reads */
    STEPS_A_ROW_MAX = 200 /* of a longer one: a rank that half a million players share */
};

TestSuite(ranking_of_a_million, .init = store_enter, .fini = store_leave);

static const char players[] =
    "PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN;"
    "DROP TRIGGER rating_counted_in; DROP TRIGGER pool_revised_by_entry;"
    "INSERT INTO player (player_no, player_id, name, name_folded, created_at_ms)"
    " WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)"
    " SELECT i, printf('p_%026d', i), printf('Player %d', i), printf('player %d', i), 7 FROM n;";

/* So that there is something to take away. */
static const char triggers[] =
    "CREATE TRIGGER rating_counted_in AFTER INSERT ON player_rating BEGIN SELECT 1; END";

static sqlite3 *million(const char *rating_milli)
{
    char ratings[512];
    store_at(BEFORE_THE_TENTHS);
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, players);
    (void)snprintf(ratings, sizeof ratings,
                   "INSERT INTO player_rating SELECT player_no, 'hasami', %s, 'ranked', 30, 15, 0,"
                   " 15, 15, 15, 0, 0, 7 FROM player",
                   rating_milli);
    foreign_run(foreign, ratings);
    foreign_run(foreign, triggers);
    for (size_t i = BEFORE_THE_TENTHS; i < migration_count; i++) {
        foreign_run(foreign, migrations[i].sql);
    }
    cr_assert_eq(foreign_int(foreign, "SELECT count(*) FROM player_rating"), PLAYERS);
    foreign_run(foreign, "COMMIT");
    return foreign;
}

/* How many steps all rows of an answer take, and how many rows there are. */
static int steps(sqlite3 *foreign, const char *sql, int *rows)
{
    sqlite3_stmt *statement = NULL;
    cr_assert_eq(sqlite3_prepare_v2(foreign, sql, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(foreign));
    *rows = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        ++*rows;
    }
    const int taken = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
    cr_assert_eq(sqlite3_finalize(statement), SQLITE_OK);
    return taken;
}

static void expect_few_steps(sqlite3 *foreign)
{
    static const struct {
        const char *condition;
        int rows; /* -1: as many as ties leave */
    } typed[] = {
        {"pool = 'hasami' ORDER BY rank LIMIT 10",              10},
        {"player_id = 'p_00000000000000000000543210'",          1 },
        {"name = 'Player 543210'",                              1 },
        {"pool = 'hasami' AND name = 'Player 999999'",          1 },
        {"pool = 'hasami' AND rank BETWEEN 500000 AND 500010",  -1},
        {"pool = 'hasami' AND rank BETWEEN 900000 AND 900010",  -1},
        {"pool = 'hasami' AND rank BETWEEN 999990 AND 1000000", -1},
        {"rank BETWEEN 250000 AND 250010 AND pool = 'hasami'",  -1},
    };
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++) {
        char sql[160];
        int rows = 0;
        (void)snprintf(sql, sizeof sql, "SELECT * FROM ranking WHERE %s", typed[i].condition);
        const int taken = steps(foreign, sql, &rows);
        cr_expect_lt(taken, rows <= ROWS_MAX ? STEPS_MAX : STEPS_A_ROW_MAX * rows, "%s: %d steps",
                     sql, taken);
        cr_expect(rows == typed[i].rows || typed[i].rows < 0, "%s: %d rows", sql, rows);
        (void)fprintf(stderr, "%6d steps, %2d rows: %s\n", taken, rows, typed[i].condition);
    }
}

/* The view against counting, at the places that were asked for; and counting, which needs far more
 * than is allowed, shows that steps are really counted. */
static void expect_true_ranks(sqlite3 *foreign)
{
    int rows = 0;
    const int taken = steps(foreign,
                            "CREATE TEMP TABLE truth AS SELECT"
                            " rank() OVER (ORDER BY rating_milli DESC) AS rank, player_no"
                            " FROM player_rating WHERE pool = 'hasami' AND list = 'ranked'",
                            &rows);
    cr_expect_gt(taken, 10 * STEPS_MAX);
    cr_expect_eq(foreign_int(foreign,
                             "SELECT count(*) FROM truth JOIN player AS p USING (player_no)"
                             " WHERE player_no % 9973 = 5 AND rank IS NOT (SELECT v.rank"
                             " FROM ranking AS v WHERE v.player_id = p.player_id)"),
                 0);
}

static void check(const char *rating_milli)
{
    sqlite3 *foreign = million(rating_milli);
    expect_few_steps(foreign);
    foreign_run(foreign, "ANALYZE");
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    foreign = foreign_open(store_path());
    expect_few_steps(foreign);
    expect_true_ranks(foreign);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(ranking_of_a_million, of_whom_most_are_in_the_middle)
{
    check("900000 + abs(random() % 300000) + abs(random() % 300000) + abs(random() % 300000)"
          " + abs(random() % 300000)");
}

Test(ranking_of_a_million, all_within_one_hundredth_of_a_point)
{
    check("1500000 + player_no % 10");
}

Test(ranking_of_a_million, all_equal)
{
    check("1999999");
}

Test(ranking_of_a_million, half_of_them_at_the_floor_and_half_in_one_bucket)
{
    check("iif(player_no % 2, 100000, 1599990 + player_no % 9999)");
}

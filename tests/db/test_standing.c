#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Standings with their neighbours against SQL's own window function, and what they cost. */

enum { MANY = 240, RADIUS_MAX = 6, TIED = 3000, LIST_STEPS_MAX = 1500 };

struct listed {
    int64_t player_no;
    int64_t rank;
};

static struct db *db;
static struct listed listed[MANY];
static size_t listed_count;

static void enter(void)
{
    store_enter();
    db = store_open();
}

static void leave(void)
{
    store_close(db);
    store_leave();
}

TestSuite(standing, .init = enter, .fini = leave);

/* The whole list in order. */
static void read_list(enum db_list list)
{
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT player_no, rank() OVER (ORDER BY rating_milli DESC) FROM"
                      " player_rating WHERE pool = 'hasami' AND list = ?1"
                      " ORDER BY rating_milli DESC, player_no";
    listed_count = 0;
    cr_assert_eq(sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL), SQLITE_OK);
    (void)sqlite3_bind_text(statement, 1, list == DB_RANKED ? "ranked" : "provisional", -1,
                            SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        cr_assert_lt(listed_count, MANY);
        listed[listed_count++] =
            (struct listed){sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1)};
    }
    (void)sqlite3_finalize(statement);
}

static void add_player(enum db_list list, int64_t rating_milli)
{
    static int number;
    char name[16];
    (void)snprintf(name, sizeof name, "n%d", number++);
    store_rating(db, store_player(db, name), list, rating_milli);
}

static void load(size_t place, size_t radius, struct db_ranking_row *rows,
                 struct db_standing *standing)
{
    struct db_player player;
    struct db_rating rating;
    cr_assert_eq(db_player_load(db, listed[place].player_no, &player), DB_OK);
    cr_assert_eq(db_rating_load(db, player.player_no, "hasami", &rating), DB_OK);
    cr_assert_eq(db_standing_load(db, &player, &rating, radius, rows, standing), DB_OK);
}

static void expect_standing(size_t place, size_t radius)
{
    struct db_ranking_row rows[2 * RADIUS_MAX + 1];
    struct db_standing standing;
    size_t first = place < radius ? 0 : place - radius;
    size_t end = place + radius + 1 > listed_count ? listed_count : place + radius + 1;
    size_t not_below = place;
    while (not_below < listed_count && listed[not_below].rank == listed[place].rank) {
        not_below++;
    }
    load(place, radius, rows, &standing);
    cr_assert_eq((size_t)standing.total, listed_count);
    cr_assert_eq(standing.above, listed[place].rank - 1, "place %zu, radius %zu", place, radius);
    cr_assert_eq((size_t)standing.not_below, not_below, "place %zu, radius %zu", place, radius);
    cr_assert_eq(standing.count, end - first);
    for (size_t i = first; i < end; i++) {
        cr_assert_eq(rows[i - first].rating.player_no, listed[i].player_no);
        cr_assert_eq(rows[i - first].rank, listed[i].rank, "place %zu, radius %zu, row %zu", place,
                     radius, i);
    }
}

static void expect_standings(enum db_list list)
{
    read_list(list);
    cr_assert_gt(listed_count, RADIUS_MAX);
    for (size_t place = 0; place < listed_count; place++) {
        for (size_t radius = 0; radius <= RADIUS_MAX; radius++) {
            expect_standing(place, radius);
        }
    }
}

/* Ties of every size up to some that no radius sees the end of. */
Test(standing, every_player_in_a_list_of_ties_sees_the_right_ranks)
{
    int64_t rating_milli = 2000000;
    for (int i = 0, tie = 1; i < MANY - 40; tie = tie % (3 * RADIUS_MAX) + 1, rating_milli -= 7) {
        for (int j = 0; j < tie && i < MANY - 40; j++, i++) {
            add_player(DB_RANKED, rating_milli);
        }
    }
    for (int i = 0; i < 40; i++) {
        add_player(DB_PROVISIONAL, 1500000 - i / 3);
    }
    expect_standings(DB_RANKED);
    expect_standings(DB_PROVISIONAL);
}

Test(standing, one_rating_for_all_is_one_tie)
{
    for (int i = 0; i < 30; i++) {
        add_player(DB_RANKED, 1500000);
    }
    expect_standings(DB_RANKED);
}

Test(standing, the_row_in_the_middle_is_the_players_own)
{
    struct db_ranking_row rows[3];
    struct db_standing standing;
    store_rating(db, store_player(db, "aki"), DB_RANKED, 1600000);
    store_rating(db, store_player(db, "ben"), DB_RANKED, 1500000);
    store_rating(db, store_player(db, "cho"), DB_RANKED, 1400000);
    read_list(DB_RANKED);
    load(1, 1, rows, &standing);
    cr_assert_eq(standing.count, 3);
    cr_expect_str_eq(rows[0].name, "aki");
    cr_expect_str_eq(rows[1].name, "ben");
    cr_expect_str_eq(rows[2].name, "cho");
    cr_expect_not_null(strstr(rows[1].player_id.id.text, "ben"));
    cr_expect(rows[1].has_name && rows[1].rating.wins == 3 && rows[2].rating.places[1] == 3);
}

/* --- what it costs -------------------------------------------------------------------------------
 */

/* How often the list was counted on this connection, and all steps taken; both since last asked. */
static int64_t counts(void)
{
    int64_t runs = 0;
    for (sqlite3_stmt *at = NULL; (at = sqlite3_next_stmt(db->handle, at)) != NULL;) {
        if (strstr(sqlite3_sql(at), "width_milli = 1000 ") != NULL) {
            runs += sqlite3_stmt_status(at, SQLITE_STMTSTATUS_RUN, 1);
        }
    }
    return runs;
}

static int64_t steps(void)
{
    int64_t total = 0;
    for (sqlite3_stmt *at = NULL; (at = sqlite3_next_stmt(db->handle, at)) != NULL;) {
        total += sqlite3_stmt_status(at, SQLITE_STMTSTATUS_VM_STEP, 1);
    }
    return total;
}

Test(standing, the_list_is_counted_once_and_again_only_for_ties_out_of_sight)
{
    struct db_ranking_row rows[2 * RADIUS_MAX + 1];
    struct db_standing standing;
    for (int i = 0; i < 50; i++) {
        add_player(DB_RANKED, 1500000 - i);
    }
    for (int i = 0; i < 50; i++) {
        add_player(DB_RANKED, 1400000);
    }
    read_list(DB_RANKED);
    for (size_t place = 0; place < listed_count; place++) {
        (void)counts();
        load(place, RADIUS_MAX, rows, &standing);
        int64_t counted = counts();
        bool sees_all = place < 50;
        cr_assert_eq(counted, sees_all ? 1 : 2, "%d counts at place %zu", (int)counted, place);
    }
}

Test(standing, a_page_is_counted_once_and_again_only_where_it_leaves_a_tie)
{
    struct db_ranking_row rows[4];
    size_t count = 0;
    static const int64_t ratings[] = {1900000, 1800000, 1700000, 1600000, 1600000, 1500000};
    for (size_t i = 0; i < sizeof ratings / sizeof ratings[0]; i++) {
        add_player(DB_RANKED, ratings[i]);
    }
    read_list(DB_RANKED);
    cr_assert_eq(db_ranking_after(db, "hasami", DB_RANKED, NULL, rows, 4, &count), DB_OK);
    cr_expect_eq(counts(), 0, "the top needs none");
    struct db_rank_key key = {ratings[0], listed[0].player_no};
    cr_assert_eq(db_ranking_after(db, "hasami", DB_RANKED, &key, rows, 4, &count), DB_OK);
    cr_expect_eq(counts(), 1);
    key = (struct db_rank_key){ratings[3], listed[3].player_no};
    cr_assert_eq(db_ranking_after(db, "hasami", DB_RANKED, &key, rows, 4, &count), DB_OK);
    cr_assert(count == 2 && rows[0].rank == 4 && rows[1].rank == 6);
    cr_expect_eq(counts(), 2);
}

/* Thousands of equal ratings, one above and a few below them in the same hundredth of a point. */
Test(standing, a_great_tie_is_not_walked_through)
{
    struct db_ranking_row rows[2 * RADIUS_MAX + 1];
    struct db_standing standing;
    struct db_player player;
    struct db_rating rating;
    foreign_run(db->handle,
                "INSERT INTO player (player_no, player_id, name, created_at_ms) WITH RECURSIVE n "
                "(i) AS (VALUES (1) UNION ALL SELECT i + 1"
                " FROM n WHERE i < 3005) SELECT i, printf('p_%026d', i), 'x', 0 FROM n;"
                "INSERT INTO player_rating SELECT player_no, 'hasami', CASE player_no"
                " WHEN 3001 THEN 1500009 WHEN 3002 THEN 1500003 WHEN 3003 THEN 1500002"
                " WHEN 3004 THEN 1500001 WHEN 3005 THEN 1400000 ELSE 1500004 END, 'ranked',"
                " 1, 1, 0, 0, 1, 0, 0, 0, 0 FROM player");
    for (int64_t player_no = 1; player_no <= TIED + 5; player_no += player_no < TIED ? 499 : 1) {
        cr_assert_eq(db_player_load(db, player_no, &player), DB_OK);
        cr_assert_eq(db_rating_load(db, player_no, "hasami", &rating), DB_OK);
        (void)steps();
        cr_assert_eq(db_standing_load(db, &player, &rating, RADIUS_MAX, rows, &standing), DB_OK);
        int64_t taken = steps();
        cr_expect_lt(taken, LIST_STEPS_MAX, "%d steps for player %d", (int)taken, (int)player_no);
        bool tied = player_no <= TIED;
        cr_expect_eq(standing.above, tied ? 1 : player_no == TIED + 1 ? 0 : player_no - 1);
        cr_expect_eq(standing.not_below, tied ? TIED + 1 : standing.above + 1);
    }
}

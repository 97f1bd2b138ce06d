#include "store.h"

#include "db/lists.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Places in a ranking, and pages that leave players out, against SQL's own window function. */

static struct db *db;

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

TestSuite(ranking_pages, .init = enter, .fini = leave);

enum { MANY = 300, PAGE = 7 };

/* Ties, neighbours a thousandth apart, and far away; every third has not played since time 50. */
static const char many_standings[] =
    "INSERT INTO player (player_no, player_id, name, created_at_ms)"
    " WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
    " SELECT i, printf('p_%026d', i), printf('n%d', i), 1 FROM n;"
    "INSERT INTO player_rating (player_no, pool, rating_milli, list, games, wins, draws, losses,"
    " place_1, place_2, place_3, place_4, last_game_at_ms)"
    " SELECT player_no, 'hasami', CASE player_no % 4 WHEN 0 THEN 1500000 + player_no % 40"
    " WHEN 1 THEN 1500000 WHEN 2 THEN 100000 + player_no * 7919 % 2900000"
    " ELSE 1234567 END, iif(player_no % 10 = 0, 'provisional', 'ranked'), 1, 1, 0, 0, 1, 0, 0, 0,"
    " iif(player_no % 3 = 0, 49, 50) FROM player";

/* What stands at a place, 1 being the best, as rating or rank or player_no; 0: nobody. */
static int64_t expected(const char *what, const char *list, int64_t since_ms, int64_t place)
{
    char sql[512];
    (void)snprintf(sql, sizeof sql,
                   "SELECT coalesce((SELECT %s FROM (SELECT player_no, rating_milli,"
                   " last_game_at_ms, rank() OVER (ORDER BY rating_milli DESC) AS rank"
                   " FROM player_rating WHERE pool = 'hasami' AND list = '%s')"
                   " WHERE last_game_at_ms >= %d ORDER BY rating_milli DESC, player_no LIMIT 1"
                   " OFFSET %d), 0)",
                   what, list, (int)since_ms, (int)place - 1);
    return foreign_int(db->handle, sql);
}

Test(ranking_pages, every_place_has_its_rating)
{
    int64_t rating_milli = 0;
    int64_t size = 0;
    foreign_run(db->handle, many_standings);
    for (int i = 0; i < 2; i++) {
        enum db_list list = i == 0 ? DB_RANKED : DB_PROVISIONAL;
        cr_assert_eq(db_list_size(db, "hasami", list, &size), DB_OK);
        cr_assert_gt(size, 20);
        for (int64_t place = 1; place <= size; place++) {
            cr_assert_eq(db_rating_at(db, "hasami", list, place, &rating_milli), DB_OK);
            cr_assert_eq(rating_milli,
                         expected("rating_milli", i == 0 ? "ranked" : "provisional", 0, place));
        }
        cr_assert_eq(db_rating_at(db, "hasami", list, size + 1, &rating_milli), DB_NONE);
        cr_assert_eq(db_rating_at(db, "hasami", list, INT64_MAX, &rating_milli), DB_NONE);
    }
    cr_assert_eq(db_rating_at(db, "hasami", DB_HIDDEN, 1, &rating_milli), DB_NONE);
}

Test(ranking_pages, begin_at_any_rank_with_everybody_above_counted)
{
    struct db_ranking_row rows[PAGE];
    struct db_ranking_start start = {"hasami", DB_RANKED, 2};
    int64_t size = 0;
    size_t count = 0;
    foreign_run(db->handle, many_standings);
    cr_assert_eq(db_list_size(db, "hasami", DB_RANKED, &size), DB_OK);
    for (; start.rank <= size; start.rank++) {
        cr_assert_eq(db_ranking_from(db, &start, rows, PAGE, &count), DB_OK);
        int64_t first = count == 0 ? size + 1 : rows[0].rank;
        cr_assert_geq(first, start.rank);
        cr_assert_lt(expected("rank", "ranked", 0, first - 1), start.rank);
        for (size_t i = 0; i < count; i++) {
            int64_t place = first + (int64_t)i;
            cr_assert_eq(rows[i].rating.player_no, expected("player_no", "ranked", 0, place));
            cr_assert_eq(rows[i].rank, expected("rank", "ranked", 0, place));
        }
    }
    start.rank = size + 2;
    cr_assert_eq(db_ranking_from(db, &start, rows, PAGE, &count), DB_NONE);
}

Test(ranking_pages, the_active_keep_their_ranks)
{
    struct db_ranking_row rows[PAGE];
    struct db_rank_key after = {0, 0};
    struct db_rank_key look_after = {0, 0};
    struct db_active_page page = {"hasami", DB_RANKED, NULL, 50};
    size_t count = PAGE;
    int64_t place = 0;
    foreign_run(db->handle, many_standings);
    while (count == PAGE) {
        cr_assert_eq(db_ranking_active(db, &page, rows, PAGE, &count, &look_after), DB_OK);
        for (size_t i = 0; i < count; i++) {
            place++;
            cr_assert_eq(rows[i].rating.player_no, expected("player_no", "ranked", 50, place));
            cr_assert_eq(rows[i].rank, expected("rank", "ranked", 50, place));
            cr_assert(rows[i].has_name && rows[i].name[0] == 'n');
            after = (struct db_rank_key){rows[i].rating.rating_milli, rows[i].rating.player_no};
        }
        cr_assert_eq(look_after.player_no, 0);
        page.after = &after;
    }
    cr_assert_gt(place, 100);
    cr_assert_eq(expected("player_no", "ranked", 50, place + 1), 0);
}

Test(ranking_pages, say_where_to_look_on_when_too_few_are_active)
{
    char sql[1024];
    struct db_ranking_row rows[2];
    struct db_rank_key look_after = {0, 0};
    struct db_active_page page = {"hasami", DB_RANKED, NULL, 50};
    size_t count = 9;
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO player (player_no, player_id, created_at_ms)"
                   " WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i <"
                   " %d) SELECT i, printf('p_%%026d', i), 1 FROM n;"
                   "INSERT INTO player_rating SELECT player_no, 'hasami', 3000000 - player_no / 2,"
                   " 'ranked', 1, 1, 0, 0, 1, 0, 0, 0, iif(player_no = %d, 50, 49) FROM player",
                   DB_LOOK_MAX + 9, DB_LOOK_MAX + 8);
    foreign_run(db->handle, sql);
    cr_assert_eq(db_ranking_active(db, &page, rows, 2, &count, &look_after), DB_OK);
    cr_assert_eq(count, 0);
    cr_assert_eq(look_after.player_no, DB_LOOK_MAX);
    page.after = &look_after;
    struct db_rank_key end = {0, 0};
    cr_assert_eq(db_ranking_active(db, &page, rows, 2, &count, &end), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(rows[0].rating.player_no, DB_LOOK_MAX + 8);
    cr_assert_eq(rows[0].rank, DB_LOOK_MAX + 8);
    cr_assert_not(rows[0].has_name);
    cr_assert_eq(end.player_no, 0);
}

#include "store.h"

#include "db/lists.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Rating events by time, one by one and by day, against what SQL finds by looking at all. */

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

TestSuite(history, .init = enter, .fini = leave);

enum { EVENTS = 200, PAGE = 7, DAY_MS = 86400000 };

/* Events of player 1 in hasami, a few hours apart and many at the very same time; some are voids.
 * Between them those of player 2, and of player 1 in another pool. */
static const char many_events[] =
    "INSERT INTO player (player_no, player_id, name, created_at_ms)"
    " VALUES (1, 'p_00000000000000000000000001', 'aki', 1),"
    " (2, 'p_00000000000000000000000002', 'ben', 1);"
    "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds, player_set,"
    " status, position, ply, turn, seq, end_reason, rating_status, created_at_ms, finished_at_ms)"
    " WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
    " SELECT i, printf('g_%026d', i), 'hasami', iif(i % 3 = 2, 'yonin', 'hasami'), 1, '', 30, '',"
    " 'finished', '', 0, NULL, 1, 'resign', 'applied', 1, 2 FROM n;"
    "INSERT INTO rating_event (event_no, game_no, seat_no, player_no, pool, kind, at_ms, place,"
    " games_before, k, before_milli, delta_milli, after_milli, cpu_plies, control_at_end, capped,"
    " floor_applied) SELECT game_no, game_no, 0, iif(game_no % 3 = 0, 2, 1), pool,"
    " iif(game_no % 10 = 0, 'void', 'result'),"
    " 5 * 86400000 + game_no / 9 * 17654321 % 1600000000, 1, 0, 16,"
    " 1500000, game_no * 7919 % 1000, 1500000 + game_no * 7919 % 1000, 0, 'player', 0, 0"
    " FROM game ORDER BY game_no";

static struct db_history history_of(bool descending, int64_t from_ms, int64_t below_ms)
{
    return (struct db_history){.player_no = 1,
                               .pool = "hasami",
                               .descending = descending,
                               .from_ms = from_ms,
                               .below_ms = below_ms};
}

/* The number of the event at a place of the walk; 0: there is none. */
static int64_t expected_at(const struct db_history *history, int place)
{
    char sql[512];
    const char *way = history->descending ? "DESC" : "ASC";
    (void)snprintf(sql, sizeof sql,
                   "SELECT coalesce((SELECT event_no FROM rating_event WHERE player_no = 1"
                   " AND pool = 'hasami' AND at_ms >= %lld AND at_ms < %lld"
                   " ORDER BY +at_ms %s, event_no %s LIMIT 1 OFFSET %d), 0)",
                   (long long)history->from_ms, (long long)history->below_ms, way, way, place);
    return foreign_int(db->handle, sql);
}

static int expect_walk(struct db_history history)
{
    struct db_change changes[PAGE];
    size_t count = PAGE;
    int place = 0;
    while (count == PAGE) {
        cr_assert_eq(db_changes(db, &history, changes, PAGE, &count), DB_OK);
        for (size_t i = 0; i < count; i++, place++) {
            const struct db_change *change = &changes[i];
            cr_assert_eq(change->place.event_no, expected_at(&history, place));
            cr_assert_eq(change->is_void, change->place.event_no % 10 == 0);
            cr_assert_eq(change->after_milli, change->before_milli + change->delta_milli);
            history.has_after = true;
            history.after = change->place;
        }
    }
    cr_assert_eq(expected_at(&history, place), 0, "an event is missing");
    return place;
}

Test(history, is_walked_both_ways_between_any_two_times)
{
    foreign_run(db->handle, many_events);
    int64_t middle = foreign_int(db->handle, "SELECT at_ms FROM rating_event WHERE event_no = 130");
    int all = expect_walk(history_of(true, INT64_MIN, INT64_MAX));
    cr_assert_eq(all, foreign_int(db->handle, "SELECT count(*) FROM rating_event"
                                              " WHERE player_no = 1 AND pool = 'hasami'"));
    cr_assert_eq(expect_walk(history_of(false, INT64_MIN, INT64_MAX)), all);
    for (int way = 0; way < 2; way++) {
        /* What happened at the time itself is since it, not until it. */
        int before = expect_walk(history_of(way == 0, INT64_MIN, middle));
        int since = expect_walk(history_of(way == 0, middle, INT64_MAX));
        cr_assert(before > 0 && since > 0 && before + since == all);
        cr_assert_gt(expect_walk(history_of(way == 0, middle, middle + 1)), 1);
        cr_assert_eq(expect_walk(history_of(way == 0, middle, middle)), 0);
        cr_assert_eq(expect_walk(history_of(way == 0, middle, middle - 1)), 0);
    }
}

/* One figure of a day by SQL. */
static int64_t figure(const char *what, const char *order, int64_t day)
{
    char sql[256];
    (void)snprintf(sql, sizeof sql,
                   "SELECT %s FROM rating_event WHERE player_no = 1 AND pool = 'hasami'"
                   " AND at_ms / 86400000 = %d %s LIMIT 1",
                   what, (int)day, order);
    return foreign_int(db->handle, sql);
}

static void expect_day(const struct db_rating_day *day)
{
    cr_assert_eq(day->high_milli, figure("max(after_milli)", "", day->day));
    cr_assert_eq(day->low_milli, figure("min(after_milli)", "", day->day));
    cr_assert_eq(day->games, figure("sum(kind = 'result')", "", day->day));
    cr_assert_eq(day->last_milli,
                 figure("after_milli", "ORDER BY at_ms DESC, event_no DESC", day->day));
}

static int expect_days(bool descending)
{
    struct db_rating_day days[3];
    struct db_history history = history_of(descending, INT64_MIN, INT64_MAX);
    size_t count = 0;
    int seen = 0;
    int64_t before = descending ? INT64_MAX : -1;
    bool more = true;
    while (more) {
        cr_assert_eq(db_rating_days(db, &history, days, 3, &count, &more), DB_OK);
        for (size_t i = 0; i < count; i++, seen++) {
            cr_assert(descending ? days[i].day < before : days[i].day > before);
            before = days[i].day;
            expect_day(&days[i]);
        }
        cr_assert(!more || count == 3);
        int64_t end = descending ? before * DAY_MS : (before + 1) * DAY_MS - 1;
        history.has_after = true;
        history.after = (struct db_change_place){end, descending ? 0 : INT64_MAX};
    }
    return seen;
}

Test(history, of_each_day_comes_to_its_last_high_low_and_games)
{
    foreign_run(db->handle, many_events);
    int64_t days = foreign_int(db->handle, "SELECT count(DISTINCT at_ms / 86400000) FROM"
                                           " rating_event WHERE player_no = 1 AND pool = 'hasami'");
    cr_assert_gt(days, 6);
    cr_assert_eq(expect_days(true), days);
    cr_assert_eq(expect_days(false), days);
}

Test(history, of_a_day_is_cut_by_the_times_asked_for)
{
    struct db_rating_day days[3];
    size_t count = 0;
    bool more = true;
    foreign_run(db->handle, many_events);
    int64_t at_ms = foreign_int(db->handle, "SELECT at_ms FROM rating_event WHERE event_no = 130");
    struct db_history history = history_of(true, at_ms, at_ms + 1);
    cr_assert_eq(db_rating_days(db, &history, days, 3, &count, &more), DB_OK);
    cr_assert(count == 1 && !more);
    cr_assert_eq(days[0].day, at_ms / DAY_MS);
    cr_assert_lt(days[0].games, figure("count(*)", "", days[0].day));
}

/* More events a day than one page looks at: a page is short, and whole days all the same. */
Test(history, of_very_busy_days_comes_in_short_pages)
{
    struct db_rating_day days[3];
    size_t count = 0;
    bool more = false;
    char sql[512];
    foreign_run(db->handle, many_events);
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO rating_event WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT"
                   " i + 1 FROM n WHERE i < %d) SELECT 1000 + i, 1, i %% 4, 1, 'hasami', 'result',"
                   " 1000 * 86400000 + i %% 2 * 86400000 + i, 1, 0, 16, 1500000, 0, 1500000, 0,"
                   " 'player', 0, 0 FROM n",
                   2 * DB_LOOK_MAX + 10);
    foreign_run(db->handle, "DROP INDEX rating_event_once;"
                            "DROP TRIGGER rating_event_is_new");
    foreign_run(db->handle, sql);
    struct db_history history = history_of(true, INT64_MIN, INT64_MAX);
    cr_assert_eq(db_rating_days(db, &history, days, 3, &count, &more), DB_OK);
    cr_assert(count == 1 && more);
    cr_assert_eq(days[0].day, 1001);
    cr_assert_eq(days[0].games, DB_LOOK_MAX + 5);
}

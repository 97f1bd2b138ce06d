#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ratings, their events, and ranks by the counts against ranks by counting. */

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

TestSuite(ranks, .init = enter, .fini = leave);

enum { MANY = 400 };

static uint64_t chance = 20240607;

static int64_t below(int64_t bound)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((chance >> 33) % (uint64_t)bound);
}

/* Many ties, neighbours a thousandth apart, and both ends of the scale. */
static int64_t some_rating(void)
{
    switch (below(4)) {
    case 0: return 1500000 + 10 * below(20);
    case 1: return 1500000 + below(30);
    case 2: return 100000 + below(3) * 50000;
    default: return 900000 + below(1700000);
    }
}

static enum db_list some_list(void)
{
    return below(5) == 0 ? (below(2) == 0 ? DB_HIDDEN : DB_PROVISIONAL) : DB_RANKED;
}

/* Inserts, then changes of rating and list: the triggers have to follow all of it. */
static void fill(void)
{
    char name[16];
    for (int64_t i = 1; i <= MANY; i++) {
        (void)snprintf(name, sizeof name, "n%d", (int)i);
        cr_assert_eq(store_player(db, name), i);
        store_rating(db, i, some_list(), some_rating());
    }
    for (int i = 0; i < MANY; i++) {
        store_rating(db, 1 + below(MANY), some_list(), some_rating());
    }
}

static void expect_no_difference(void)
{
    struct db_count_difference difference;
    enum db_status status = db_count_difference(db, &difference);
    cr_assert_eq(status, DB_NONE, "%s %s %d: %d stored, %d counted", difference.pool,
                 difference.list, (int)difference.bucket, (int)difference.stored,
                 (int)difference.actual);
}

Test(ranks, counts_follow_every_change)
{
    fill();
    expect_no_difference();
    foreign_run(db->handle, "DELETE FROM player_rating WHERE player_no % 3 = 0");
    expect_no_difference();
    int64_t ranked = foreign_int(
        db->handle, "SELECT count(*) FROM player_rating WHERE pool='hasami' AND list='ranked'");
    int64_t size = 0;
    cr_assert_eq(db_list_size(db, "hasami", DB_RANKED, &size), DB_OK);
    cr_assert_eq(size, ranked);
}

Test(ranks, a_count_that_drifted_is_found)
{
    struct db_count_difference difference;
    store_rating(db, store_player(db, "aki"), DB_RANKED, 1623456);
    foreign_run(db->handle, "UPDATE rating_count SET players = 2 WHERE width_milli = 1000");
    cr_assert_eq(db_count_difference(db, &difference), DB_OK);
    cr_assert_str_eq(difference.pool, "hasami");
    cr_assert_str_eq(difference.list, "ranked");
    cr_assert_eq(difference.width_milli, 1000);
    cr_assert_eq(difference.bucket, 1623);
    cr_assert_eq(difference.tenth, 0);
    cr_assert_eq(difference.stored, 2);
    cr_assert_eq(difference.actual, 1);
}

Test(ranks, a_tenth_that_drifted_is_found)
{
    struct db_count_difference difference;
    store_rating(db, store_player(db, "aki"), DB_RANKED, 1623456);
    for (int tenth = 1; tenth <= 9; tenth++) {
        char sql[128];
        (void)snprintf(sql, sizeof sql,
                       "UPDATE rating_count SET from_%d = 1 - from_%d WHERE width_milli = 1000",
                       tenth, tenth);
        foreign_run(db->handle, sql);
        cr_assert_eq(db_count_difference(db, &difference), DB_OK);
        cr_assert_eq(difference.width_milli, 1000);
        cr_assert_eq(difference.tenth, tenth);
        cr_assert_eq(difference.stored, tenth <= 4 ? 0 : 1);
        cr_assert_eq(difference.actual, tenth <= 4 ? 1 : 0);
        foreign_run(db->handle, sql);
        cr_assert_eq(db_count_difference(db, &difference), DB_NONE);
    }
}

Test(ranks, the_view_shows_every_player_at_the_place_that_counting_says)
{
    fill();
    cr_assert_gt(foreign_int(db->handle, "SELECT count(*) FROM ranking"), MANY / 2);
    foreign_run(
        db->handle,
        "CREATE TEMP TABLE truth AS SELECT rank() OVER (ORDER BY rating_milli DESC) AS rank,"
        " player_id, rating_milli / 1000.0 AS rating FROM player_rating"
        " JOIN player USING (player_no) WHERE pool = 'hasami' AND list = 'ranked'");
    cr_expect_eq(foreign_int(db->handle, "SELECT count(*) FROM (SELECT * FROM truth EXCEPT"
                                         " SELECT rank, player_id, rating FROM ranking)"),
                 0);
    cr_expect_eq(foreign_int(db->handle, "SELECT count(*) FROM (SELECT rank, player_id, rating"
                                         " FROM ranking EXCEPT SELECT * FROM truth)"),
                 0);
    cr_expect_eq(foreign_int(db->handle, "SELECT count(*) FROM truth AS t WHERE rank IS NOT ("
                                         "SELECT rank FROM ranking AS v"
                                         " WHERE v.player_id = t.player_id)"),
                 0);
}

static int64_t brute_above(int64_t rating_milli)
{
    char sql[160];
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM player_rating WHERE pool = 'hasami' AND list = 'ranked'"
                   " AND rating_milli > %lld",
                   (long long)rating_milli);
    return foreign_int(db->handle, sql);
}

Test(ranks, players_above_are_the_same_by_counts_and_by_counting)
{
    fill();
    for (int i = 0; i < 2 * MANY; i++) {
        int64_t above = -1;
        int64_t rating_milli = i % 2 == 0 ? some_rating() : 99990 + below(3000000);
        cr_assert_eq(db_rating_above(db, "hasami", DB_RANKED, rating_milli, &above), DB_OK);
        cr_assert_eq(above, brute_above(rating_milli), "above %lld", (long long)rating_milli);
    }
}

/* What a page has to agree with: rank and order of a player by SQL's own window function. */
static void expect_row(const struct db_ranking_row *row, int64_t place)
{
    char sql[256];
    (void)snprintf(sql, sizeof sql,
                   "SELECT rank * 1000000 + player_no FROM (SELECT player_no, rank() OVER (ORDER BY"
                   " rating_milli DESC) AS rank FROM player_rating WHERE pool = 'hasami' AND"
                   " list = 'ranked' ORDER BY rating_milli DESC, player_no) LIMIT 1 OFFSET %d",
                   (int)place);
    int64_t expected = foreign_int(db->handle, sql);
    cr_assert_eq(row->rank, expected / 1000000, "rank at place %d", (int)place);
    cr_assert_eq(row->rating.player_no, expected % 1000000, "player at place %d", (int)place);
}

Test(ranks, pages_down_the_list_give_every_row_with_its_rank)
{
    struct db_ranking_row rows[7];
    struct db_rank_key key;
    size_t count = 0;
    int64_t place = 0;
    int64_t size = 0;
    fill();
    cr_assert_eq(db_ranking_after(db, "hasami", DB_RANKED, NULL, rows, 7, &count), DB_OK);
    while (count > 0) {
        for (size_t i = 0; i < count; i++) {
            expect_row(&rows[i], place++);
        }
        key = (struct db_rank_key){rows[count - 1].rating.rating_milli,
                                   rows[count - 1].rating.player_no};
        cr_assert_eq(db_ranking_after(db, "hasami", DB_RANKED, &key, rows, 7, &count), DB_OK);
    }
    cr_assert_eq(db_list_size(db, "hasami", DB_RANKED, &size), DB_OK);
    cr_assert_eq(place, size);
}

Test(ranks, equal_ratings_share_a_rank)
{
    struct db_ranking_row rows[4];
    size_t count = 0;
    store_rating(db, store_player(db, "aki"), DB_RANKED, 1600000);
    store_rating(db, store_player(db, "ben"), DB_RANKED, 1600000);
    store_rating(db, store_player(db, "cho"), DB_RANKED, 1599999);
    cr_assert_eq(db_ranking_after(db, "hasami", DB_RANKED, NULL, rows, 4, &count), DB_OK);
    cr_assert_eq(count, 3);
    cr_assert(rows[0].rank == 1 && rows[1].rank == 1 && rows[2].rank == 3);
    cr_assert_str_eq(rows[2].name, "cho");
    cr_assert_eq(db_ranking_after(db, "hasami", DB_HIDDEN, NULL, rows, 4, &count), DB_OK);
    cr_assert_eq(count, 0);
}

/* --- standings and events ------------------------------------------------------------------------
 */

Test(ranks, a_standing_is_stored_over_the_one_before)
{
    struct db_rating found[2];
    size_t count = 0;
    int64_t aki = store_player(db, "aki");
    cr_assert_eq(db_rating_load(db, aki, "hasami", &found[0]), DB_NONE);
    store_rating(db, aki, DB_PROVISIONAL, 1500000);
    store_rating(db, aki, DB_RANKED, 1512345);
    cr_assert_eq(db_rating_load(db, aki, "hasami", &found[0]), DB_OK);
    cr_assert_eq(found[0].rating_milli, 1512345);
    cr_assert_eq(found[0].list, DB_RANKED);
    cr_assert(found[0].games == 6 && found[0].wins == 3 && found[0].draws == 2);
    cr_assert(found[0].losses == 1 && found[0].places[1] == 3 && found[0].places[3] == 0);
    cr_assert_eq(db_ratings_of(db, aki, found, 2, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(db_ratings(db, 0, "", found, 2, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(db_ratings(db, aki, "hasami", found, 2, &count), DB_OK);
    cr_assert_eq(count, 0);
}

Test(ranks, an_event_comes_back_with_its_summands)
{
    int64_t aki = store_player(db, "aki");
    int64_t game_no = store_game(db, aki, store_player(db, "ben"));
    struct db_rating_event event = {.game_no = game_no,
                                    .player_no = aki,
                                    .pool = "hasami",
                                    .at_ms = 7,
                                    .place = 2,
                                    .games_before = 19,
                                    .k = 40,
                                    .before_milli = 1500000,
                                    .delta_milli = -20000,
                                    .after_milli = 1480000,
                                    .cpu_plies = 4,
                                    .cpu_at_end = true,
                                    .capped = true};
    struct db_rating_event events[DB_SEATS_MAX];
    struct db_against against[DB_SEATS_MAX];
    size_t count = 0;
    cr_assert_eq(db_rating_event_insert(db, &event), DB_OK);
    int64_t event_no = event.event_no;
    cr_assert_eq(db_rating_event_insert(db, &event), DB_CONFLICT, "a result is applied once");
    cr_assert_eq(
        db_against_insert(db, &(struct db_against){event_no, 1, 1500000, 500000, 0, -20000}),
        DB_OK);
    cr_assert_eq(db_rating_events_of_game(db, game_no, true, events, &count), DB_OK);
    cr_assert_eq(count, 0);
    cr_assert_eq(db_rating_events_of_game(db, game_no, false, events, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert(events[0].event_no == event_no && events[0].k == 40 && events[0].cpu_plies == 4);
    cr_assert(events[0].cpu_at_end && events[0].capped && !events[0].floor_applied);
    cr_assert_eq(events[0].delta_milli, -20000);
    cr_assert_eq(events[0].games_before, 19);
    cr_assert_not_null(strstr(events[0].player_id.id.text, "aki"));
    cr_assert_eq(db_against_of_event(db, event_no, against, &count), DB_OK);
    cr_assert(count == 1 && against[0].opponent_seat_no == 1 && against[0].score_halves == 0);
    cr_assert_eq(against[0].expected_micro, 500000);
    cr_assert_eq(db_rating_events(db, 0, events, 4, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(db_rating_events(db, event_no, events, 4, &count), DB_OK);
    cr_assert_eq(count, 0);
}

/* The rating after each of three games of one player, and of another between them. */
static void store_events(int64_t player_no, int64_t other_no)
{
    for (int64_t i = 1; i <= 4; i++) {
        struct db_rating_event event = {.game_no = store_game(db, player_no, other_no),
                                        .player_no = i == 2 ? other_no : player_no,
                                        .pool = "hasami",
                                        .at_ms = i,
                                        .place = 1,
                                        .k = 40,
                                        .before_milli = i * 1000,
                                        .delta_milli = 1000,
                                        .after_milli = (i + 1) * 1000};
        cr_assert_eq(db_rating_event_insert(db, &event), DB_OK);
        cr_assert_eq(event.event_no, i);
    }
}

Test(ranks, a_player_s_events_are_found_from_the_last_one_before_a_mark)
{
    struct db_rating_event mark = {.player_no = store_player(db, "aki"), .pool = "hasami"};
    struct db_rating_event events[4];
    size_t count = 0;
    store_events(mark.player_no, store_player(db, "ben"));
    cr_assert_eq(db_rating_events_of_player(db, &mark, events, 4, &count), DB_OK);
    cr_assert_eq(count, 3, "nothing came before: all of them");
    mark.event_no = 2;
    cr_assert_eq(db_rating_events_of_player(db, &mark, events, 4, &count), DB_OK);
    cr_assert(count == 3 && events[0].event_no == 1, "event 2 is another player's");
    mark.event_no = 3;
    cr_assert_eq(db_rating_events_of_player(db, &mark, events, 4, &count), DB_OK);
    cr_assert(count == 2 && events[0].event_no == 3 && events[1].after_milli == 5000);
    mark.event_no = 99;
    cr_assert_eq(db_rating_events_of_player(db, &mark, events, 4, &count), DB_OK);
    cr_assert(count == 1 && events[0].event_no == 4);
    cr_assert_eq(db_rating_events_of_player(db, &mark, events, 0, &count), DB_OK);
    cr_assert_eq(count, 0);
    memcpy(mark.pool, "yonin", sizeof "yonin");
    cr_assert_eq(db_rating_events_of_player(db, &mark, events, 4, &count), DB_OK);
    cr_assert_eq(count, 0);
}

#include "store.h"

#include "db/lists.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Pages of games against what SQL finds by looking at every game. */

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

TestSuite(game_lists, .init = enter, .fini = leave);

enum { GAMES = 400, PLAYERS = 5, PAGE = 7 };

/* Games of both kinds, in three pools and in none, of every status, between any two players. */
static const char many_games[] =
    "INSERT INTO game (game_no, game_id, game, pool, rated, unrated_reason, options, turn_seconds,"
    " player_set, status, position, ply, turn, seq, end_reason, rating_status, created_at_ms,"
    " finished_at_ms)"
    " WITH RECURSIVE n (i, x) AS (VALUES (1, 12345) UNION ALL"
    " SELECT i + 1, (x * 1103515245 + 12345) % 2147483648 FROM n WHERE i < 400)"
    " SELECT i, printf('g_%026d', i), CASE WHEN x / 1000 % 2 THEN 'hasami' ELSE 'yonin' END,"
    " CASE x / 1000 % 8 WHEN 0 THEN 'yonin' WHEN 2 THEN 'yonin_pairs' WHEN 4 THEN 'yonin'"
    " WHEN 1 THEN NULL WHEN 6 THEN NULL ELSE 'hasami' END, 0, 'casual', '', 0, '',"
    " CASE x / 50000 % 3 WHEN 0 THEN 'playing' WHEN 1 THEN 'finished' ELSE 'aborted' END, '', 0,"
    " CASE x / 50000 % 3 WHEN 0 THEN 'b' END, 1,"
    " CASE x / 50000 % 3 WHEN 0 THEN NULL WHEN 1 THEN 'resign' ELSE 'no_show' END,"
    " CASE x / 50000 % 3 WHEN 0 THEN NULL ELSE 'unrated' END, 1,"
    " CASE x / 50000 % 3 WHEN 0 THEN NULL ELSE 2 END FROM n;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT game_no, 0, 'b', 1 + game_no * 7 / 3 % 5, NULL, 'player',"
    " CASE status WHEN 'finished' THEN 1 END FROM game;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT g.game_no, 1, 'w', 1 + (s.player_no + g.game_no % 4) % 5, NULL, 'player',"
    " CASE g.status WHEN 'finished' THEN 2 END FROM game g JOIN seat s ON s.game_no = g.game_no";

static void fill(void)
{
    char name[16];
    for (int i = 0; i < PLAYERS; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        cr_assert_eq(store_player(db, name), i + 1);
    }
    foreign_run(db->handle, many_games);
}

/* The game that passes the filter at a place from the newest; 0: there is none. */
static int64_t expected_at(const struct db_game_filter *filter, int place)
{
    char sql[512];
    (void)snprintf(sql, sizeof sql,
                   "SELECT coalesce((SELECT game_no FROM game g WHERE"
                   " ('%s' = '' OR game = '%s') AND ('%s' = '' OR pool = '%s')"
                   " AND ('%s' = '' OR status = '%s') AND (%d = 0 OR EXISTS (SELECT 1 FROM seat s"
                   " WHERE s.game_no = g.game_no AND s.player_no = %d)) AND (%d = 0 OR EXISTS"
                   " (SELECT 1 FROM seat s WHERE s.game_no = g.game_no AND s.player_no = %d))"
                   " ORDER BY +game_no DESC LIMIT 1 OFFSET %d), 0)",
                   filter->game, filter->game, filter->pool, filter->pool, filter->status,
                   filter->status, (int)filter->player_no, (int)filter->player_no,
                   (int)filter->opponent_no, (int)filter->opponent_no, place);
    return foreign_int(db->handle, sql);
}

static void expect_walk(struct db_game_filter filter)
{
    struct db_game games[PAGE];
    size_t count = PAGE;
    int place = 0;
    int64_t look_before = 0;
    filter.before_game_no = 0;
    while (count == PAGE) {
        cr_assert_eq(db_games(db, &filter, games, PAGE, &count, &look_before), DB_OK);
        for (size_t i = 0; i < count; i++) {
            cr_assert_eq(games[i].game_no, expected_at(&filter, place++), "%s %s %s %d %d",
                         filter.game, filter.pool, filter.status, (int)filter.player_no,
                         (int)filter.opponent_no);
        }
        filter.before_game_no = count == 0 ? 1 : games[count - 1].game_no;
        cr_assert_eq(look_before, 0);
    }
    cr_assert_eq(expected_at(&filter, place), 0, "a game is missing");
}

Test(game_lists, show_all_that_pass_and_nothing_else)
{
    static const char *const games[] = {"", "hasami", "yonin"};
    static const char *const pools[] = {"", "hasami", "yonin", "yonin_pairs"};
    static const char *const statuses[] = {"", "playing", "finished", "aborted"};
    fill();
    enum { COMBINATIONS = 72 }; /* six words, four statuses, three choices of players */
    for (size_t i = 0; i < COMBINATIONS; i++) {
        /* A pool or a game: both are never given. */
        struct db_game_filter filter = {
            .game = i % 6 < 2 ? games[1 + i % 6] : "",
            .pool = i % 6 < 2 ? "" : pools[i % 6 - 2],
            .status = statuses[i / 6 % 4],
            .player_no = i / 24 == 0 ? 0 : 2,
            .opponent_no = i / 24 == 2 ? 4 : 0,
        };
        expect_walk(filter);
    }
}

/* As many games as one page looks at and some more; the oldest alone is against another. */
static void fill_with_a_rare_one(void)
{
    char sql[1024];
    (void)store_player(db, "aki");
    (void)store_player(db, "ben");
    (void)store_player(db, "cho");
    (void)snprintf(
        sql, sizeof sql,
        "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds, player_set,"
        " status, position, ply, turn, seq, created_at_ms) WITH RECURSIVE n (i) AS (VALUES (1)"
        " UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i, printf('g_%%026d', i), 'hasami',"
        " 'hasami', 1, '', 30, '', 'playing', '', 0, 'b', 0, 1 FROM n;"
        "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
        " SELECT game_no, 0, 'b', 1, 1, 'player', NULL FROM game;"
        "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
        " SELECT game_no, 1, 'w', iif(game_no = 1, 3, 2), 1, 'player', NULL"
        " FROM game",
        DB_LOOK_MAX + 5);
    foreign_run(db->handle, sql);
}

Test(game_lists, a_page_says_where_to_look_on_when_what_it_looked_at_did_not_fill_it)
{
    struct db_game games[2];
    struct db_game_filter filter = {.player_no = 1, .opponent_no = 3};
    size_t count = 9;
    int64_t look_before = 0;
    fill_with_a_rare_one();
    cr_assert_eq(db_games(db, &filter, games, 2, &count, &look_before), DB_OK);
    cr_assert_eq(count, 0);
    cr_assert_eq(look_before, 6);
    filter.before_game_no = look_before;
    cr_assert_eq(db_games(db, &filter, games, 2, &count, &look_before), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(games[0].game_no, 1);
    cr_assert_eq(look_before, 0);
    filter = (struct db_game_filter){.player_no = 1};
    cr_assert_eq(db_games(db, &filter, games, 2, &count, &look_before), DB_OK);
    cr_assert_eq(count, 2);
    cr_assert_eq(look_before, 0, "a full page goes on behind its last game");
}

/* However many games have gone by in which nobody won a place, and whoever may see them. */
Test(game_lists, running_games_of_a_player_are_found_under_any_number_of_others)
{
    struct db_game games[3];
    struct db_game hidden = {.id = {{"g_zzzzzzzzzzzzzzzzzzzzzzzzzz"}},
                             .game = "hasami",
                             .status = "playing",
                             .turn = "b",
                             .pool = "hasami",
                             .rated = true,
                             .is_private = true};
    struct db_seat seat = {.seat = "b", .player_no = 1};
    size_t count = 0;
    fill_with_a_rare_one();
    cr_assert_eq(db_game_insert(db, &hidden), DB_OK);
    seat.game_no = hidden.game_no;
    cr_assert_eq(db_seat_insert(db, &seat), DB_OK);
    foreign_run(db->handle, "UPDATE game SET status = 'aborted', turn = NULL, end_reason ="
                            " 'no_show', rating_status = 'unrated', finished_at_ms = 2"
                            " WHERE game_no BETWEEN 2 AND 4005");
    cr_assert_eq(db_games_running(db, 1, games, 3, &count), DB_OK);
    cr_assert_eq(count, 2);
    cr_expect_eq(games[0].game_no, hidden.game_no);
    cr_expect_eq(games[1].game_no, 1);
    cr_assert_eq(db_games_running(db, 2, games, 3, &count), DB_OK);
    cr_expect_eq(count, 0);
}

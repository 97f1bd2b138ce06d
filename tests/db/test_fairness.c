#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The view game_fairness, column by column, on rows made for it. Ann is player 1, Ben player 2. */

static sqlite3 *foreign;

static const char rows[] =
    "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds, player_set,"
    " status, position, ply, turn, seq, created_at_ms, replay_of) VALUES"
    " (1, 'g_00000000000000000000000001', 'hasami', 'hasami', 1, '', 30, '1,2', 'playing', '', 0,"
    "  'b', 0, 1000000, NULL),"
    " (2, 'g_00000000000000000000000002', 'hasami', 'hasami', 1, '', 30, '1,2', 'playing', '', 0,"
    "  'b', 0, 2000000, 1),"
    " (3, 'g_00000000000000000000000003', 'hasami', 'hasami', 1, '', 30, '1,2', 'playing', '', 0,"
    "  'b', 0, 87400000, NULL),"
    " (4, 'g_00000000000000000000000004', 'hasami', 'hasami', 1, '', 30, '1,2', 'playing', '', 0,"
    "  'b', 0, 87400001, NULL);"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT game_no, 0, 'b', 1, 1510000, 'player', NULL FROM game;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT game_no, 1, 'w', 2, 1500500, 'player', NULL FROM game;"
    "INSERT INTO ticket (ticket_id, player_no, pool, turn_seconds, rating_milli, status, game_no,"
    " seat, created_at_ms, ended_at_ms) VALUES"
    " ('q_00000000000000000000000001', 1, 'hasami', 30, 1510000, 'matched', 1, 'b', 987500, "
    "1000000),"
    " ('q_00000000000000000000000002', 2, 'hasami', 30, 1500500, 'matched', 1, 'w', 1000000, "
    "1000000),"
    " ('q_00000000000000000000000003', 1, 'hasami', 30, 1510000, 'matched', 3, 'b', 87400000, "
    "87400000),"
    " ('q_00000000000000000000000004', 2, 'hasami', 30, 1500500, 'cancelled', NULL, NULL, 1, 2);"
    "INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
    " VALUES (1, 1, 1, 'b', '5i5e', '', 'player', 1, 1000),"
    " (1, 2, 2, 'w', '4a4b', '', 'player', 1, 7000), (1, 3, 3, 'b', '5e5d', '', 'player', 1, 4000),"
    " (1, 4, 4, 'w', '4b4c', '', 'player', 1, 1500), (1, 5, 5, 'b', '5d5e', '', 'player', 1, 9000),"
    " (1, 6, 6, 'w', '4c4b', '', 'cpu', 1, 60000);"
    "INSERT INTO registration_batch VALUES (2, 1);";

static void enter(void)
{
    store_enter();
    struct db *db = store_open();
    (void)store_player(db, "Ann");
    (void)store_player(db, "Ben");
    store_close(db);
    foreign = foreign_open(store_path());
    foreign_run(foreign, rows);
}

static void leave(void)
{
    cr_expect_eq(sqlite3_close(foreign), SQLITE_OK);
    store_leave();
}

TestSuite(fairness, .init = enter, .fini = leave);

/* One column of the seats of a game, b first, as text. */
static void expect_column(int game_no, const char *column, const char *expected)
{
    char sql[512];
    sqlite3_stmt *statement = NULL;
    (void)snprintf(sql, sizeof sql,
                   "SELECT group_concat(value, ' ') FROM (SELECT coalesce(%s, '-') AS value FROM"
                   " game_fairness WHERE game_id = 'g_0000000000000000000000000%d'"
                   " ORDER BY seat)",
                   column, game_no);
    cr_assert_eq(sqlite3_prepare_v2(foreign, sql, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(foreign));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    const char *found = (const char *)sqlite3_column_text(statement, 0);
    cr_expect_str_eq(found == NULL ? "" : found, expected, "%s of game %d: %s", column, game_no,
                     found);
    (void)sqlite3_finalize(statement);
}

Test(fairness, the_wait_is_from_ticket_to_game)
{
    expect_column(1, "wait_seconds", "12.5 0.0");
    expect_column(2, "wait_seconds", "- -");
}

Test(fairness, the_gap_is_to_the_others)
{
    expect_column(1, "rating", "1510.0 1500.5");
    expect_column(1, "rating_gap", "9.5 -9.5");
}

Test(fairness, window_and_spread_are_those_of_the_pairing)
{
    foreign_run(foreign, "UPDATE ticket SET window_milli = 225000, spread_milli = 9500"
                         " WHERE ticket_no = 1;"
                         "UPDATE ticket SET window_milli = 100000, spread_milli = 9500"
                         " WHERE ticket_no = 2;");
    expect_column(1, "pairing_window", "225.0 100.0");
    expect_column(1, "pairing_spread", "9.5 9.5");
    expect_column(2, "pairing_window", "- -");
    expect_column(3, "pairing_window", "- -");
}

Test(fairness, think_times_are_the_players_own)
{
    expect_column(1, "moves", "3 2");
    expect_column(1, "median_think_seconds", "4.0 4.25");
    expect_column(1, "max_think_seconds", "9.0 7.0");
    expect_column(2, "median_think_seconds", "- -");
}

Test(fairness, games_of_the_same_people_are_counted_over_a_day)
{
    expect_column(1, "set_games_24h", "1 1");
    expect_column(2, "set_games_24h", "2 2");
    expect_column(3, "set_games_24h", "2 2");
}

Test(fairness, a_replay_says_how_long_its_chain_is)
{
    expect_column(1, "chain_games", "1 1");
    expect_column(2, "chain_games", "2 2");
    expect_column(3, "chain_games", "1 1");
}

Test(fairness, the_batch_is_that_of_the_registration)
{
    expect_column(1, "registration_batch", "- 1");
    expect_column(1, "name", "Ann Ben");
}

Test(fairness, a_game_that_no_queue_made_is_not_in_it)
{
    cr_expect_eq(foreign_int(foreign, "SELECT count(*) FROM game_fairness"), 6);
    expect_column(4, "seat", "");
}

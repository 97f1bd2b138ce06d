#include "db/revision.h"
#include "store.h"

#include <criterion/criterion.h>

/* What raises the revision of a pool, and what does not. */

TestSuite(revision, .init = store_enter, .fini = store_leave);

/* By how much these statements raise the revisions of two pools. */
static void expect_raise(sqlite3 *foreign, const char *sql, int64_t hasami, int64_t yonin)
{
    static const char of_hasami[] = "SELECT revision FROM pool WHERE pool = 'hasami'";
    static const char of_yonin[] = "SELECT revision FROM pool WHERE pool = 'yonin'";
    int64_t before[2] = {foreign_int(foreign, of_hasami), foreign_int(foreign, of_yonin)};
    foreign_run(foreign, sql);
    cr_expect_eq(foreign_int(foreign, of_hasami) - before[0], hasami, "%s", sql);
    cr_expect_eq(foreign_int(foreign, of_yonin) - before[1], yonin, "%s", sql);
}

/* Two players, of whom the first is rated in hasami, a running game, and a second pool. */
static sqlite3 *filled(void)
{
    struct db *db = store_open();
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    int64_t game_no = store_game(db, aki, ben);
    store_play(db, game_no, 1);
    store_rating(db, aki, DB_RANKED, 1600000);
    store_close(db);
    sqlite3 *foreign = foreign_open(store_path());
    return foreign;
}

Test(revision, every_change_of_a_standing_raises_its_pool)
{
    sqlite3 *foreign = filled();
    expect_raise(foreign, "UPDATE player_rating SET rating_milli = 1600001", 1, 0);
    expect_raise(foreign, "UPDATE player_rating SET list = 'hidden'", 1, 0);
    expect_raise(foreign, "UPDATE player_rating SET list = 'ranked'", 1, 0);
    expect_raise(foreign, "UPDATE player_rating SET wins = wins + 1, games = games + 1", 1, 0);
    expect_raise(foreign, "UPDATE player_rating SET last_game_at_ms = 7", 1, 0);
    expect_raise(foreign,
                 "INSERT INTO player_rating SELECT 2, 'yonin', rating_milli, list, games, wins,"
                 " draws, losses, place_1, place_2, place_3, place_4, last_game_at_ms"
                 " FROM player_rating",
                 0, 1);
    expect_raise(foreign, "DELETE FROM player_rating WHERE pool = 'hasami'", 1, 0);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(revision, a_name_shows_in_every_pool_also_of_who_was_never_rated)
{
    sqlite3 *foreign = filled();
    expect_raise(foreign, "UPDATE player SET name = 'kei' WHERE player_no = 1", 1, 1);
    expect_raise(foreign, "UPDATE player SET name = NULL WHERE player_no = 1", 1, 1);
    expect_raise(foreign, "UPDATE player SET name = 'ren' WHERE player_no = 2", 1, 1);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(revision, what_no_ranking_shows_raises_nothing)
{
    sqlite3 *foreign = filled();
    expect_raise(foreign, "UPDATE player SET name = name", 0, 0);
    expect_raise(foreign, "UPDATE player SET created_at_ms = 5", 0, 0);
    expect_raise(foreign,
                 "INSERT INTO player (player_id, name, created_at_ms)"
                 " VALUES ('p_0000000000000000000000000z', 'new', 1)",
                 0, 0);
    expect_raise(
        foreign,
        "INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
        " VALUES (1, 2, 2, 'w', '1a1b', '', 'player', 1, 1);"
        "UPDATE game SET ply = 2, seq = 2",
        0, 0);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(revision, it_is_read_by_the_name_of_the_pool)
{
    int64_t before = -1;
    int64_t after = -1;
    struct db *db = store_open();
    int64_t aki = store_player(db, "aki");
    cr_assert_eq(db_pool_revision(db, "hasami", &before), DB_OK);
    store_rating(db, aki, DB_RANKED, 1600000);
    cr_assert_eq(db_pool_revision(db, "hasami", &after), DB_OK);
    cr_expect_eq(after, before + 1);
    cr_expect_eq(db_pool_revision(db, "chess", &after), DB_NONE);
    cr_expect_eq(after, before + 1);
    store_close(db);
}

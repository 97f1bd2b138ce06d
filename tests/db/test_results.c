#include "store.h"

#include "db/lists.h"
#include "db/migrations.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The feed of results beside the chain. */

TestSuite(results, .init = store_enter, .fini = store_leave);

/* One more link: what happened to a game. */
static void link_game(struct db *db, const char *kind, int64_t game_no)
{
    struct db_link link = {.game_no = game_no, .at_ms = STORE_NOW_MS + game_no};
    (void)snprintf(link.kind, sizeof link.kind, "%s", kind);
    cr_assert_eq(db_chain_insert(db, &link), DB_OK);
}

static int64_t finished(struct db *db, int64_t first, int64_t second)
{
    int64_t game_no = store_game(db, first, second);
    store_finish(db, game_no);
    link_game(db, "ended", game_no);
    return game_no;
}

static int64_t aborted(struct db *db, int64_t first, int64_t second)
{
    int64_t game_no = store_game(db, first, second);
    struct db_game game = {.game_no = game_no,
                           .status = "aborted",
                           .end_reason = "no_show",
                           .rating_status = "unrated",
                           .finished_at_ms = STORE_NOW_MS};
    cr_assert_eq(db_game_finish(db, &game), DB_OK);
    link_game(db, "ended", game_no);
    return game_no;
}

/* Games 1 and 3 are finished, 2 is aborted, then 1 is voided: links 1, 3 and 4 are results. */
static void fill(struct db *db)
{
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    int64_t first = finished(db, aki, ben);
    (void)aborted(db, aki, ben);
    (void)finished(db, ben, aki);
    link_game(db, "voided", first);
    (void)store_game(db, aki, ben);
}

/* What a page holds, as "seq:game" with a v for a void. */
static const char *page(struct db *db, int64_t after, const char *pool, size_t max)
{
    static char text[128];
    struct db_result found[8];
    size_t count = 0;
    cr_assert_eq(db_results(db, after, pool, found, max, &count), DB_OK);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%d:%d%s ", (int)found[i].seq,
                       (int)found[i].game.game_no, found[i].is_void ? "v" : "");
        cr_assert_eq(found[i].at_ms, STORE_NOW_MS + found[i].game.game_no);
    }
    return text;
}

Test(results, are_the_links_of_finished_games_and_of_their_voids)
{
    struct db *db = store_open();
    fill(db);
    cr_expect_str_eq(page(db, 0, NULL, 8), "1:1 3:3 4:1v ");
    cr_expect_str_eq(page(db, 0, NULL, 2), "1:1 3:3 ");
    cr_expect_str_eq(page(db, 1, NULL, 8), "3:3 4:1v ");
    cr_expect_str_eq(page(db, 4, NULL, 8), "");
    cr_expect_str_eq(page(db, 1000, NULL, 8), "");
    cr_expect_str_eq(page(db, 1, "hasami", 8), "3:3 4:1v ");
    cr_expect_str_eq(page(db, 0, "yonin", 8), "");
    store_close(db);
}

Test(results, of_before_the_feed_are_in_it_too)
{
    char record[512];
    struct db_report report;
    sqlite3 *foreign = foreign_open(store_path());
    for (int i = 0; i < 2; i++) {
        foreign_run(foreign, migrations[i].sql);
        (void)snprintf(record, sizeof record,
                       "INSERT INTO schema_migration VALUES (%d, '%s', '%s', 5);"
                       "PRAGMA user_version=%d; PRAGMA application_id=%d",
                       i + 1, migrations[i].name, migrations[i].sha256, i + 1, DB_APPLICATION_ID);
        foreign_run(foreign, record);
    }
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    struct db *db = NULL;
    cr_assert_eq(db_connect(store_path(), DB_MODE_WRITER, &db), DB_OK);
    foreign_run(db->handle,
                "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds,"
                " player_set, status, position, ply, seq, end_reason, rating_status,"
                " created_at_ms, finished_at_ms)"
                " VALUES (1, 'g_00000000000000000000000001', 'hasami', 'hasami', 1, '', 30, '1,2',"
                " 'finished', '', 0, 1, 'resign', 'applied', 1, 2),"
                " (2, 'g_00000000000000000000000002', 'hasami', 'hasami', 1, '', 30, '1,2',"
                " 'aborted', '', 0, 1, 'no_show', 'unrated', 1, 2)");
    link_game(db, "ended", 1);
    link_game(db, "ended", 2);
    link_game(db, "voided", 1);
    db_close(db);
    store_prepare(DB_OK, &report);
    cr_assert_eq(db_connect(store_path(), DB_MODE_READER, &db), DB_OK);
    cr_expect_str_eq(page(db, 0, NULL, 8), "1:1 3:1v ");
    cr_expect_str_eq(page(db, 0, "hasami", 8), "1:1 3:1v ");
    db_close(db);
}

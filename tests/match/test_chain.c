#include "key_folder.h"
#include "match/chain.h"
#include "table.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

TestSuite(hash_chain, .init = table_enter, .fini = table_leave);

/* One move, then white resigns; rated. */
static struct db_game ended_game(size_t first, size_t second)
{
    static const char *const moves[] = {"5i5e", NULL};
    struct game_plan plan = table_plan(first, second);
    struct db_game game = table_game(&plan);
    struct game_line *line = table_line(&game);
    table_play(&game, &line, moves);
    line_unref(line);
    table_resign(&game, 1);
    return game;
}

static void hash_of(int64_t game_no, const uint8_t *previous, uint8_t hash[DB_HASH_BYTES])
{
    cr_assert_eq(chain_hash(table()->db, table()->secrets, previous, game_no, hash), DB_OK);
}

static bool same(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, DB_HASH_BYTES) == 0;
}

/* --- the text that is hashed ---------------------------------------------------------------------
 */

__attribute__((format(printf, 2, 3))) static void add(struct secrets_hash *hash, const char *format,
                                                      ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    secrets_chain_add(hash, line, (size_t)length);
}

/* Written out once more, so that a file made by an older build still verifies. */
Test(hash_chain, a_link_is_the_keyed_hash_of_a_text_that_never_changes)
{
    static const uint8_t none[DB_HASH_BYTES] = {0};
    uint8_t expected[DB_HASH_BYTES];
    uint8_t found[DB_HASH_BYTES];
    struct secrets_hash hash;
    struct db_game game = ended_game(0, 1);
    const int64_t start = STORE_NOW_MS;
    secrets_chain_begin(table()->secrets, &hash);
    secrets_chain_add(&hash, none, sizeof none);
    add(&hash,
        "game %s hasami pool=hasami rated=1 unrated= "
        "options=[win_condition=capture_5 move_limit=2000] turn_seconds=30\n",
        game.id.id.text);
    add(&hash, "end finished [ppppppppp/9/9/9/4P4/9/9/9/PPPP1PPPP w - 2] ply=1 seq=2 "
               "reason=resign rating=applied replay_of=\n");
    add(&hash, "time %" PRId64 " %" PRId64 "\n", start, start + 1000);
    add(&hash, "seat b p_000000000000000000000akiko rating=1500000 cpu=0 place=1\n");
    add(&hash, "seat w p_000000000000000000000boris rating=1500000 cpu=0 place=2\n");
    add(&hash, "move 1 1 b 5i5e [] cpu=0 %" PRId64 " 1000\n", start + 1000);
    add(&hash, "event 2 finished seat=w reason=resign game= %" PRId64 "\n", start + 1000);
    add(&hash,
        "rating 0 p_000000000000000000000akiko hasami place=1 games=0 k=40 1500000 20000 1520000 "
        "cpu=0,0 capped=0 floor=0 %" PRId64 "\n",
        start + 1000);
    add(&hash, "against 1 1500000 500000 2 20000\n");
    add(&hash,
        "rating 1 p_000000000000000000000boris hasami place=2 games=0 k=40 1500000 -20000 1480000 "
        "cpu=0,0 capped=0 floor=0 %" PRId64 "\n",
        start + 1000);
    add(&hash, "against 0 1500000 500000 0 -20000\n");
    secrets_chain_end(&hash, expected);
    hash_of(game.game_no, NULL, found);
    cr_expect(same(found, expected));
}

Test(hash_chain, a_hash_hangs_on_the_link_before_and_on_the_key)
{
    uint8_t first[DB_HASH_BYTES];
    uint8_t again[DB_HASH_BYTES];
    uint8_t after[DB_HASH_BYTES];
    uint8_t other[DB_HASH_BYTES];
    struct db_game game = ended_game(0, 1);
    hash_of(game.game_no, NULL, first);
    hash_of(game.game_no, NULL, again);
    hash_of(game.game_no, first, after);
    cr_expect(same(first, again));
    cr_expect_not(same(first, after));
    struct secrets *stranger = key_load(
        FIRST_LINE "server 4444444444444444444444444444444444444444444444444444444444444444\n"
                   "current 0 " KEY_A);
    cr_assert_eq(chain_hash(table()->db, stranger, NULL, game.game_no, other), DB_OK);
    cr_expect_not(same(first, other));
    secrets_free(stranger);
}

Test(hash_chain, what_ends_games_appends_links_that_hang_together)
{
    struct db_link links[3];
    uint8_t expected[DB_HASH_BYTES];
    size_t count = 0;
    int64_t games[2] = {ended_game(0, 1).game_no, ended_game(2, 3).game_no};
    cr_assert_eq(db_chain(table()->db, 0, links, 3, &count), DB_OK);
    cr_assert_eq(count, 2);
    for (size_t i = 0; i < 2; i++) {
        hash_of(games[i], i == 0 ? NULL : links[0].hash, expected);
        cr_expect_eq(links[i].link, (int64_t)i + 1);
        cr_expect_str_eq(links[i].kind, "ended");
        cr_expect_eq(links[i].game_no, games[i]);
        cr_expect_eq(links[i].at_ms, STORE_NOW_MS + 1000 * ((int64_t)i + 1));
        cr_expect(same(links[i].hash, expected));
    }
}

/* --- what is in it, and what is not --------------------------------------------------------------
 */

static const char unlock[] =
    "PRAGMA defer_foreign_keys = 1;"
    "DROP TRIGGER game_keeps_its_keys; DROP TRIGGER game_keeps_its_end; DROP TRIGGER "
    "seat_keeps_its_end;"
    "DROP TRIGGER move_never_changes; DROP TRIGGER move_needs_a_running_game;"
    "DROP TRIGGER move_is_kept; DROP TRIGGER game_event_never_changes;"
    "DROP TRIGGER game_event_is_kept; DROP TRIGGER rating_event_never_changes;"
    "DROP TRIGGER rating_event_is_kept; DROP TRIGGER rating_against_never_changes;"
    "DROP TRIGGER rating_against_is_kept;";

/* Whether the hash of game 1 is another one after this change, which is then taken back. */
static bool changes_hash(const char *sql)
{
    uint8_t before[DB_HASH_BYTES];
    uint8_t after[DB_HASH_BYTES];
    hash_of(1, NULL, before);
    cr_assert_eq(db_savepoint(table()->db), DB_OK);
    foreign_run(table()->db->handle, sql);
    cr_assert_gt(sqlite3_changes(table()->db->handle), 0, "%s", sql);
    hash_of(1, NULL, after);
    cr_assert_eq(db_rollback_to(table()->db), DB_OK);
    return !same(before, after);
}

Test(hash_chain, every_column_of_an_ended_game_s_own_rows_is_in_it)
{
    static const char *const changes[] = {
        "UPDATE game SET game_id = 'g_00000000000000000000000000' WHERE game_no = 1",
        "UPDATE game SET game = 'yonin' WHERE game_no = 1",
        "UPDATE game SET pool = NULL WHERE game_no = 1",
        "UPDATE game SET rated = 0, unrated_reason = 'casual' WHERE game_no = 1",
        "UPDATE game SET unrated_reason = 'casual' WHERE game_no = 1",
        "UPDATE game SET options = 'win_condition=lead_3 move_limit=2000' WHERE game_no = 1",
        "UPDATE game SET turn_seconds = 31 WHERE game_no = 1",
        "UPDATE game SET status = 'aborted' WHERE game_no = 1",
        "UPDATE game SET position = 'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1' WHERE game_no = 1",
        "UPDATE game SET ply = 0 WHERE game_no = 1",
        "UPDATE game SET seq = 3 WHERE game_no = 1",
        "UPDATE game SET end_reason = 'capture' WHERE game_no = 1",
        "UPDATE game SET rating_status = 'unrated' WHERE game_no = 1",
        "UPDATE game SET replay_of = 2 WHERE game_no = 1",
        "UPDATE game SET created_at_ms = created_at_ms + 1 WHERE game_no = 1",
        "UPDATE game SET finished_at_ms = finished_at_ms + 1 WHERE game_no = 1",
        "UPDATE seat SET seat = 's' WHERE game_no = 1 AND seat_no = 0",
        "UPDATE seat SET player_no = 3 WHERE game_no = 1 AND seat_no = 0",
        "UPDATE seat SET rating_milli = 1500001 WHERE game_no = 1 AND seat_no = 1",
        "UPDATE seat SET rating_milli = NULL WHERE game_no = 1 AND seat_no = 1",
        "UPDATE seat SET control = 'cpu' WHERE game_no = 1 AND seat_no = 1",
        "UPDATE seat SET place = 1 WHERE game_no = 1 AND seat_no = 1",
        "UPDATE move SET ply = 2, seq = 2 WHERE game_no = 1",
        "UPDATE move SET seq = 2 WHERE game_no = 1",
        "UPDATE move SET seat = 'w' WHERE game_no = 1",
        "UPDATE move SET move = '5i5d' WHERE game_no = 1",
        "UPDATE move SET captured = '5e' WHERE game_no = 1",
        "UPDATE move SET made_by = 'cpu' WHERE game_no = 1",
        "UPDATE move SET at_ms = at_ms + 1 WHERE game_no = 1",
        "UPDATE move SET think_ms = 999 WHERE game_no = 1",
        "DELETE FROM move WHERE game_no = 1",
        "UPDATE game_event SET seq = 1 WHERE game_no = 1",
        "UPDATE game_event SET type = 'seat' WHERE game_no = 1",
        "UPDATE game_event SET at_ms = at_ms + 1 WHERE game_no = 1",
        "UPDATE game_event SET seat = 'b' WHERE game_no = 1",
        "UPDATE game_event SET reason = 'capture' WHERE game_no = 1",
        "UPDATE game_event SET linked_game_no = 2 WHERE game_no = 1",
        "DELETE FROM game_event WHERE game_no = 1",
        "UPDATE rating_event SET seat_no = 2 WHERE event_no = 1",
        "UPDATE rating_event SET player_no = 3 WHERE event_no = 1",
        "UPDATE rating_event SET pool = 'yonin' WHERE event_no = 1",
        "UPDATE rating_event SET kind = 'void' WHERE event_no = 1",
        "UPDATE rating_event SET at_ms = at_ms + 1 WHERE event_no = 1",
        "UPDATE rating_event SET place = 2 WHERE event_no = 1",
        "UPDATE rating_event SET games_before = 1 WHERE event_no = 1",
        "UPDATE rating_event SET k = 24 WHERE event_no = 1",
        "UPDATE rating_event SET before_milli = 1, after_milli = 20001 WHERE event_no = 1",
        "UPDATE rating_event SET delta_milli = 1, after_milli = 1500001 WHERE event_no = 1",
        "UPDATE rating_event SET cpu_plies = 1 WHERE event_no = 1",
        "UPDATE rating_event SET control_at_end = 'cpu' WHERE event_no = 1",
        "UPDATE rating_event SET capped = 1 WHERE event_no = 1",
        "UPDATE rating_event SET floor_applied = 1 WHERE event_no = 1",
        "DELETE FROM rating_event WHERE event_no = 2",
        "UPDATE rating_against SET opponent_seat_no = 2 WHERE event_no = 1",
        "UPDATE rating_against SET rating_milli = 1 WHERE event_no = 1",
        "UPDATE rating_against SET expected_micro = 500001 WHERE event_no = 1",
        "UPDATE rating_against SET score_halves = 1 WHERE event_no = 1",
        "UPDATE rating_against SET points_milli = 19999 WHERE event_no = 1",
        "DELETE FROM rating_against WHERE event_no = 1",
    };
    (void)ended_game(0, 1);
    (void)ended_game(2, 3);
    foreign_run(table()->db->handle, unlock);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        cr_expect(changes_hash(changes[i]), "%s", changes[i]);
    }
}

Test(hash_chain, names_and_other_games_are_not_in_it)
{
    (void)ended_game(0, 1);
    (void)ended_game(2, 3);
    foreign_run(table()->db->handle, unlock);
    cr_expect_not(changes_hash("UPDATE player SET name = NULL"));
    cr_expect_not(changes_hash("UPDATE move SET think_ms = 5 WHERE game_no = 2"));
    cr_expect_not(changes_hash("UPDATE player_rating SET rating_milli = 100000"));
    cr_expect_not(changes_hash("INSERT INTO game_event (game_no, seq, type, at_ms) "
                               "VALUES (1, 3, 'voided', 5)"),
                  "what comes after the end has a link of its own");
}

Test(hash_chain, moves_and_events_beyond_one_page_are_in_it)
{
    (void)ended_game(0, 1);
    foreign_run(table()->db->handle, unlock);
    foreign_run(
        table()->db->handle,
        "WITH RECURSIVE n (i) AS (VALUES (3) UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
        "INSERT INTO game_event (game_no, seq, type, at_ms) SELECT 1, i, 'clock', i FROM n;"
        "WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
        "INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
        " SELECT 1, i, 200 + i, 'w', '1a1b', '', 'player', 1, 1 FROM n;"
        "UPDATE game SET seq = 400 WHERE game_no = 1");
    cr_expect(changes_hash("UPDATE game_event SET at_ms = 1 WHERE seq = 200"));
    cr_expect(changes_hash("UPDATE move SET think_ms = 2 WHERE ply = 200"));
    cr_expect(changes_hash("DELETE FROM move WHERE ply = 65"));
}

Test(hash_chain, a_game_that_is_not_there_has_no_hash)
{
    uint8_t hash[DB_HASH_BYTES];
    cr_expect_eq(chain_hash(table()->db, table()->secrets, NULL, 99, hash), DB_NONE);
    cr_expect_eq(chain_append(table()->db, table()->secrets, 99, STORE_NOW_MS), DB_NONE);
    struct db_link link;
    cr_expect_eq(db_chain_last(table()->db, &link), DB_NONE);
}

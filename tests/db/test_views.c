#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The other views, read as a person would read them. */

static sqlite3 *foreign;
static int64_t game_no;

struct answer {
    size_t length;
    char text[8192];
};

static void add(struct answer *answer, const char *text)
{
    size_t length = strlen(text);
    cr_assert_lt(answer->length + length, sizeof answer->text);
    memcpy(answer->text + answer->length, text, length + 1);
    answer->length += length;
}

/* What one query answers, columns separated by bars and rows by newlines. */
static int append(void *context, int count, char **values, char **names)
{
    struct answer *answer = context;
    (void)names;
    for (int i = 0; i < count; i++) {
        add(answer, i == 0 ? "" : "|");
        add(answer, values[i] == NULL ? "NULL" : values[i]);
    }
    add(answer, "\n");
    return SQLITE_OK;
}

static void expect_answer(const char *sql, const char *expected)
{
    struct answer answer = {0};
    char *message = NULL;
    cr_assert_eq(sqlite3_exec(foreign, sql, append, &answer, &message), SQLITE_OK, "%s", message);
    cr_expect_str_eq(answer.text, expected, "%s:\n%s", sql, answer.text);
}

/* Ann (1) plays Ben (2). */
static void enter(void)
{
    store_enter();
    (void)setenv("TZ", "XYZ-2", 1);
    struct db *db = store_open();
    (void)store_player(db, "Ann");
    (void)store_player(db, "Ben");
    game_no = store_game(db, 1, 2);
    store_play(db, game_no, 1);
    store_play(db, game_no, 2);
    store_close(db);
    foreign = foreign_open(store_path());
}

static void leave(void)
{
    cr_expect_eq(sqlite3_close(foreign), SQLITE_OK);
    store_leave();
}

TestSuite(views, .init = enter, .fini = leave);

static void finish(void)
{
    struct db *db = store_open();
    store_finish(db, game_no);
    store_close(db);
}

/* How seat 1 fared against seat 0, in one row. */
static void explain(const char *event_end, const char *summands)
{
    char sql[512];
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO rating_event (event_no, game_no, seat_no, player_no, pool, kind,"
                   " at_ms, place, games_before, k, before_milli, delta_milli, after_milli,"
                   " cpu_plies, control_at_end, capped, floor_applied)"
                   " VALUES (1, 1, 1, 2, 'hasami', 'result', 1000099, 2, 7, 24, 1200000, %s);"
                   "INSERT INTO rating_against VALUES %s",
                   event_end, summands);
    foreign_run(foreign, sql);
}

#define SENTENCE "SELECT sentence FROM rating_explanation WHERE player_id LIKE '%Ben'"
#define NO_LIMIT "-18240, 1181760, 0, 'player', 0, 0"

Test(views, an_explanation_has_every_number_of_its_sum)
{
    finish();
    explain(NO_LIMIT, "(1, 0, 1412000, 760000, 0, -18240)");
    expect_answer("SELECT seat, player_id, name, opponent_id, opponent_name, substr(at_utc, 1, 10)"
                  " || ' ' || substr(at_utc, 12, 8), at_local, k, expected, score, delta, sentence,"
                  " game_id = (SELECT game_id FROM game) FROM rating_explanation",
                  "w|p_00000000000000000000000Ben|Ben|p_00000000000000000000000Ann|Ann|"
                  "1970-01-01 00:16:40|1970-01-01 02:16:40|24|0.76|0.0|-18.24|"
                  "lost to Ann (1412.0): 24 x (0 - 0.76) = -18.2|1\n");
    expect_answer("SELECT opponents, place FROM rating_explanation", "Ann|2\n");
    cr_expect_eq(
        foreign_int(foreign, "SELECT count(*) FROM pragma_table_info('rating_explanation')"), 15);
}

Test(views, a_win_and_a_draw_are_said_as_such)
{
    explain("5760, 1205760, 0, 'player', 0, 0", "(1, 0, 1412000, 760000, 2, 5760)");
    expect_answer(SENTENCE, "won against Ann (1412.0): 24 x (1 - 0.76) = +5.8\n");
    foreign_run(foreign, "DROP TRIGGER rating_against_never_changes;"
                         "UPDATE rating_against SET score_halves = 1, points_milli = -6240");
    expect_answer(SENTENCE, "drew with Ann (1412.0): 24 x (0.5 - 0.76) = -6.2\n");
}

Test(views, three_opponents_share_the_factor)
{
    foreign_run(foreign,
                "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
                " VALUES (1, 2, 's', 1, 1500000, 'player', NULL),"
                " (1, 3, 'n', 1, 1500000, 'player', NULL)");
    explain("-4000, 1196000, 0, 'player', 0, 0", "(1, 0, 1500000, 500000, 0, -4000),"
                                                 " (1, 2, 1500000, 500000, 2, 4000),"
                                                 " (1, 3, 1500000, 500000, 0, -4000)");
    expect_answer(SENTENCE, "lost to Ann (1500.0): 24 / 3 x (0 - 0.50) = -4.0\n"
                            "won against Ann (1500.0): 24 / 3 x (1 - 0.50) = +4.0\n"
                            "lost to Ann (1500.0): 24 / 3 x (0 - 0.50) = -4.0\n");
}

/* Ben and Cid, who has been erased, against Ann and Dan: two sides of two seats. */
Test(views, a_pair_is_named_as_one_side)
{
    struct db *db = store_open();
    (void)store_player(db, "Cid");
    (void)store_player(db, "Dan");
    store_close(db);
    foreign_run(foreign,
                "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control,"
                " place) VALUES (1, 2, 's', 4, 1500000, 'player', NULL),"
                " (1, 3, 'n', 3, 1500000, 'player', NULL);"
                "UPDATE player SET name = NULL WHERE player_no = 3");
    explain("-20000, 1180000, 0, 'player', 0, 0", "(1, 0, 1500000, 500000, 0, -20000)");
    expect_answer("SELECT opponent_name, opponents, place, sentence FROM rating_explanation",
                  "Ann|Ann and Dan|2|lost to Ann and Dan (1500.0): 24 x (0 - 0.50) = -20.0\n");
    foreign_run(
        foreign,
        "DROP TRIGGER rating_event_never_changes; DROP TRIGGER rating_against_never_changes;"
        "UPDATE rating_event SET seat_no = 2, player_no = 4;"
        "UPDATE rating_against SET opponent_seat_no = 1");
    expect_answer("SELECT name, opponents FROM rating_explanation",
                  "Dan|Ben and p_00000000000000000000000Cid\n");
}

Test(views, what_was_applied_instead_is_appended)
{
    explain("0, 1200000, 3, 'cpu', 1, 0", "(1, 0, 1412000, 760000, 2, 5760)");
    expect_answer(SENTENCE, "won against Ann (1412.0): 24 x (1 - 0.76) = +5.8 -> +0.0 (capped)\n");
    foreign_run(foreign, "DROP TRIGGER rating_event_never_changes;"
                         "UPDATE rating_event SET capped = 0, floor_applied = 1,"
                         " delta_milli = -2500, after_milli = before_milli - 2500");
    expect_answer(SENTENCE, "won against Ann (1412.0): 24 x (1 - 0.76) = +5.8 -> -2.5 (floor)\n");
}

Test(views, an_erased_opponent_is_named_by_its_id)
{
    explain(NO_LIMIT, "(1, 0, 1412000, 760000, 0, -18240)");
    foreign_run(foreign, "UPDATE player SET name = NULL WHERE player_no = 1");
    expect_answer("SELECT opponent_name, sentence FROM rating_explanation",
                  "NULL|lost to p_00000000000000000000000Ann (1412.0): 24 x (0 - 0.76) = -18.2\n");
}

Test(views, a_void_explains_nothing_and_hides_nothing)
{
    explain(NO_LIMIT, "(1, 0, 1412000, 760000, 0, -18240)");
    foreign_run(foreign, "INSERT INTO rating_event SELECT 2, game_no, seat_no, player_no, pool,"
                         " 'void', at_ms, place, games_before, k, after_milli, -delta_milli,"
                         " before_milli, cpu_plies, control_at_end, 0, 0 FROM rating_event");
    expect_answer("SELECT delta FROM rating_explanation", "-18.24\n");
}

Test(views, a_game_is_one_row_from_its_start_to_its_end)
{
    expect_answer("SELECT game, pool, status, players, plies, rated, rating_status, finished_utc"
                  " FROM game_summary",
                  "hasami|hasami|playing|b: Ann, w: Ben|2|1|NULL|NULL\n");
    expect_answer("SELECT places FROM game_summary", "NULL\n");
    finish();
    expect_answer("SELECT places, winners FROM game_summary", "b 1, w 2|Ann\n");
    expect_answer("SELECT status, rating_status, finished_local, replay_of, replayed_by,"
                  " created_local FROM game_summary",
                  "finished|applied|1970-01-01 02:16:40|NULL|NULL|1970-01-01 02:16:40\n");
}

Test(views, a_replay_and_its_first_game_name_each_other)
{
    finish();
    struct db *db = store_open();
    struct db_game game;
    cr_assert_eq(db_game_load(db, game_no, &game), DB_OK);
    game = (struct db_game){.id = game.id,
                            .game = "hasami",
                            .options = "",
                            .player_set = "1,2",
                            .rated = true,
                            .status = "playing",
                            .position = "start",
                            .turn = "b",
                            .replay_of = game_no};
    game.id.id.text[2] = 'z';
    cr_assert_eq(db_game_insert(db, &game), DB_OK);
    store_close(db);
    expect_answer("SELECT a.replayed_by = b.game_id, b.replay_of = a.game_id FROM game_summary a,"
                  " game_summary b WHERE a.replay_of IS NULL AND b.replay_of IS NOT NULL",
                  "1|1\n");
}

Test(views, a_player_has_a_row_for_every_pool_or_one_without)
{
    struct db *db = store_open();
    store_rating(db, 1, DB_PROVISIONAL, 1512345);
    store_close(db);
    expect_answer("SELECT player_id, name, pool, list, rating, games, wins, draws, losses, places"
                  " FROM player_summary ORDER BY name",
                  "p_00000000000000000000000Ann|Ann|hasami|provisional|1512.345|6|3|2|1|3-3-0-0\n"
                  "p_00000000000000000000000Ben|Ben|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL\n");
}

Test(views, a_row_of_the_ranking_has_the_places)
{
    struct db *db = store_open();
    store_rating(db, 2, DB_RANKED, 1512345);
    store_close(db);
    expect_answer("SELECT rank, name, games, wins, draws, losses, places FROM ranking"
                  " WHERE pool = 'hasami'",
                  "1|Ben|6|3|2|1|3-3-0-0\n");
}

Test(views, moves_are_listed_with_whose_they_are)
{
    expect_answer("SELECT ply, seat, player_id, name, move, captured, made_by, think_seconds"
                  " FROM move_list ORDER BY ply",
                  "1|b|p_00000000000000000000000Ann|Ann|9i8i|5e 5f|player|0.25\n"
                  "2|w|p_00000000000000000000000Ben|Ben|9i8i|5e 5f|player|0.25\n");
}

/* No table is walked through for one game or one player. */
static void expect_no_scan(const char *view, const char *column)
{
    char sql[128];
    struct answer plan = {0};
    (void)snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN SELECT * FROM %s WHERE %s = 'x'", view,
                   column);
    cr_assert_eq(sqlite3_exec(foreign, sql, append, &plan, NULL), SQLITE_OK);
    for (const char *scan = strstr(plan.text, "SCAN "); scan != NULL;
         scan = strstr(scan + 1, "SCAN ")) {
        bool harmless = strncmp(scan, "SCAN (sub", 9) == 0 || strncmp(scan, "SCAN x\n", 7) == 0 ||
                        strncmp(scan, "SCAN p\n", 7) == 0 || strncmp(scan, "SCAN w\n", 7) == 0;
        cr_expect(harmless, "%s by %s: %.40s", view, column, scan);
    }
}

Test(views, one_game_or_one_player_is_found_by_index)
{
    expect_no_scan("ranking", "player_id"); /* `SCAN p` is the few pools */
    expect_no_scan("rating_explanation", "game_id");
    expect_no_scan("rating_explanation", "player_id");
    expect_no_scan("rating_explanation", "opponent_id");
    expect_no_scan("game_summary", "game_id");
    expect_no_scan("player_summary", "player_id");
    expect_no_scan("move_list", "game_id");
    expect_no_scan("move_list", "player_id");
}

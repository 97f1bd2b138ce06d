#include "store.h"

#include "db/lists.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a page costs, in steps of SQLite's machine: at the end of a long list as much as at its
 * beginning. Steps are counted rather than milliseconds, so that nothing else can disturb it. */

enum { GAMES = 20000, PLAYERS = 5000, PAGE = 50, COST_MAX = 30000 };

static struct db *db;
static int64_t steps;

/* Every player has played, player 1 in all games, against player 2 in half of them. All ended, one
 * after the other; each was rated for player 1. */
static const char many_rows[] =
    "INSERT INTO player (player_no, player_id, name, name_folded, created_at_ms)"
    " WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
    " SELECT i, printf('p_%026d', i), 'Aki', 'aki', 1 FROM n;"
    "INSERT INTO player_rating (player_no, pool, rating_milli, list, games, wins, draws, losses,"
    " place_1, place_2, place_3, place_4, last_game_at_ms) SELECT player_no, 'hasami',"
    " 800000 + player_no * 7919 % 1400000, 'ranked', 30, 30, 0, 0, 30, 0, 0, 0, player_no % 2"
    " FROM player;"
    "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds, player_set,"
    " status, position, ply, turn, seq, end_reason, rating_status, created_at_ms, finished_at_ms)"
    " WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    " SELECT i, printf('g_%026d', i), 'hasami', 'hasami', 1, '', 30, '', 'finished', '', 0, NULL, "
    "1,"
    " 'resign', 'applied', i, i FROM n;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT game_no, 0, 'b', 1, 1500000, 'player', 1 FROM game;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT game_no, 1, 'w', iif(game_no % 2, 2, 3 + game_no % 4998), 1500000,"
    " 'player', 2 FROM game;"
    "INSERT INTO rating_event SELECT game_no, game_no, 0, 1, 'hasami', 'result',"
    " game_no * 3600000, 1, game_no, 16, 1500000, 0, 1500000, 0, 'player', 0, 0 FROM game;"
    "INSERT INTO chain_link SELECT game_no, 'ended', game_no, game_no, zeroblob(32) FROM game";

static int count_steps(unsigned event, void *context, void *statement, void *nanoseconds)
{
    (void)context;
    (void)nanoseconds;
    cr_assert_eq(event, SQLITE_TRACE_PROFILE);
    steps += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
    return 0;
}

static void enter(void)
{
    store_enter();
    db = store_open();
    foreign_run(db->handle, many_rows);
    cr_assert_eq(sqlite3_trace_v2(db->handle, SQLITE_TRACE_PROFILE, count_steps, NULL), SQLITE_OK);
}

static void leave(void)
{
    (void)sqlite3_trace_v2(db->handle, 0, NULL, NULL);
    store_close(db);
    store_leave();
}

TestSuite(list_cost, .init = enter, .fini = leave);

/* --- pages: each reads one, at the beginning of its list or deep in it ---------------------------
 */

static void games_page(const struct db_game_filter *filter, bool deep)
{
    static struct db_game games[PAGE];
    struct db_game_filter there = *filter;
    size_t count = 0;
    int64_t look_before = 0;
    there.before_game_no = deep ? 2 * PAGE + 10 : 0;
    cr_assert_eq(db_games(db, &there, games, PAGE, &count, &look_before), DB_OK);
    cr_assert_eq(count, PAGE);
}

static void all_games(bool deep)
{
    games_page(&(struct db_game_filter){0}, deep);
}

static void games_of_status(bool deep)
{
    games_page(&(struct db_game_filter){.status = "finished"}, deep);
}

static void games_of_game(bool deep)
{
    games_page(&(struct db_game_filter){.game = "hasami"}, deep);
}

static void games_of_game_and_status(bool deep)
{
    games_page(&(struct db_game_filter){.game = "hasami", .status = "finished"}, deep);
}

static void games_of_pool(bool deep)
{
    games_page(&(struct db_game_filter){.pool = "hasami"}, deep);
}

static void games_of_pool_and_status(bool deep)
{
    games_page(&(struct db_game_filter){.pool = "hasami", .status = "finished"}, deep);
}

static void games_of_player(bool deep)
{
    games_page(&(struct db_game_filter){.player_no = 1, .pool = "hasami", .status = "finished"},
               deep);
}

static void games_of_two(bool deep)
{
    games_page(&(struct db_game_filter){.player_no = 1, .opponent_no = 2}, deep);
}

static void results_page(const char *pool, bool deep)
{
    static struct db_result results[PAGE];
    size_t count = 0;
    cr_assert_eq(db_results(db, deep ? GAMES - PAGE : 0, pool, results, PAGE, &count), DB_OK);
    cr_assert_eq(count, PAGE);
}

static void all_results(bool deep)
{
    results_page(NULL, deep);
}

static void results_of_pool(bool deep)
{
    results_page("hasami", deep);
}

static void history_page(bool descending, bool deep)
{
    static struct db_change changes[PAGE];
    int64_t event_no = descending == deep ? PAGE + 10 : GAMES - PAGE - 10;
    struct db_history history = {
        .player_no = 1,
        .pool = "hasami",
        .descending = descending,
        .from_ms = INT64_MIN,
        .below_ms = INT64_MAX,
        .has_after = true,
        .after = {event_no * 3600000, event_no}
    };
    size_t count = 0;
    cr_assert_eq(db_changes(db, &history, changes, PAGE, &count), DB_OK);
    cr_assert_eq(count, PAGE);
}

static void history_up(bool deep)
{
    history_page(false, deep);
}

static void history_down(bool deep)
{
    history_page(true, deep);
}

static void history_by_day(bool deep)
{
    static struct db_rating_day days[PAGE];
    struct db_history history = {.player_no = 1,
                                 .pool = "hasami",
                                 .descending = true,
                                 .from_ms = INT64_MIN,
                                 .below_ms = INT64_C(86400000) * (deep ? PAGE + 3 : 800)};
    size_t count = 0;
    bool more = false;
    cr_assert_eq(db_rating_days(db, &history, days, PAGE, &count, &more), DB_OK);
    cr_assert(count == PAGE && more);
}

/* All have the same name, so it is their identifiers that the page is found by. */
static void players_by_name(bool deep)
{
    static struct db_player players[PAGE];
    char id[DB_ID_TEXT];
    size_t count = 0;
    (void)snprintf(id, sizeof id, "p_%026d", deep ? PLAYERS - PAGE : 0);
    struct db_name_range range = {"aki", id, "akj"};
    cr_assert_eq(db_players_named(db, &range, players, PAGE, &count), DB_OK);
    cr_assert_eq(count, PAGE);
}

/* The place in the ranking from which a page is the last one, found as `start_rank` finds it. */
static struct db_rank_key place_near(bool end)
{
    struct db_rank_key key = {0, 0};
    cr_assert_eq(
        db_rating_at(db, "hasami", DB_RANKED, end ? PLAYERS - 3 * PAGE : 5, &key.rating_milli),
        DB_OK);
    return key;
}

static void ranking_from_a_rank(bool deep)
{
    static struct db_ranking_row rows[PAGE];
    struct db_rank_key key = place_near(deep);
    size_t count = 0;
    cr_assert_eq(db_ranking_after(db, "hasami", DB_RANKED, &key, rows, PAGE, &count), DB_OK);
    cr_assert_eq(count, PAGE);
}

static void active_from_a_rank(bool deep)
{
    static struct db_ranking_row rows[PAGE];
    struct db_rank_key key = place_near(deep);
    struct db_rank_key look_after = {0, 0};
    struct db_active_page page = {"hasami", DB_RANKED, &key, 1};
    size_t count = 0;
    cr_assert_eq(db_ranking_active(db, &page, rows, PAGE, &count, &look_after), DB_OK);
    cr_assert_eq(count, PAGE);
}

/* --- the tests -----------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    void (*page)(bool deep);
} lists[] = {
    {"games",                    all_games               },
    {"games of a status",        games_of_status         },
    {"games of a game",          games_of_game           },
    {"games of both",            games_of_game_and_status},
    {"games of a pool",          games_of_pool           },
    {"games of pool and status", games_of_pool_and_status},
    {"games of a player",        games_of_player         },
    {"games of two players",     games_of_two            },
    {"results",                  all_results             },
    {"results of a pool",        results_of_pool         },
    {"history, oldest first",    history_up              },
    {"history, newest first",    history_down            },
    {"history by day",           history_by_day          },
    {"players by name",          players_by_name         },
    {"ranking",                  ranking_from_a_rank     },
    {"ranking of the active",    active_from_a_rank      },
};

static int64_t cost_of(void (*page)(bool deep), bool deep)
{
    steps = 0;
    page(deep);
    cr_assert_gt(steps, PAGE);
    return steps;
}

Test(list_cost, of_a_page_at_the_end_is_that_of_the_first)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        int64_t first = cost_of(lists[i].page, false);
        int64_t last = cost_of(lists[i].page, true);
        cr_expect_leq(2 * last, 3 * first, "%s: %" PRId64 " steps at the end, %" PRId64 " first",
                      lists[i].name, last, first);
        /* A row costs some dozens of steps; a list of thousands that was walked would cost more. */
        cr_expect_lt(first, COST_MAX, "%s: %" PRId64 " steps", lists[i].name, first);
    }
}

/* The measure itself: it sees a list that is walked. */
Test(list_cost, of_a_walk_would_be_seen)
{
    steps = 0;
    cr_assert_eq(foreign_int(db->handle, "SELECT game_no FROM game WHERE status = 'finished'"
                                         " ORDER BY game_no LIMIT 1 OFFSET 19900"),
                 19901);
    cr_assert_gt(steps, GAMES);
}

#include "db/lists.h"
#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* What a query costs beside a long history, in steps of SQLite's machine. Any walk through the
 * history below takes ten times what is allowed. */

enum {
    HISTORY = 20000, /* finished games of Aki (1) and Ben (2), one every four seconds */
    RATED_EACH = 4000,
    PAGE = 20,
    STEPS_MAX = 4000,
    AKI = 1,
    BEN = 2,
    CHO = 3, /* has one running game with Aki */
};

static const char history[] =
    "CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n"
    " WHERE i < 20000) SELECT i FROM n;"
    "INSERT INTO game (game_no, game_id, game, pool, rated, unrated_reason, options, turn_seconds,"
    " player_set, status, position, ply, turn, seq, end_reason, rating_status, replay_of,"
    " created_at_ms, finished_at_ms) SELECT i, printf('g_%026d', i), 'hasami', 'hasami', i % 4000 "
    "= 0,"
    " iif(i % 4000 = 0, NULL, 'repeat_limit'), 'o', 30, '1,2', 'finished', 'p', 0, NULL, 1,"
    " 'resign', 'unrated', NULL, 1000000 + i * 4000, 1000001 + i * 4000 FROM n;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT i, 0, 'b', 1, 1500000, 'player', 1 FROM n;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT i, 1, 'w', 2, 1500000, 'player', 2 FROM n;"
    "INSERT INTO game_event (game_no, seq, type, at_ms, seat, reason, linked_game_no)"
    " SELECT i, 1, 'finished', 1, 'w', 'resign', NULL FROM n;"
    "INSERT INTO ticket (ticket_no, ticket_id, player_no, pool, turn_seconds, rating_milli, status,"
    " game_no, seat, created_at_ms, ended_at_ms) SELECT i, printf('q_%026d', i), 1, 'hasami', 30, "
    "1500000, 'cancelled',"
    " NULL, NULL, i, i + 1 FROM n;"
    "INSERT INTO rating_event SELECT i, i, 0, 1, 'hasami', 'result', i, 1, 30, 24, 1500000, 1,"
    " 1500001, 0, 'player', 0, 0 FROM n;"
    "INSERT INTO chain_link SELECT i, 'ended', i, i, zeroblob(32) FROM n;";

static struct db *db;
static int64_t running;

static void enter(void)
{
    store_enter();
    struct db *made = store_open();
    (void)store_player(made, "aki");
    (void)store_player(made, "ben");
    (void)store_player(made, "cho");
    store_close(made);
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, history);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    db = store_open();
    running = store_game(db, AKI, CHO);
    store_play(db, running, 1);
}

static void leave(void)
{
    store_close(db);
    store_leave();
}

TestSuite(costs, .init = enter, .fini = leave);

/* Steps of all statements since the last call. */
static int64_t steps(void)
{
    int64_t sum = 0;
    for (sqlite3_stmt *statement = sqlite3_next_stmt(db->handle, NULL); statement != NULL;
         statement = sqlite3_next_stmt(db->handle, statement)) {
        sum += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
    }
    return sum;
}

static void expect_steps(const char *what, int64_t most)
{
    int64_t taken = steps();
    cr_expect(taken > 0 && taken <= most, "%s: %lld steps", what, (long long)taken);
}

static void expect_cheap(const char *what)
{
    expect_steps(what, STEPS_MAX);
}

static void expect_list(const char *what, const struct db_game_filter *filter, size_t expected)
{
    struct db_game games[PAGE];
    size_t count = 0;
    int64_t look_before = 0;
    cr_assert_eq(db_games(db, filter, games, PAGE, &count, &look_before), DB_OK);
    cr_expect_eq(count, expected, "%s: %zu", what, count);
    expect_cheap(what);
}

/* Walked to the end, for a page looks at so many rows and no more. */
static void expect_pages(const char *what, struct db_game_filter filter, size_t expected)
{
    enum { STEPS_A_ROW = 48 };
    struct db_game games[PAGE];
    size_t found = 0;
    size_t count = 0;
    int64_t look_before = 0;
    do {
        cr_assert_eq(db_games(db, &filter, games, PAGE, &count, &look_before), DB_OK);
        expect_steps(what, (int64_t)STEPS_A_ROW * DB_LOOK_MAX);
        found += count;
        filter.before_game_no = look_before;
    } while (look_before != 0 && count < PAGE);
    cr_expect(found == expected || (found > expected && expected == PAGE), "%s: %zu", what, found);
}

Test(costs, a_page_of_games_does_not_grow_with_what_was_played_before)
{
    expect_list("all", &(struct db_game_filter){0}, PAGE);
    expect_list("finished", &(struct db_game_filter){.status = "finished"}, PAGE);
    expect_list("playing", &(struct db_game_filter){.status = "playing"}, 1);
    expect_list("aborted", &(struct db_game_filter){.status = "aborted"}, 0);
    expect_list("of a pool", &(struct db_game_filter){.pool = "hasami"}, PAGE);
    expect_list("aborted of a pool",
                &(struct db_game_filter){.pool = "hasami", .status = "aborted"}, 0);
    expect_list("deep down", &(struct db_game_filter){.before_game_no = HISTORY / 2}, PAGE);
}

Test(costs, a_players_page_does_not_grow_with_what_he_played_before)
{
    expect_list("all", &(struct db_game_filter){.player_no = AKI}, PAGE);
    expect_list("finished", &(struct db_game_filter){.player_no = AKI, .status = "finished"}, PAGE);
    expect_list("playing", &(struct db_game_filter){.player_no = AKI, .status = "playing"}, 1);
    expect_list("aborted", &(struct db_game_filter){.player_no = AKI, .status = "aborted"}, 0);
    expect_list("none playing", &(struct db_game_filter){.player_no = BEN, .status = "playing"}, 0);
}

Test(costs, a_page_of_two_players_looks_at_no_more_than_it_may)
{
    expect_pages("often", (struct db_game_filter){.player_no = AKI, .opponent_no = BEN}, PAGE);
    expect_pages("once", (struct db_game_filter){.player_no = AKI, .opponent_no = CHO}, 1);
    expect_pages("once, turned", (struct db_game_filter){.player_no = CHO, .opponent_no = AKI}, 1);
    expect_pages("never", (struct db_game_filter){.player_no = BEN, .opponent_no = CHO}, 0);
    expect_list("playing",
                &(struct db_game_filter){.player_no = AKI, .opponent_no = BEN, .status = "playing"},
                0);
    expect_pages("deep down",
                 (struct db_game_filter){
                     .player_no = AKI, .opponent_no = BEN, .before_game_no = HISTORY / 2},
                 PAGE);
}

/* All of the history is younger than a day. */
Test(costs, the_repeat_limit_does_not_grow_with_the_games_that_are_not_rated)
{
    uint32_t rated = 0;
    struct db_game last;
    cr_assert_eq(db_recent_rated(db, "hasami", "1,2", 0, &rated), DB_OK);
    cr_expect_eq(rated, HISTORY / RATED_EACH);
    expect_cheap("rated games of a set");
    cr_assert_eq(db_last_meeting(db, "hasami", "1,2", &last), DB_OK);
    cr_expect_eq(last.game_no, HISTORY);
    expect_cheap("the last meeting");
}

Test(costs, a_game_costs_the_same_whatever_was_played_before)
{
    struct db_game game;
    struct db_seat seats[DB_SEATS_MAX];
    struct db_event events[PAGE];
    struct db_rating_event ratings[DB_SEATS_MAX];
    uint32_t number = 0;
    size_t count = 0;
    cr_assert_eq(db_game_load(db, HISTORY, &game), DB_OK);
    cr_assert_eq(db_game_find(db, &game.id, &game), DB_OK);
    cr_assert_eq(db_game_replay(db, HISTORY, &game), DB_NONE);
    cr_assert_eq(db_chain_draws(db, HISTORY, &number), DB_OK);
    cr_assert_eq(db_seats(db, HISTORY, seats, &count), DB_OK);
    cr_assert_eq(db_events(db, HISTORY, 0, events, PAGE, &count), DB_OK);
    cr_assert_eq(db_rating_events_of_game(db, HISTORY, false, ratings, &count), DB_OK);
    expect_cheap("reading");
    store_play(db, running, 2);
    store_finish(db, running);
    expect_cheap("a move and an end");
}

Test(costs, the_queue_costs_the_same_whoever_waited_before)
{
    struct db_game games[PAGE];
    struct db_ticket tickets[PAGE];
    struct db_ticket ticket = {.id = {{"q_aaaaaaaaaaaaaaaaaaaaaaaaaa"}},
                               .player_no = AKI,
                               .pool = "hasami",
                               .turn_seconds = 30,
                               .rating_milli = 1500000,
                               .status = "waiting",
                               .created_at_ms = 4};
    size_t count = 0;
    cr_assert_eq(db_ticket_insert(db, &ticket), DB_OK);
    cr_assert_eq(db_tickets_sweep(db, INT64_MAX), DB_OK);
    cr_assert_eq(db_ticket_waiting_of(db, AKI, &ticket), DB_OK);
    cr_assert_eq(db_ticket_load(db, ticket.ticket_no, &ticket), DB_OK);
    cr_assert_eq(db_tickets_waiting(db, 0, tickets, PAGE, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(db_tickets_newest(db, tickets, PAGE, &count), DB_OK);
    cr_assert_eq(count, PAGE);
    cr_assert_eq(db_games_playing_of(db, AKI, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(db_games_running(db, AKI, games, PAGE, &count), DB_OK);
    cr_assert_eq(count, 1);
    expect_cheap("waiting");
}

Test(costs, the_chain_grows_at_its_end)
{
    struct db_link link = {.kind = "ended", .game_no = running};
    struct db_link last;
    cr_assert_eq(db_chain_last(db, &last), DB_OK);
    cr_assert_eq(last.link, HISTORY);
    cr_assert_eq(db_chain_insert(db, &link), DB_OK);
    expect_cheap("a link");
}

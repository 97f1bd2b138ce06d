#include "finished.h"

#include "bulk.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

enum { SCRIPT_MAX = 8192 };

static const char *const in_the_way[] = {
    "TRIGGER game_is_new",
    "TRIGGER game_has_one_rematch",
    "TRIGGER seat_is_new",
    "TRIGGER rating_event_is_new",
    "TRIGGER rating_against_is_new",
    "TRIGGER chain_link_is_new",
    "TRIGGER chain_link_is_fed",
    "INDEX game_of_set",
    "INDEX game_of_status",
    "INDEX game_listed",
    "INDEX game_listed_of_status",
    "INDEX game_listed_of_pool",
    "INDEX game_listed_of_pool_status",
    "INDEX game_listed_of_game",
    "INDEX game_listed_of_game_status",
    "INDEX game_rated_of_set",
    "INDEX seat_of_player",
    "INDEX rating_event_once",
    "INDEX rating_event_of_player",
    "INDEX rating_event_of_player_by_time",
    "INDEX chain_link_of_game",
    "INDEX result_feed_of_pool",
    NULL,
};

/* A game a second, each the shortest one that captures five. The opponent's number begins at 2. */
static const char fill_format[] =
    "CREATE TEMP TABLE pairing (game_no INTEGER PRIMARY KEY, other INTEGER);"
    "INSERT INTO pairing WITH RECURSIVE n (i) AS"
    " (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %" PRId64 ")"
    " SELECT i, 2 + i %% (%" PRId64 " - 1) FROM n;"
    "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds, player_set,"
    " status, position, ply, seq, end_reason, rating_status, created_at_ms, finished_at_ms)"
    " SELECT game_no, printf('g_%%026d', game_no), 'hasami', 'hasami', 1,"
    " 'win_condition=capture_5 move_limit=2000', 60, '1,' || other, 'finished',"
    " '2ppppp1p/p8/9/9/9/9/9/P7P/Pp5pP b - 11', 10, 11, 'capture', 'applied',"
    " 1700000000000 + game_no * 1000, 1700000000000 + game_no * 1000 + 600 FROM pairing;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
    " SELECT game_no, column1, iif(column1, 'w', 'b'), iif(game_no %% 2 = column1, other, 1),"
    " 1500000, 'player', 2 - column1 FROM pairing, (VALUES (0), (1));"
    "INSERT INTO rating_event (event_no, game_no, seat_no, player_no, pool, kind, at_ms, place,"
    " games_before, k, before_milli, delta_milli, after_milli, cpu_plies, control_at_end, capped,"
    " floor_applied)"
    " SELECT game_no * 2 - 1 + seat_no, game_no, seat_no, player_no, 'hasami', 'result',"
    " 1700000000600 + game_no * 1000, place, 30, 24, 1500000, iif(place = 1, 12000, -12000),"
    " iif(place = 1, 1512000, 1488000), 0, 'player', 0, 0 FROM seat;"
    "INSERT INTO rating_against (event_no, opponent_seat_no, rating_milli, expected_micro,"
    " score_halves, points_milli)"
    " SELECT event_no, 1 - seat_no, 1500000, 500000, iif(place = 1, 2, 0), delta_milli"
    " FROM rating_event;"
    "INSERT INTO chain_link (link, kind, game_no, at_ms, hash)"
    " SELECT game_no, 'ended', game_no, 1700000000600 + game_no * 1000, zeroblob(32) FROM pairing;"
    "INSERT INTO result_feed (link, pool) SELECT game_no, 'hasami' FROM pairing;"
    "DROP TABLE pairing;";

bool finished_fill(const char *path, int64_t players, int64_t count)
{
    char script[SCRIPT_MAX];
    assert(players > 1 && count > 0);
    const int length = snprintf(script, sizeof script, fill_format, count, players);
    assert(length > 0 && length < SCRIPT_MAX);
    return bulk_run(path, in_the_way, script);
}

/*
 * Games that are running, on a clock, in a file that the server has made and is not serving. See
 * `usage`.
 *
 * Threads: one. Ownership: nothing outlives main.
 */

#include "support/bulk.h"
#include "support/players.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char usage[] =
    "usage: clocks FILE GAMES\n"
    "  Games whose first turns have 30 seconds left, and end 5000 a second.\n";

enum { PLAYERS = 1000, TURN_SECONDS = 30, A_SECOND = 5000, SCRIPT_MAX = 2048 };

static const char *const in_the_way[] = {NULL};

/* Between neighbours of a thousand players: nobody sits at more than a few dozen of them. */
static const char fill_format[] =
    "CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS"
    " (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %" PRId64 ") SELECT i FROM n;"
    "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds, player_set,"
    " status, position, ply, turn, seq, created_at_ms, deadline_at_ms)"
    " SELECT i, printf('g_%%026d', i), 'hasami', 'hasami', 1,"
    " 'win_condition=capture_5 move_limit=2000', %d, (1 + i %% 999) || ',' || (2 + i %% 999),"
    " 'playing', 'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1', 0, 'b', 0,"
    " %" PRId64 " + i * 1000 / %d, %" PRId64 " + i * 1000 / %d + %d FROM n;"
    "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control)"
    " SELECT i, column1, iif(column1, 'w', 'b'), 1 + column1 + i %% 999, 1500000, 'player'"
    " FROM n, (VALUES (0), (1));"
    "DROP TABLE n;";

static bool clocks_fill(const char *path, int64_t games)
{
    char script[SCRIPT_MAX];
    const int64_t now_ms = (int64_t)time(NULL) * 1000;
    const int length = snprintf(script, sizeof script, fill_format, games, TURN_SECONDS, now_ms,
                                A_SECOND, now_ms, A_SECOND, TURN_SECONDS * 1000);
    return length > 0 && length < SCRIPT_MAX && bulk_run(path, in_the_way, script);
}

int main(int count, char **arguments)
{
    const int64_t games = count == 3 ? strtoll(arguments[2], NULL, 10) : 0;
    if (games < 1) {
        (void)fputs(usage, stderr);
        return 64;
    }
    return players_fill(arguments[1], PLAYERS) && clocks_fill(arguments[1], games) ? EXIT_SUCCESS
                                                                                   : EXIT_FAILURE;
}

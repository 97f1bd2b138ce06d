/*
 * Ranked players and ended games in a file that the server has made and is not serving. See
 * `usage`.
 *
 * Threads: one. Ownership: nothing outlives main.
 */

#include "support/finished.h"
#include "support/load.h"
#include "support/players.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] = "usage: fill FILE PLAYERS GAMES\n";

int main(int count, char **arguments)
{
    const int64_t players = count == 4 ? strtoll(arguments[2], NULL, 10) : 0;
    const int64_t games = count == 4 ? strtoll(arguments[3], NULL, 10) : 0;
    const double start = load_now();
    if (players < 2 || games < 1) {
        (void)fputs(usage, stderr);
        return 64;
    }
    if (!players_fill(arguments[1], players) || !finished_fill(arguments[1], players, games)) {
        return EXIT_FAILURE;
    }
    (void)fprintf(stderr, "fill: %" PRId64 " players and %" PRId64 " games in %.1f s\n", players,
                  games, load_now() - start);
    return EXIT_SUCCESS;
}

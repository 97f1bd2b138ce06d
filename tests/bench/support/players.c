#include "players.h"

#include "bulk.h"

#include "db/db.h"
#include "db/driver.h"
#include "db/standings.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

enum { SCRIPT_MAX = 4096 };

/* What slows a bulk down, by name: taken away before and made again as it was. */
static const char *const in_the_way[] = {
    "TRIGGER rating_counted_in",
    "INDEX player_rating_order",
    "INDEX player_by_name",
    "INDEX player_by_folded_name",
    NULL,
};

/* Ratings lie around 1500 like the sum of two dice, 700 at least. */
static const char fill_format[] =
    "INSERT INTO player (player_no, player_id, name, created_at_ms, name_folded)"
    " WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %" PRId64 ")"
    " SELECT i, printf('p_%%026d', i), printf('Player %%d', i), 1700000000000,"
    " printf('player %%d', i) FROM n;"
    "INSERT INTO player_rating (player_no, pool, rating_milli, list, games, wins, draws, losses,"
    " place_1, place_2, place_3, place_4, last_game_at_ms)"
    " SELECT player_no, 'hasami',"
    " 700000 + abs(random() %% 800000) + abs(random() %% 800000), 'ranked',"
    " 30, 15, 0, 15, 15, 15, 0, 0, 1700000000000 FROM player ORDER BY player_no;"
    "INSERT INTO rating_count (pool, list, width_milli, bucket, players, from_1, from_2, from_3,"
    " from_4, from_5, from_6, from_7, from_8, from_9)"
    " SELECT pool, list, w, rating_milli / w, count(*), sum(tenth >= 1), sum(tenth >= 2),"
    " sum(tenth >= 3), sum(tenth >= 4), sum(tenth >= 5), sum(tenth >= 6), sum(tenth >= 7),"
    " sum(tenth >= 8), sum(tenth >= 9)"
    " FROM (SELECT pool, list, rating_milli, column1 AS w,"
    " rating_milli / (column1 / 10) %% 10 AS tenth FROM player_rating,"
    " (VALUES (1000000), (100000), (10000), (1000), (100), (10)))"
    " GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;";

void players_id(int64_t number, char id[PLAYERS_ID_TEXT])
{
    const int length = snprintf(id, PLAYERS_ID_TEXT, "p_%026" PRId64, number);
    assert(length == PLAYERS_ID_TEXT - 1);
}

static bool counts_are_right(const char *path)
{
    struct db *db = NULL;
    struct db_count_difference difference;
    enum db_status status = db_connect(path, DB_MODE_INSPECTOR, &db);
    if (status == DB_OK) {
        status = db_count_difference(db, &difference);
    }
    db_close(db);
    if (status == DB_OK) {
        (void)fprintf(stderr,
                      "players: width %" PRId64 " bucket %" PRId64 " says %" PRId64
                      ", there are %" PRId64 "\n",
                      difference.width_milli, difference.bucket, difference.stored,
                      difference.actual);
    }
    return status == DB_NONE;
}

bool players_fill(const char *path, int64_t count)
{
    char script[SCRIPT_MAX];
    assert(count > 0);
    const int length = snprintf(script, sizeof script, fill_format, count);
    assert(length > 0 && length < SCRIPT_MAX);
    return bulk_run(path, in_the_way, script) && counts_are_right(path);
}

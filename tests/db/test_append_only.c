#include "store.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

/* What the schema refuses to anybody, whatever program asks. */

TestSuite(append_only, .init = store_enter, .fini = store_leave);

/* Game 1 once more, and its rating, with other keys. */
#define ANOTHER_GAME(game_no, game_id, replay_of)                                                  \
    " INTO game (game_no, game_id, game, pool, rated, unrated_reason, options, turn_seconds,"      \
    " player_set, status, position, ply, turn, seq, end_reason, rating_status, replay_of,"         \
    " created_at_ms, finished_at_ms) SELECT " game_no ", " game_id                                 \
    ", game, pool, rated, unrated_reason,"                                                         \
    " options, turn_seconds, player_set, status, 'forged', ply, turn, seq, end_reason,"            \
    " rating_status, " replay_of ", created_at_ms, finished_at_ms FROM game WHERE game_no = 1"
#define REPLACE_RATING(event_no, seat_no)                                                          \
    "REPLACE INTO rating_event SELECT " event_no ", game_no, " seat_no ", player_no, pool, kind,"  \
    " at_ms, place, games_before, k, before_milli, 0, before_milli, cpu_plies, control_at_end,"    \
    " capped, floor_applied FROM rating_event"
#define OTHER_ID                "'g_00000000000000000000000000'"
#define REPLACE_GAME_NO         "REPLACE" ANOTHER_GAME("1", OTHER_ID, "NULL")
#define REPLACE_GAME_ID         "REPLACE" ANOTHER_GAME("9", "game_id", "NULL")
#define REPLACE_REPLAY          "REPLACE" ANOTHER_GAME("9", OTHER_ID, "1")
#define REPLACE_RATING_EVENT_NO REPLACE_RATING("event_no", "3")
#define REPLACE_RATING_OF_SEAT  REPLACE_RATING("NULL", "seat_no")

/* Game 1 is finished with one move, rated and linked; game 2 is running with one move; game 3 is a
 * replay of the first. */
static sqlite3 *filled(void)
{
    struct db *db = store_open();
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    int64_t ended = store_game(db, aki, ben);
    store_play(db, ended, 1);
    store_finish(db, ended);
    store_rating(db, aki, DB_PROVISIONAL, 1512000);
    struct db_rating_event event = {.game_no = ended,
                                    .player_no = aki,
                                    .pool = "hasami",
                                    .at_ms = STORE_NOW_MS,
                                    .place = 1,
                                    .k = 24,
                                    .before_milli = 1500000,
                                    .delta_milli = 12000,
                                    .after_milli = 1512000};
    cr_assert_eq(db_rating_event_insert(db, &event), DB_OK);
    struct db_against against = {event.event_no, 1, 1500000, 500000, 2, 12000};
    cr_assert_eq(db_against_insert(db, &against), DB_OK);
    struct db_link link = {.kind = "ended", .game_no = ended, .at_ms = STORE_NOW_MS};
    cr_assert_eq(db_chain_insert(db, &link), DB_OK);
    store_play(db, store_game(db, aki, ben), 1);
    store_close(db);
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "INSERT" ANOTHER_GAME("3", "'g_33333333333333333333333333'", "1"));
    return foreign;
}

static void refuses(const char *sql, const char *reason)
{
    char *message = NULL;
    sqlite3 *foreign = filled();
    int64_t before = foreign_int(foreign, "SELECT total_changes()");
    int result = foreign_try(foreign, sql, &message);
    cr_assert_eq(result, SQLITE_CONSTRAINT, "%s: %d", sql, result);
    cr_assert_not_null(strstr(message, reason), "%s: %s", sql, message);
    sqlite3_free(message);
    cr_assert_eq(foreign_int(foreign, "SELECT total_changes()"), before);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

struct refusal {
    char sql[480];
    char reason[64];
};

ParameterizedTestParameters(append_only, the_schema_refuses)
{
    static struct refusal refusals[] = {
        {"DELETE FROM game WHERE game_no = 2",                                   "a game is never deleted"              },
        {"DELETE FROM seat WHERE game_no = 2",                                   "a seat is never deleted"              },
        {"DELETE FROM move WHERE game_no = 2",                                   "a move is never deleted"              },
        {"DELETE FROM game_event",                                               "an event is never deleted"            },
        {"DELETE FROM rating_event",                                             "a rating event is never deleted"      },
        {"DELETE FROM rating_against",                                           "a rating event is never deleted"      },
        {"DELETE FROM chain_link",                                               "a chain link is never deleted"        },
        {"DELETE FROM player",                                                   "a player is never deleted"            },
        {"UPDATE move SET move = '1a1b' WHERE game_no = 2",                      "a move never changes"                 },
        {"UPDATE game_event SET at_ms = 0",                                      "an event never changes"               },
        {"UPDATE rating_event SET capped = 1",                                   "a rating event never changes"         },
        {"UPDATE rating_against SET points_milli = 0",                           "a rating event never changes"         },
        {"UPDATE chain_link SET hash = zeroblob(32)",                            "a chain link never changes"           },
        {"UPDATE game SET position = 'x' WHERE game_no = 1",                     "an ended game never changes"          },
        {"UPDATE game SET status = 'playing' WHERE game_no = 1",                 "an ended game never changes"          },
        {"UPDATE seat SET place = 2 WHERE game_no = 1",                          "a seat of an ended game never changes"},
        {"UPDATE seat SET control = 'cpu' WHERE game_no = 1",                    "a seat of an ended game"              },
        {"INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
         " VALUES (1, 2, 3, 'w', '1a1b', '', 'player', 1, 1)",          "an ended game takes no move"          },
        {"INSERT OR REPLACE INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, "
         "think_ms) VALUES (1, 1, 1, 'b', '1a1b', '', 'player', 1, 1)", "a move never changes"                 },
        {"INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
         " VALUES (2, 1, 1, 'b', '1a1b', '', 'player', 1, 1)",          "a move never changes"                 },
        {"INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
         " VALUES (2, 0, 1, 'b', '1a1b', '', 'player', 1, 1)",          "CHECK"                                },
        {"INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
         " VALUES (2, 2, 2, 'b', '1a1b', '', 'nobody', 1, 1)",          "CHECK"                                },
        {"INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
         " VALUES (2, 1, 'w', 2, 1500000, 'player', NULL)",             "a seat is never replaced"             },
        {"UPDATE game SET ply = -1 WHERE game_no = 2",                           "CHECK"                                },
        {"UPDATE game SET status = 'finished' WHERE game_no = 2",                "CHECK"                                },
        {"UPDATE game SET rated = 0 WHERE game_no = 2",                          "CHECK"                                },
        {"UPDATE player_rating SET rating_milli = 99999",                        "CHECK"                                },
        {"UPDATE player_rating SET wins = 7",                                    "CHECK"                                },
        {"UPDATE player_rating SET list = 'famous'",                             "CHECK"                                },
        {"INSERT INTO chain_link VALUES (2, 'ended', 1, 1, zeroblob(32))",
         "a chain link never changes"                                                                                   },
        {"UPDATE player SET name = ''",                                          "CHECK"                                },
        {"INSERT INTO player (player_id, name, created_at_ms) VALUES "
         "('x_00000000000000000000000003', 'cy', 1)",                   "CHECK"                                },
        {"INSERT INTO server (one, key_id, created_at_ms, last_stamp_ms) VALUES (2, "
         "'0123456789abcdef', 1, 1)",                                   "CHECK"                                },
    };
    return cr_make_param_array(struct refusal, refusals, sizeof refusals / sizeof refusals[0]);
}

ParameterizedTest(struct refusal *refusal, append_only, the_schema_refuses)
{
    refuses(refusal->sql, refusal->reason);
}

/* As the sqlite3 program runs it, without recursive triggers: no delete trigger is asked. */
ParameterizedTestParameters(append_only, nothing_is_replaced)
{
    static struct refusal refusals[] = {
        {REPLACE_GAME_NO,                                                    "a game is never replaced"    },
        {REPLACE_GAME_ID,                                                    "a game is never replaced"    },
        {REPLACE_REPLAY,                                                     "a game is never replaced"    },
        {"UPDATE OR REPLACE game SET game_no = 1 WHERE game_no = 2",         "a game keeps its keys"       },
        {"UPDATE OR REPLACE game SET game_id = 'x' WHERE game_no = 2",       "a game keeps its keys"       },
        {"UPDATE OR REPLACE game SET replay_of = 1 WHERE game_no = 2",       "a game keeps its keys"       },
        {"REPLACE INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place) "
         "VALUES (1, 0, 'b', 2, 1500000, 'player', 1)",             "a seat is never replaced"    },
        {"UPDATE OR REPLACE seat SET game_no = 1 WHERE game_no = 2",         "a seat keeps its keys"       },
        {"UPDATE OR REPLACE seat SET seat_no = 1 WHERE game_no = 2",         "a seat keeps its keys"       },
        {"REPLACE INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms) "
         "VALUES (2, 1, 1, 'b', '1a1b', '', 'player', 1, 1)",       "a move never changes"        },
        {"REPLACE INTO game_event (game_no, seq, type, at_ms, seat, reason, linked_game_no) VALUES "
         "(1, 2, 'voided', 0, NULL, NULL, NULL)",                   "an event never changes"      },
        {REPLACE_RATING_EVENT_NO,                                            "a rating event never changes"},
        {REPLACE_RATING_OF_SEAT,                                             "a rating event never changes"},
        {"REPLACE INTO rating_against VALUES (1, 1, 0, 0, 0, 0)",            "a rating event never changes"},
        {"REPLACE INTO chain_link VALUES (1, 'voided', 2, 1, zeroblob(32))",
         "a chain link never changes"                                                                      },
        {"REPLACE INTO chain_link VALUES (2, 'ended', 1, 1, zeroblob(32))",
         "a chain link never changes"                                                                      },
        {"REPLACE INTO player (player_no, player_id, name, created_at_ms)"
         " VALUES (1, 'p_99999999999999999999999999', 'x', 1)",     "a player is never deleted"   },
        {"REPLACE INTO player (player_no, player_id, name, created_at_ms)"
         " SELECT 9, player_id, 'x', 1 FROM player",                "a player is never deleted"   },
        {"UPDATE OR REPLACE player SET player_no = 1 WHERE player_no = 2",
         "a player keeps its keys"                                                                         },
    };
    return cr_make_param_array(struct refusal, refusals, sizeof refusals / sizeof refusals[0]);
}

ParameterizedTest(struct refusal *refusal, append_only, nothing_is_replaced)
{
    refuses(refusal->sql, refusal->reason);
}

Test(append_only, what_goes_on_in_a_running_game_is_allowed)
{
    sqlite3 *foreign = filled();
    foreign_run(foreign, "UPDATE seat SET control = 'cpu' WHERE game_no = 2 AND seat_no = 0");
    foreign_run(
        foreign,
        "INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
        " VALUES (2, 2, 2, 'w', '1a1b', '', 'cpu', 1, 1)");
    foreign_run(foreign, "UPDATE game SET ply = 2, seq = 2 WHERE game_no = 2");
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

Test(append_only, a_result_is_applied_once)
{
    sqlite3 *foreign = filled();
    char *message = NULL;
    int result = foreign_try(foreign,
                             "INSERT INTO rating_event SELECT NULL, game_no, seat_no, player_no,"
                             " pool, kind, at_ms, place, games_before, k, before_milli,"
                             " delta_milli, after_milli, cpu_plies, control_at_end, capped,"
                             " floor_applied FROM rating_event",
                             &message);
    cr_assert_eq(result, SQLITE_CONSTRAINT);
    sqlite3_free(message);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

#include "proof.h"

#include <criterion/criterion.h>

/* `banzuke verify` on four-player games, in pairs and alone, that somebody has changed behind the
 * server's back. */

#define ROW(event, game, seat) "rating_event " event " (game " game ", seat_no " seat "): "
#define AGAINST(event, game)   "rating_against of event " event " (game " game "): "

Test(scenario_verify_four, an_untouched_file_is_sound)
{
    struct proof *proof = proof_four();
    char output[1024];
    cr_expect_eq(proof_verify(proof, NULL, "", output, sizeof output), 0, "%s", output);
    cr_expect_str_eq(output, "copy.db: 2 games, 34 moves, 8 rating events, 2 chain links: no "
                             "difference\n");
    proof_free(proof);
}

Test(scenario_verify_four, every_change_of_a_pairs_game_is_found)
{
    static const struct tampering pairs[] = {
        {"UPDATE seat SET place = 3 WHERE game_no = 1 AND seat_no = 0",
         "game $1, seat s: expected place 1, found 3"                                                       },
        {"UPDATE seat SET place = 4 - place WHERE game_no = 1",
         "game $1, seat s: expected place 1, found 3"                                                       },
        {"UPDATE seat SET place = 2 WHERE game_no = 1 AND seat_no = 2",
         "game $1, seat n: expected place 1, found 2"                                                       },
        {"UPDATE seat SET place = 1 WHERE game_no = 1 AND seat_no = 3",
         "game $1, seat e: expected place 3, found 1"                                                       },
        {"CREATE TEMP TABLE was AS SELECT seat_no, player_no FROM seat WHERE game_no = 1;"
         "UPDATE seat SET player_no = (SELECT player_no FROM was WHERE was.seat_no = 2 - "
         "seat.seat_no)"
         " WHERE game_no = 1 AND seat_no IN (0, 2)",                   ROW("1",                      "$1", "0") "expected player_no *, found *"},
        {"CREATE TEMP TABLE was AS SELECT seat_no, player_no FROM seat WHERE game_no = 1;"
         "UPDATE seat SET player_no = (SELECT player_no FROM was WHERE was.seat_no = 1 - "
         "seat.seat_no)"
         " WHERE game_no = 1 AND seat_no IN (0, 1)",                                 ROW("1",                                                             "$1", "0") "expected player_no *, found *"},
        {"UPDATE seat SET seat = 'w' WHERE game_no = 1 AND seat_no = 3",
         "game $1, seat_no 3: expected seat 'e', found 'w'"},
        {"DELETE FROM seat WHERE game_no = 1 AND seat_no = 3",
         "game $1: expected number of seats 4, found 3"                                   },
        {"UPDATE seat SET rating_milli = 1600000 WHERE game_no = 1 AND seat_no = 2",
         "game $1, seat n: expected rating_milli 1500000, found 1600000"                                                    },
        {"UPDATE rating_event SET place = 3 WHERE game_no = 1 AND seat_no = 2",
         ROW("3","$1", "2") "expected place 1, found 3"},
        {"UPDATE rating_event SET delta_milli = 21000, after_milli = 1521000 WHERE game_no = 1 AND "
         "seat_no = 2",                                                                     ROW("3","$1", "2") "expected delta_milli 20000, found 21000"},
        {"UPDATE rating_event SET before_milli = 1499000 WHERE game_no = 1 AND seat_no = 3",
         ROW("4",                                                                         "$1", "3") "expected before_milli 1500000, found 1499000"},
        {"UPDATE rating_event SET seat_no = 7 WHERE game_no = 1 AND seat_no = 2",
         ROW("3", "$1", "7") "expected seat_no 2, found 7"},
        {"DELETE FROM rating_event WHERE game_no = 1 AND seat_no = 3",
         "game $1: expected number of rating events 4, found 3"                                                  },
        {"UPDATE rating_against SET opponent_seat_no = 3 WHERE event_no = 1",
         AGAINST("1",               "$1") "expected opponent_seat_no 1, found 3"},
        {"UPDATE rating_against SET rating_milli = 1500500 WHERE event_no = 4",
         AGAINST("4",                           "$1") "expected rating_milli 1500000, found 1500500"},
        {"UPDATE rating_against SET score_halves = 1 WHERE event_no = 3",
         AGAINST("3",                                                           "$1") "expected score_halves 2, found 1"},
        {"INSERT INTO rating_against VALUES (1, 3, 1500000, 500000, 2, 20000)",
         AGAINST("1",                                              "$1") "expected number of rows 1, found 2"},
        {"UPDATE game SET options = replace(options, 'pairs', 'individual') WHERE game_no = 1",
         "game $1: expected the rules of pool yonin_pairs, found yonin [format=individual *]"                                                                                        },
        {"UPDATE game SET pool = 'yonin' WHERE game_no = 1",
         "game $1: expected the rules of pool yonin, found yonin [format=pairs *]"                            },
        {"UPDATE game SET end_reason = 'mates' WHERE game_no = 1",
         "game $1: expected end_reason 'team_mate', found 'mates'"                  },
        {"UPDATE game SET position = replace(position, 'e>s', 'e>n') WHERE game_no = 1",
         "game $1: expected position '* e>s - 9', found '* e>n - 9'"},
        {"UPDATE game SET position = replace(position, '-/-/S/-', '-/-/-/S') WHERE game_no = 1",
         "game $1: expected position '* -/-/S/- - *', found '* -/-/-/S - *'"                                                                                        },
        {"UPDATE move SET seat = 'n' WHERE game_no = 1 AND ply = 9",
         "game $1, ply 9: expected seat 's', found 'n'"            },
        {"UPDATE move SET move = 'S*1f' WHERE game_no = 1 AND ply = 9",
         "game $1, ply 9: expected a legal move, found S*1f (not-in-hand)"},
        {"UPDATE player_rating SET place_1 = 0, place_2 = 1 WHERE pool = 'yonin_pairs' AND place_1 "
         "= 1",                                                                     "player_rating of player_no * in yonin_pairs: expected place_1 1, found 0"             },
        {"UPDATE player_rating SET place_3 = 2 WHERE pool = 'yonin_pairs' AND place_3 = 1",
         "player_rating of player_no * in yonin_pairs: expected place_3 1, found 2" },
    };
    proof_expect_of(proof_four(), pairs, sizeof pairs / sizeof pairs[0]);
}

Test(scenario_verify_four, every_change_of_a_game_of_four_alone_is_found)
{
    static const struct tampering solo[] = {
        {"UPDATE seat SET place = 3 WHERE game_no = 2 AND seat_no = 1",
         "game $2, seat w: expected place 4, found 3"                                              },
        {"UPDATE seat SET place = 3 - place WHERE game_no = 2 AND seat_no IN (2, 3)",
         "game $2, seat n: expected place 2, found 1"                                              },
        {"UPDATE rating_event SET place = 2 WHERE game_no = 2 AND seat_no = 3",
         ROW("8",                                                                                    "$2", "3") "expected place 1, found 2"},
        {"UPDATE rating_event SET delta_milli = delta_milli + 1 WHERE game_no = 2 AND seat_no = 3",
         ROW("8",                                                        "$2", "3") "expected delta_milli 20001, found 20002"},
        {"UPDATE rating_against SET points_milli = 0 WHERE event_no = 5 AND opponent_seat_no = 2",
         AGAINST("5",                       "$2") "expected points_milli -6667, found 0"},
        {"DELETE FROM rating_against WHERE event_no = 5 AND opponent_seat_no = 2",
         AGAINST("5", "$2") "expected number of rows 3, found 2"},
        {"UPDATE game SET position = replace(position, 'w>s', 'w>e') WHERE game_no = 2",
         "game $2: expected position '* w>s,s>e - 25', found '* w>e,s>e - 25'"                     },
        {"UPDATE move SET seat = 'w' WHERE game_no = 2 AND ply = 18",
         "game $2, ply 18: expected seat 'n', found 'w'"                                   },
        {"UPDATE move SET move = 'P*9f' WHERE game_no = 2 AND ply = 17",
         "game $2, ply 17: expected a legal move, found P*9f (not-in-hand)"                     },
    };
    proof_expect_of(proof_four(), solo, sizeof solo / sizeof solo[0]);
}

#include "proof.h"

#include <criterion/criterion.h>

/* `banzuke verify` on games that somebody has changed behind the server's back: exit 65, and the
 * first line names the row, what was expected and what was found. */

/* Seat b of a game left before its first move, as far as that can be made up: what is left to find
 * is what its rating event says. */
#define LEFT(game)                                                                                 \
    "UPDATE game_event SET seq = seq + 1 WHERE game_no = " game ";"                                \
    "UPDATE move SET seq = seq + 1 WHERE game_no = " game ";"                                      \
    "INSERT INTO game_event (game_no, seq, type, at_ms, seat, reason, cpu_level)"                  \
    " SELECT game_no, 1, 'seat', created_at_ms, 'b', 'left', 5 FROM game WHERE game_no = " game    \
    ";UPDATE game SET seq = seq + 1 WHERE game_no = " game ";"                                     \
    "UPDATE seat SET control = 'cpu', cpu_level = 5 WHERE game_no = " game " AND seat_no = 0;"
#define LEFT_GAME_7 LEFT("7")
#define LEFT_GAME_1                                                                                \
    LEFT("1")                                                                                      \
    "UPDATE move SET made_by = 'cpu' WHERE game_no = 1 AND seat = 'b';"                            \
    "UPDATE move SET deadline_at_ms = NULL WHERE game_no = 1 AND seat = 'w'"
/* One event more in game 6, in which w is to move. */
#define ADD_EVENT(event, turn)                                                                     \
    "INSERT INTO game_event (game_no, seq, type, at_ms, seat, reason, deadline_at_ms, cpu_level)"  \
    " VALUES (6, 6, " event ", " turn ");"

Test(scenario_verify, every_change_of_a_move_is_found)
{
    static const struct tampering moves[] = {
        {"UPDATE move SET move = '4a4c' WHERE game_no = 3 AND ply = 2",
         "game $3: expected position 'ppppp1ppp/9/5p3/9/4P4/9/9/9/PPPP1PPPP b - 3', found "
         "'ppppp1ppp/5p3/9/9/4P4/9/9/9/PPPP1PPPP b - 3'"                                                                                                                  },
        {"UPDATE move SET move = '1i1a' WHERE game_no = 1 AND ply = 1",
         "game $1, ply 1: expected a legal move, found 1i1a (occupied)"                                                                                                   },
        {"UPDATE move SET move = '1i' WHERE game_no = 1 AND ply = 1",
         "game $1, ply 1: expected a legal move, found 1i (syntax)"                                                                                                       },
        {"UPDATE move SET move = '5i5h5g5f5e' WHERE game_no = 6 AND ply = 1",
         "game $6: expected rows that can be read, found one that cannot"                                                                                                 },
        {"UPDATE move SET captured = '3i 4i 5i 7i 6i' WHERE game_no = 1 AND ply = 10",
         "game $1, ply 10: expected captured '3i 4i 5i 6i 7i', found '3i 4i 5i 7i 6i'"                                                                                    },
        {"UPDATE move SET captured = '9a' WHERE game_no = 6 AND ply = 1",
         "game $6, ply 1: expected captured '', found '9a'"                                                                                                               },
        {"UPDATE move SET seat = 'b' WHERE game_no = 1 AND ply = 2",
         "game $1, ply 2: expected seat 'w', found 'b'"                                                                                                                   },
        {"UPDATE move SET think_ms = 987654 WHERE game_no = 6 AND ply = 2",
         "game $6, ply 2: expected think_ms *, found 987654"                                                                                                              },
        {"UPDATE move SET at_ms = at_ms + 777777 WHERE game_no = 1 AND ply = 4",
         "game $1, ply 4: expected think_ms 7777*, found *"                                                                                                               },
        {"UPDATE move SET at_ms = 5 WHERE game_no = 6 AND ply = 3",
         "game $6, ply 3: expected at_ms * or later, found 5"                                                                                                             },
        {"UPDATE move SET seq = 50 WHERE game_no = 6 AND ply = 5",
         "game $6, ply 5: expected seq 5, found 50"                                                                                                                       },
        {"UPDATE move SET seq = seq + 4294967296 WHERE game_no = 6 AND ply = 5",
         "game $6: expected rows that can be read, found one that cannot"                                                                                                 },
        {"DELETE FROM move WHERE game_no = 6 AND ply = 3",
         "game $6, ply 4: expected ply 3, found 4"                                                                                                                        },
        {"DELETE FROM move WHERE game_no = 6 AND ply = 5",                                    "game $6: expected ply 4, found 5"                                          },
        {"DELETE FROM move WHERE game_no = 1 AND ply = 10",                                   "game $1: expected ply 9, found 10"                                         },
        {"INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
         " VALUES (6, 6, 6, 'w', '9a8a', '', 'player', 1, 1)",                       "game $6, ply 6: expected no move after the 5 plies of the game, found 9a8a"},
        {"INSERT INTO move (game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms)"
         " VALUES (1, 11, 12, 'b', '9h9g', '', 'player', 1, 1);"
         "UPDATE game SET ply = 11 WHERE game_no = 1",                               "game $1, ply 11: expected no move after capture, found 9h9g"               },
        {"UPDATE move SET made_by = 'cpu' WHERE game_no = 1 AND ply = 1",
         "game $1, ply 1: expected made_by 'player', found 'cpu'"                                                                                                         },
        {LEFT_GAME_1,                                                                         "rating_event 1 (game $1, seat_no 0): expected cpu_plies 5, found 0"        },
        {"UPDATE move SET deadline_at_ms = deadline_at_ms + 1 WHERE game_no = 6 AND ply = 2",
         "game $6, ply 2: expected deadline_at_ms *, found *"                                                                                                             },
        {"UPDATE move SET deadline_at_ms = NULL WHERE game_no = 6 AND ply = 2",
         "game $6, ply 2: expected deadline_at_ms *, found 0"                                                                                                             },
        {"UPDATE move SET deadline_at_ms = 5 WHERE game_no = 1 AND ply = 10",
         "game $1, ply 10: expected deadline_at_ms 0, found 5"                                                                                                            },
        {"UPDATE move SET made_by = 'cpu' WHERE game_no = 4 AND ply = 1",
         "game $4, ply 1: expected made_by 'player', found 'cpu'"                                                                                                         },
    };
    PROOF_EXPECT(moves);
}

Test(scenario_verify, every_change_of_a_game_row_is_found)
{
    static const struct tampering games[] = {
        {"UPDATE game SET status = 'aborted' WHERE game_no = 1",
         "game $1: expected status 'finished', found 'aborted'"                                                                           },
        {"UPDATE game SET status = 'playing' WHERE game_no = 7",
         "game $7: expected status 'finished', found 'playing'"                                                                           },
        {"UPDATE game SET status = 'finished' WHERE game_no = 6",
         "game $6: expected status 'playing', found 'finished'"                                                                           },
        {"UPDATE game SET end_reason = 'immobile' WHERE game_no = 1",
         "game $1: expected end_reason 'capture', found 'immobile'"                                                                       },
        {"UPDATE game SET end_reason = 'capture' WHERE game_no = 6",
         "game $6: expected end_reason '', found 'capture'"                                                                               },
        {"UPDATE game SET rating_status = 'unrated' WHERE game_no = 1",
         "game $1: expected rating_status 'applied', found 'unrated'"                                                                     },
        {"UPDATE game SET rating_status = 'applied' WHERE game_no = 4",
         "game $4: expected rating_status 'unrated', found 'applied'"                                                                     },
        {"UPDATE game SET finished_at_ms = 5 WHERE game_no = 1",
         "game $1: expected finished_at_ms *, found 5"                                                                                    },
        {"UPDATE game SET position = 'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1' WHERE game_no = 3",
         "game $3: expected position 'ppppp1ppp/5p3/9/9/4P4/9/9/9/PPPP1PPPP b - 3', found "
         "'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1'"                                                                                      },
        {"UPDATE game SET position = replace(position, 'w - 4', 'b - 4') WHERE game_no = 5",
         "game $5: expected position 'ppppp1ppp/5p3/9/4P4/9/9/9/9/PPPP1PPPP w - 4', found "
         "'ppppp1ppp/5p3/9/4P4/9/9/9/9/PPPP1PPPP b - 4'"                                                                                  },
        {"UPDATE game SET ply = 6 WHERE game_no = 6",                                              "game $6: expected ply 5, found 6"     },
        {"UPDATE game SET ply = 4 WHERE game_no = 6",
         "game $6, ply 5: expected no move after the 4 plies of the game, found 8i9i"                                                     },
        {"UPDATE game SET ply = 4000000000 WHERE game_no = 6",
         "game $6: expected ply 2000 at most, found 4000000000"                                                                           },
        {"UPDATE game SET turn = 'b' WHERE game_no = 6",                                           "game $6: expected turn 'w', found 'b'"},
        {"UPDATE game SET turn = 'b' WHERE game_no = 1",                                           "game $1: expected turn '', found 'b'" },
        {"UPDATE game SET seq = 6 WHERE game_no = 6",                                              "game $6: expected seq 5, found 6"     },
        {"UPDATE game SET seq = 10 WHERE game_no = 1",                                             "game $1: expected seq 11, found 10"   },
        {"UPDATE game SET created_at_ms = 5 WHERE game_no = 6",
         "game $6, ply 1: expected think_ms *, found *"                                                                                   },
        {"UPDATE game SET created_at_ms = created_at_ms + 600000 WHERE game_no = 6",
         "game $6, ply 1: expected at_ms * or later, found *"                                                                             },
        {"UPDATE game SET created_at_ms = created_at_ms + 600000 WHERE game_no = 7",
         "game $7, event 1: expected at_ms * or later, found *"                                                                           },
        {"UPDATE game SET player_set = '1,3' WHERE game_no = 1",
         "game $1: expected player_set '1,2', found '1,3'"                                                                                },
        {"UPDATE game SET game = 'yonin' WHERE game_no = 6",
         "game $6: expected a known game with its options, found yonin [win_condition=capture_5 "
         "move_limit=2000]"                                                                                                               },
        {"UPDATE game SET options = 'komi=6' WHERE game_no = 6",
         "game $6: expected a known game with its options, found hasami [komi=6]"                                                         },
        {"UPDATE game SET options = 'win_condition=lead_3 move_limit=2000' WHERE game_no = 6",
         "game $6: expected the rules of pool hasami, found hasami [win_condition=lead_3 "
         "move_limit=2000]"                                                                                                               },
        {"UPDATE game SET rated = 0, unrated_reason = 'casual' WHERE game_no = 1",
         "game $1: expected unrated_reason 'repeat_limit', found 'casual'"                                                                },
        {"UPDATE game SET rated = 0, unrated_reason = 'repeat_limit' WHERE game_no = 1",
         "game $1: expected rating_status 'unrated', found 'applied'"                                                                     },
        {"UPDATE game SET unrated_reason = 'casual' WHERE game_no = 6",
         "game $6: expected unrated_reason '', found 'casual'"                                                                            },
        {"UPDATE game SET unrated_reason = 'repeat_draw' WHERE game_no = 2",
         "game $2: expected unrated_reason '', found 'repeat_draw'"                                                                       },
        {"UPDATE game SET unrated_reason = 'no_clock' WHERE game_no = 5",
         "game $5: expected unrated_reason 'repeat_limit', found 'no_clock'"                                                              },
        {"UPDATE game SET pool = NULL WHERE game_no = 6",                                          "game $6: expected rated 0, found 1"   },
        {"UPDATE game SET turn_seconds = 0 WHERE game_no = 6",
         "game $6: expected rated 0, found 1"                                                                                             },
        {"UPDATE game SET turn_seconds = turn_seconds + 65536 WHERE game_no = 6",
         "game_no 6: expected rows that can be read, found one that cannot"                                                               },
        {"UPDATE game SET game_id = 'g_00000000000000000000000000' WHERE game_no = 1",
         "chain_link 1 (game g_00000000000000000000000000): expected hash *, found *: a row of "
         "this "
         "game or an earlier link was changed"                                                                                            },
        {"UPDATE game SET turn_seconds = 30 WHERE game_no = 7",
         "chain_link 5 (game $7): expected hash *, found *: a row of this game or an earlier link "
         "was changed"                                                                                                                    },
        {"DELETE FROM game WHERE game_no = 7",
         "rating_event 7: expected an ended game, found none with game_no 7"                                                              },
        {"DELETE FROM game WHERE game_no = 4",
         "game $5: expected replay_of an earlier game, found no game"                                                                     },
    };
    PROOF_EXPECT(games);
}

Test(scenario_verify, every_change_of_a_seat_is_found)
{
    static const struct tampering seats[] = {
        {"UPDATE seat SET place = 1 WHERE game_no = 1 AND seat_no = 0",
         "game $1, seat b: expected place 2, found 1"                                                                                                            },
        {"UPDATE seat SET place = 2 WHERE game_no = 2 AND seat_no = 1",
         "game $2, seat w: expected place 1, found 2"                                                                                                            },
        {"UPDATE seat SET place = 1 WHERE game_no = 6 AND seat_no = 1",
         "game $6, seat w: expected place 0, found 1"                                                                                                            },
        {"UPDATE seat SET place = 258 WHERE game_no = 1 AND seat_no = 0",
         "game $1: expected rows that can be read, found one that cannot"                                                                                        },
        {"UPDATE seat SET player_no = 3 WHERE game_no = 1 AND seat_no = 0",
         "game $1: expected player_set '2,3', found '1,2'"                                                                                                       },
        {"UPDATE seat SET player_no = 3 WHERE game_no = 1 AND seat_no = 0;"
         "UPDATE game SET player_set = '2,3' WHERE game_no = 1",                    "rating_event 1 (game $1, seat_no 0): expected player_no 3, found 1"},
        {"UPDATE seat SET player_no = NULL WHERE game_no = 6 AND seat_no = 1;"
         "UPDATE game SET player_set = '0,1' WHERE game_no = 6",                    "game $6, seat_no 1: expected a player_no, found none"              },
        {"UPDATE seat SET seat = 's' WHERE game_no = 6 AND seat_no = 1",
         "game $6, seat_no 1: expected seat 'w', found 's'"                                                                                                      },
        {"UPDATE seat SET seat_no = 3 WHERE game_no = 6 AND seat_no = 1",
         "game $6, seat_no 3: expected seat_no 1, found 3"                                                                                                       },
        {"DELETE FROM seat WHERE game_no = 6 AND seat_no = 1",
         "game $6: expected number of seats 2, found 1"                                                                                                          },
        {"INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
         " VALUES (6, 2, 's', 2, 1500000, 'player', NULL)",                         "game $6: expected number of seats 2, found 3"                      },
        {"UPDATE seat SET rating_milli = 1504325 WHERE game_no = 6 AND seat_no = 0",
         "game $6, seat b: expected rating_milli 1504324, found 1504325"                                                                                         },
        {"UPDATE seat SET rating_milli = 1500000 WHERE game_no = 6 AND seat_no = 0",
         "game $6, seat b: expected rating_milli 1504324, found 1500000"                                                                                         },
        {"UPDATE seat SET rating_milli = 1510000 WHERE game_no = 6 AND seat_no = 1",
         "game $6, seat w: expected rating_milli 1500000, found 1510000"                                                                                         },
        {"UPDATE seat SET rating_milli = 1600000 WHERE game_no = 1 AND seat_no = 0",
         "game $1, seat b: expected rating_milli 1500000, found 1600000"                                                                                         },
        {"UPDATE seat SET rating_milli = NULL WHERE game_no = 6 AND seat_no = 1",
         "game $6, seat w: expected a rating_milli, found none"                                                                                                  },
        {"UPDATE seat SET control = 'cpu' WHERE game_no = 7 AND seat_no = 0",
         "game $7, seat b: expected control 'player', found 'cpu'"                                                                                               },
        {"UPDATE seat SET cpu_level = 3 WHERE game_no = 4 AND seat_no = 0",
         "game $4, seat b: expected cpu_level 0, found 3"                                                                                                        },
        {"UPDATE seat SET missed_turns = 2 WHERE game_no = 6 AND seat_no = 1",
         "game $6, seat w: expected missed_turns 0, found 2"                                                                                                     },
        {LEFT_GAME_7,                                                                        "rating_event 7 (game $7, seat_no 0): expected control_at_end (0 player, 1 "
                      "cpu) 1, found 0"                                                                                                     },
        {"UPDATE player SET player_id = 'p_00000000000000000000000000' WHERE player_no = 3",
         "chain_link 5 (game $7): expected hash *, found *: a row of this game or an earlier link "
         "was changed"                                                                                                                                           },
    };
    PROOF_EXPECT(seats);
}

Test(scenario_verify, every_change_of_an_event_is_found)
{
    static const struct tampering events[] = {
        {"UPDATE game_event SET reason = 'immobile' WHERE game_no = 1",
         "game $1, event 11: expected reason 'capture', found 'immobile'"                                                                                              },
        {"UPDATE game_event SET reason = 'capture' WHERE game_no = 7",
         "game $7: expected status 'playing', found 'finished'"                                                                                                        },
        {"UPDATE game_event SET seat = 'b' WHERE game_no = 1",
         "game $1, event 11: expected seat '', found 'b'"                                                                                                              },
        {"UPDATE game_event SET seat = 'w' WHERE game_no = 7",
         "game $7, seat b: expected place 1, found 2"                                                                                                                  },
        {"UPDATE game_event SET seat = NULL WHERE game_no = 7",
         "game $7: expected status 'playing', found 'finished'"                                                                                                        },
        {"UPDATE game_event SET at_ms = 5 WHERE game_no = 1",
         "game $1, event 11: expected at_ms *, found 5"                                                                                                                },
        {"UPDATE game_event SET at_ms = 5 WHERE game_no = 3",
         "game $3, event 3: expected at_ms * or later, found 5"                                                                                                        },
        {"UPDATE game_event SET at_ms = at_ms + 60000 WHERE game_no = 3",
         "game $3: expected finished_at_ms *, found *"                                                                                                                 },
        {"UPDATE game_event SET seq = 2 WHERE game_no = 7",
         "game $7, event 2: expected seq 1, found 2"                                                                                                                   },
        {"UPDATE game_event SET seq = 5 WHERE game_no = 1",
         "game $1, ply 5: expected seq 6, found 5"                                                                                                                     },
        {"UPDATE game_event SET type = 'tea' WHERE game_no = 1",
         "game $1: expected an event finished, found none"                                                                                                             },
        {"DELETE FROM game_event WHERE game_no = 1",                                             "game $1: expected seq 10, found 11"                                  },
        {"DELETE FROM game_event WHERE game_no = 1; UPDATE game SET seq = 10 WHERE game_no = 1",
         "game $1: expected an event finished, found none"                                                                                                             },
        {"INSERT INTO game_event (game_no, seq, type, at_ms, seat, reason, linked_game_no)"
         " VALUES (6, 6, 'finished', 5, NULL, 'capture', NULL);"
         "UPDATE game SET seq = 6 WHERE game_no = 6",                                   "game $6, event 6: expected the game to go on, found finished capture"},
        {"INSERT INTO game_event (game_no, seq, type, at_ms, seat, reason, linked_game_no)"
         " VALUES (6, 6, 'finished', 5, 'b', 'resign', NULL);"
         "UPDATE game SET seq = 6 WHERE game_no = 6",                                   "game $6: expected status 'finished', found 'playing'"                },
        {"UPDATE game_event SET linked_game_no = 5 WHERE game_no = 2 AND seq = 14",
         "game $2, event 14: expected linked_game_no 3, found 5"                                                                                                       },
        {"UPDATE game_event SET at_ms = 5 WHERE game_no = 2 AND seq = 14",
         "game $2, event 14: expected at_ms *, found 5"                                                                                                                },
        {"UPDATE game_event SET type = 'tea' WHERE game_no = 2 AND seq = 14",
         "game $2: expected an event replay, found none"                                                                                                               },
        {"INSERT INTO game_event (game_no, seq, type, at_ms, seat, reason, linked_game_no)"
         " VALUES (1, 12, 'replay', 5, NULL, NULL, 3);"
         "UPDATE game SET seq = 12 WHERE game_no = 1",                                  "game $1, event 12: expected linked_game_no 0, found 3"               },
        {ADD_EVENT("'seat', 5, 'b', 'left'",                                                     "NULL, 5") "UPDATE game SET seq = 6 WHERE game_no = 6",
         "game $6, event 6: expected deadline_at_ms *, found 0"},
        {ADD_EVENT("'seat', 5, 'w', 'bored'",
         "NULL, 5") "UPDATE game SET seq = 6 WHERE game_no = 6",
         "game $6, event 6: expected a seat and a known reason, found 'w' 'bored'"},
        {ADD_EVENT("'seat', 5, 'w', 'returned'",
         "NULL, NULL") "UPDATE game SET seq = 6 WHERE game_no = 6",
         "game $6, event 6: expected no such change of hands, found returned"},
        {ADD_EVENT("'seat', 5, 'w', 'absent'",
         "NULL, 5") "UPDATE game SET seq = 6 WHERE game_no = 6",
         "game $6, event 6: expected no such change of hands, found absent"},
        {ADD_EVENT("'seat', 5, 'w', 'missed_turns'",
         "NULL, 5") "UPDATE game SET seq = 6 WHERE game_no = 6",
         "game $6, event 6: expected a second missed turn of the seat on turn, found 1"},
        {ADD_EVENT("'clock', 5, NULL, 'pause'",
         "5, NULL") "UPDATE game SET seq = 6 WHERE game_no = 6",
         "game $6, event 6: expected a deadline_at_ms after *, found 5"},
        {ADD_EVENT("'clock', 5, NULL, 'tea'",
         "5, NULL") "UPDATE game SET seq = 6 WHERE game_no = 6",
         "game $6, event 6: expected no clock to be put on, found reason 'tea'"},
        {"WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 150) "
         "INSERT INTO game_event (game_no, seq, type, at_ms, seat, reason, linked_game_no)"
         " SELECT 6, i + 5, 'tea', 5, NULL, NULL, NULL FROM n",                                 "game $6: expected seq 155, found 5"                                                                                                },
    };
    PROOF_EXPECT(events);
}

Test(scenario_verify, every_change_of_a_replay_link_is_found)
{
    static const struct tampering links[] = {
        {"UPDATE game SET replay_of = NULL WHERE game_no = 3",
         "game $2: expected a replay, found none"                                                                                     },
        {"UPDATE game SET replay_of = 1 WHERE game_no = 6",
         "game $1: expected no replay, found $6"                                                                                      },
        {"UPDATE game SET replay_of = 99 WHERE game_no = 6",
         "game $6: expected replay_of an earlier game, found no game"                                                                 },
        {"UPDATE game SET replay_of = 6 WHERE game_no = 6",
         "game $6: expected replay_of an earlier game, found $6"                                                                      },
        {"UPDATE game SET replay_of = 7 WHERE game_no = 6",
         "game $6: expected replay_of an earlier game, found $7"                                                                      },
        {"UPDATE game SET replay_of = 7 WHERE game_no = 6;"
         "UPDATE game SET replay_of = 6 WHERE game_no = 7",           "game $6: expected replay_of an earlier game, found $7"},
        {"UPDATE game SET turn_seconds = 30 WHERE game_no = 5",
         "game $5: expected the terms of $4, whose replay it is, found pool=hasami rated=0 "
         "options=[win_condition=capture_5 move_limit=2000] turn_seconds=30 table= private=0 "
         "show_legal_moves=1 rotate_first=1"                                                                                          },
        {"UPDATE game SET rated = 1, unrated_reason = NULL WHERE game_no = 5",
         "game $5: expected the terms of $4, whose replay it is, found pool=hasami rated=1 "
         "options=[win_condition=capture_5 move_limit=2000] turn_seconds=60 table= private=0 "
         "show_legal_moves=1 rotate_first=1"                                                                                          },
        {"UPDATE seat SET player_no = 3 - player_no WHERE game_no = 5",
         "game $5, seat b: expected player p_* (a replay rotates), found p_*"                                                         },
    };
    PROOF_EXPECT(links);
}

#include "proof.h"

#include <criterion/criterion.h>

/* `banzuke verify` on ratings, standings, counts and links of the chain that somebody has changed
 * behind the server's back. */

#define ROW_1     "rating_event 1 (game $1, seat_no 0): "
#define AGAINST_1 "rating_against of event 1 (game $1): "
#define RATING_1  "player_rating of player_no 1 in hasami: "
#define COUNT     "rating_count hasami, provisional, "

Test(scenario_verify, every_change_of_a_rating_event_is_found)
{
    static const struct tampering events[] = {
        {"UPDATE rating_event SET player_no = 3 WHERE event_no = 1",
         ROW_1 "expected player_no 1, found 3"                                                                                                                       },
        {"UPDATE rating_event SET at_ms = 5 WHERE event_no = 1",                                ROW_1 "expected at_ms *, found 5"                                    },
        {"UPDATE rating_event SET place = 1 WHERE event_no = 1",                                ROW_1 "expected place 2, found 1"                                    },
        {"UPDATE rating_event SET games_before = 3 WHERE event_no = 1",
         ROW_1 "expected games_before 0, found 3"                                                                                                                    },
        {"UPDATE rating_event SET k = 24 WHERE event_no = 1",                                   ROW_1 "expected k 40, found 24"                                      },
        {"UPDATE rating_event SET before_milli = 1500001 WHERE event_no = 1",
         ROW_1 "expected before_milli 1500000, found 1500001"                                                                                                        },
        {"UPDATE rating_event SET delta_milli = -19999 WHERE event_no = 1",
         ROW_1 "expected delta_milli -20000, found -19999"                                                                                                           },
        {"UPDATE rating_event SET after_milli = 1480001 WHERE event_no = 1",
         ROW_1 "expected after_milli 1480000, found 1480001"                                                                                                         },
        {"UPDATE rating_event SET cpu_plies = 1 WHERE event_no = 1",
         ROW_1 "expected cpu_plies 0, found 1"                                                                                                                       },
        {"UPDATE rating_event SET control_at_end = 'cpu' WHERE event_no = 1",
         ROW_1 "expected control_at_end (0 player, 1 cpu) 0, found 1"                                                                                                },
        {"UPDATE rating_event SET capped = 1 WHERE event_no = 1",
         ROW_1 "expected capped 0, found 1"                                                                                                                          },
        {"UPDATE rating_event SET floor_applied = 1 WHERE event_no = 1",
         ROW_1 "expected floor_applied 0, found 1"                                                                                                                   },
        {"UPDATE rating_event SET pool = 'yonin' WHERE event_no = 1",
         ROW_1 "expected pool 'hasami', found 'yonin'"                                                                                                               },
        {"UPDATE rating_event SET seat_no = 3 WHERE event_no = 2",
         "rating_event 2 (game $1, seat_no 3): expected seat_no 1, found 3"                                                                                          },
        {"UPDATE rating_event SET kind = 'void' WHERE event_no = 1",
         "game $1: expected number of rating events 2, found 1"                                                                                                      },
        {"UPDATE rating_event SET game_no = 6 WHERE game_no = 7",
         "game $6: expected number of rating events 0, found 2"                                                                                                      },
        {"UPDATE rating_event SET games_before = games_before + 4294967296 WHERE event_no = 1",
         "game $1: expected rows that can be read, found one that cannot"                                                                                            },
        {"DELETE FROM rating_event WHERE event_no = 8",
         "game $7: expected number of rating events 2, found 1"                                                                                                      },
        {"DELETE FROM rating_event WHERE game_no = 7",
         "game $7: expected number of rating events 2, found 0"                                                                                                      },
        {"INSERT INTO rating_event SELECT 10 + event_no, game_no, seat_no, player_no, pool, 'void',"
         " at_ms, place, games_before, k, before_milli, delta_milli, after_milli, cpu_plies,"
         " control_at_end, capped, floor_applied FROM rating_event WHERE game_no = 1", "game $1: expected number of rating events that void it 0, found 2"  },
        {"INSERT INTO rating_event SELECT 10 + event_no, 99, seat_no, player_no, pool, kind,"
         " at_ms, place, games_before, k, before_milli, delta_milli, after_milli, cpu_plies,"
         " control_at_end, capped, floor_applied FROM rating_event WHERE game_no = 1", "rating_event 11: expected an ended game, found none with game_no 99"},
        {"UPDATE rating_event SET event_no = 20 - event_no WHERE game_no = 7",
         "rating_event 12 (game $7, seat_no 1): expected seat_no 0, found 1"                                                                                         },
    };
    PROOF_EXPECT(events);
}

Test(scenario_verify, every_change_of_a_summand_is_found)
{
    static const struct tampering summands[] = {
        {"UPDATE rating_against SET opponent_seat_no = 2 WHERE event_no = 1",
         AGAINST_1 "expected opponent_seat_no 1, found 2"                       },
        {"UPDATE rating_against SET rating_milli = 1500001 WHERE event_no = 1",
         AGAINST_1 "expected rating_milli 1500000, found 1500001"               },
        {"UPDATE rating_against SET expected_micro = 500001 WHERE event_no = 1",
         AGAINST_1 "expected expected_micro 500000, found 500001"               },
        {"UPDATE rating_against SET score_halves = 1 WHERE event_no = 1",
         AGAINST_1 "expected score_halves 0, found 1"                           },
        {"UPDATE rating_against SET points_milli = -19999 WHERE event_no = 1",
         AGAINST_1 "expected points_milli -20000, found -19999"                 },
        {"UPDATE rating_against SET score_halves = 258 WHERE event_no = 2",
         "rating_event 1: expected rows that can be read, found one that cannot"},
        {"DELETE FROM rating_against WHERE event_no = 1",
         AGAINST_1 "expected number of rows 1, found 0"                         },
        {"INSERT INTO rating_against VALUES (1, 2, 1500000, 500000, 0, 0)",
         AGAINST_1 "expected number of rows 1, found 2"                         },
    };
    PROOF_EXPECT(summands);
}

Test(scenario_verify, every_change_of_a_standing_is_found)
{
    static const struct tampering standings[] = {
        {"UPDATE player_rating SET rating_milli = 2804324 WHERE player_no = 1",
         RATING_1 "expected rating_milli 1504324, found 2804324"                              },
        {"UPDATE player_rating SET games = 20 WHERE player_no = 1",
         RATING_1 "expected games 3, found 20"                                                },
        {"UPDATE player_rating SET wins = 3 WHERE player_no = 1",
         RATING_1 "expected wins 1, found 3"                                                  },
        {"UPDATE player_rating SET draws = 0 WHERE player_no = 1",
         RATING_1 "expected draws 1, found 0"                                                 },
        {"UPDATE player_rating SET losses = 0 WHERE player_no = 1",
         RATING_1 "expected losses 1, found 0"                                                },
        {"UPDATE player_rating SET place_1 = 3 WHERE player_no = 1",
         RATING_1 "expected place_1 2, found 3"                                               },
        {"UPDATE player_rating SET place_2 = 0 WHERE player_no = 1",
         RATING_1 "expected place_2 1, found 0"                                               },
        {"UPDATE player_rating SET place_3 = 1 WHERE player_no = 1",
         RATING_1 "expected place_3 0, found 1"                                               },
        {"UPDATE player_rating SET place_4 = 1 WHERE player_no = 1",
         RATING_1 "expected place_4 0, found 1"                                               },
        {"UPDATE player_rating SET last_game_at_ms = 5 WHERE player_no = 1",
         RATING_1 "expected last_game_at_ms *, found 5"                                       },
        {"UPDATE player_rating SET list = 'ranked' WHERE player_no = 1",
         RATING_1 "expected list (0 ranked, 1 provisional, 2 hidden) 1, found 0"              },
        {"UPDATE player_rating SET list = 'hidden' WHERE player_no = 1",
         RATING_1 "expected list (0 ranked, 1 provisional, 2 hidden) 1, found 2"              },
        {"UPDATE player_rating SET wins = wins + 4294967296 WHERE player_no = 1",
         "player_rating: expected rows that can be read, found one that cannot"               },
        {"UPDATE player_rating SET pool = 'yonin' WHERE player_no = 1",
         "player_rating of player_no 1 in yonin: expected no row, as there is no rating event, "
         "found 1504324"                                                                      },
        {"INSERT INTO player_rating SELECT 99, pool, 2900000, list, games, wins, draws, losses,"
         " place_1, place_2, place_3, place_4, last_game_at_ms FROM player_rating"
         " WHERE player_no = 1",                                         "player_rating of player_no 99 in hasami: expected no row, as there is no rating event, "
         "found 2900000"                             },
        {"DELETE FROM player_rating WHERE player_no = 3",
         "player_rating of player_no 3 in hasami: expected rating_milli 1479751, found no row"},
    };
    PROOF_EXPECT(standings);
}

Test(scenario_verify, every_change_of_a_rating_count_is_found)
{
    static const struct tampering counts[] = {
        {"UPDATE rating_count SET players = 5 WHERE width_milli = 100000 AND bucket = 15",
         COUNT "width 100000, bucket 15: expected 2 players, found 5"                                                                                },
        {"UPDATE rating_count SET players = 1 WHERE width_milli = 10 AND bucket = 152000",
         COUNT "width 10, bucket 152000: expected 0 players, found 1"                                                                                },
        {"UPDATE rating_count SET bucket = 1490 WHERE width_milli = 1000 AND bucket = 1479",
         COUNT "width 1000, bucket 14*: expected * players, found *"                                                                                 },
        {"UPDATE rating_count SET list = 'ranked' WHERE width_milli = 100 AND bucket = 15159",
         "rating_count hasami, *, width 100, bucket 15159: expected * players, found *"                                                              },
        {"DELETE FROM rating_count WHERE width_milli = 10000 AND bucket = 147",
         COUNT "width 10000, bucket 147: expected 1 players, found 0"                                                                                },
        {"UPDATE rating_count SET from_3 = 7 WHERE width_milli = 100000 AND bucket = 14",
         COUNT "width 100000, bucket 14, from_3: expected * players, found 7"                                                                        },
        {"INSERT INTO rating_count (pool, list, width_milli, bucket, players)"
         " VALUES ('hasami', 'provisional', 7, 7, 7)",                                COUNT "width 7, bucket 7: expected 0 players, found 7"},
    };
    PROOF_EXPECT(counts);
}

Test(scenario_verify, every_change_of_a_link_is_found)
{
    static const struct tampering links[] = {
        {"UPDATE chain_link SET hash = randomblob(32) WHERE link = 3",
         "chain_link 3 (game $3): expected hash *, found *: a row of this game or an earlier link "
         "was changed"                                                                                                },
        {"UPDATE chain_link SET at_ms = 5 WHERE link = 3",
         "chain_link 3 (game $3): expected at_ms *, found 5"                                                          },
        {"UPDATE chain_link SET kind = 'voided' WHERE link = 3",
         "chain_link 3: expected kind 'ended', found 'voided'"                                                        },
        {"UPDATE chain_link SET game_no = 99 WHERE link = 3",
         "chain_link 3: expected an ended game, found none with game_no 99"                                           },
        {"UPDATE chain_link SET game_no = NULL WHERE link = 3",
         "chain_link 3: expected an ended game, found none with game_no 0"                                            },
        {"UPDATE chain_link SET game_no = 6 WHERE link = 3",
         "chain_link 3 (game $6): expected at_ms 0, found *"                                                          },
        {"DELETE FROM chain_link WHERE link = 1",                             "chain_link 2: expected link 1, found 2"},
        {"DELETE FROM chain_link WHERE link = 3",                             "chain_link 4: expected link 3, found 4"},
        {"DELETE FROM chain_link WHERE link = 5",
         "chain_link: expected number of links (one an ended game) 5, found 4"                                        },
        {"DELETE FROM chain_link",
         "chain_link: expected number of links (one an ended game) 5, found 0"                                        },
        {"INSERT INTO chain_link VALUES (6, 'ended', 6, 5, randomblob(32))",
         "chain_link 6 (game $6): expected at_ms 0, found 5"                                                          },
        {"UPDATE chain_link SET link = 6 WHERE link = 4; UPDATE chain_link SET link = 4 WHERE"
         " link = 5; UPDATE chain_link SET link = 5 WHERE link = 6", "chain_link 4 (game $7): expected hash *, found *: a row of this game or an earlier link "
         "was changed"                   },
    };
    PROOF_EXPECT(links);
}

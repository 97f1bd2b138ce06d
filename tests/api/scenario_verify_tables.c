#include "proof.h"
#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * `banzuke verify` on tables that somebody has changed behind the server's back.
 *
 * Table  what
 *     1  private, hasami without a clock, hosted by A: game 1 (A B, B resigned), game 2 (B A, a
 * draw by repetition), game 3 (its replay, A B, runs); C watches 2  public, yonin, hosted by B:
 * D-less, the CPU sits at w 3  public and rated, hasami, 30 seconds, hosted by C: game 4 (C A,
 * runs), C has left since
 */

static const char *const repetition[] = {"5i5h", "5a5b", "5h5i", "5b5a", "5i5h", "5a5b", "5h5i",
                                         "5b5a", "5i5h", "5a5b", "5h5i", "5b5a", NULL};

static void play_private(struct device *a, struct device *b, struct device *c)
{
    struct party party = party_open(a, "{\"game\":\"hasami\",\"show_legal_moves\":false}");
    char game[32];
    party_join(b, &party);
    party_join(c, &party);
    party_sit(a, &party, 'b');
    party_sit(b, &party, 'w');
    party_start(a, &party, game);
    expect_status(200, device_resign(b, game));
    party_start(a, &party, game);
    struct pairing pairing = {
        .seats = {b, a}
    };
    memcpy(pairing.game, game, sizeof game);
    device_play(&pairing, 1, repetition);
}

static void play_tables(struct process *server)
{
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct device *c = device_new(server);
    char game[32];
    play_private(a, b, c);
    struct party four = party_open(b, "{\"game\":\"yonin\",\"public\":true}");
    party_sit_cpu(b, &four, 'w', 4);
    struct party rated =
        party_open(c, "{\"game\":\"hasami\",\"public\":true,\"rated\":true,\"turn_seconds\":30}");
    party_join(a, &rated);
    party_sit(c, &rated, 'b');
    party_sit(a, &rated, 'w');
    party_start(c, &rated, game);
    expect_status(204, party_post(c, &rated, "/leave", NULL));
    device_free(a);
    device_free(b);
    device_free(c);
}

Test(scenario_verify_tables, every_change_of_a_table_is_found)
{
    static const struct tampering tables[] = {
        {"UPDATE game_table SET code_hash = zeroblob(16) WHERE table_no = 1",
         "table t_*: expected another code_hash"                                             },
        {"UPDATE game_table SET table_id = 't_00000000000000000000000000' WHERE table_no = 2",
         "table t_00000000000000000000000000: expected another code_hash"                    },
        {"UPDATE game_table SET host_no = 1 WHERE table_no = 2",
         "table t_*: expected a member as host, found player_no 1"                           },
        {"UPDATE game_table SET status = 'closed' WHERE table_no = 2",
         "table t_*: expected no members, found 1 (status closed)"                           },
        {"DELETE FROM table_member WHERE table_no = 2",
         "table t_*: expected members, found 0 (status open)"                                },
        {"UPDATE table_seat SET player_no = 3 WHERE table_no = 3",
         "table t_*, seat_no 1: expected a member, found player_no 3"                        },
        {"UPDATE game_table SET options = 'komi=6' WHERE table_no = 2",
         "table_no 2: expected rows that can be read, found one that cannot"                 },
        {"UPDATE game_table SET options = 'format=pairs' WHERE table_no = 2",
         "table t_*: expected options 'format=pairs ending=two_mates orphaned_pieces=to_mater "
         "move_limit=2000', found 'format=pairs'"                                            },
        {"UPDATE game_table SET rated = 1 WHERE table_no = 2",
         "table t_*: expected rules that a table may have, found rated-needs-clock (*)"      },
        {"UPDATE game_table SET public = 0 WHERE table_no = 3",
         "table t_*: expected rules that a table may have, found rated-needs-public (*)"     },
        {"UPDATE table_seat SET player_no = NULL, cpu_level = 2 WHERE table_no = 3",
         "table t_*: expected rules that a table may have, found rated-needs-people-only (*)"},
        {"UPDATE game_table SET games = 2 WHERE table_no = 1",
         "table t_*: expected games 3, found 2"                                              },
        {"UPDATE game_table SET game_no = 3 WHERE table_no = 3",
         "table t_*: expected game_no 4, found 3"                                            },
        {"UPDATE game_table SET game_no = NULL, status = 'open' WHERE table_no = 3",
         "table t_*: expected game_no 4, found 0"                                            },
        {"UPDATE game_table SET game_no = 1, status = 'playing' WHERE table_no = 2",
         "table t_*: expected a running game of its own, found $1"                           },
        {"UPDATE table_seat SET seat_no = 3 WHERE table_no = 3",
         "table_no 3: expected rows that can be read, found one that cannot"                 },
    };
    proof_expect_of(proof_of(play_tables, 4), tables, sizeof tables / sizeof tables[0]);
}

Test(scenario_verify_tables, every_change_of_what_a_game_has_from_its_table_is_found)
{
    static const struct tampering games[] = {
        {"UPDATE game SET table_no = NULL WHERE game_no = 3",
         "game $3: expected the terms of $2, whose replay it is, found pool=hasami rated=0 * "
         "table= private=1 "
         "show_legal_moves=0 rotate_first=1"                                                                              },
        {"UPDATE game SET table_no = NULL WHERE game_no = 1",
         "game $1: expected private 0, found 1"                                                                           },
        {"UPDATE game SET table_no = NULL, private = 0 WHERE game_no = 1",
         "game $1: expected show_legal_moves 1, found 0"                                                                  },
        {"UPDATE game SET table_no = 99 WHERE game_no = 4",
         "game $4: expected a table with table_no 99, found none"                                                         },
        {"UPDATE game SET table_no = 2 WHERE game_no = 1",
         "game $1: expected game 'yonin', found 'hasami'"                                                                 },
        {"UPDATE game SET private = 1 WHERE game_no = 4",                           "game $4: expected private 0, found 1"},
        {"UPDATE game SET private = 0 WHERE game_no = 3",
         "game $3: expected the terms of $2, whose replay it is, found * private=0 *"                                     },
        {"UPDATE game SET rotate_first = 0 WHERE game_no = 2",
         "game $3: expected the terms of $2, whose replay it is, found *"                                                 },
        {"UPDATE game SET rotate_first = 0 WHERE game_no IN (2, 3)",
         "game $3, seat b: expected player p_* (a replay), found p_*"                                                     },
        {"UPDATE game SET private = 0 WHERE game_no = 1",
         "chain_link 1 (game $1): expected hash *, found *: a row of this game or an earlier link "
         "was changed"                                                                                                    },
        {"UPDATE game SET show_legal_moves = 1 WHERE game_no = 1",
         "chain_link 1 (game $1): expected hash *, found *: a row of this game or an earlier link "
         "was changed"                                                                                                    },
        {"UPDATE game SET rated = 0, unrated_reason = 'no_show' WHERE game_no = 4",
         "game $4: expected unrated_reason 'repeat_limit' or 'casual', found 'no_show'"                                   },
    };
    proof_expect_of(proof_of(play_tables, 4), games, sizeof games / sizeof games[0]);
}

Test(scenario_verify_tables, without_the_key_all_but_codes_is_checked)
{
    char output[2048];
    struct proof *proof = proof_of(play_tables, 4);
    int code =
        proof_verify(proof, "UPDATE game_table SET code_hash = zeroblob(16) WHERE table_no = 1",
                     "--no-key", output, sizeof output);
    cr_expect_eq(code, 0, "%s", output);
    code = proof_verify(proof, "UPDATE game_table SET games = 7 WHERE table_no = 2", "--no-key",
                        output, sizeof output);
    cr_expect_eq(code, 65, "%s", output);
    proof_free(proof);
}

#include "proof.h"

#include <criterion/criterion.h>
#include <string.h>

/* What verify says when somebody has changed what operators did. The rating events of game 1 are 1
 * and 2, those that void it the last two; its seats are A (player 1) and B (player 2), who won. */

static const char all_of[] = "--all";

Test(scenario_verify_operators, a_file_in_which_operators_did_things_has_no_difference)
{
    char output[1024];
    struct proof *proof = proof_operated();
    cr_expect_eq(proof_verify(proof, NULL, all_of, output, sizeof output), 0, "%s", output);
    cr_expect_not_null(strstr(output, "6 chain links: no difference"), "%s", output);
    cr_expect_eq(proof_verify(proof, NULL, "--no-key", output, sizeof output), 0, "%s", output);
    proof_free(proof);
}

/* clang-format off */
Test(scenario_verify_operators, every_change_of_a_void_is_found)
{
    static const struct tampering tamperings[] = {
        {"DELETE FROM rating_event WHERE kind = 'void'",
         "game $1: expected number of rating events that void it 2, found 0"},
        {"DELETE FROM rating_event WHERE kind = 'void' AND seat_no = 1",
         "game $1: expected number of rating events that void it 2, found 1"},
        {"UPDATE rating_event SET kind = 'result', game_no = 5 WHERE kind = 'void'",
         "game $1: expected number of rating events that void it 2, found 0"},
        {"UPDATE rating_event SET delta_milli = delta_milli + 5, after_milli = after_milli + 5"
         " WHERE kind = 'void' AND seat_no = 0",
         "rating_event * (game $1, seat_no 0): expected delta_milli 20000, found 20005"},
        {"UPDATE rating_event SET games_before = 9 WHERE kind = 'void' AND seat_no = 1",
         "rating_event * (game $1, seat_no 1): expected games_before *, found 9"},
        {"UPDATE rating_event SET place = 3 WHERE kind = 'void' AND seat_no = 1",
         "rating_event * (game $1, seat_no 1): expected place 1, found 3"},
        {"UPDATE rating_event SET k = 16 WHERE kind = 'void' AND seat_no = 1",
         "rating_event * (game $1, seat_no 1): expected k 40, found 16"},
        {"UPDATE rating_event SET floor_applied = 1 WHERE kind = 'void' AND seat_no = 0",
         "rating_event * (game $1, seat_no 0): expected floor_applied 0, found 1"},
        {"UPDATE rating_event SET at_ms = at_ms + 1 WHERE kind = 'void' AND seat_no = 0",
         "rating_event * (game $1): expected at_ms *, found *"},
        {"UPDATE player_rating SET games = games + 1, wins = wins + 1 WHERE player_no = 2",
         "player_rating of player_no 2 in hasami: expected games *, found *"},
        {"DELETE FROM game_event WHERE type = 'voided'",
         "game $1: expected number of rating events that void it 0, found 2"},
        {"UPDATE game_event SET at_ms = 1 WHERE type = 'voided'",
         "game $1, event 12: expected at_ms * or later, found 1"},
        {"UPDATE game_event SET seq = 13 WHERE type = 'voided'",
         "game $1, event 13: expected seq 12, found 13"},
        {"INSERT INTO game_event (game_no, seq, type, at_ms) SELECT game_no, 13, type, at_ms"
         " FROM game_event WHERE type = 'voided'",
         "game $1: expected number of events voided 1, found 2"},
        {"INSERT INTO game_event (game_no, seq, type, at_ms) VALUES (4, 15, 'voided', 1)",
         "game $4, event 15: expected no event voided of a game that was not rated"},
        {"DELETE FROM operator_event WHERE what = 'void-game'",
         "game $1: expected number of operator events void-game 1, found 0"},
        {"UPDATE operator_event SET game_no = 2 WHERE what = 'void-game'",
         "game $1: expected number of operator events void-game 1, found 0"},
        {"DELETE FROM chain_link WHERE kind = 'voided'",
         "chain_link: expected number of links voided (one a voided game) 1, found 0"},
        {"UPDATE chain_link SET at_ms = at_ms + 1 WHERE kind = 'voided'",
         "chain_link 6 (game $1): expected at_ms *, found *"},
        {"UPDATE chain_link SET kind = 'restored', game_no = NULL WHERE kind = 'voided'",
         "chain_link 6: expected hash *, found *: a row of this game or an earlier link was changed"},
        {"UPDATE game SET rating_status = 'void' WHERE game_no = 1",
         "game $1: expected rating_status 'applied', found 'void'"},
    };
    proof_expect_of(proof_operated(), tamperings, sizeof tamperings / sizeof tamperings[0]);
}

Test(scenario_verify_operators, every_change_of_a_ban_is_found)
{
    static const struct tampering tamperings[] = {
        {"UPDATE player SET banned_at_ms = NULL WHERE player_no = 3",
         "player p_*: expected banned_at_ms * (0: not banned) by the operator events, found 0"},
        {"UPDATE player SET banned_at_ms = 5 WHERE player_no = 2",
         "player p_*: expected banned_at_ms 0 (0: not banned) by the operator events, found 5"},
        {"UPDATE player SET banned_at_ms = 5 WHERE player_no = 1",
         "player p_*: expected banned_at_ms 0 (0: not banned) by the operator events, found 5"},
        {"DELETE FROM operator_event WHERE what = 'ban' AND player_no = 3",
         "player p_*: expected banned_at_ms 0 (0: not banned) by the operator events, found *"},
        {"UPDATE player_rating SET list = 'provisional' WHERE player_no = 3",
         "player_rating of player_no 3 in hasami: expected list (0 ranked, 1 provisional, 2 hidden) 2,"
         " found 1"},
        {"UPDATE player_rating SET list = 'hidden' WHERE player_no = 1",
         "player_rating of player_no 1 in hasami: expected list (0 ranked, 1 provisional, 2 hidden) 1,"
         " found 2"},
    };
    proof_expect_of(proof_operated(), tamperings, sizeof tamperings / sizeof tamperings[0]);
}
/* clang-format on */

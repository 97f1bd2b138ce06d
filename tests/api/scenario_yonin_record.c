/* The record of a four-player game: in every form, and drawn by the command. */

#include "tests/support/board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect_drawn(const struct board *board, const char *arguments, const char *const *lines)
{
    char command[96];
    char output[8192];
    (void)snprintf(command, sizeof command, "record %s %s", board->id, arguments);
    cr_assert_eq(process_run(board->server, command, output, sizeof output), 0, "%s", output);
    for (size_t i = 0; lines[i] != NULL; i++) {
        cr_expect_not_null(strstr(output, lines[i]), "%s is not in %s", lines[i], output);
    }
}

Test(scenario_yonin_record, says_who_sat_where_and_who_was_mated_in_every_form)
{
    struct board board = board_new(games_find("yonin"));
    char path[64];
    board_play_whole(&board);
    (void)snprintf(path, sizeof path, "/v1/games/%s/record", board.id);
    struct answer record = expect(200, client_get(board.devices[0]->client, path, NULL));
    struct answer game = device_game(board.devices[0], board.id);
    for (size_t i = 0; i < GAME_SEATS_MAX; i++) {
        char seat[32];
        (void)snprintf(seat, sizeof seat, "seats.%zu.player_id", i);
        cr_expect_str_eq(answer_text(&record, seat), board.seats[i]->player);
    }
    cr_expect(json_equal(answer_at(&record, "eliminations"), answer_at(&game, "eliminations")));
    cr_expect(json_equal(answer_at(&record, "places"), answer_at(&game, "result.ranks")));
    cr_expect_eq(answer_integer(&record, "eliminations.1.ply"), 25);
    answer_free(&record);
    answer_free(&game);
    char seats[192];
    (void)snprintf(seats, sizeof seats, "\nseat s: %s\nseat w: %s\nseat n: %s\nseat e: %s\n",
                   board.seats[0]->player, board.seats[1]->player, board.seats[2]->player,
                   board.seats[3]->player);
    expect_drawn(&board, "",
                 (const char *const[]){seats, "\n   17 s    G*9f  player ",
                                       "\nstatus: finished\nreason: mates\n"
                                       "eliminated w: ply 17 by s\neliminated s: ply 25 by e\n"
                                       "places: 3 4 2 1\n",
                                       NULL});
    board_free(&board);
}

Test(scenario_yonin_record, any_position_of_it_is_drawn)
{
    struct board board = board_new(games_find("yonin"));
    board_play_whole(&board);
    expect_drawn(&board, "--board --ply 16",
                 (const char *const[]){"\nafter ply 16 of 25: e ", "\nw: 7 pieces, ", NULL});
    expect_drawn(&board, "--board --ply 17",
                 (const char *const[]){"\nafter ply 17 of 25: s G*9f\n",
                                       "\n X>  R>s P>s .   Pv  .   P<  R<  K<   e\n",
                                       "\ns: 16 pieces, 0 in hand, mates: 1\n",
                                       "\nw: 0 pieces, 0 in hand, out at ply 17 by s\n",
                                       "\ne: 10 pieces, 1 in hand (1 S)\n", "\nto move: n\n",
                                       NULL});
    expect_drawn(&board, "--board",
                 (const char *const[]){"\n X>  R>e P>e .   Pv  .   P<  R<  K<   e\n",
                                       "\ns: 1 piece, 0 in hand, mates: 1, out at ply 25 by e\n",
                                       "\nend: mates\n", NULL});
    board_free(&board);
}

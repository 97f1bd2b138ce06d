/* The record of a four-player game: in every form, and drawn by the command. */

#include "four.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect_drawn(const struct four *four, const char *arguments, const char *const *lines)
{
    char command[96];
    char output[8192];
    (void)snprintf(command, sizeof command, "record %s %s", four->game, arguments);
    cr_assert_eq(process_run(four->server, command, output, sizeof output), 0, "%s", output);
    for (size_t i = 0; lines[i] != NULL; i++) {
        cr_expect_not_null(strstr(output, lines[i]), "%s is not in %s", lines[i], output);
    }
}

Test(scenario_yonin_record, says_who_sat_where_and_who_was_mated_in_every_form)
{
    struct four four = four_new();
    char path[64];
    four_whole_game(&four, FOUR_SOLO);
    (void)snprintf(path, sizeof path, "/v1/games/%s/record", four.game);
    struct answer record = expect(200, client_get(four.devices[0]->client, path, NULL));
    struct answer game = device_game(four.devices[0], four.game);
    for (size_t i = 0; i < FOUR_SEATS; i++) {
        char seat[32];
        (void)snprintf(seat, sizeof seat, "seats.%zu.player_id", i);
        cr_expect_str_eq(answer_text(&record, seat), four.seats[i]->player);
    }
    cr_expect(json_equal(answer_at(&record, "eliminations"), answer_at(&game, "eliminations")));
    cr_expect(json_equal(answer_at(&record, "places"), answer_at(&game, "result.ranks")));
    cr_expect_eq(answer_integer(&record, "eliminations.1.ply"), 25);
    answer_free(&record);
    answer_free(&game);
    char seats[192];
    (void)snprintf(seats, sizeof seats, "\nseat s: %s\nseat w: %s\nseat n: %s\nseat e: %s\n",
                   four.seats[0]->player, four.seats[1]->player, four.seats[2]->player,
                   four.seats[3]->player);
    expect_drawn(&four, "",
                 (const char *const[]){seats, "\n   17 s    G*9f  player ",
                                       "\nstatus: finished\nreason: mates\n"
                                       "eliminated w: ply 17 by s\neliminated s: ply 25 by e\n"
                                       "places: 3 4 2 1\n",
                                       NULL});
    four_free(&four);
}

Test(scenario_yonin_record, any_position_of_it_is_drawn)
{
    struct four four = four_new();
    four_whole_game(&four, FOUR_SOLO);
    expect_drawn(&four, "--board --ply 16",
                 (const char *const[]){"\nafter ply 16 of 25: e ", "\nw: 7 pieces, ", NULL});
    expect_drawn(&four, "--board --ply 17",
                 (const char *const[]){"\nafter ply 17 of 25: s G*9f\n",
                                       "\n X>  R>s P>s .   Pv  .   P<  R<  K<   e\n",
                                       "\ns: 16 pieces, 0 in hand, mates: 1\n",
                                       "\nw: 0 pieces, 0 in hand, out at ply 17 by s\n",
                                       "\ne: 10 pieces, 1 in hand (1 S)\n", "\nto move: n\n",
                                       NULL});
    expect_drawn(&four, "--board",
                 (const char *const[]){"\n X>  R>e P>e .   Pv  .   P<  R<  K<   e\n",
                                       "\ns: 1 piece, 0 in hand, mates: 1, out at ply 25 by e\n",
                                       "\nend: mates\n", NULL});
    four_free(&four);
}

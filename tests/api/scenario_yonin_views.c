/* The views of the file with games of four seats in it, as an operator reads them. */

#include "tests/support/board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect_sql(const struct board *board, const char *sql, const char *expected)
{
    char output[1024];
    process_sql(board->server, sql, output, sizeof output);
    cr_expect_str_eq(output, expected, "%s: %s", sql, output);
}

/* Every sentence of the HTTP interface is in the view, word by word, and no other. */
static void expect_same_sentences(const struct board *board, size_t count)
{
    char path[64];
    char sql[512];
    char found[16];
    size_t index = 0;
    size_t told = 0;
    json_t *seat = NULL;
    (void)snprintf(path, sizeof path, "/v1/games/%s/rating", board->id);
    struct answer answer = expect(200, client_get(board->devices[0]->client, path, NULL));
    json_array_foreach(answer_at(&answer, "seats"), index, seat)
    {
        size_t which = 0;
        json_t *against = NULL;
        json_array_foreach(json_object_get(seat, "against"), which, against)
        {
            (void)snprintf(sql, sizeof sql,
                           "SELECT count(*) FROM rating_explanation WHERE game_id = '%s'"
                           " AND seat = '%s' AND sentence = '%s'",
                           board->id, json_string_value(json_object_get(seat, "seat")),
                           json_string_value(json_object_get(against, "sentence")));
            process_sql(board->server, sql, found, sizeof found);
            cr_expect_str_eq(found, "1", "%s", sql);
            told++;
        }
    }
    answer_free(&answer);
    cr_expect_eq(told, count);
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) = %zu FROM rating_explanation WHERE game_id = '%s'", count,
                   board->id);
    expect_sql(board, sql, "1");
}

Test(scenario_yonin_views, four_alone_have_four_places_and_three_opponents_each)
{
    struct board board = board_new(games_find("yonin"));
    board_play_whole(&board);
    expect_sql(&board, "SELECT places FROM game_summary", "s 3, w 4, n 2, e 1");
    expect_sql(&board,
               "SELECT length(players) - length(replace(players, ': ', ':')) FROM game_summary",
               "4");
    expect_sql(&board,
               "SELECT winners = (SELECT name FROM game_fairness WHERE seat = 'e')"
               " FROM game_summary",
               "1");
    expect_sql(&board,
               "SELECT group_concat(DISTINCT place) FROM (SELECT place FROM rating_explanation"
               " ORDER BY place)",
               "1,2,3,4");
    expect_sql(&board,
               "SELECT substr(sentence, 1, 8) || substr(sentence, instr(sentence, ' (1500'))"
               " FROM rating_explanation WHERE seat = 'n' AND score = 0",
               "lost to  (1500.0): 40 / 3 x (0 - 0.50) = -6.7");
    expect_sql(&board,
               "SELECT group_concat(places, ' ') FROM (SELECT places FROM player_summary"
               " ORDER BY rating DESC)",
               "1-0-0-0 0-1-0-0 0-0-1-0 0-0-0-1");
    expect_sql(&board,
               "SELECT group_concat(seat, '') FROM (SELECT seat FROM move_list WHERE ply <= 18 "
               "ORDER BY ply)",
               "swneswneswneswnesn");
    expect_sql(&board,
               "SELECT group_concat(seat || moves, ' ') FROM (SELECT seat, moves FROM "
               "game_fairness ORDER BY seat)",
               "e7 n7 s7 w4");
    expect_same_sentences(&board, 12);
    board_free(&board);
}

Test(scenario_yonin_views, a_pair_is_one_opponent_with_two_names)
{
    struct board board = board_new(games_find("yonin_pairs"));
    board_play_whole(&board);
    expect_sql(&board, "SELECT places FROM game_summary", "s 1, w 3, n 1, e 3");
    expect_sql(
        &board,
        "SELECT winners = (SELECT group_concat(name, ', ') FROM (SELECT name"
        " FROM game_fairness WHERE seat IN ('s', 'n') ORDER BY seat DESC)) FROM game_summary",
        "1");
    expect_sql(&board,
               "SELECT sentence = 'won against ' || (SELECT group_concat(name, ' and ')"
               " FROM (SELECT name FROM game_fairness WHERE seat IN ('w', 'e')"
               " ORDER BY seat DESC)) ||"
               " ' (1500.0): 40 x (1 - 0.50) = +20.0' FROM rating_explanation WHERE seat = 'n'",
               "1");
    expect_same_sentences(&board, 4);
    board_free(&board);
}

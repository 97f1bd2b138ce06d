/* The views of the file with games of four seats in it, as an operator reads them. */

#include "four.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect_sql(const struct four *four, const char *sql, const char *expected)
{
    char output[1024];
    process_sql(four->server, sql, output, sizeof output);
    cr_expect_str_eq(output, expected, "%s: %s", sql, output);
}

/* Every sentence of the HTTP interface is in the view, word by word, and no other. */
static void expect_same_sentences(const struct four *four, size_t count)
{
    char path[64];
    char sql[512];
    char found[16];
    size_t index = 0;
    size_t told = 0;
    json_t *seat = NULL;
    (void)snprintf(path, sizeof path, "/v1/games/%s/rating", four->game);
    struct answer answer = expect(200, client_get(four->devices[0]->client, path, NULL));
    json_array_foreach(answer_at(&answer, "seats"), index, seat)
    {
        size_t which = 0;
        json_t *against = NULL;
        json_array_foreach(json_object_get(seat, "against"), which, against)
        {
            (void)snprintf(sql, sizeof sql,
                           "SELECT count(*) FROM rating_explanation WHERE game_id = '%s'"
                           " AND seat = '%s' AND sentence = '%s'",
                           four->game, json_string_value(json_object_get(seat, "seat")),
                           json_string_value(json_object_get(against, "sentence")));
            process_sql(four->server, sql, found, sizeof found);
            cr_expect_str_eq(found, "1", "%s", sql);
            told++;
        }
    }
    answer_free(&answer);
    cr_expect_eq(told, count);
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) = %zu FROM rating_explanation WHERE game_id = '%s'", count,
                   four->game);
    expect_sql(four, sql, "1");
}

Test(scenario_yonin_views, four_alone_have_four_places_and_three_opponents_each)
{
    struct four four = four_new();
    four_whole_game(&four, FOUR_SOLO);
    expect_sql(&four, "SELECT places FROM game_summary", "s 3, w 4, n 2, e 1");
    expect_sql(&four,
               "SELECT length(players) - length(replace(players, ': ', ':')) FROM game_summary",
               "4");
    expect_sql(&four,
               "SELECT winners = (SELECT name FROM game_fairness WHERE seat = 'e')"
               " FROM game_summary",
               "1");
    expect_sql(&four,
               "SELECT group_concat(DISTINCT place) FROM (SELECT place FROM rating_explanation"
               " ORDER BY place)",
               "1,2,3,4");
    expect_sql(&four,
               "SELECT substr(sentence, 1, 8) || substr(sentence, instr(sentence, ' (1500'))"
               " FROM rating_explanation WHERE seat = 'n' AND score = 0",
               "lost to  (1500.0): 40 / 3 x (0 - 0.50) = -6.7");
    expect_sql(&four,
               "SELECT group_concat(places, ' ') FROM (SELECT places FROM player_summary"
               " ORDER BY rating DESC)",
               "1-0-0-0 0-1-0-0 0-0-1-0 0-0-0-1");
    expect_sql(&four,
               "SELECT group_concat(seat, '') FROM (SELECT seat FROM move_list WHERE ply <= 18 "
               "ORDER BY ply)",
               "swneswneswneswnesn");
    expect_sql(&four,
               "SELECT group_concat(seat || moves, ' ') FROM (SELECT seat, moves FROM "
               "game_fairness ORDER BY seat)",
               "e7 n7 s7 w4");
    expect_same_sentences(&four, 12);
    four_free(&four);
}

Test(scenario_yonin_views, a_pair_is_one_opponent_with_two_names)
{
    struct four four = four_new();
    four_whole_game(&four, FOUR_PAIRS);
    expect_sql(&four, "SELECT places FROM game_summary", "s 1, w 3, n 1, e 3");
    expect_sql(
        &four,
        "SELECT winners = (SELECT group_concat(name, ', ') FROM (SELECT name"
        " FROM game_fairness WHERE seat IN ('s', 'n') ORDER BY seat DESC)) FROM game_summary",
        "1");
    expect_sql(&four,
               "SELECT sentence = 'won against ' || (SELECT group_concat(name, ' and ')"
               " FROM (SELECT name FROM game_fairness WHERE seat IN ('w', 'e')"
               " ORDER BY seat DESC)) ||"
               " ' (1500.0): 40 x (1 - 0.50) = +20.0' FROM rating_explanation WHERE seat = 'n'",
               "1");
    expect_same_sentences(&four, 4);
    four_free(&four);
}

#include "api/json_engine.h"
#include "tests/support/process.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `banzuke engine` and `banzuke perft` say of four-player shogi and each of its options. */

#define YONIN "\"game\":\"yonin\",\"position\":"
/* South's drop on 7c mates West, and then North. */
#define TWO_MATES "\"Gs1Kn6/1Pn2Gs4/Kw8/9/1Ss7/9/9/9/4Ks3Ke R/-/-/- s - - 0\""
/* South's silver may uncover East's rook, but in pairs not on its partner. */
#define PINNED "\"4Kn4/9/9/9/Kw7Ke/4Ss4/9/6Ks2/4Re4 -/-/-/- s - - 0\""

static void expect_answer(const char *line, const char *expected)
{
    char *answer = engine_answer(line, strlen(line));
    cr_assert_not_null(answer);
    cr_expect_str_eq(answer, expected, "%s\n%s", line, answer);
    free(answer);
}

/* --- after the end ---------------------------------------------------------------------------- */

#define GAME_OVER(ply)                                                                             \
    "{\"error\":{\"code\":\"game-over\",\"ply\":" ply ",\"detail\":\"the game has ended\"}}"

Test(scenario_rules_cli, after_the_last_mate_every_move_is_told_that_the_game_is_over)
{
    static const char *const moves[] = {"1i1h", "5i5h", "5i9a", "9c9c", "9a9b",
                                        "5d5e", "P*5e", "5i5j", "",     "nothing"};
    char line[320];
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        (void)snprintf(line, sizeof line,
                       "{\"op\":\"play\"," YONIN TWO_MATES ",\"moves\":[\"R*7c\",\"%s\"]}",
                       moves[i]);
        expect_answer(line, GAME_OVER("2"));
        (void)snprintf(line, sizeof line,
                       "{\"op\":\"play\"," YONIN
                       "\"Gs1Xn6/1Pns2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- - w>s,n>s - 41\""
                       ",\"moves\":[\"%s\"]}",
                       moves[i]);
        expect_answer(line, GAME_OVER("42"));
    }
    expect_answer("{\"op\":\"legal\"," YONIN TWO_MATES ",\"moves\":[\"R*7c\"]}", "{\"moves\":[]}");
    expect_answer("{\"op\":\"legal\"," YONIN TWO_MATES ",\"moves\":[\"R*7c\",\"1i1h\"]}",
                  GAME_OVER("2"));
}

/* --- options ---------------------------------------------------------------------------------- */

#define BOTH                                                                                       \
    "\"eliminations\":[{\"ply\":1,\"seat\":\"w\",\"credited\":\"s\"},"                             \
    "{\"ply\":1,\"seat\":\"n\",\"credited\":\"s\"}],"

Test(scenario_rules_cli, the_ending_says_how_many_mates_it_takes)
{
    expect_answer("{\"op\":\"play\"," YONIN TWO_MATES ",\"moves\":[\"R*7c\"]}",
                  "{\"positions\":[\"Gs1Xn6/1Pns2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- - "
                  "w>s,n>s - 1\"],\"captured\":[[]]," BOTH
                  "\"end\":{\"reason\":\"mates\",\"ranks\":[1,4,3,2]}}");
    expect_answer("{\"op\":\"play\"," YONIN TWO_MATES
                  ",\"options\":{\"ending\":\"last_survivor\"},\"moves\":[\"R*7c\"]}",
                  "{\"positions\":[\"Gs1Xn6/1Pns2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- e "
                  "w>s,n>s - 1\"],\"captured\":[[]]," BOTH "\"end\":null}");
}

Test(scenario_rules_cli, the_pieces_of_the_mated_may_be_nobodys)
{
    expect_answer("{\"op\":\"play\"," YONIN TWO_MATES
                  ",\"options\":{\"orphaned_pieces\":\"ownerless\"},\"moves\":[\"R*7c\"]}",
                  "{\"positions\":[\"Gs1Xn6/1Pn-2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- - "
                  "w>s,n>s - 1\"],\"captured\":[[]]," BOTH
                  "\"end\":{\"reason\":\"mates\",\"ranks\":[1,4,3,2]}}");
}

Test(scenario_rules_cli, in_pairs_no_new_check_is_given_to_a_partner)
{
    static const char refused[] =
        "{\"error\":{\"code\":\"illegal-move\",\"ply\":1,\"reason\":\"checks-partner\","
        "\"squares\":[\"5a\"],\"detail\":\"";
    static const char question[] = "{\"op\":\"play\"," YONIN PINNED
                                   ",\"options\":{\"format\":\"pairs\"},\"moves\":[\"5f4e\"]}";
    char *answer = engine_answer(question, sizeof question - 1);
    cr_assert_not_null(answer);
    cr_expect_eq(strncmp(answer, refused, sizeof refused - 1), 0, "%s", answer);
    free(answer);
    expect_answer("{\"op\":\"play\"," YONIN PINNED ",\"moves\":[\"5f4e\"]}",
                  "{\"positions\":[\"4Kn4/9/9/9/Kw4Ss2Ke/9/9/6Ks2/4Re4 -/-/-/- n - n<s 1\"],"
                  "\"captured\":[[]],\"eliminations\":[],\"end\":null}");
}

/* South has a rook more than anybody. */
#define ROOK_UP "\"4Kn4/9/9/9/Kw7Ke/9/9/9/3Ks1Rs3 -/-/-/- s - - 0\""
#define ROOK_MOVED                                                                                 \
    "{\"positions\":[\"4Kn4/9/9/9/Kw7Ke/9/9/5Rs3/3Ks5 -/-/-/- w - - 1\"],\"captured\":[[]],"       \
    "\"eliminations\":[],\"end\":{\"reason\":\"move_limit\",\"ranks\":"

Test(scenario_rules_cli, at_the_limit_the_places_are_decided_in_pairs_by_a_draw)
{
    expect_answer("{\"op\":\"play\"," YONIN ROOK_UP
                  ",\"options\":{\"move_limit\":1},\"moves\":[\"4i4h\"]}",
                  ROOK_MOVED "[1,2,2,2]}}");
    expect_answer("{\"op\":\"play\"," YONIN ROOK_UP
                  ",\"options\":{\"format\":\"pairs\",\"move_limit\":1},\"moves\":[\"4i4h\"]}",
                  ROOK_MOVED "[1,1,1,1]}}");
}

/* --- perft ------------------------------------------------------------------------------------ */

static void expect_count(const char *arguments, unsigned nodes)
{
    char line[256];
    char output[4096];
    struct process *folder = process_folder();
    (void)snprintf(line, sizeof line, "perft yonin %s", arguments);
    cr_assert_eq(process_run(folder, line, output, sizeof output), 0, "%s: %s", line, output);
    const char *last = strstr(output, "\n    2 ");
    cr_assert_not_null(last, "%s", output);
    cr_expect_eq(strtoul(last + 6, NULL, 10), nodes, "%s: %s", line, output);
    process_free(folder);
}

Test(scenario_rules_cli, perft_counts_under_every_option)
{
    expect_count("--depth 2", 81);
    expect_count("--depth 2 --option move_limit=1", 0);
    expect_count("--depth 2 --position "
                 "'4Kn4/9/9/9/Kw7Ke/4Ss4/9/6Ks2/4Re4 -/-/-/- s - - 0'",
                 46);
    expect_count("--depth 2 --option format=pairs --position "
                 "'4Kn4/9/9/9/Kw7Ke/4Ss4/9/6Ks2/4Re4 -/-/-/- s - - 0'",
                 30);
    expect_count("--depth 2 --position "
                 "'Gs1Kn6/1Pn2Gs4/Kw8/9/1Ss7/9/9/9/4Ks3Ke R/-/-/- s - - 0'",
                 179);
    expect_count("--depth 2 --option ending=last_survivor --position "
                 "'Gs1Kn6/1Pn2Gs4/Kw8/9/1Ss7/9/9/9/4Ks3Ke R/-/-/- s - - 0'",
                 182);
    expect_count("--depth 2 --position "
                 "'Xn5Sns2/2Gs6/9/1Ss7/8Ke/9/3Kw5/Re8/4Ks4 -/-/-/- e n>s - 1'",
                 507);
    expect_count("--depth 2 --option orphaned_pieces=ownerless --position "
                 "'Xn5Sn-2/2Gs6/9/1Ss7/8Ke/9/3Kw5/Re8/4Ks4 -/-/-/- e n>s - 1'",
                 432);
}

Test(scenario_rules_cli, perft_names_the_option_that_is_wrong)
{
    char output[4096];
    struct process *folder = process_folder();
    cr_expect_eq(
        process_run(folder, "perft yonin --depth 1 --option format=trio", output, sizeof output),
        64);
    cr_expect_str_eq(output, "banzuke perft: format has no value \"trio\"\n");
    cr_expect_eq(process_run(folder, "perft yonin --depth 1 --option win_condition=lead_3", output,
                             sizeof output),
                 64);
    cr_expect_not_null(strstr(output, "win_condition"), "%s", output);
    process_free(folder);
}

#include "match/sentence.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* The sentence, and that SQLite, which words the view, would round every number the same way. */

static const struct sentence lost = {
    .opponent = "Ann",
    .opponent_milli = 1412000,
    .k = 24,
    .sides = 1,
    .score_halves = 0,
    .expected_micro = 760000,
    .points_milli = -18240,
    .delta_milli = -18240,
};

static void expect_text(const struct sentence *sentence, const char *expected)
{
    char text[SENTENCE_TEXT];
    sentence_format(sentence, text);
    cr_expect_str_eq(text, expected);
}

Test(sentence, a_loss_a_draw_and_a_win_are_said_as_such)
{
    struct sentence sentence = lost;
    expect_text(&sentence, "lost to Ann (1412.0): 24 x (0 - 0.76) = -18.2");
    sentence.score_halves = 1;
    sentence.points_milli = -6250;
    expect_text(&sentence, "drew with Ann (1412.0): 24 x (0.5 - 0.76) = -6.3");
    sentence.score_halves = 2;
    sentence.points_milli = 5750;
    expect_text(&sentence, "won against Ann (1412.0): 24 x (1 - 0.76) = +5.8");
}

Test(sentence, several_sides_share_the_factor)
{
    struct sentence sentence = lost;
    sentence.sides = 3;
    expect_text(&sentence, "lost to Ann (1412.0): 24 / 3 x (0 - 0.76) = -18.2");
}

Test(sentence, what_was_applied_instead_is_appended)
{
    struct sentence sentence = lost;
    sentence.floor_applied = true;
    sentence.delta_milli = -2500;
    expect_text(&sentence, "lost to Ann (1412.0): 24 x (0 - 0.76) = -18.2 -> -2.5 (floor)");
    sentence.capped = true;
    sentence.delta_milli = 0;
    expect_text(&sentence, "lost to Ann (1412.0): 24 x (0 - 0.76) = -18.2 -> +0.0 (capped)");
}

Test(sentence, the_longest_names_fit_with_the_longest_numbers)
{
    char name[96 + 5 + 96 + 1]; /* both of a pair */
    char text[SENTENCE_TEXT];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const struct sentence sentence = {.opponent = name,
                                      .opponent_milli = INT64_C(999999999999),
                                      .k = 255,
                                      .sides = 3,
                                      .score_halves = 1,
                                      .expected_micro = 1000000,
                                      .points_milli = INT64_C(-999999999999),
                                      .capped = true,
                                      .delta_milli = INT64_C(-999999999999)};
    sentence_format(&sentence, text);
    cr_expect_not_null(strstr(text, "(capped)"));
}

/* The numbers of the sentence as the view's printf makes them. */
static void ask_sqlite(sqlite3_stmt *statement, const struct sentence *sentence, char *text)
{
    (void)sqlite3_bind_int64(statement, 1, sentence->opponent_milli);
    (void)sqlite3_bind_int64(statement, 2, sentence->expected_micro);
    (void)sqlite3_bind_int64(statement, 3, sentence->points_milli);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    (void)snprintf(text, SENTENCE_TEXT, "%s", (const char *)sqlite3_column_text(statement, 0));
    (void)sqlite3_reset(statement);
}

/* Every expectation and every number of points that a game can give, with as many ratings. */
Test(sentence, every_number_is_rounded_as_the_view_rounds_it)
{
    static const char sql[] =
        "SELECT 'won against Ann' || printf(' (%.1f): %d%s x (%s - %.2f) = %+.1f', ?1 / 1000.0, 40,"
        " '', '1', ?2 / 1000000.0, ?3 / 1000.0)";
    sqlite3 *sqlite = NULL;
    sqlite3_stmt *statement = NULL;
    struct sentence sentence = lost;
    unsigned differences = 0;
    cr_assert_eq(sqlite3_open(":memory:", &sqlite), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL), SQLITE_OK);
    sentence.k = 40;
    sentence.score_halves = 2;
    for (int i = 0; i <= 80000 && differences < 9; i++) {
        char view[SENTENCE_TEXT];
        char text[SENTENCE_TEXT];
        sentence.opponent_milli = 100000 + i * 50;
        sentence.expected_micro = (uint32_t)(i * 25 / 2);
        sentence.points_milli = i - 40000;
        ask_sqlite(statement, &sentence, view);
        sentence_format(&sentence, text);
        differences += strcmp(text, view) != 0;
        cr_expect_str_eq(text, view);
    }
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(sqlite);
}

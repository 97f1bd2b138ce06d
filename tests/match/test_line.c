#include "table.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

TestSuite(line, .init = table_enter, .fini = table_leave);

/* Five men are taken in ten plies. */
static const char *const script[] = {"1i1b", "9a9b", "9i9h", "8a9a", "8i9i", "9a8a",
                                     "1b1h", "8a8i", "2i1i", "2a2i", NULL};

static struct db_game played_game(struct game_line **line)
{
    struct game_plan plan = table_plan(0, 1);
    struct db_game game = table_game(&plan);
    *line = table_line(&game);
    table_play(&game, line, script);
    return game;
}

static void expect_same(const struct game_line *line, const struct game_line *other)
{
    char texts[2][RULES_POSITION_TEXT_MAX];
    cr_assert_eq(line->ply, other->ply);
    cr_expect_eq(line->game_no, other->game_no);
    cr_expect_eq(line->at_ms, other->at_ms);
    line->rules->format_position(&line->position, texts[0]);
    other->rules->format_position(&other->position, texts[1]);
    cr_expect_str_eq(texts[0], texts[1]);
    for (uint32_t i = 0; i <= line->ply; i++) {
        cr_expect_eq(line->history[i].key, other->history[i].key);
        cr_expect_eq(line->history[i].mover, other->history[i].mover);
    }
}

/* --- lines ---------------------------------------------------------------------------------------
 */

Test(line, a_rebuilt_line_is_the_one_that_was_played)
{
    struct game_line *played = NULL;
    struct game_line *rebuilt = NULL;
    struct ply_effects effects;
    char captured[DB_SQUARES_TEXT];
    struct db_game game = played_game(&played);
    cr_assert_eq(line_rebuild(table()->db, &game, 10, &rebuilt, &effects), DB_OK);
    expect_same(rebuilt, played);
    line_captured_text(&effects, captured);
    cr_expect_str_eq(captured, "3i 4i 5i 6i 7i", "what the last ply did");
    struct outcome outcome;
    line_outcome(rebuilt, &outcome);
    cr_expect_eq(outcome.reason, END_CAPTURE);
    cr_expect_eq(outcome.places[0], 2);
    line_unref(played);
    line_unref(rebuilt);
}

Test(line, a_line_can_be_rebuilt_up_to_any_ply)
{
    struct game_line *played = NULL;
    struct db_game game = played_game(&played);
    for (uint32_t ply = 0; ply <= 10; ply++) {
        struct game_line *line = NULL;
        struct ply_effects effects;
        cr_assert_eq(line_rebuild(table()->db, &game, ply, &line, &effects), DB_OK);
        cr_expect_eq(line->ply, ply);
        cr_expect_eq(line->at_ms, STORE_NOW_MS + 1000 * (int64_t)ply);
        cr_expect_eq(line->history[ply].key, played->history[ply].key);
        cr_expect_eq(line_history(line).count, ply + 1);
        cr_expect_eq(effects.captured_count, ply == 10 ? 5 : 0);
        line_unref(line);
    }
    line_unref(played);
}

/* Some legal move that is another one on every ply, so that no position comes back. */
static void play_any(struct db_game *game, struct game_line **line, size_t which)
{
    struct move_list moves;
    struct history history = line_history(*line);
    struct outcome outcome;
    char text[RULES_MOVE_TEXT_MAX];
    (*line)->rules->legal_moves(&(*line)->position, &(*line)->options, &history, &moves);
    (*line)->rules->format_move(moves.at[which % moves.count], text);
    const char *const one[] = {text, NULL};
    table_play(game, line, one);
    line_outcome(*line, &outcome);
    cr_assert_eq(outcome.reason, END_NONE, "choose another: %s ends it", text);
}

Test(line, a_long_game_is_rebuilt_over_several_pages_of_moves)
{
    enum { PLIES = 130 };
    struct game_plan plan = table_plan(0, 1);
    struct game_line *rebuilt = NULL;
    struct ply_effects effects;
    struct db_game game = table_game(&plan);
    struct game_line *line = table_line(&game);
    for (size_t i = 0; i < PLIES; i++) {
        play_any(&game, &line, i * 7);
    }
    cr_assert_eq(line_rebuild(table()->db, &game, PLIES, &rebuilt, &effects), DB_OK);
    expect_same(rebuilt, line);
    line_unref(line);
    line_unref(rebuilt);
}

Test(line, the_line_after_a_move_leaves_the_line_before_it_alone)
{
    struct game_plan plan = table_plan(0, 1);
    struct db_game game = table_game(&plan);
    struct game_line *line = table_line(&game);
    char texts[2][RULES_POSITION_TEXT_MAX];
    line->rules->format_position(&line->position, texts[0]);
    struct move move;
    struct ply_effects effects;
    cr_assert_eq(line->rules->parse_move("5i5e", 4, &move), ILLEGAL_NONE);
    struct game_line *next = line_after(line, move, 77, &effects);
    cr_assert_not_null(next);
    cr_expect_eq(line->ply, 0);
    line->rules->format_position(&line->position, texts[1]);
    cr_expect_str_eq(texts[1], texts[0]);
    cr_expect_eq(next->ply, 1);
    cr_expect_eq(next->at_ms, 77);
    cr_expect_eq(next->history[1].mover, 0);
    cr_expect_eq(next->history[0].key, line->history[0].key);
    cr_expect_neq(next->history[1].key, line->history[0].key);
    line_unref(line);
    line_unref(next);
}

Test(line, captured_squares_are_stored_with_blanks_between)
{
    struct ply_effects effects = {
        .captured_count = 3, .captured = {0, 40, 80}
    };
    char text[DB_SQUARES_TEXT];
    line_captured_text(&effects, text);
    cr_expect_str_eq(text, "9a 5e 1i");
    effects.captured_count = 0;
    line_captured_text(&effects, text);
    cr_expect_str_eq(text, "");
    effects.captured_count = RULES_CAPTURED_MAX;
    line_captured_text(&effects, text);
    cr_expect_eq(strlen(text), 3 * RULES_CAPTURED_MAX - 1);
}

/* --- rows that make no game ----------------------------------------------------------------------
 */

/* A game whose first ply is stored as this text, whatever the rules say. */
static void expect_corrupt(const char *move, const char *why)
{
    struct game_plan plan = table_plan(0, 1);
    struct game_line *line = NULL;
    struct ply_effects effects;
    struct db_game game = table_game(&plan);
    table_store(&game, move, NULL);
    cr_expect_eq(line_rebuild(table()->db, &game, 1, &line, &effects), DB_CORRUPT, "%s", why);
    cr_expect_null(line, "%s", why);
}

Test(line, a_stored_move_that_cannot_be_played_is_corrupt)
{
    expect_corrupt("resign", "no move at all");
    expect_corrupt("5i5j", "off the board");
    expect_corrupt("5a5b", "the other side's man");
    expect_corrupt("5i4h", "no straight line");
    expect_corrupt("5e5d", "nobody there");
}

Test(line, a_game_row_that_knows_more_plies_than_there_are_is_corrupt)
{
    struct game_line *line = NULL;
    struct ply_effects effects;
    struct game_line *played = NULL;
    struct db_game game = played_game(&played);
    line_unref(played);
    cr_expect_eq(line_rebuild(table()->db, &game, 11, &line, &effects), DB_CORRUPT);
}

Test(line, a_gap_or_a_wrong_seat_among_the_moves_is_corrupt)
{
    struct game_line *line = NULL;
    struct ply_effects effects;
    struct game_plan plan = table_plan(0, 1);
    struct db_game game = table_game(&plan);
    struct db_move row = store_move(game.game_no, 2);
    cr_assert_eq(db_move_insert(table()->db, &row), DB_OK);
    cr_expect_eq(line_rebuild(table()->db, &game, 1, &line, &effects), DB_CORRUPT, "a gap");
    game = table_game(&plan);
    row = store_move(game.game_no, 1);
    (void)snprintf(row.move, sizeof row.move, "5i5e");
    row.seat[0] = 'w';
    cr_assert_eq(db_move_insert(table()->db, &row), DB_OK);
    cr_expect_eq(line_rebuild(table()->db, &game, 1, &line, &effects), DB_CORRUPT, "a wrong seat");
}

Test(line, a_game_or_options_that_nobody_knows_are_corrupt)
{
    struct game_line *line = NULL;
    struct ply_effects effects;
    struct game_plan plan = table_plan(0, 1);
    struct db_game game = table_game(&plan);
    struct db_game changed = game;
    (void)snprintf(changed.game, sizeof changed.game, "go");
    cr_expect_eq(line_rebuild(table()->db, &changed, 0, &line, &effects), DB_CORRUPT);
    changed = game;
    (void)snprintf(changed.options, sizeof changed.options, "win_condition=capture_9");
    cr_expect_eq(line_rebuild(table()->db, &changed, 0, &line, &effects), DB_CORRUPT);
}

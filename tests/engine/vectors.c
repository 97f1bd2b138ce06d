/* Legal moves, whole games and refusals, made elsewhere; counts are in perft.c. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void check_legal(const struct game_rules *rules, const json_t *line);
static void check_game(const struct game_rules *rules, const json_t *line);
static void check_position(const struct playout *playout, const char *expected);
static size_t check_eliminations(const struct playout *playout, const json_t *list, size_t first);
static void check_end(const struct playout *playout, const json_t *line);
static void check_illegal(const struct game_rules *rules, const json_t *line);
static int compare_moves(const void *a, const void *b);

Test(vectors, every_list_of_legal_moves_is_met)
{
    for_each_vector("legal", check_legal);
}

Test(vectors, every_game_runs_through_the_same_positions_to_the_same_end)
{
    for_each_vector("games", check_game);
}

Test(vectors, every_illegal_move_is_refused)
{
    for_each_vector("illegal", check_illegal);
}

static void check_legal(const struct game_rules *rules, const json_t *line)
{
    const struct game_options options = options_from_json(rules, json_object_get(line, "options"));
    const struct position position = position_under(rules, &options, vector_text(line, "position"));
    const json_t *expected = json_object_get(line, "moves");
    char texts[RULES_MOVES_MAX][RULES_MOVE_TEXT_MAX];
    struct move_list moves;

    rules->legal_moves(&position, &options, NULL, &moves);
    cr_assert_eq(moves.count, json_array_size(expected), "%s", vector_text(line, "position"));
    cr_assert_eq(moves.count, rules->count_moves(&position, &options));
    for (size_t i = 0; i < moves.count; i++) {
        rules->format_move(moves.at[i], texts[i]);
    }
    qsort(texts, moves.count, sizeof texts[0], compare_moves);
    for (size_t i = 0; i < moves.count; i++) {
        cr_expect_str_eq(texts[i], json_string_value(json_array_get(expected, i)));
    }
}

static void check_game(const struct game_rules *rules, const json_t *line)
{
    const struct game_options options = options_from_json(rules, json_object_get(line, "options"));
    const char *start = json_string_value(json_object_get(line, "start"));
    const json_t *moves = json_object_get(line, "moves");
    const json_t *positions = json_object_get(line, "positions");
    struct playout playout;
    struct position position;
    size_t fallen = 0;

    rules->start(&position);
    if (start != NULL) {
        position = position_under(rules, &options, start);
    }
    playout_start(&playout, rules, &options, position);
    cr_assert_eq(json_array_size(moves), json_array_size(positions));
    for (size_t i = 0; i < json_array_size(moves); i++) {
        playout_move(&playout, move_of(rules, json_string_value(json_array_get(moves, i))));
        check_position(&playout, json_string_value(json_array_get(positions, i)));
        fallen += check_eliminations(&playout, json_object_get(line, "eliminations"), fallen);
    }
    cr_expect_eq(fallen, json_array_size(json_object_get(line, "eliminations")));
    check_end(&playout, line);
}

static void check_position(const struct playout *playout, const char *expected)
{
    const struct game_rules *rules = playout->rules;
    const struct position read = position_under(rules, &playout->options, expected);
    char text[RULES_POSITION_TEXT_MAX];

    (void)rules->format_position(&playout->position, text);
    cr_assert_str_eq(text, expected);
    cr_assert_eq(rules->hash(&playout->position), rules->hash(&read));
}

/* Those of the last ply, which stand in the list after the first few; returns how many. */
static size_t check_eliminations(const struct playout *playout, const json_t *list, size_t first)
{
    const struct game_rules *rules = playout->rules;
    const struct ply_effects *effects = &playout->effects;

    for (size_t i = 0; i < effects->elimination_count; i++) {
        const json_t *expected = json_array_get(list, first + i);
        const char *credited = json_string_value(json_object_get(expected, "credited"));

        cr_assert_eq(json_integer_value(json_object_get(expected, "ply")),
                     rules->ply(&playout->position));
        cr_assert_eq(effects->eliminations[i].seat,
                     rules_seat(rules, vector_text(expected, "seat")[0]));
        cr_assert_eq(effects->eliminations[i].credited,
                     credited == NULL ? RULES_SEAT_NONE : rules_seat(rules, credited[0]));
    }
    return effects->elimination_count;
}

static void check_end(const struct playout *playout, const json_t *line)
{
    const struct game_rules *rules = playout->rules;
    const json_t *end = json_object_get(line, "end");
    const char *resigns = json_string_value(json_object_get(line, "resign"));
    const struct history history = playout_history(playout);
    struct outcome outcome = playout->outcome;
    struct move_list moves;

    rules->legal_moves(&playout->position, &playout->options, &history, &moves);
    cr_expect_eq(moves.count == 0, outcome.reason != END_NONE);
    if (resigns != NULL) {
        cr_assert_eq(outcome.reason, END_NONE);
        rules->resign(&playout->position, rules_seat(rules, resigns[0]), &outcome);
    }
    if (json_is_null(end)) {
        cr_expect_eq(outcome.reason, END_NONE);
        return;
    }
    cr_expect_str_eq(end_reason_text(outcome.reason), vector_text(end, "reason"));
    for (size_t seat = 0; seat < rules->seat_count; seat++) {
        const json_t *rank = json_array_get(json_object_get(end, "ranks"), seat);

        cr_expect_eq(outcome.places[seat], json_integer_value(rank));
    }
}

static void check_illegal(const struct game_rules *rules, const json_t *line)
{
    const struct game_options options = options_from_json(rules, json_object_get(line, "options"));
    const char *start = vector_text(line, "position");
    const json_t *after = json_object_get(line, "after");
    const json_t *text = json_object_get(line, "move");
    struct playout playout;
    struct illegal why;
    struct move move;

    playout_start(&playout, rules, &options, position_under(rules, &options, start));
    for (size_t i = 0; i < json_array_size(after); i++) {
        playout_move(&playout, move_of(rules, json_string_value(json_array_get(after, i))));
    }
    const struct history history = playout_history(&playout);
    if (rules->parse_move(json_string_value(text), json_string_length(text), &move) ==
        ILLEGAL_NONE) {
        cr_expect_not(rules->is_legal(&playout.position, &options, &history, move, &why), "%s, %s",
                      start, vector_text(line, "why"));
        cr_expect(why.reason != ILLEGAL_NONE || playout.outcome.reason != END_NONE);
    }
}

static int compare_moves(const void *a, const void *b)
{
    const char *left = a;
    const char *right = b;

    return strcmp(left, right);
}

/* Every line of the vectors: counts, legal moves, whole games and refusals, made elsewhere. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void check_perft(const json_t *line);
static void check_played_perft(const json_t *line);
static void check_plain_perft(const json_t *line);
static void check_legal(const json_t *line);
static void check_game(const json_t *line);
static void check_end(const json_t *line, const struct playout *playout,
                      const struct game_options *options);
static void check_illegal(const json_t *line);
static json_int_t nodes_max(void);
static uint64_t plain_perft(const struct position *position, const struct game_options *options,
                            unsigned depth);
static int compare_moves(const void *a, const void *b);

Test(vectors, every_perft_count_is_met)
{
    for_each_vector("hasami.perft.jsonl", check_perft);
}

Test(vectors, playing_every_leaf_counts_the_same)
{
    for_each_vector("hasami.perft.jsonl", check_played_perft);
}

Test(vectors, counting_through_the_public_functions_alone_gives_the_same)
{
    for_each_vector("hasami.perft.jsonl", check_plain_perft);
}

Test(vectors, every_list_of_legal_moves_is_met)
{
    for_each_vector("hasami.legal.jsonl", check_legal);
}

Test(vectors, every_game_runs_through_the_same_positions_to_the_same_end)
{
    for_each_vector("hasami.games.jsonl", check_game);
}

Test(vectors, every_illegal_move_is_refused)
{
    for_each_vector("hasami.illegal.jsonl", check_illegal);
}

static void check_perft(const json_t *line)
{
    const struct game_options options = options_from_json(json_object_get(line, "options"));
    const struct position position = position_of(vector_text(line, "position"));
    const unsigned depth = (unsigned)json_integer_value(json_object_get(line, "depth"));
    const json_int_t nodes = json_integer_value(json_object_get(line, "nodes"));

    if (nodes <= nodes_max()) {
        cr_expect_eq(hasami()->perft(&position, &options, depth, false), (uint64_t)nodes, "%s",
                     vector_text(line, "position"));
    }
}

static void check_played_perft(const json_t *line)
{
    const struct game_options options = options_from_json(json_object_get(line, "options"));
    const struct position position = position_of(vector_text(line, "position"));
    const unsigned depth = (unsigned)json_integer_value(json_object_get(line, "depth"));
    const json_int_t nodes = json_integer_value(json_object_get(line, "nodes"));

    if (nodes <= 20000000 && nodes <= nodes_max()) {
        cr_expect_eq(hasami()->perft(&position, &options, depth, true), (uint64_t)nodes, "%s",
                     vector_text(line, "position"));
    }
}

static void check_plain_perft(const json_t *line)
{
    const struct game_options options = options_from_json(json_object_get(line, "options"));
    const struct position position = position_of(vector_text(line, "position"));
    const unsigned depth = (unsigned)json_integer_value(json_object_get(line, "depth"));
    const json_int_t nodes = json_integer_value(json_object_get(line, "nodes"));

    if (nodes <= 300000) {
        cr_expect_eq(plain_perft(&position, &options, depth), (uint64_t)nodes, "%s",
                     vector_text(line, "position"));
    }
}

static void check_legal(const json_t *line)
{
    const struct game_rules *rules = hasami();
    const struct game_options options = options_from_json(json_object_get(line, "options"));
    const struct position position = position_of(vector_text(line, "position"));
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

static void check_game(const json_t *line)
{
    const struct game_options options = options_from_json(json_object_get(line, "options"));
    const char *start = json_string_value(json_object_get(line, "start"));
    const json_t *moves = json_object_get(line, "moves");
    const json_t *positions = json_object_get(line, "positions");
    struct playout playout;
    struct position position;
    char text[RULES_POSITION_TEXT_MAX];

    hasami()->start(&position);
    if (start != NULL) {
        position = position_of(start);
    }
    playout_start(&playout, &options, position);
    cr_assert_eq(json_array_size(moves), json_array_size(positions));
    for (size_t i = 0; i < json_array_size(moves); i++) {
        playout_move(&playout, &options, move_of(json_string_value(json_array_get(moves, i))));
        (void)hasami()->format_position(&playout.position, text);
        cr_assert_str_eq(text, json_string_value(json_array_get(positions, i)));
    }
    check_end(line, &playout, &options);
}

static void check_end(const json_t *line, const struct playout *playout,
                      const struct game_options *options)
{
    const json_t *end = json_object_get(line, "end");
    const char *resigns = json_string_value(json_object_get(line, "resign"));
    const struct history history = {playout->history, playout->count};
    struct outcome outcome = playout->outcome;
    struct move_list moves;

    hasami()->legal_moves(&playout->position, options, &history, &moves);
    cr_expect_eq(moves.count == 0, outcome.reason != END_NONE);
    if (resigns != NULL) {
        cr_assert_eq(outcome.reason, END_NONE);
        hasami()->resign(&playout->position, rules_seat(hasami(), resigns[0]), &outcome);
    }
    if (json_is_null(end)) {
        cr_expect_eq(outcome.reason, END_NONE);
        return;
    }
    cr_expect_str_eq(end_reason_text(outcome.reason), vector_text(end, "reason"));
    for (size_t seat = 0; seat < hasami()->seat_count; seat++) {
        const json_t *rank = json_array_get(json_object_get(end, "ranks"), seat);

        cr_expect_eq(outcome.places[seat], json_integer_value(rank));
    }
}

static void check_illegal(const json_t *line)
{
    const struct game_options options = options_from_json(json_object_get(line, "options"));
    const json_t *after = json_object_get(line, "after");
    const json_t *text = json_object_get(line, "move");
    struct playout playout;
    struct illegal why;
    struct move move;

    playout_start(&playout, &options, position_of(vector_text(line, "position")));
    for (size_t i = 0; i < json_array_size(after); i++) {
        playout_move(&playout, &options, move_of(json_string_value(json_array_get(after, i))));
    }
    const struct history history = {playout.history, playout.count};
    if (hasami()->parse_move(json_string_value(text), json_string_length(text), &move) ==
        ILLEGAL_NONE) {
        cr_expect_not(hasami()->is_legal(&playout.position, &options, &history, move, &why), "%s",
                      vector_text(line, "why"));
    }
}

/* The longest counts would take minutes where every access to memory is checked. */
static json_int_t nodes_max(void)
{
    const char *chosen = getenv("BANZUKE_PERFT_NODES");

    if (chosen != NULL) {
        return strtoll(chosen, NULL, 10);
    }
#ifdef __SANITIZE_ADDRESS__
    return 20000000;
#else
    return INT64_MAX;
#endif
}

static uint64_t plain_perft(const struct position *position, const struct game_options *options,
                            unsigned depth)
{
    const struct game_rules *rules = hasami();
    struct outcome outcome;
    struct move_list moves;
    uint64_t leaves = 0;

    if (depth == 0) {
        return 1;
    }
    rules->outcome(position, options, NULL, &outcome);
    rules->legal_moves(position, options, NULL, &moves);
    cr_assert_eq(outcome.reason == END_NONE, moves.count > 0);
    for (size_t i = 0; i < moves.count; i++) {
        struct position after;
        struct ply_effects effects;

        rules->play(position, options, moves.at[i], &after, &effects);
        leaves += plain_perft(&after, options, depth - 1);
    }
    return leaves;
}

static int compare_moves(const void *a, const void *b)
{
    const char *left = a;
    const char *right = b;

    return strcmp(left, right);
}

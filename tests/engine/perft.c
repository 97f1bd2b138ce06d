/* Every count of the vectors, in each way in which the engine can count. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Every game, and the longest count in which its leaves are still played one by one: a ply of the
 * one costs thirty times what a ply of the other does. */
static const struct {
    const char *key;
    uint64_t played_nodes_max;
} games[] = {
    {"hasami", 20000000},
    {"yonin",  1000000 },
};
enum { GAMES = sizeof games / sizeof games[0] };

/* A line of counts. */
struct count {
    const char *text;
    struct game_options options;
    struct position position;
    unsigned depth;
    uint64_t nodes;
};

static struct count count_of(const struct game_rules *rules, const json_t *line);
static void check_perft(const struct game_rules *rules, const json_t *line);
static void check_played_perft(const struct game_rules *rules, const json_t *line);
static void check_plain_perft(const struct game_rules *rules, const json_t *line);
static uint64_t nodes_max(void);
static uint64_t played_nodes_max(const struct game_rules *rules);
static uint64_t plain_perft(const struct game_rules *rules, const struct position *position,
                            const struct game_options *options, unsigned depth);

Test(perft, every_perft_count_is_met)
{
    for_each_vector("perft", check_perft);
}

Test(perft, playing_every_leaf_counts_the_same)
{
    for_each_vector("perft", check_played_perft);
}

Test(perft, counting_through_the_public_functions_alone_gives_the_same)
{
    for_each_vector("perft", check_plain_perft);
}

Test(perft, the_start_of_four_player_shogi_counts_right_to_depth_eight)
{
    const struct game_options options = options_of(yonin(), "");
    const uint64_t nodes = 178107682;
    struct position position;

    yonin()->start(&position);
    if (nodes <= nodes_max()) {
        cr_expect_eq(yonin()->perft(&position, &options, 8, false), nodes);
    }
}

static struct count count_of(const struct game_rules *rules, const json_t *line)
{
    const struct game_options options = options_from_json(rules, json_object_get(line, "options"));
    const char *text = vector_text(line, "position");

    return (struct count){
        .text = text,
        .options = options,
        .position = position_under(rules, &options, text),
        .depth = (unsigned)json_integer_value(json_object_get(line, "depth")),
        .nodes = (uint64_t)json_integer_value(json_object_get(line, "nodes")),
    };
}

static void check_perft(const struct game_rules *rules, const json_t *line)
{
    const struct count count = count_of(rules, line);

    if (count.nodes <= nodes_max()) {
        cr_expect_eq(rules->perft(&count.position, &count.options, count.depth, false), count.nodes,
                     "%s", count.text);
    }
}

static void check_played_perft(const struct game_rules *rules, const json_t *line)
{
    const struct count count = count_of(rules, line);

    if (count.nodes <= played_nodes_max(rules) && count.nodes <= nodes_max()) {
        cr_expect_eq(rules->perft(&count.position, &count.options, count.depth, true), count.nodes,
                     "%s", count.text);
    }
}

static void check_plain_perft(const struct game_rules *rules, const json_t *line)
{
    const struct count count = count_of(rules, line);

    if (count.nodes <= 300000) {
        cr_expect_eq(plain_perft(rules, &count.position, &count.options, count.depth), count.nodes,
                     "%s", count.text);
    }
}

/* The longest counts would take minutes where every access to memory is checked. */
static uint64_t nodes_max(void)
{
    const char *chosen = getenv("BANZUKE_PERFT_NODES");

    if (chosen != NULL) {
        return strtoull(chosen, NULL, 10);
    }
#ifdef __SANITIZE_ADDRESS__
    return 20000000;
#else
    return UINT64_MAX;
#endif
}

static uint64_t played_nodes_max(const struct game_rules *rules)
{
    size_t i = 0;

    while (strcmp(games[i].key, rules->key) != 0) {
        i++;
        cr_assert(i < GAMES);
    }
    return games[i].played_nodes_max;
}

static uint64_t plain_perft(const struct game_rules *rules, const struct position *position,
                            const struct game_options *options, unsigned depth)
{
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
        leaves += plain_perft(rules, &after, options, depth - 1);
    }
    return leaves;
}

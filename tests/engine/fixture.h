#ifndef TESTS_ENGINE_FIXTURE_H
#define TESTS_ENGINE_FIXTURE_H

/*
 * Short ways to say what the tests of the engine say often: positions, moves and whole lines of
 * play as text, seeded chance, and the vectors under tests/data.
 *
 * Threads: one test, one process. Ownership: values; a failed step fails the running test.
 */

#include "engine/rules.h"

#include <jansson.h>

enum { FIXTURE_PLIES_MAX = 4096 };

/* RULES_SQUARES in the type of a square, for loops over all of them. */
static const uint8_t SQUARES = RULES_SQUARES;

/* A game as it is being played, with all that the rules may look back on. */
struct playout {
    const struct game_rules *rules;
    struct game_options options;
    struct position position;
    struct ply_effects effects; /* of the last ply */
    struct outcome outcome;
    size_t count;
    struct history_entry history[FIXTURE_PLIES_MAX + 1];
};

/* A plain board of Hasami for the tests' own reasoning: 'P', 'p' or '.', by square index. */
struct board {
    char at[RULES_SQUARES];
    char turn; /* 'b' or 'w' */
};

struct chance {
    uint64_t state;
};

const struct game_rules *hasami(void);
const struct game_rules *yonin(void);

/* "" for the defaults, else as options_parse reads them. */
struct game_options options_of(const struct game_rules *rules, const char *text);
struct game_options options_from_json(const struct game_rules *rules, json_t *object);
/* With default options, or under others. */
struct position position_of(const struct game_rules *rules, const char *text);
struct position position_under(const struct game_rules *rules, const struct game_options *options,
                               const char *text);
struct move move_of(const struct game_rules *rules, const char *text);
/* "6a 7a 9a": the squares in the order in which they are given. */
void squares_text(const uint8_t *squares, size_t count, char text[64]);

void playout_start(struct playout *playout, const struct game_rules *rules,
                   const struct game_options *options, struct position position);
struct history playout_history(const struct playout *playout);
/* Plays one legal move in a game that is still on. */
void playout_move(struct playout *playout, struct move move);
/* Moves with spaces between them; no end before the last one. */
void playout_moves(struct playout *playout, const char *moves);
/* Both of these, from a position text. */
void playout_line(struct playout *playout, const struct game_rules *rules, const char *options,
                  const char *position, const char *moves);

struct board board_of(const struct position *position);
struct position board_position(const struct board *board);

uint32_t chance_below(struct chance *chance, uint32_t bound);
/* A few random plies from the start, in a game that is still on. */
struct position random_position(struct chance *chance, const struct game_rules *rules,
                                const struct game_options *options);

/* Calls `check` for every line of tests/data/<game>.<kind>.jsonl of every game; fails when a game
 * has none. */
typedef void vector_check(const struct game_rules *rules, const json_t *line);
void for_each_vector(const char *kind, vector_check *check);
const char *vector_text(const json_t *line, const char *key);

#endif

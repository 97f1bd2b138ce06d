#ifndef TESTS_SUPPORT_EACH_GAME_H
#define TESTS_SUPPORT_EACH_GAME_H

/* A test that runs once for every listed game, which its body knows as `game`. */

#include "games.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#define TestEachGame(suite, name)                                                                  \
    static void suite##_##name##_with(const struct listed_game *game);                             \
    ParameterizedTestParameters(suite, name)                                                       \
    {                                                                                              \
        static size_t indexes[GAMES];                                                              \
        for (size_t i = 0; i < GAMES; i++) {                                                       \
            indexes[i] = i;                                                                        \
        }                                                                                          \
        return cr_make_param_array(size_t, indexes, GAMES);                                        \
    }                                                                                              \
    ParameterizedTest(const size_t *index, suite, name)                                            \
    {                                                                                              \
        suite##_##name##_with(games_at(*index));                                                   \
    }                                                                                              \
    static void suite##_##name##_with(const struct listed_game *game)

#endif

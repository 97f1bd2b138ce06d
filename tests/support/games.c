#include "games.h"

#include "process.h"

#include <string.h>

/* Captures five. */
static const char *const hasami_line[] = {"1i1b", "9a9b", "9i9h", "8a9a", "8i9i", "9a8a",
                                          "1b1h", "8a8i", "2i1i", "2a2i", NULL};
static const char *const hasami_repetition[] = {"5i5h", "5a5b", "5h5i", "5b5a", "5i5h",
                                                "5a5b", "5h5i", "5b5a", "5i5h", "5a5b",
                                                "5h5i", "5b5a", NULL};
static const char *const hasami_detour[] = {"5i5e", "5a5e"};
static const char *const hasami_opening[] = {"2i2b", "5a5b", "3i3c", "5b5a", "4i4d",
                                             "5a5b", "5i5e", "5b5a", NULL};

/* Silvers to and fro: the start, four times. */
static const char *const yonin_repetition[] = {
    "3i2h", "9g8h", "7a8b", "1c2b", "2h3i", "8h9g", "8b7a", "2b1c", "3i2h",
    "9g8h", "7a8b", "1c2b", "2h3i", "8h9g", "8b7a", "2b1c", "3i2h", "9g8h",
    "7a8b", "1c2b", "2h3i", "8h9g", "8b7a", "2b1c", NULL};
static const char *const yonin_detour[] = {"5g5f", "7e6e", "5c5d", "3e4e"};
static const char *const yonin_opening[] = {"4h4g", "9c8b", "5c5d", "1g2h", "5h2h", "8b7a", "6a7b",
                                            "1f2g", "2h2g", "S*1b", "7b8c", "2d3d", NULL};

/* clang-format off */

/* Each has the corner at its right hand and the middle of its own side. */
#define YONIN_CAMPS {{"16", "hi"}, {"89", "di"}, {"49", "ab"}, {"12", "af"}}

static const struct listed_game games[GAMES] = {
    {
        .pool = "hasami", .key = "hasami", .options = "{}", .seats = "bw", .resigns = true,
        .line = hasami_line, .end = "capture", .repetition = hasami_repetition, .replays = true,
        .detour = hasami_detour, .opening = hasami_opening,
        .illegal = {"6i2i", "own-piece", "[\"2i\"]"},
        .camps = {{"19", "fi"}, {"19", "ad"}},
        .vector = 4, .partners = {-1, -1, -1, -1}, /* ten plies: five men are taken */
    },
    {
        .pool = "yonin", .key = "yonin", .options = "{}", .seats = "swne",
        .line = yonin_repetition, .end = "repetition", .repetition = yonin_repetition,
        .detour = yonin_detour, .opening = yonin_opening,
        .illegal = {"5h5d", "blocked", "[\"5g\"]"},
        .camps = YONIN_CAMPS,
        .vector = 80, .partners = {-1, -1, -1, -1}, /* 25 plies: places 3 4 2 1 */
    },
    {
        .pool = "yonin_pairs", .key = "yonin", .options = "{\"format\":\"pairs\"}", .seats = "swne",
        .line = yonin_repetition, .end = "repetition", .repetition = yonin_repetition,
        .replays = true,
        .detour = yonin_detour, .opening = yonin_opening,
        .illegal = {"P*5c", "occupied", "[\"5c\"]"},
        .camps = YONIN_CAMPS,
        .vector = 20, .partners = {3, 2, 1, 0}, /* nine plies: e is mated, places 1 3 1 3 */
    },
};
/* clang-format on */

const struct listed_game *games_at(size_t index)
{
    if (index >= GAMES) {
        test_fail("there is no game %zu in the list", index);
    }
    return &games[index];
}

const struct listed_game *games_find(const char *pool)
{
    for (size_t i = 0; i < GAMES; i++) {
        if (strcmp(games[i].pool, pool) == 0) {
            return &games[i];
        }
    }
    test_fail("%s is not in the list of games", pool);
}

size_t game_seat_count(const struct listed_game *game)
{
    return strlen(game->seats);
}

size_t game_seat_of(const struct listed_game *game, unsigned ply)
{
    return (ply - 1) % game_seat_count(game);
}

size_t game_seat_named(const struct listed_game *game, const char *letter)
{
    const char *found = letter[0] == '\0' ? NULL : strchr(game->seats, letter[0]);
    if (found == NULL) {
        test_fail("%s has no seat \"%s\"", game->key, letter);
    }
    return (size_t)(found - game->seats);
}

unsigned game_plies(const char *const *line)
{
    unsigned plies = 0;
    while (line[plies] != NULL) {
        plies++;
    }
    return plies;
}

bool game_is_quiet(const struct listed_game *game, unsigned ply, const char *move)
{
    const struct camp *camp = &game->camps[game_seat_of(game, ply)];
    const char *to = move + 2;
    return to[0] >= camp->files[0] && to[0] <= camp->files[1] && to[1] >= camp->ranks[0] &&
           to[1] <= camp->ranks[1];
}

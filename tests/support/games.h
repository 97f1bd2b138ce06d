#ifndef TESTS_SUPPORT_GAMES_H
#define TESTS_SUPPORT_GAMES_H

/*
 * The list of games that are played for ratings. What holds for all of them is tried on each by a
 * loop over this list, or by a test that takes its entries as parameters: a game is added here and
 * nowhere else.
 *
 * Threads: constant. Ownership: nothing to free.
 */

#include <stdbool.h>
#include <stddef.h>

enum { GAMES = 3, GAME_SEATS_MAX = 4 };

/* A part of the board in square letters, such as files 1 to 9 and ranks f to i. */
struct camp {
    char files[2];
    char ranks[2];
};

struct listed_game {
    const char *pool;
    const char *key;     /* of its rules */
    const char *options; /* that the pool changes, as JSON */
    const char *seats;   /* letters, in the order in which they move */
    bool resigns;

    /* From the start on, by turns without a check, to an end that gives everybody a rating event;
     * the last text is NULL. */
    const char *const *line;
    const char *end; /* its reason */
    /* Likewise, to a repetition. */
    const char *const *repetition;
    bool replays;              /* that is a draw, and is played again */
    const char *const *detour; /* of each seat, a legal first move that is not the line's */
    /* From the start on, to a position with many legal moves. */
    const char *const *opening;

    int vector; /* a whole game from the start: its line in the vectors */
    /* How it is sat down to: places of those who queue, each of whom names the partner; -1: nobody.
     */
    int partners[GAME_SEATS_MAX];

    /* At the start, for the first seat. */
    struct {
        const char *move;
        const char *reason;
        const char *squares; /* NULL: none explains it */
    } illegal;

    /* As long as each seat makes only moves that end in its camp, nothing is captured and nobody
     * checked. */
    struct camp camps[GAME_SEATS_MAX];
};

const struct listed_game *games_at(size_t index);
/* By its pool; one that is not listed fails the test. */
const struct listed_game *games_find(const char *pool);

size_t game_seat_count(const struct listed_game *game);
/* Whose ply it is while nobody is checked: an index in `seats`. */
size_t game_seat_of(const struct listed_game *game, unsigned ply);
/* Of the letter in `seats`. */
size_t game_seat_named(const struct listed_game *game, const char *letter);
/* Plies of a line that ends with NULL. */
unsigned game_plies(const char *const *line);
/* The move ends in the camp of whose ply it is. */
bool game_is_quiet(const struct listed_game *game, unsigned ply, const char *move);

#endif

#ifndef TESTS_API_FOUR_H
#define TESTS_API_FOUR_H

/*
 * Four devices at one board of four-player shogi, from the queue to the last move.
 *
 * Threads: one. Ownership: four_new/four_free; or filled in by hand with what belongs to others.
 */

#include "tests/support/device.h"

#include <jansson.h>

enum {
    FOUR_SEATS = 4,
    /* Whole games from the start, by their line in the vectors. */
    FOUR_SOLO = 80,  /* 25 plies: w and s are mated, places 3 4 2 1 */
    FOUR_PAIRS = 20, /* nine plies: e is mated, places 1 3 1 3 */
};

struct four {
    struct process *server;
    struct device *devices[FOUR_SEATS]; /* in the order in which they came */
    struct device *seats[FOUR_SEATS];   /* in seat order, once seated */
    char game[32];
};

/* A server and four devices. */
struct four four_new(void);
void four_free(struct four *four);

/* Index of a seat's letter. */
size_t four_seat(const char *letter);

/* Everybody queues and is seated; `partners[i]` is a device whom device i names, or -1. */
extern const int four_alone[FOUR_SEATS];
void four_sit(struct four *four, const char *pool, const int partners[FOUR_SEATS]);

/* A game of the vectors that begins at the start; a new reference. */
json_t *four_vector(int line);
/* Plays it; every answer has the position that the vectors have. */
void four_play(const struct four *four, json_t *game);
/* Sits down and plays a game of the vectors: FOUR_SOLO, or FOUR_PAIRS with devices 0 and 3, 1 and
 * 2 as partners. */
void four_whole_game(struct four *four, int line);

#endif

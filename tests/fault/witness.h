#ifndef TESTS_FAULT_WITNESS_H
#define TESTS_FAULT_WITNESS_H

/*
 * A client that writes down what it asked of a game and what it was told. An answer that no
 * sequential game gives (another status, no answer at all) fails the test at once.
 *
 * The instants are taken around the whole call, reading of the answer included: so an operation may
 * look longer than it was, which can hide a violation but never invent one.
 *
 * Threads: one thread a witness. Ownership: witness_init/witness_free; the history may be moved
 * out.
 */

#include "history.h"
#include "tests/support/games.h"
#include "tests/support/http.h"

struct witness {
    unsigned number;
    struct client *client;
    struct history history;
    unsigned broken; /* answers that call the stored data damaged; not in the history */
};

/* A game as all witnesses of it know it. */
struct scene {
    unsigned number;
    const struct listed_game *game;
    char id[32];
    char tokens[GAME_SEATS_MAX][80]; /* by seat */
};

enum { CHOICES_MAX = 1024 };

/* The legal moves of a ply. None: the game is over. */
struct choices {
    unsigned ply;
    size_t count;
    char moves[CHOICES_MAX][8];
};

/* To a server, or to the next one. */
void witness_connect(struct witness *witness, const char *origin);
void witness_free(struct witness *witness);

/* Reads; each returns the ply that was shown. */
unsigned witness_choices(struct witness *witness, const struct scene *scene,
                         struct choices *choices);
unsigned witness_snapshot(struct witness *witness, const struct scene *scene, bool legal_moves);
/* The moves after a ply, which must have been seen made before: an empty list shows only that no
 * later one is, but goes down as if it showed this ply. */
unsigned witness_moves(struct witness *witness, const struct scene *scene, unsigned after);

enum history_verdict witness_submit(struct witness *witness, const struct scene *scene, size_t seat,
                                    unsigned ply, const char *move);

#endif

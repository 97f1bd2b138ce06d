#ifndef TESTS_FAULT_PLAYER_H
#define TESTS_FAULT_PLAYER_H

/*
 * As many devices as a listed game has seats, who play its line again and again for as long as the
 * server lives, and remember what was acknowledged. After a restart they go on with the move whose
 * answer they did not get: a repeat settles it.
 *
 * Threads: a player belongs to its own thread while it runs.
 */

#include "tests/support/device.h"
#include "tests/support/games.h"

#include <pthread.h>
#include <stdatomic.h>

struct player {
    pthread_t thread;
    const struct process *server;
    pthread_mutex_t *queue; /* companies queue one at a time */
    const struct listed_game *listed;
    struct client *client;
    char ids[GAME_SEATS_MAX][32];    /* of the players */
    char tokens[GAME_SEATS_MAX][80]; /* of their devices */
    size_t seats[GAME_SEATS_MAX];    /* who has which seat of the game */
    char game[32];                   /* "": none yet */
    bool lenient;     /* the server lies: refusals that make no sense are tried again */
    unsigned acked;   /* plies of this game whose 2xx was read */
    unsigned repeats; /* answers 200: made before, acknowledged now */
    unsigned games;
    atomic_uint moves; /* may be read while it plays */
};

void player_init(struct player *player, const struct listed_game *listed,
                 const struct process *server, pthread_mutex_t *queue);
void player_free(struct player *player);

/* Before a life of the server: connects, and takes back a ticket that the last life left waiting,
 * so that companies stay together. */
void player_settle(struct player *player);

/* Plays until the server is gone. */
void *player_run(void *context);

/* How many acknowledged plies the file does not have (the server is running again). */
unsigned player_lost(struct player *player, const struct process *server);

#endif

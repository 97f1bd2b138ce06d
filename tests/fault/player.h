#ifndef TESTS_FAULT_PLAYER_H
#define TESTS_FAULT_PLAYER_H

/*
 * A couple of devices that play scripted games against each other for as long as the server lives,
 * and remember what was acknowledged. After a restart they go on with the move whose answer they
 * did not get: a repeat settles it.
 *
 * Threads: a player belongs to its own thread while it runs.
 */

#include "tests/support/device.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SCRIPT_MOVES = 10 };

struct player {
    pthread_t thread;
    const struct process *server;
    pthread_mutex_t *queue; /* couples queue one at a time */
    struct client *client;
    char tokens[2][80]; /* of b and w in the game */
    char game[32];      /* "": none yet */
    bool lenient;       /* the server lies: refusals that make no sense are tried again */
    unsigned acked;     /* plies of this game whose 2xx was read */
    unsigned repeats;   /* answers 200: made before, acknowledged now */
    unsigned games;
    unsigned moves;
};

void player_init(struct player *player, const struct process *server, pthread_mutex_t *queue);
void player_free(struct player *player);

/* Before a life of the server: connects, and takes back a ticket that the last life left waiting,
 * so that couples stay couples. */
void player_settle(struct player *player);

/* Plays until the server is gone. */
void *player_run(void *context);

/* How many acknowledged plies the file does not have (the server is running again). */
unsigned player_lost(struct player *player, const struct process *server);

#endif

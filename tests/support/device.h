#ifndef TESTS_SUPPORT_DEVICE_H
#define TESTS_SUPPORT_DEVICE_H

/*
 * Devices as a client author would write them: registered, queued, matched, playing.
 * Threads: a device and its client belong to one thread. Ownership: device_new/device_free.
 */

#include "http.h"

struct device {
    const struct process *server;
    struct client *client;
    char player[32];
    char token[80];
};

struct device *device_new(const struct process *server);
/* A further device of the same player. */
struct device *device_linked(const struct process *server, const struct device *first);
void device_free(struct device *device);
/* Goes on with the server after its restart. */
void device_reconnect(struct device *device, const struct process *server);

/* Queues for a pool, in a pool of pairs perhaps with a partner (or NULL); the ticket's id. */
void device_queue_for(struct device *device, const char *pool, const struct device *partner,
                      char ticket[32]);
/* For hasami. */
void device_queue(struct device *device, char ticket[32]);
/* The ticket's game and seat, once it is matched: where the windows are not open yet, time is moved
 * on until they are. */
void device_matched(struct device *device, const char *ticket, char game[32], char seat[2]);

/* Two devices in a new game: seats[0] is b, seats[1] is w. */
struct pairing {
    char game[32];
    struct device *seats[2];
};
struct pairing device_pair(struct device *earlier, struct device *later);

/* POSTs one move; the answer as it is. */
struct answer device_move(struct device *device, const char *game, unsigned ply, const char *move);
/* Plays moves by turns from `ply` on; every one must be 201. */
void device_play(const struct pairing *pairing, unsigned ply, const char *const *moves);
/* Moves `from` to `to` of a game that then goes on: a line of thousands of plies in which nothing
 * is captured and nothing comes twice. */
void device_stroll(const struct pairing *pairing, unsigned from, unsigned to);
struct answer device_resign(struct device *device, const char *game);
/* Asks for a rematch, and takes that back. */
struct answer device_rematch(struct device *device, const char *game);
struct answer device_rematch_back(struct device *device, const char *game);
/* A snapshot. */
struct answer device_game(struct device *device, const char *game);

#endif

#ifndef TESTS_SUPPORT_BOARD_H
#define TESTS_SUPPORT_BOARD_H

/*
 * A server and as many devices as a listed game has seats, who play it.
 *
 * Threads: one. Ownership: board_new/board_free.
 */

#include "device.h"
#include "games.h"

struct board {
    const struct listed_game *game;
    struct process *server;
    struct device *devices[GAME_SEATS_MAX]; /* in the order in which they queue */
    struct device *seats[GAME_SEATS_MAX];   /* of the game that they play, by its seats */
    char id[32];                            /* of that game; "": none yet */
    unsigned ply;                           /* moves that were made in it through this board */
    size_t turn;                            /* the seat on turn */
};

/* Nobody plays yet. */
struct board board_new(const struct listed_game *game);
/* The same on a server that the board then owns. */
struct board board_on(const struct listed_game *game, struct process *take_server);
void board_free(struct board *board);
/* Frees the devices and leaves the server to whoever owns it. */
void board_leave(struct board *board);

/* All queue, and are matched with each other. */
void board_seat(struct board *board);
/* The same; partners[i] is a place in `devices`, or -1 for nobody. */
void board_seat_with(struct board *board, const int partners[GAME_SEATS_MAX]);
/* Both of these: a new board at its first move. */
struct board board_begun(const struct listed_game *game);

/* The next move, by the seat on turn: must be 201. */
struct answer board_move(struct board *board, const char *move);
/* Moves to a NULL, each of which must be 201. */
void board_play(struct board *board, const char *const *moves);
/* A move that the server dies of: it must get no answer. */
void board_move_deadly(struct board *board, const char *move);
/* What is left of a line but for its last move. */
void board_play_to_the_last(struct board *board, const char *const *line);
/* What is left of the game's line; the answer to the move that ends the game. */
struct answer board_finish(struct board *board);
/* The snapshot. */
struct answer board_game(const struct board *board);
/* GET of what is below the game, such as "/record", without a token. */
struct answer board_get(const struct board *board, const char *below);

/* Stops the server (or finds it gone) and starts it again on the same file with a fault or NULL. */
void board_restart(struct board *board, const char *fault);

/* Line `index` of the vectors of whole games; a new reference. */
json_t *board_vector(const struct listed_game *game, int index);
/* Plays it, with the positions it has. */
void board_play_vector(struct board *board, json_t *vector);
/* All queue, and play the listed game's vector to its end. */
void board_play_whole(struct board *board);

#endif

#ifndef TESTS_BENCH_SUPPORT_GAMES_H
#define TESTS_BENCH_SUPPORT_GAMES_H

/*
 * Players and games on a running server, made over HTTP, and a long game for them to play.
 *
 * Threads: the caller's. Ownership: everything is the caller's; nothing is allocated.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GAMES_TOKEN_TEXT = 96,
    GAMES_ID_TEXT = 32,
    GAMES_MOVE_TEXT = 8,
    GAMES_PLIES_MAX = 1999,    /* one less than where a served game ends */
    GAMES_TURN_SECONDS = 3600, /* the server must offer it: prepared games wait for their turn */
    GAMES_SEATS_MAX = 4,
};

/* Moves that no rule ends a game at, from the start. */
struct games_line {
    size_t plies;
    uint8_t seats[GAMES_PLIES_MAX]; /* whose move it is */
    char moves[GAMES_PLIES_MAX][GAMES_MOVE_TEXT];
};

struct games_player {
    char token[GAMES_TOKEN_TEXT];
};

struct games_game {
    char id[GAMES_ID_TEXT];
    uint8_t players[GAMES_SEATS_MAX]; /* who sits at a seat: an index into those who were matched */
};

/* Seats of a pool's game; 0: there is no such pool. */
unsigned games_seats(const char *pool);

/* By the rules of a pool; at random, but the same for the same seed. */
void games_line_make(struct games_line *line, const char *pool, size_t plies, uint64_t seed);

/* False: the server said otherwise, and why is on stderr. */
bool games_register(int fd, struct games_player *player);
/* A game of these, as many as the pool's game has seats, who must be the only ones waiting. */
bool games_match(int fd, const char *pool, const struct games_player *players,
                 struct games_game *game);

/* The request of a move; its length. */
size_t games_move_request(const struct games_player *player, const char *game_id, unsigned ply,
                          const char *move, char *request, size_t size);
/* A text value of a flat place in a JSON answer, such as "token"; false: it is not there. */
bool games_text(const char *json, const char *key, char *value, size_t size);

#endif

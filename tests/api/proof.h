#ifndef TESTS_API_PROOF_H
#define TESTS_API_PROOF_H

/*
 * A small file of finished and running games, played through a server that has ended, and copies of
 * it in which somebody has changed something behind the server's back.
 *
 * Game  seats  how it stands
 *    1  A B    rated; ten plies, the last takes five men and wins for B
 *    2  B A    rated; a draw by repetition after twelve plies
 *    3  A B    the replay of it: two plies, then B resigns
 *              an hour later:
 *    4  B A    over the repeat limit: a draw like game 2, unrated
 *    5  A B    the replay of that, unrated; runs, three plies
 *    6  A C    rated; runs, five plies
 *    7  C B    rated; C resigns before the first ply
 *
 * A, B and C are the players 1, 2 and 3.
 *
 * Threads: one. Ownership: proof_new/proof_free.
 */

#include "tests/support/device.h"

enum { PROOF_GAMES = 7 };

struct proof {
    struct process *server; /* not running */
    char games[PROOF_GAMES + 1][32];
    unsigned char *bytes; /* of the untouched file */
    size_t length;
};

struct proof *proof_new(void);
/* The same of a file with as many other games, at most PROOF_GAMES. */
struct proof *proof_of(void (*play)(struct process *server), int games);
/* The same after an operator was there: game 1 is void, then C was banned, A banned and let in
 * again, and B renamed. */
struct proof *proof_operated(void);
/* Another file, of four-player shogi: game 1 is one of pairs, game 2 of four alone; both are rated,
 * and have different players. */
struct proof *proof_four(void);
void proof_free(struct proof *proof);

/* Makes a fresh copy, changes it by `sql` (NULL: not at all; triggers and CHECKs do not get in the
 * way) and runs `banzuke verify` on it with these further arguments. The exit code, and all that
 * was printed. */
int proof_verify(const struct proof *proof, const char *sql, const char *arguments, char *output,
                 size_t size);

/* One change, and the first line that verify says about it: "$1" is the id of game 1, and so on;
 * "*" is any text, for what hangs on clock or key. */
struct tampering {
    const char *sql;
    const char *found;
};
/* Each of them alone in a copy is found, with exit 65, by exactly that line. */
#define PROOF_EXPECT(tamperings)                                                                   \
    proof_expect(tamperings, sizeof(tamperings) / sizeof(tamperings)[0])
void proof_expect(const struct tampering *tamperings, size_t count);
/* The same on this file, which is freed. */
void proof_expect_of(struct proof *proof, const struct tampering *tamperings, size_t count);

/* Whether `line` is `pattern`, written like the `found` of a tampering. */
bool proof_is_like(const struct proof *proof, const char *line, const char *pattern);

#endif

#ifndef TESTS_ENGINE_YONIN_PLAIN_H
#define TESTS_ENGINE_YONIN_PLAIN_H

/*
 * A plain board of four-player shogi for the tests' own reasoning, read out of position texts, and
 * random games to reason about.
 *
 * Threads: one test, one process. Ownership: values; a failed step fails the running test.
 */

#include "fixture.h"

enum { PLAIN_CELL_MAX = 5, PLAIN_FIELD_MAX = 32 };

struct plain {
    char cells[RULES_SQUARES][PLAIN_CELL_MAX]; /* "+Rns" as in the text; "" for an empty square */
    char hands[4][PLAIN_FIELD_MAX];            /* "R2P", "-" */
    char turn;
    char mates[PLAIN_FIELD_MAX];
    char givers[PLAIN_FIELD_MAX];
    unsigned long ply;
};

struct plain plain_of(const struct position *position);
void plain_text(const struct plain *plain, char text[RULES_POSITION_TEXT_MAX]);
/* Pieces with this letter on the board, promoted or not, and in all hands. */
unsigned plain_count(const struct plain *plain, char letter);

/* A quarter turn clockwise: s becomes w, w n, n e, and e s. */
struct plain plain_turned(const struct plain *plain);
int plain_turned_seat(int seat);
struct move plain_turned_move(struct move move);

/* Random games under all kinds of options, with fixed seeds: calls `check` in each of their
 * positions, the first and the last included. */
void for_each_random_ply(unsigned games, void (*check)(const struct playout *playout));
/* Plays one of the legal moves. */
void play_random(struct playout *playout, struct chance *chance);

#endif

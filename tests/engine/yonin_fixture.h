#ifndef TESTS_ENGINE_YONIN_FIXTURE_H
#define TESTS_ENGINE_YONIN_FIXTURE_H

/*
 * What the tests of four-player shogi say often. Every game is told as text: options ("" for the
 * defaults), a position to start from and moves with spaces between them.
 *
 * Threads: one test, one process. Ownership: nothing is kept; a difference fails the running test.
 */

#include "fixture.h"

/* The standard start, as a text. */
#define YONIN_START                                                                                \
    "2SnGnKnGnSn2/3PnRnPn3/Sw3Pn3Se/GwPw5PeGe/KwRwPw3PeReKe/GwPw5PeGe/Sw3Ps3Se/3PsRsPs3/"          \
    "2SsGsKsGsSs2 -/-/-/- s - - 0"

/* Plays the moves and compares what comes out: the position, and the end ("" while the game goes
 * on, else its reason and the places of s, w, n and e: "mates 1 4 3 2"). */
void expect_play(const char *options, const char *start, const char *moves, const char *position,
                 const char *end);

/* Counts to depths 1, 2, ...: "20 84". */
void expect_counts(const char *options, const char *position, const char *counts);

void expect_legal(const char *options, const char *start, const char *moves, const char *move);
/* The reason as clients read it, and the squares that explain it ("" for none). */
void expect_illegal(const char *options, const char *start, const char *moves, const char *move,
                    const char *reason, const char *squares);

/* All legal moves whose texts begin with `prefix`, by byte value, with spaces between them. */
void expect_moves(const char *options, const char *start, const char *moves, const char *prefix,
                  const char *expected);

/* The text is no position, for this reason, and nothing is written where one would be. */
void expect_refused(const char *options, const char *text, size_t length, const char *complaint);

#endif

#ifndef TESTS_FAULT_HISTORY_H
#define TESTS_FAULT_HISTORY_H

/*
 * What clients asked of games and what they were told, with the instants of both: the material of
 * the checker in linear.h. A history is complete: every operation in it has been answered.
 *
 * Threads: a history belongs to one thread; every client records its own, and they are put together
 * at the end.
 * Ownership: a history owns its operations and their lists. One that is all zero is empty.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum history_verdict {
    HISTORY_SEEN,     /* a read; all others are submissions */
    HISTORY_ACCEPTED, /* 201 */
    HISTORY_REPEATED, /* 200 */
    HISTORY_STALE_PLY,
    HISTORY_NOT_YOUR_TURN,
    HISTORY_GAME_OVER,
    HISTORY_ILLEGAL_MOVE,
    HISTORY_VERDICTS
};

enum history_status { HISTORY_UNTOLD, HISTORY_PLAYING, HISTORY_FINISHED };

/* What an answer can show of a game at a ply, besides its status. */
enum history_facet { HISTORY_POSITION, HISTORY_LEGAL_MOVES, HISTORY_MOVE_ANSWER, HISTORY_FACETS };

/* The game as an answer shows it. For a move that was made now or before, that is the game right
 * after this move; for a refusal it is the state that was refused on. */
struct sight {
    unsigned ply;
    bool partial; /* a full page of moves, which tells no status: there may be later plies */
    enum history_status status;
    uint64_t facets[HISTORY_FACETS]; /* prints; 0: not shown */
    unsigned listed_after;
    char *listed; /* NULL, or seat and move of every ply from listed_after + 1 to `ply`: "b5i5e " */
};

struct history_op {
    unsigned client;
    unsigned game;
    int64_t invoked_ns; /* by the monotonic clock */
    int64_t answered_ns;
    unsigned ply; /* of a submission, from 1 on */
    char seat;
    char move[8];
    enum history_verdict verdict;
    struct sight sight;
};

struct history {
    struct history_op *ops;
    size_t count;
    size_t room;
};

/* Takes the operation and its list. */
void history_add(struct history *history, struct history_op op);
/* Moves all of `part` to the end of `history`. */
void history_join(struct history *history, struct history *part);
void history_free(struct history *history);

/* How many pairs of operations on a game overlap in time: neither was answered before the other
 * was invoked. */
uint64_t history_overlaps(const struct history *history, unsigned game);

int64_t history_now_ns(void);
/* A print of some bytes, never 0. */
uint64_t history_print(const char *bytes, size_t length);
const char *history_verdict_text(enum history_verdict verdict);
/* An operation in words; it may be NULL. */
void history_describe(const struct history_op *op, char *text, size_t size);

#endif

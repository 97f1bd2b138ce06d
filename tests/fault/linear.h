#ifndef TESTS_FAULT_LINEAR_H
#define TESTS_FAULT_LINEAR_H

/*
 * Is a history of one game linearizable: can every operation be put at one instant between its
 * invocation and its answer, so that a game that does one thing at a time gives these answers?
 *
 * The sequential game is a list of n plies, which the seats make by turns: no other order (as
 * checks give it in four-player shogi) may come up. A submission of ply p is, by the first line
 * that fits,
 *
 *     repeated       if ply p is made, by the same seat with the same text;
 *     game-over      if ply n has finished the game;
 *     stale-ply      if p is not n + 1;
 *     not-your-turn  if ply p is another seat's;
 *     illegal-move   if the rules say so, of the same text at the same ply always the same;
 *     accepted       else, and the list is one ply longer.
 *
 * A read shows n, and what else it shows is a function of the list.
 *
 * The check is exact: it neither accuses a linearizable history nor acquits another. Only an
 * acceptance changes the list, and it does so at its end; so what ply n is, is settled by the one
 * acceptance of ply n, whatever the order of all others, and all that does not depend on time (that
 * there is one, that the answers follow from the state they show, that views of a ply agree) is
 * checked by itself. What is left is to choose instants T(1) <= T(2) <= ... for the acceptances.
 * For every operation let `made` be the highest ply that it shows made, and `unmade` the lowest
 * that it shows not made yet:
 *
 *     acceptance of ply p            made = p    unmade = p        its instant is T(p)
 *     read of, or refusal at, ply n  made = n    unmade = n + 1
 *     repeat of ply p, partial page  made = p    no unmade
 *
 * An operation can be put between T(made) and T(unmade), which are in order, and inside its own
 * time exactly if T(made) <= answered and invoked <= T(unmade). So there are only lower and upper
 * bounds of single T. The earliest choice, T(n) = the latest invocation of all with unmade <= n, is
 * in order and below every other choice; thus there is a choice exactly if this one keeps the upper
 * bounds: no operation with made >= n is answered before another with unmade <= n is invoked. Such
 * a pair is the proof of a violation, and the fault is named after it.
 *
 * An operation precedes another if it is answered at an earlier nanosecond than the other's
 * invocation. The cost is linear in the number of operations.
 */

#include "history.h"

enum linear_fault {
    LINEAR_NONE,
    LINEAR_TWICE,      /* `first` and `second` were both accepted as one ply */
    LINEAR_NEVER_MADE, /* `first` shows a ply that no submission has made */
    LINEAR_ANSWER,     /* the answer of `first` does not follow from the state it shows */
    LINEAR_CONTENT,    /* `first` and `second` show one ply differently */
    LINEAR_STALE,      /* `first` acknowledged a ply, and `second`, invoked later, lacks it */
    LINEAR_BACKWARDS,  /* `first` showed a ply, and `second`, invoked later, lacks it */
    LINEAR_FUTURE,     /* `first` showed a ply before `second` submitted it, or one before it */
    LINEAR_FAULTS
};

struct linear_report {
    enum linear_fault fault; /* one that was found, if there are any */
    const struct history_op *first;
    const struct history_op *second;
    unsigned plies;     /* made */
    unsigned contested; /* submissions of a ply that were in flight with the one that made it */
};

/* `seats`: letters in the order of the turns. True: linearizable. The report points into the
 * history. */
bool linear_check(const struct history *history, unsigned game, const char *seats,
                  struct linear_report *report);

/* The fault and its operations in words. */
void linear_describe(const struct linear_report *report, char *text, size_t size);
const char *linear_fault_text(enum linear_fault fault);

#endif

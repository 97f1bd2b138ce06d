#include "linear.h"

#include "tests/support/process.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ply {
    const struct history_op *made;                  /* its acceptance */
    const struct history_op *shown[HISTORY_FACETS]; /* who showed each facet first */
    const struct history_op *with; /* of those that show it last, the first answered */
    const struct history_op
        *without; /* of those that lack it and those before it, the last invoked */
};

struct check {
    const struct history *history;
    unsigned game;
    const char *seats;
    unsigned count;    /* plies made, 1 to count */
    struct ply *plies; /* from 0 (the start) to count + 1 (made by nobody) */
    struct linear_report *report;
};

static bool fault(struct check *check, enum linear_fault fault, const struct history_op *first,
                  const struct history_op *second)
{
    check->report->fault = fault;
    check->report->first = first;
    check->report->second = second;
    return false;
}

/* The game's operations one after the other; begins and ends with NULL. */
static const struct history_op *next_op(const struct check *check, const struct history_op *op)
{
    const struct history_op *end = check->history->ops + check->history->count;
    for (op = op == NULL ? check->history->ops : op + 1; op != NULL && op < end; op++) {
        if (op->game == check->game) {
            return op;
        }
    }
    return NULL;
}

/* --- who made what -------------------------------------------------------------------------------
 */

/* As many acceptances as there are in all make that many plies, or one is missing. */
static void count_plies(struct check *check)
{
    const struct history_op *op = NULL;
    while ((op = next_op(check, op)) != NULL) {
        check->count += op->verdict == HISTORY_ACCEPTED;
    }
    check->plies = calloc((size_t)check->count + 2, sizeof *check->plies);
    if (check->plies == NULL) {
        test_fail("no memory for %u plies", check->count);
    }
}

static bool find_makers(struct check *check)
{
    const struct history_op *op = NULL;
    const struct history_op *beyond = NULL;
    while ((op = next_op(check, op)) != NULL) {
        if (op->verdict != HISTORY_ACCEPTED) {
            continue;
        }
        if (op->ply > check->count) {
            beyond = op;
            continue;
        }
        const struct history_op *made = check->plies[op->ply].made;
        if (made != NULL) {
            return fault(check, LINEAR_TWICE, made, op);
        }
        check->plies[op->ply].made = op;
    }
    return beyond == NULL || fault(check, LINEAR_NEVER_MADE, beyond, NULL);
}

/* --- what does not depend on time ----------------------------------------------------------------
 */

static char seat_of(const struct check *check, unsigned ply)
{
    assert(ply > 0);
    return check->seats[(ply - 1) % strlen(check->seats)];
}

static enum history_status status_at(const struct check *check, unsigned ply)
{
    return ply == 0 ? HISTORY_PLAYING : check->plies[ply].made->sight.status;
}

/* Whether this very move is the one that was made, be it at any time. */
static bool is_made(const struct check *check, const struct history_op *op)
{
    const struct history_op *made = op->ply <= check->count ? check->plies[op->ply].made : NULL;
    return made != NULL && made->seat == op->seat && strcmp(made->move, op->move) == 0;
}

/* What the sequential game answers to a submission when `ply` plies are made, if it is legal. */
static enum history_verdict verdict_at(const struct check *check, unsigned ply,
                                       const struct history_op *op)
{
    if (op->ply <= ply && is_made(check, op)) {
        return HISTORY_REPEATED;
    }
    if (status_at(check, ply) == HISTORY_FINISHED) {
        return HISTORY_GAME_OVER;
    }
    if (op->ply != ply + 1) {
        return HISTORY_STALE_PLY;
    }
    return seat_of(check, op->ply) == op->seat ? HISTORY_ACCEPTED : HISTORY_NOT_YOUR_TURN;
}

static bool answer_follows(const struct check *check, const struct history_op *op)
{
    unsigned shown = op->sight.ply;
    switch (op->verdict) {
    case HISTORY_SEEN: return true;
    case HISTORY_ACCEPTED:
        return shown == op->ply && verdict_at(check, shown - 1, op) == HISTORY_ACCEPTED;
    case HISTORY_REPEATED:
        return shown == op->ply && verdict_at(check, shown, op) == HISTORY_REPEATED;
    case HISTORY_ILLEGAL_MOVE:
        return verdict_at(check, shown, op) == HISTORY_ACCEPTED && !is_made(check, op);
    case HISTORY_STALE_PLY:
    case HISTORY_NOT_YOUR_TURN:
    case HISTORY_GAME_OVER:
    case HISTORY_VERDICTS: break;
    }
    return verdict_at(check, shown, op) == op->verdict;
}

static bool list_agrees(struct check *check, const struct history_op *op)
{
    const char *at = op->sight.listed;
    for (unsigned ply = op->sight.listed_after + 1; at != NULL && ply <= op->sight.ply; ply++) {
        const struct history_op *made = check->plies[ply].made;
        char word[16];
        assert(made != NULL);
        int length = snprintf(word, sizeof word, "%c%s ", made->seat, made->move);
        if (strncmp(at, word, (size_t)length) != 0) {
            return fault(check, LINEAR_CONTENT, made, op);
        }
        at += length;
    }
    return at == NULL || *at == '\0' || fault(check, LINEAR_CONTENT, op, op);
}

static bool sight_agrees(struct check *check, const struct history_op *op)
{
    struct ply *ply = &check->plies[op->sight.ply];
    if (op->sight.status != HISTORY_UNTOLD && op->sight.status != status_at(check, op->sight.ply)) {
        return fault(check, LINEAR_CONTENT, ply->made, op);
    }
    for (int i = 0; i < HISTORY_FACETS; i++) {
        if (op->sight.facets[i] == 0) {
            continue;
        }
        if (ply->shown[i] == NULL) {
            ply->shown[i] = op;
        } else if (ply->shown[i]->sight.facets[i] != op->sight.facets[i]) {
            return fault(check, LINEAR_CONTENT, ply->shown[i], op);
        }
    }
    return list_agrees(check, op);
}

static bool contents_agree(struct check *check)
{
    const struct history_op *op = NULL;
    while ((op = next_op(check, op)) != NULL) {
        if (op->sight.ply > check->count) {
            return fault(check, LINEAR_NEVER_MADE, op, NULL);
        }
        if (!answer_follows(check, op)) {
            return fault(check, LINEAR_ANSWER, op, NULL);
        }
        if (!sight_agrees(check, op)) {
            return false;
        }
    }
    return true;
}

/* --- instants ------------------------------------------------------------------------------------
 */

static const struct history_op *first_answered(const struct history_op *a,
                                               const struct history_op *b)
{
    return a == NULL || (b != NULL && b->answered_ns < a->answered_ns) ? b : a;
}

static const struct history_op *last_invoked(const struct history_op *a, const struct history_op *b)
{
    return a == NULL || (b != NULL && b->invoked_ns > a->invoked_ns) ? b : a;
}

static void bound(struct check *check, const struct history_op *op)
{
    struct ply *made = &check->plies[op->sight.ply];
    made->with = first_answered(made->with, op);
    if (op->verdict != HISTORY_REPEATED && !op->sight.partial) {
        struct ply *unmade = op->verdict == HISTORY_ACCEPTED ? made : made + 1;
        unmade->without = last_invoked(unmade->without, op);
    }
}

static enum linear_fault name_of(const struct history_op *with, const struct history_op *without)
{
    if (without->verdict == HISTORY_ACCEPTED) {
        return LINEAR_FUTURE;
    }
    bool acknowledged = with->verdict == HISTORY_ACCEPTED || with->verdict == HISTORY_REPEATED;
    return acknowledged ? LINEAR_STALE : LINEAR_BACKWARDS;
}

static bool instants_exist(struct check *check)
{
    const struct history_op *op = NULL;
    while ((op = next_op(check, op)) != NULL) {
        bound(check, op);
    }
    for (unsigned ply = 1; ply <= check->count; ply++) {
        struct ply *at = &check->plies[ply];
        at->without = last_invoked(check->plies[ply - 1].without, at->without);
        if (at->with->answered_ns < at->without->invoked_ns) {
            return fault(check, name_of(at->with, at->without), at->with, at->without);
        }
    }
    return true;
}

/* --- the report ----------------------------------------------------------------------------------
 */

static void count_contests(struct check *check)
{
    const struct history_op *op = NULL;
    while ((op = next_op(check, op)) != NULL) {
        if (op->verdict != HISTORY_SEEN && op->ply >= 1 && op->ply <= check->count) {
            const struct history_op *made = check->plies[op->ply].made;
            check->report->contested += made != op && made->invoked_ns <= op->answered_ns &&
                                        op->invoked_ns <= made->answered_ns;
        }
    }
}

bool linear_check(const struct history *history, unsigned game, const char *seats,
                  struct linear_report *report)
{
    struct check check = {.history = history, .game = game, .seats = seats, .report = report};
    *report = (struct linear_report){0};
    count_plies(&check);
    bool linear = find_makers(&check) && contents_agree(&check) && instants_exist(&check);
    report->plies = check.count;
    if (linear) {
        count_contests(&check);
    }
    free(check.plies);
    return linear;
}

const char *linear_fault_text(enum linear_fault fault)
{
    static const char *const texts[LINEAR_FAULTS] = {
        [LINEAR_NONE] = "none",
        [LINEAR_TWICE] = "one ply was accepted twice",
        [LINEAR_NEVER_MADE] = "a ply is shown that nobody made",
        [LINEAR_ANSWER] = "an answer does not follow from the state it shows",
        [LINEAR_CONTENT] = "two views of one ply differ",
        [LINEAR_STALE] = "an acknowledged ply is missing later",
        [LINEAR_BACKWARDS] = "a ply that was seen is missing later",
        [LINEAR_FUTURE] = "a ply was seen before it was submitted",
    };
    assert(fault < LINEAR_FAULTS);
    return texts[fault];
}

void linear_describe(const struct linear_report *report, char *text, size_t size)
{
    char first[192];
    char second[192];
    history_describe(report->first, first, sizeof first);
    history_describe(report->second, second, sizeof second);
    (void)snprintf(text, size, "%s\n  %s\n  %s", linear_fault_text(report->fault), first, second);
}

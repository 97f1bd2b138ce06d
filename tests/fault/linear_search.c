#include "linear.h"

#include <assert.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The checker against a search through all orders, on small histories by chance: about half of them
 * are what a right game would answer, the others have been tampered with. */

enum { OPS_MAX = 7, TRIALS = 30000, STEP = 10, REACH = 25, SHIFT = 30 };

/* --- the game that does one thing at a time ------------------------------------------------------
 */

struct game {
    const char *seats;
    unsigned count;
    bool over;
    const struct history_op *made[OPS_MAX];
    unsigned illegal_count; /* found at this ply */
    const struct history_op *illegal[OPS_MAX];
};

static bool is_repeat(const struct game *game, const struct history_op *op)
{
    if (op->ply > game->count) {
        return false;
    }
    const struct history_op *made = game->made[op->ply - 1];
    assert(made != NULL);
    return made->seat == op->seat && strcmp(made->move, op->move) == 0;
}

static char seat_of(const struct game *game, unsigned ply)
{
    return game->seats[(ply - 1) % strlen(game->seats)];
}

static enum history_verdict answer_of(const struct game *game, const struct history_op *op)
{
    if (is_repeat(game, op)) {
        return HISTORY_REPEATED;
    }
    if (game->over) {
        return HISTORY_GAME_OVER;
    }
    if (op->ply != game->count + 1) {
        return HISTORY_STALE_PLY;
    }
    return op->seat == seat_of(game, op->ply) ? HISTORY_ACCEPTED : HISTORY_NOT_YOUR_TURN;
}

/* The rules call a move illegal as they like, but do not change their mind. */
static bool was_illegal(const struct game *game, const struct history_op *op)
{
    for (unsigned i = 0; i < game->illegal_count; i++) {
        if (strcmp(game->illegal[i]->move, op->move) == 0) {
            return true;
        }
    }
    return false;
}

static enum history_status status_of(const struct game *game)
{
    return game->over ? HISTORY_FINISHED : HISTORY_PLAYING;
}

/* False: the game does not answer so. Else it has gone on. */
static bool answers(struct game *game, const struct history_op *op)
{
    const struct sight *sight = &op->sight;
    if (op->verdict == HISTORY_SEEN) {
        return sight->partial ? sight->ply <= game->count
                              : sight->ply == game->count && sight->status == status_of(game);
    }
    if (op->verdict == HISTORY_ILLEGAL_MOVE && answer_of(game, op) == HISTORY_ACCEPTED) {
        game->illegal[game->illegal_count++] = op;
        return sight->ply == game->count && sight->status == status_of(game);
    }
    if (answer_of(game, op) != op->verdict) {
        return false;
    }
    if (op->verdict == HISTORY_REPEATED) {
        return sight->ply == op->ply && sight->status == game->made[op->ply - 1]->sight.status;
    }
    if (op->verdict == HISTORY_ACCEPTED) {
        if (was_illegal(game, op)) {
            return false;
        }
        game->illegal_count = 0;
        game->made[game->count++] = op;
        game->over = sight->status == HISTORY_FINISHED;
        return sight->ply == game->count;
    }
    return sight->ply == game->count && sight->status == status_of(game);
}

/* --- the search ----------------------------------------------------------------------------------
 */

/* No other that is still to come was answered before this one was invoked. */
static bool may_be_next(const struct history *history, unsigned done, size_t next)
{
    for (size_t i = 0; i < history->count; i++) {
        if ((done >> i & 1U) == 0 && history->ops[i].answered_ns < history->ops[next].invoked_ns) {
            return false;
        }
    }
    return true;
}

static bool some_order_fits(const struct history *history, unsigned done, const struct game *game)
{
    if (done == (1U << history->count) - 1) {
        return true;
    }
    for (size_t i = 0; i < history->count; i++) {
        struct game after = *game;
        if ((done >> i & 1U) == 0 && may_be_next(history, done, i) &&
            answers(&after, &history->ops[i]) && some_order_fits(history, done | 1U << i, &after)) {
            return true;
        }
    }
    return false;
}

/* --- chance --------------------------------------------------------------------------------------
 */

static unsigned chance(unsigned *seed, unsigned below)
{
    *seed = *seed * 1103515245U + 12345U;
    return *seed / 65536 % below;
}

/* Mostly the next ply, by the seat whose it is, with one of two texts. */
static void ask(unsigned *seed, const struct game *game, struct history_op *op)
{
    unsigned back = chance(seed, 2) == 0 ? 0 : chance(seed, game->count + 1);
    op->ply = game->count + 1 - back + (chance(seed, 12) == 0);
    op->seat = seat_of(game, op->ply + (chance(seed, 8) == 0));
    (void)snprintf(op->move, sizeof op->move, "%s", chance(seed, 2) == 0 ? "5i5h" : "5a5b");
}

/* What the game answers at its `at`-th instant, in a time around it. */
static struct history_op operate(unsigned *seed, struct game *game, unsigned at)
{
    struct history_op op = {.client = at};
    op.invoked_ns = (int64_t)at * STEP - chance(seed, REACH);
    op.answered_ns = (int64_t)at * STEP + chance(seed, REACH);
    op.sight.ply = game->count;
    op.sight.status = status_of(game);
    if (chance(seed, 3) == 0) {
        op.sight.partial = chance(seed, 6) == 0;
        op.sight.status = op.sight.partial ? HISTORY_UNTOLD : op.sight.status;
        return op;
    }
    ask(seed, game, &op);
    op.verdict = answer_of(game, &op);
    if (op.verdict == HISTORY_ACCEPTED && (was_illegal(game, &op) || chance(seed, 6) == 0)) {
        op.verdict = HISTORY_ILLEGAL_MOVE;
    }
    if (op.verdict == HISTORY_ACCEPTED) {
        op.sight.ply++;
        op.sight.status = chance(seed, 8) == 0 ? HISTORY_FINISHED : HISTORY_PLAYING;
    } else if (op.verdict == HISTORY_REPEATED) {
        op.sight = game->made[op.ply - 1]->sight;
    }
    return op;
}

static void tamper(unsigned *seed, struct history_op *op)
{
    int64_t shift = (int64_t)chance(seed, 2 * SHIFT) - SHIFT;
    switch (chance(seed, 5)) {
    case 0: op->sight.ply += op->sight.ply == 0 || chance(seed, 2) == 0 ? 1U : -1U; break;
    case 1:
        if (op->verdict != HISTORY_SEEN) {
            op->verdict = HISTORY_ACCEPTED + chance(seed, HISTORY_VERDICTS - HISTORY_ACCEPTED);
        }
        break;
    case 2:
        if (!op->sight.partial) {
            op->sight.status = HISTORY_PLAYING + chance(seed, 2);
        }
        break;
    default:
        op->invoked_ns += shift;
        op->answered_ns += shift;
        break;
    }
}

static void invent(unsigned *seed, const char *seats, struct history *history)
{
    struct history_op ops[OPS_MAX];
    struct game game = {.seats = seats};
    unsigned count = 2 + chance(seed, OPS_MAX - 1);
    for (unsigned i = 0; i < count; i++) {
        ops[i] = operate(seed, &game, i);
        (void)answers(&game, &ops[i]);
    }
    if (chance(seed, 2) == 0) {
        tamper(seed, &ops[chance(seed, count)]);
    }
    for (unsigned i = count; i > 0; i--) {
        history_add(history, ops[i - 1]);
    }
}

Test(linear, the_checker_and_a_search_through_all_orders_agree)
{
    unsigned seed = 62;
    unsigned verdicts[2] = {0, 0};
    unsigned faults[LINEAR_FAULTS] = {0};
    for (unsigned i = 0; i < TRIALS; i++) {
        struct history history = {0};
        struct linear_report report;
        const char *seats = i % 2 == 0 ? "bw" : "swne";
        struct game start = {.seats = seats};
        char text[512];
        invent(&seed, seats, &history);
        bool linear = some_order_fits(&history, 0, &start);
        bool checked = linear_check(&history, 0, seats, &report);
        linear_describe(&report, text, sizeof text);
        cr_assert_eq(checked, linear, "history %u: an order %s; checker: %s", i,
                     linear ? "fits" : "does not exist", text);
        verdicts[linear]++;
        faults[report.fault]++;
        history_free(&history);
    }
    cr_expect_gt(verdicts[false], TRIALS / 10);
    cr_expect_gt(verdicts[true], TRIALS / 10);
    for (unsigned i = 0; i < LINEAR_FAULTS; i++) {
        cr_expect_gt(faults[i], 10, "%s: %u", linear_fault_text(i), faults[i]);
    }
}

#include "history.h"

#include "tests/support/process.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void grow(struct history *history, size_t count)
{
    if (count <= history->room) {
        return;
    }
    size_t room = history->room == 0 ? 256 : history->room;
    while (room < count) {
        room *= 2;
    }
    struct history_op *ops = realloc(history->ops, room * sizeof *ops);
    if (ops == NULL) {
        test_fail("no memory for %zu operations", room);
    }
    history->ops = ops;
    history->room = room;
}

void history_add(struct history *history, struct history_op op)
{
    assert(op.invoked_ns <= op.answered_ns);
    assert(op.verdict == HISTORY_SEEN || op.ply > 0);
    assert(!op.sight.partial || (op.verdict == HISTORY_SEEN && op.sight.status == HISTORY_UNTOLD));
    grow(history, history->count + 1);
    history->ops[history->count++] = op;
}

void history_join(struct history *history, struct history *part)
{
    grow(history, history->count + part->count);
    for (size_t i = 0; i < part->count; i++) {
        history->ops[history->count++] = part->ops[i];
    }
    free(part->ops);
    *part = (struct history){0};
}

void history_free(struct history *history)
{
    for (size_t i = 0; i < history->count; i++) {
        free(history->ops[i].sight.listed);
    }
    free(history->ops);
    *history = (struct history){0};
}

/* --- overlaps ------------------------------------------------------------------------------------
 */

static int by_instant(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* All pairs but those where one was answered before the other was invoked. */
static uint64_t count_overlaps(int64_t *invoked, int64_t *answered, size_t count)
{
    uint64_t apart = 0;
    size_t over = 0;
    qsort(invoked, count, sizeof *invoked, by_instant);
    qsort(answered, count, sizeof *answered, by_instant);
    for (size_t i = 0; i < count; i++) {
        while (over < count && answered[over] < invoked[i]) {
            over++;
        }
        apart += over;
    }
    return count == 0 ? 0 : (uint64_t)count * (count - 1) / 2 - apart;
}

uint64_t history_overlaps(const struct history *history, unsigned game)
{
    int64_t *instants = calloc(2 * history->count + 1, sizeof *instants);
    size_t count = 0;
    if (instants == NULL) {
        test_fail("no memory");
    }
    for (size_t i = 0; i < history->count; i++) {
        if (history->ops[i].game == game) {
            instants[count] = history->ops[i].invoked_ns;
            instants[history->count + count] = history->ops[i].answered_ns;
            count++;
        }
    }
    uint64_t pairs = count_overlaps(instants, instants + history->count, count);
    free(instants);
    return pairs;
}

/* --- small parts ---------------------------------------------------------------------------------
 */

int64_t history_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* FNV-1a. */
uint64_t history_print(const char *bytes, size_t length)
{
    uint64_t print = 14695981039346656037U;
    for (size_t i = 0; i < length; i++) {
        print = (print ^ (unsigned char)bytes[i]) * 1099511628211U;
    }
    return print == 0 ? 1 : print;
}

const char *history_verdict_text(enum history_verdict verdict)
{
    static const char *const texts[HISTORY_VERDICTS] = {
        [HISTORY_SEEN] = "seen",
        [HISTORY_ACCEPTED] = "accepted",
        [HISTORY_REPEATED] = "repeated",
        [HISTORY_STALE_PLY] = "stale-ply",
        [HISTORY_NOT_YOUR_TURN] = "not-your-turn",
        [HISTORY_GAME_OVER] = "game-over",
        [HISTORY_ILLEGAL_MOVE] = "illegal-move",
    };
    assert(verdict < HISTORY_VERDICTS);
    return texts[verdict];
}

void history_describe(const struct history_op *op, char *text, size_t size)
{
    if (op == NULL) {
        (void)snprintf(text, size, "-");
        return;
    }
    (void)snprintf(text, size, "client %u game %u [%lld, %lld] ply %u %c %s: %s, shows ply %u",
                   op->client, op->game, (long long)op->invoked_ns, (long long)op->answered_ns,
                   op->ply, op->seat == '\0' ? '-' : op->seat, op->move,
                   history_verdict_text(op->verdict), op->sight.ply);
}

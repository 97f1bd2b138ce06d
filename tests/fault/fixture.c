#include "fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct history_op submission(int64_t invoked, int64_t answered, unsigned ply, const char *move)
{
    struct history_op op = {
        .invoked_ns = invoked,
        .answered_ns = answered,
        .ply = ply,
        .seat = ply % 2 == 1 ? 'b' : 'w',
        .verdict = HISTORY_ACCEPTED,
        .sight = {.ply = ply, .status = HISTORY_PLAYING}
    };
    (void)snprintf(op.move, sizeof op.move, "%s", move);
    return op;
}

struct history_op reading(int64_t invoked, int64_t answered, unsigned ply)
{
    return (struct history_op){.invoked_ns = invoked, .answered_ns = answered, .sight.ply = ply};
}

void accept_ply(struct history *history, int64_t invoked, int64_t answered, unsigned ply,
                const char *move)
{
    history_add(history, submission(invoked, answered, ply, move));
}

void repeat_ply(struct history *history, int64_t invoked, int64_t answered, unsigned ply,
                const char *move)
{
    struct history_op op = submission(invoked, answered, ply, move);
    op.verdict = HISTORY_REPEATED;
    history_add(history, op);
}

void see(struct history *history, int64_t invoked, int64_t answered, unsigned ply)
{
    history_add(history, reading(invoked, answered, ply));
}

void see_moves(struct history *history, unsigned after, unsigned ply, const char *listed)
{
    struct history_op op = reading(100, 101, ply);
    op.sight.listed_after = after;
    op.sight.listed = strdup(listed);
    history_add(history, op);
}

void refuse(struct history *history, struct history_op asked, enum history_verdict verdict,
            unsigned shown)
{
    asked.verdict = verdict;
    asked.sight = (struct sight){.ply = shown, .status = HISTORY_PLAYING};
    history_add(history, asked);
}

struct history three_plies(void)
{
    struct history history = {0};
    accept_ply(&history, 0, 10, 1, "5i5h");
    accept_ply(&history, 20, 30, 2, "5a5b");
    accept_ply(&history, 40, 50, 3, "5h5g");
    return history;
}

static const char four_seats[] = "swne";

struct history five_plies_of_four(void)
{
    static const char *const moves[] = {"3i2h", "9g8h", "7a8b", "1c2b", "2h3i"};
    struct history history = {0};
    for (unsigned i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        accept_ply(&history, 20 * (int64_t)i, 20 * (int64_t)i + 10, i + 1, moves[i]);
        history.ops[i].seat = four_seats[i % 4];
    }
    return history;
}

static void expect_fault_among(const char *seats, struct history *history, enum linear_fault fault,
                               const int at[2])
{
    struct linear_report report;
    bool linear = linear_check(history, 0, seats, &report);
    cr_expect_eq(linear, fault == LINEAR_NONE);
    cr_expect_eq(report.fault, fault, "expected: %s; found: %s", linear_fault_text(fault),
                 linear_fault_text(report.fault));
    cr_expect_eq(report.first, at[0] < 0 ? NULL : history->ops + at[0]);
    cr_expect_eq(report.second, at[1] < 0 ? NULL : history->ops + at[1]);
    history_free(history);
}

void expect_fault(struct history *history, enum linear_fault fault, int first, int second)
{
    expect_fault_among("bw", history, fault, (const int[]){first, second});
}

void expect_fault_of_four(struct history *history, enum linear_fault fault, int first, int second)
{
    expect_fault_among(four_seats, history, fault, (const int[]){first, second});
}

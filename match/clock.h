#ifndef MATCH_CLOCK_H
#define MATCH_CLOCK_H

/*
 * Time at the board, as arithmetic. The service alone says what time it is; nobody claims anything.
 *
 *            a ply is made, or the game (deadline = that time + turn_seconds)
 *                 |
 *                 v
 *   the owner plays ---- move before the deadline ------------------------> next turn
 *     |   ^    |
 *     |   |    +-- the deadline comes: the CPU makes this move (a late turn);
 *     |   |        the seat stays with its owner, until the second in a row
 *     |   |
 *     |   +-- return, or any first POST of a move by the owner
 *     |       (not after the end, nor once erased or banned)
 *     v
 *   the CPU plays ------ no sooner than cpu_delay after the ply before ----> next turn
 *     ^
 *     +-- two own turns in a row missed; without a turn time: on turn and nothing heard of for as
 *         long as absence; left; erased; banned
 *
 * Where two of these come at one instant, the writer's order decides: each is a job that looks at
 * the game again. A turn keeps its deadline while the CPU has the seat.
 *
 * Threads: pure functions. Times are milliseconds UTC; a deadline of 0 is none.
 */

#include <stdbool.h>
#include <stdint.h>

/* The deadline of a turn that opens now. */
int64_t clock_deadline(uint16_t turn_seconds, int64_t opens_at_ms);

/* Whether what came at `at_ms` came too late; at exactly the deadline it did. */
bool clock_is_late(int64_t deadline_at_ms, int64_t at_ms);

/* A running turn, and when the service has something to do about it. */
struct clock_turn {
    int64_t opened_at_ms; /* the ply before it, or the game's creation */
    int64_t deadline_at_ms;
    bool cpu;           /* the seat is in the CPU's hands */
    int64_t seen_ms;    /* its owner's last sign of life */
    int64_t delay_ms;   /* before a move of the CPU's */
    int64_t absence_ms; /* 0: nobody is ever absent */
};
enum clock_duty {
    CLOCK_LATE_TURN, /* the CPU moves for an owner who is late */
    CLOCK_CPU_TURN,  /* the CPU moves */
    CLOCK_ABSENCE,   /* the seat goes to the CPU */
};
/* What it will be, unless something happens before, and when; INT64_MAX: never. */
enum clock_duty clock_due(const struct clock_turn *turn, int64_t *at_ms);

/* The time of the CPU's move that ends a turn: the deadline that it missed, however late that was
 * noticed; else now. Never too soon after the ply before. */
int64_t clock_cpu_time(const struct clock_turn *turn, enum clock_duty duty, int64_t now_ms);

#endif

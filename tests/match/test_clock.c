#include "match/clock.h"

#include <criterion/criterion.h>

/* Time at the board, as arithmetic. */

enum { OPENED_MS = 1000000, DEADLINE_MS = OPENED_MS + 30000, DELAY_MS = 500, ABSENCE_MS = 120000 };

static struct clock_turn turn_with(int64_t deadline_ms, bool cpu, int64_t seen_ms)
{
    return (struct clock_turn){OPENED_MS, deadline_ms, cpu, seen_ms, DELAY_MS, ABSENCE_MS};
}

static void expect_due(struct clock_turn turn, enum clock_duty duty, int64_t at_ms)
{
    int64_t found_ms = 0;
    cr_expect_eq(clock_due(&turn, &found_ms), duty);
    cr_expect_eq(found_ms, at_ms);
}

Test(clock, a_turn_lasts_as_long_as_agreed_and_without_a_turn_time_for_ever)
{
    cr_expect_eq(clock_deadline(30, OPENED_MS), DEADLINE_MS);
    cr_expect_eq(clock_deadline(65535, OPENED_MS), OPENED_MS + 65535000);
    cr_expect_eq(clock_deadline(0, OPENED_MS), 0);
}

Test(clock, at_exactly_the_deadline_it_is_late)
{
    cr_expect_not(clock_is_late(DEADLINE_MS, DEADLINE_MS - 1));
    cr_expect(clock_is_late(DEADLINE_MS, DEADLINE_MS));
    cr_expect(clock_is_late(DEADLINE_MS, DEADLINE_MS + 1));
    cr_expect_not(clock_is_late(0, INT64_MAX));
}

Test(clock, a_turn_with_a_deadline_is_due_then)
{
    expect_due(turn_with(DEADLINE_MS, false, 0), CLOCK_LATE_TURN, DEADLINE_MS);
    expect_due(turn_with(OPENED_MS + 1, false, 0), CLOCK_LATE_TURN, OPENED_MS + DELAY_MS);
}

Test(clock, a_turn_of_the_cpu_is_due_after_its_delay_whatever_the_deadline)
{
    expect_due(turn_with(DEADLINE_MS, true, 0), CLOCK_CPU_TURN, OPENED_MS + DELAY_MS);
    expect_due(turn_with(0, true, 0), CLOCK_CPU_TURN, OPENED_MS + DELAY_MS);
}

Test(clock, an_owner_on_turn_is_absent_after_silence_without_a_break)
{
    expect_due(turn_with(0, false, OPENED_MS), CLOCK_ABSENCE, OPENED_MS + ABSENCE_MS);
    expect_due(turn_with(0, false, OPENED_MS + 7), CLOCK_ABSENCE, OPENED_MS + 7 + ABSENCE_MS);
    expect_due(turn_with(0, false, 1), CLOCK_ABSENCE, OPENED_MS);
    struct clock_turn patient = turn_with(0, false, 1);
    patient.absence_ms = 0;
    expect_due(patient, CLOCK_ABSENCE, INT64_MAX);
}

Test(clock, a_late_turn_ended_at_its_deadline_however_late_that_was_noticed)
{
    struct clock_turn turn = turn_with(DEADLINE_MS, false, 0);
    cr_expect_eq(clock_cpu_time(&turn, CLOCK_LATE_TURN, DEADLINE_MS), DEADLINE_MS);
    cr_expect_eq(clock_cpu_time(&turn, CLOCK_LATE_TURN, DEADLINE_MS + 5000), DEADLINE_MS);
    turn = turn_with(0, true, 0);
    cr_expect_eq(clock_cpu_time(&turn, CLOCK_CPU_TURN, OPENED_MS + 9000), OPENED_MS + 9000);
    cr_expect_eq(clock_cpu_time(&turn, CLOCK_CPU_TURN, OPENED_MS), OPENED_MS + DELAY_MS);
}

#include "clock.h"

#include <assert.h>

enum { MS_PER_S = 1000 };

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t clock_deadline(uint16_t turn_seconds, int64_t opens_at_ms)
{
    return turn_seconds == 0 ? 0 : opens_at_ms + (int64_t)turn_seconds * MS_PER_S;
}

bool clock_is_late(int64_t deadline_at_ms, int64_t at_ms)
{
    return deadline_at_ms != 0 && at_ms >= deadline_at_ms;
}

enum clock_duty clock_due(const struct clock_turn *turn, int64_t *at_ms)
{
    int64_t soonest_ms = turn->opened_at_ms + turn->delay_ms;
    assert(turn->delay_ms >= 0 && turn->absence_ms >= 0);
    if (turn->cpu) {
        *at_ms = soonest_ms;
        return CLOCK_CPU_TURN;
    }
    if (turn->deadline_at_ms != 0) {
        *at_ms = later(turn->deadline_at_ms, soonest_ms);
        return CLOCK_LATE_TURN;
    }
    *at_ms = turn->absence_ms == 0 ? INT64_MAX
                                   : later(turn->opened_at_ms, turn->seen_ms + turn->absence_ms);
    return CLOCK_ABSENCE;
}

int64_t clock_cpu_time(const struct clock_turn *turn, enum clock_duty duty, int64_t now_ms)
{
    int64_t soonest_ms = turn->opened_at_ms + turn->delay_ms;
    int64_t at_ms = duty == CLOCK_LATE_TURN ? turn->deadline_at_ms : now_ms;
    return later(at_ms, soonest_ms);
}

#include "ratings/policy.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const char *const texts[] = {
    [POLICY_RATED] = NULL,
    [POLICY_CPU_SEAT] = "cpu_seat",
    [POLICY_LOCAL_RULES] = "local_rules",
    [POLICY_NO_CLOCK] = "no_clock",
    [POLICY_REPEAT_LIMIT_REACHED] = "repeat_limit",
    [POLICY_CASUAL] = "casual",
    [POLICY_REPEAT_DRAW] = "repeat_draw",
    [POLICY_NO_SHOW] = "no_show",
    [POLICY_VOID] = "void",
};
static_assert(sizeof texts / sizeof texts[0] == POLICY_UNRATED_REASONS, "a text for each reason");

enum unrated_reason policy_at_start(const struct policy_start *start)
{
    assert(start != NULL);
    if (start->has_cpu_seat) {
        return POLICY_CPU_SEAT;
    }
    if (!start->pool_rules) {
        return POLICY_LOCAL_RULES;
    }
    if (start->turn_seconds == 0) {
        return POLICY_NO_CLOCK;
    }
    if (start->recent_rated >= start->repeat_limit) {
        return POLICY_REPEAT_LIMIT_REACHED;
    }
    return start->wants_rating ? POLICY_RATED : POLICY_CASUAL;
}

bool policy_draw_is_rated(uint32_t draws_before)
{
    return draws_before < POLICY_RATED_DRAWS;
}

bool policy_replay_follows(const struct policy_replay *replay)
{
    assert(replay != NULL);
    bool is_last_draw = replay->draws_before >= POLICY_REPLAYS_MAX - 1;
    return replay->game_replays && replay->person_left && !replay->owner_gone && !is_last_draw;
}

bool policy_may_not_gain(const struct policy_seat *seat)
{
    assert(seat != NULL);
    assert(seat->cpu_plies <= seat->plies);
    if (seat->plies == 0) {
        return false;
    }
    return seat->cpu_at_end || seat->cpu_plies > POLICY_CPU_PLIES_FREE;
}

/* How many of them lie in the window that ends with this one. */
static size_t no_shows_up_to(const int64_t *at_ms, size_t count, int64_t last_ms)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += at_ms[i] <= last_ms && at_ms[i] > last_ms - POLICY_NO_SHOW_WINDOW_MS;
    }
    return found;
}

int64_t policy_no_show_until(const int64_t *at_ms, size_t count, int64_t now_ms)
{
    int64_t until_ms = 0;
    assert(at_ms != NULL || count == 0);
    for (size_t i = 0; i < count; i++) {
        int64_t ends_ms = at_ms[i] + POLICY_NO_SHOW_PAUSE_MS;
        if (ends_ms > now_ms && ends_ms > until_ms &&
            no_shows_up_to(at_ms, count, at_ms[i]) >= POLICY_NO_SHOWS) {
            until_ms = ends_ms;
        }
    }
    return until_ms;
}

enum policy_score policy_score(const uint8_t *places, const uint8_t *sides, unsigned count,
                               unsigned seat)
{
    assert(places != NULL && sides != NULL);
    assert(seat < count);
    if (places[seat] != 1) {
        return POLICY_LOSS;
    }
    for (unsigned i = 0; i < count; i++) {
        if (places[i] == 1 && sides[i] != sides[seat]) {
            return POLICY_DRAW;
        }
    }
    return POLICY_WIN;
}

const char *unrated_reason_text(enum unrated_reason reason)
{
    assert(reason >= POLICY_RATED && reason < POLICY_UNRATED_REASONS);
    return texts[reason];
}

enum unrated_reason unrated_reason_find(const char *text)
{
    if (text == NULL) {
        return POLICY_RATED;
    }
    for (unsigned i = POLICY_RATED + 1; i < POLICY_UNRATED_REASONS; i++) {
        assert(texts[i] != NULL);
        if (strcmp(texts[i], text) == 0) {
            return (enum unrated_reason)i;
        }
    }
    return POLICY_RATED;
}

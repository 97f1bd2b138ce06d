#ifndef RATINGS_POLICY_H
#define RATINGS_POLICY_H

/*
 * What is rated, capped, replayed and voided: the decisions beside the arithmetic, as pure
 * functions of plain facts. Words are the ones that clients and operators read.
 *
 * Threads: pure functions, any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    POLICY_CPU_PLIES_FREE = 3, /* plies by the CPU that an owner may have without being capped */
    POLICY_RATED_DRAWS = 2,    /* draws of a replay chain that are rated */
    POLICY_REPLAYS_MAX = 8,    /* after this many draws of a chain no replay follows */
    POLICY_REPEAT_LIMIT = 5,   /* default: rated games of one set of players in the window */
    POLICY_REPEAT_WINDOW_MS = 24 * 60 * 60 * 1000,
    POLICY_NO_SHOWS = 3, /* in a window, and no ticket is taken during the pause after the last */
    POLICY_NO_SHOW_WINDOW_MS = 60 * 60 * 1000,
    POLICY_NO_SHOW_PAUSE_MS = 10 * 60 * 1000,
};

/* Why a game is not rated; POLICY_RATED where it is. */
enum unrated_reason {
    POLICY_RATED,
    POLICY_CPU_SEAT,
    POLICY_LOCAL_RULES,
    POLICY_NO_CLOCK,
    POLICY_REPEAT_LIMIT_REACHED,
    POLICY_CASUAL,
    POLICY_REPEAT_DRAW,
    POLICY_NO_SHOW,
    POLICY_VOID,
    POLICY_UNRATED_REASONS, /* how many */
};

/* What is known of a game when it is made. */
struct policy_start {
    bool wants_rating;     /* matchmaking, or a table that asked for it */
    bool has_cpu_seat;     /* a seat that belongs to the CPU from the start */
    bool pool_rules;       /* the default rules of a pool */
    uint16_t turn_seconds; /* 0: no turn time */
    uint32_t recent_rated; /* rated games of the same set of players in the window */
    uint32_t repeat_limit;
};

/* The first that fits of cpu_seat, local_rules, no_clock, repeat_limit, casual; else rated. */
enum unrated_reason policy_at_start(const struct policy_start *start);

/* How a repetition draw counts: `draws_before` = draws by repetition earlier in its chain. */
bool policy_draw_is_rated(uint32_t draws_before);

/* Whether a replay follows the draw that has `draws_before` draws before it in its chain. */
struct policy_replay {
    bool game_replays; /* the game's table says so */
    uint32_t draws_before;
    bool person_left; /* at least one seat is in a person's hands */
    bool owner_gone;  /* an owner has been erased or banned */
};
bool policy_replay_follows(const struct policy_replay *replay);

/* Nobody gains by leaving: the seat was in the CPU's hands at the end, or for too many plies.
 * A seat that never moved is not capped. */
struct policy_seat {
    bool cpu_at_end;
    uint32_t cpu_plies;
    uint32_t plies; /* all plies of the seat, the CPU's included */
};
bool policy_may_not_gain(const struct policy_seat *seat);

/* Until when somebody who did not come to games at these times, in any order, may take no ticket;
 * 0: one may be taken now. */
int64_t policy_no_show_until(const int64_t *at_ms, size_t count, int64_t now_ms);

/* Win = alone (or as a team) first, draw = shared first, loss = the rest. */
enum policy_score { POLICY_LOSS, POLICY_DRAW, POLICY_WIN };
enum policy_score policy_score(const uint8_t *places, const uint8_t *sides, unsigned count,
                               unsigned seat);

/* "cpu_seat", "repeat_draw", ...; NULL for POLICY_RATED. */
const char *unrated_reason_text(enum unrated_reason reason);
/* POLICY_RATED when the text is none of them (or NULL). */
enum unrated_reason unrated_reason_find(const char *text);

#endif

#ifndef API_POLL_TOLD_H
#define API_POLL_TOLD_H

/*
 * What the last long poll of a device told of the games that its player sits in, so that the next
 * one finds what has come since. In memory only: after a restart a poll tells at once what the
 * client may know already. Devices share places, and the last one to be answered has it; what the
 * others were told is not known then, and they wait, for who told them again would be asked again.
 *
 * Threads: any. Ownership: caller-owned values.
 */

#include "match/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOLD_GAMES = LIMIT_GAMES_AT_ONCE }; /* as many as may run at once */

struct told {
    size_t count;
    struct told_game {
        int64_t game_no;
        uint32_t number; /* of what was told: of an event, or of a turn */
    } games[TOLD_GAMES];
};
bool told_has(const struct told *told, int64_t game_no, uint32_t number);
/* More than there is room for are forgotten. */
void told_add(struct told *told, int64_t game_no, uint32_t number);

struct poll_told;
struct poll_told *poll_told_new(void); /* NULL: no memory */
void poll_told_free(struct poll_told *polls);

/* `all`: of polls with every frame of the games, which are apart from those with turns alone.
 * Nothing, where there was none. False: it is not known, for another has the place. */
bool poll_told_get(struct poll_told *polls, int64_t device_no, bool all, struct told *told);
void poll_told_put(struct poll_told *polls, int64_t device_no, bool all, const struct told *told);

#endif

#ifndef MATCH_VERIFY_PARTS_H
#define MATCH_VERIFY_PARTS_H

/* What the files of verify share. One thread. */

#include "line.h"
#include "verify.h"

#include <inttypes.h>

struct verify {
    struct db *db;
    const struct verify_options *options;
    struct verify_report *report;
    void (*difference)(void *context, const char *line);
    void *context;
    uint64_t games_ended;
};

/* Reports one difference, naming the row, what was expected and what was found. */
__attribute__((format(printf, 2, 3))) void verify_differs(struct verify *verify, const char *format,
                                                          ...);

/* Whether to stop: something differs and the first difference was asked for. */
bool verify_is_over(const struct verify *verify);

/* One game: moves, position, end, places, links. */
enum db_status verify_game(struct verify *verify, const struct db_game *game);

/* The replay of a drawn game, and what a game says it is the replay of. */
enum db_status verify_links(struct verify *verify, const struct db_game *game,
                            const struct game_rules *rules, const struct game_options *options,
                            const struct db_seat *seats);

/* All rating events in their order, then the standings and the counts that come of them. */
enum db_status verify_ratings(struct verify *verify);

#endif

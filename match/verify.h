#ifndef MATCH_VERIFY_H
#define MATCH_VERIFY_H

/*
 * Proof of a file: every game replayed with the engine, every result, place, rating, standing,
 * rating count and replay link recomputed from the moves, the chain recomputed with the key. In
 * this order, so that the first difference names the row that was changed, not what hangs on it.
 *
 * Threads: one call, one thread; the file may be served meanwhile (one read transaction).
 */

#include "db/db.h"

#include <stdbool.h>
#include <stdint.h>

struct verify_options {
    const char *db_path;
    const char *key_path;
    bool no_key;       /* all but the chain */
    bool all;          /* go on after a difference */
    int64_t head_link; /* the chain had this link, with this hash; 0: not asked for */
    uint8_t head_hash[DB_HASH_BYTES];
    const char *game_id; /* this game alone, without ratings and chain; NULL: everything */
};

struct verify_report {
    uint64_t games;
    uint64_t moves;
    uint64_t rating_events;
    uint64_t links;
    uint64_t differences; /* without `all`: at most the first */
    bool key_refused;     /* why the answer is DB_DENIED */
    char first[512];      /* the first difference, or why the run could not be made */
};

/* DB_OK: it ran; the report says what it found. DB_NONE: no such game. DB_DENIED: the key cannot be
 * used (key_refused), or the file cannot be opened; `first` says why. `difference` is called for
 * each with one line. */
enum db_status verify_run(const struct verify_options *options,
                          void (*difference)(void *context, const char *line), void *context,
                          struct verify_report *report);

#endif

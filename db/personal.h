#ifndef DB_PERSONAL_H
#define DB_PERSONAL_H

/*
 * Events of a player's personal stream. Their numbers have no gaps, also where the oldest of them
 * are gone. Threads, ownership and failure as in db.h.
 */

#include "db.h"

enum { DB_PERSONAL_SWEPT = 8 }; /* by one sweep: more than one game adds */

struct db_personal {
    int64_t player_no;
    int64_t seq;
    char type[DB_WORD_TEXT];
    int64_t at_ms;
    int64_t game_no;        /* 0: of none */
    int64_t table_no;       /* 0: of none */
    struct game_id game_id; /* joined; read only */
    struct table_id table_id;
};

/* The number of the player's newest event; 0: there was none. */
DB_NODISCARD enum db_status db_personal_seq(struct db *db, int64_t player_no, int64_t *seq);
/* Sets event->seq, and drops the player's event that is `kept` numbers older: so many are there at
 * most. */
DB_NODISCARD enum db_status db_personal_insert(struct db *db, struct db_personal *event,
                                               int64_t kept);
/* In order, numbers over `after`. */
DB_NODISCARD enum db_status db_personal_events(struct db *db, int64_t player_no, int64_t after,
                                               struct db_personal *events, size_t max,
                                               size_t *count);
/* Drops some of those up to `until_ms`, oldest first, DB_PERSONAL_SWEPT at most. */
DB_NODISCARD enum db_status db_personal_sweep(struct db *db, int64_t until_ms);

#endif

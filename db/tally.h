#ifndef DB_TALLY_H
#define DB_TALLY_H

/*
 * What transactions did to games and tickets, in numbers, so that nobody has to count rows to know
 * how many there are. A connection counts what its statements do; the writer takes back what was
 * rolled back and adds up what was committed.
 *
 * Threads: values. Ownership: values.
 */

#include "db.h"

#include <stddef.h>
#include <stdint.h>

enum { DB_ENDS = 9 }; /* how many reasons the end of a game can have */

/* As the schema writes it. */
const char *db_end_text(size_t end);

struct db_tally {
    int64_t games_started;
    int64_t games_ended[DB_ENDS];
    int64_t tickets_waiting; /* those that came less those that went */
};

/* Called by the statements that did it. */
void db_tally_end(struct db *db, const char *end_reason);

/* The rows themselves, by index; for the start of a service. */
DB_NODISCARD enum db_status db_count_live(struct db *db, int64_t *games_playing,
                                          int64_t *tickets_waiting);

/* Adds one to the other. */
void db_tally_add(struct db_tally *sum, const struct db_tally *more);
int64_t db_tally_games_ended(const struct db_tally *tally);

#endif

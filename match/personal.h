#ifndef MATCH_PERSONAL_H
#define MATCH_PERSONAL_H

/*
 * Telling players what has happened to them: an event is stored by the job that did it, and told
 * when that is committed. Streams read it back (streams.h).
 *
 * Threads: personal_add on the writer's, inside a job; personal_publish any.
 */

#include "service.h"

/* Stores one; 0 for no game or no table. Of no player (the CPU's own seat) nothing is stored. */
enum db_status personal_add(struct db *db, int64_t player_no, const char *type, int64_t game_no,
                            int64_t table_no, int64_t at_ms);
/* The same for everybody who sits in a game. */
enum db_status personal_add_all(struct db *db, const struct db_seat *seats, size_t count,
                                const char *type, int64_t game_no, int64_t at_ms);

/* After the commit. */
void personal_publish(struct match *match, int64_t player_no);
void personal_publish_all(struct match *match, const struct db_seat *seats, size_t count);

#endif

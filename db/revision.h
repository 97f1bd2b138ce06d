#ifndef DB_REVISION_H
#define DB_REVISION_H

/*
 * How often what a pool's rankings show has changed: every write to a standing or a name raises it,
 * by triggers. Read in the transaction of a ranking, it says which state that is of.
 *
 * Threads and ownership: as db.h.
 */

#include "db.h"

/* DB_NONE: no such pool. */
DB_NODISCARD enum db_status db_pool_revision(struct db *db, const char *pool, int64_t *revision);

#endif

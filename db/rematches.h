#ifndef DB_REMATCHES_H
#define DB_REMATCHES_H

/* Who has asked for a rematch of a game that has ended. Threads, ownership and failure as in db.h.
 */

#include "db.h"

struct db_rematch_ask {
    uint8_t seat_no;
    int64_t asked_at_ms;
};
/* In order of seat_no. */
DB_NODISCARD enum db_status db_rematch_asks(struct db *db, int64_t game_no,
                                            struct db_rematch_ask asks[DB_SEATS_MAX],
                                            size_t *count);
DB_NODISCARD enum db_status db_rematch_ask(struct db *db, int64_t game_no,
                                           const struct db_rematch_ask *ask);
/* One seat's, or all of a game. */
DB_NODISCARD enum db_status db_rematch_take_back(struct db *db, int64_t game_no, uint8_t seat_no);
DB_NODISCARD enum db_status db_rematch_forget(struct db *db, int64_t game_no);

#endif

#ifndef DB_REMATCHES_H
#define DB_REMATCHES_H

/* Who has asked for a rematch of a game that has ended, and how often the others were told.
 * Threads, ownership and failure as in db.h. */

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

/* What was told of a seat's asking. */
struct db_rematch_news {
    uint8_t seat_no;
    uint8_t asks; /* that were told; 0: none yet */
    int64_t since_ms;
};
/* Of news->seat_no; DB_NONE: nothing yet. */
DB_NODISCARD enum db_status db_rematch_news(struct db *db, int64_t game_no,
                                            struct db_rematch_news *news);
DB_NODISCARD enum db_status db_rematch_news_store(struct db *db, int64_t game_no,
                                                  const struct db_rematch_news *news);

#endif

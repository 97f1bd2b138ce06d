#ifndef DB_CLOCKS_H
#define DB_CLOCKS_H

/*
 * Deadlines of running games, and what becomes of a seat whose owner is not there. Threads,
 * ownership and failure as in db.h.
 */

#include "db.h"

/* --- changes between plies: the writer's ------------------------------------------------------ */

/* game->seq of a game whose stored seq is one less. DB_NONE: it is not, or no longer playing. */
DB_NODISCARD enum db_status db_game_step(struct db *db, const struct db_game *game);
/* control, cpu_level and missed_turns. */
DB_NODISCARD enum db_status db_seat_control(struct db *db, const struct db_seat *seat);

/* What stands in the way of coming back, and of being called a no-show. */
struct db_seat_past {
    bool has_left; /* it was left, or its owner erased or banned, at some time */
    bool for_good; /* the owner was erased or banned during the game */
};
DB_NODISCARD enum db_status db_seat_past(struct db *db, int64_t game_no, char seat,
                                         struct db_seat_past *past);

/* Whether the queue has made it. */
DB_NODISCARD enum db_status db_game_of_tickets(struct db *db, int64_t game_no, bool *made);
/* Ends of games, since `since_ms`, at which this player had not come; at most `max`. */
DB_NODISCARD enum db_status db_no_shows(struct db *db, int64_t player_no, int64_t since_ms,
                                        int64_t *at_ms, size_t max, size_t *count);

/* --- all of them ------------------------------------------------------------------------------ */

struct db_clock {
    int64_t game_no;
    struct game_id id;
    int64_t deadline_at_ms; /* 0: none */
    bool cpu;               /* the seat on turn is in the CPU's hands */
};
/* Whether some running game has a turn time. */
DB_NODISCARD enum db_status db_clocks_run(struct db *db, bool *run);
/* Running games with numbers over `after`, ascending. */
DB_NODISCARD enum db_status db_clocks(struct db *db, int64_t after, struct db_clock *clocks,
                                      size_t max, size_t *count);

/* Moves the deadlines of all turns that people are on by so much, but none to more than a full turn
 * from `at_ms`, with a `clock` event each that moves; and gives one to those that have none
 * although their game has a turn time. */
struct db_credit {
    int64_t amount_ms;
    int64_t at_ms;
    const char *reason;
};
DB_NODISCARD enum db_status db_clocks_credit(struct db *db, const struct db_credit *credit);

#endif

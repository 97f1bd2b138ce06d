#ifndef DB_TALLY_H
#define DB_TALLY_H

/*
 * What transactions did to games, clocks, seats, tables and tickets, in numbers, so that nobody has
 * to count rows to know how many there are. A connection counts what its statements do; the writer
 * takes back what was rolled back and adds up what was committed.
 *
 * Threads: values. Ownership: values.
 */

#include "db.h"

#include <stddef.h>
#include <stdint.h>

enum {
    DB_ENDS = 9,         /* how many reasons the end of a game can have, */
    DB_SEAT_REASONS = 6, /* a change of hands, */
    DB_CREDITS = 2,      /* and time that is given back */
    DB_TICKET_ENDS = 3,  /* what can become of a ticket */
};

/* As they are stored. */
const char *db_end_text(size_t end);
const char *db_seat_reason_text(size_t reason);
const char *db_credit_text(size_t credit);
const char *db_ticket_end_text(size_t end);

/* Rows that are there for a while. In a tally: those that came less those that went. */
struct db_live {
    int64_t games_playing;
    int64_t tickets_waiting;
    int64_t tables_open;
    int64_t tables_playing;
};

struct db_tally {
    struct db_live live;
    int64_t games_started;
    int64_t games_ended[DB_ENDS];
    int64_t cpu_moves;
    int64_t seats_changed[DB_SEAT_REASONS];
    int64_t clocks_credited[DB_CREDITS];
    int64_t credited_ms[DB_CREDITS]; /* once, however many clocks */
    int64_t tickets_ended[DB_TICKET_ENDS];
};

/* Called by the statements that did it, with what they stored. */
void db_tally_game(struct db *db, const char *status);
void db_tally_end(struct db *db, const char *end_reason);
void db_tally_event(struct db *db, const struct db_event *event);
void db_tally_credit(struct db *db, const char *reason, int64_t amount_ms, int64_t clocks);
void db_tally_ticket_end(struct db *db, const char *status);
/* `change`: 1 or -1. */
void db_tally_table(struct db *db, const char *status, int change);

/* The rows themselves, by index; for the start of a service. */
DB_NODISCARD enum db_status db_count_live(struct db *db, struct db_live *live);
void db_live_add(struct db_live *sum, const struct db_live *more);

/* Adds one to the other. */
void db_tally_add(struct db_tally *sum, const struct db_tally *more);

#endif

#include "tally.h"

#include "driver.h"

#include <assert.h>
#include <string.h>

enum { GAMES_PLAYING, TICKETS_WAITING, TABLES_OPEN, TABLES_PLAYING, TALLY_TEXTS };
static const char *const tally_texts[TALLY_TEXTS] = {
    [GAMES_PLAYING] = "SELECT count(*) FROM game WHERE status = 'playing'",
    [TICKETS_WAITING] = "SELECT count(*) FROM ticket WHERE status = 'waiting'",
    /* Through the index game_table_listed. */
    [TABLES_OPEN] = "SELECT count(*) FROM game_table WHERE public IN (0, 1) AND status = 'open'",
    [TABLES_PLAYING] =
        "SELECT count(*) FROM game_table WHERE public IN (0, 1) AND status = 'playing'",
};
const struct sql_set sql_tally = {"tally", SLOTS_TALLY, TALLY_TEXTS, tally_texts};

/* --- closed lists --------------------------------------------------------------------------------
 */

static const char *const ends[DB_ENDS] = {
    "capture", "immobile",      "resign",    "repetition", "move_limit",
    "mates",   "last_survivor", "team_mate", "no_show",
};
static const char *const seat_reasons[DB_SEAT_REASONS] = {
    "missed_turns", "absent", "left", "returned", "erased", "banned",
};
static const char *const credits[DB_CREDITS] = {"pause", "restart"};
static const char *const ticket_ends[DB_TICKET_ENDS] = {"matched", "cancelled", "expired"};

const char *db_end_text(size_t end)
{
    assert(end < DB_ENDS);
    return ends[end];
}

const char *db_seat_reason_text(size_t reason)
{
    assert(reason < DB_SEAT_REASONS);
    return seat_reasons[reason];
}

const char *db_credit_text(size_t credit)
{
    assert(credit < DB_CREDITS);
    return credits[credit];
}

const char *db_ticket_end_text(size_t end)
{
    assert(end < DB_TICKET_ENDS);
    return ticket_ends[end];
}

static size_t find(const char *const *words, size_t count, const char *word)
{
    size_t index = 0;
    while (index < count && strcmp(words[index], word) != 0) {
        index++;
    }
    assert(index < count); /* it is stored */
    return index;
}

/* --- counting ------------------------------------------------------------------------------------
 */

void db_tally_game(struct db *db, const char *status)
{
    bool plays = strcmp(status, "playing") == 0;
    db->tally.games_started += plays;
    db->tally.live.games_playing += plays;
}

void db_tally_end(struct db *db, const char *end_reason)
{
    db->tally.games_ended[find(ends, DB_ENDS, end_reason)]++;
    db->tally.live.games_playing--;
}

void db_tally_event(struct db *db, const struct db_event *event)
{
    if (strcmp(event->type, "seat") == 0) {
        db->tally.seats_changed[find(seat_reasons, DB_SEAT_REASONS, event->reason)]++;
    }
}

void db_tally_credit(struct db *db, const char *reason, int64_t amount_ms, int64_t clocks)
{
    size_t credit = find(credits, DB_CREDITS, reason);
    if (clocks > 0) {
        db->tally.clocks_credited[credit] += clocks;
        db->tally.credited_ms[credit] += amount_ms;
    }
}

void db_tally_ticket_end(struct db *db, const char *status)
{
    db->tally.tickets_ended[find(ticket_ends, DB_TICKET_ENDS, status)]++;
    db->tally.live.tickets_waiting--;
}

void db_tally_table(struct db *db, const char *status, int change)
{
    struct db_live *live = &db->tally.live;
    if (strcmp(status, "open") == 0) {
        live->tables_open += change;
    } else if (strcmp(status, "playing") == 0) {
        live->tables_playing += change;
    }
}

static void add_all(int64_t *sum, const int64_t *more, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sum[i] += more[i];
    }
}

void db_live_add(struct db_live *sum, const struct db_live *more)
{
    sum->games_playing += more->games_playing;
    sum->tickets_waiting += more->tickets_waiting;
    sum->tables_open += more->tables_open;
    sum->tables_playing += more->tables_playing;
}

void db_tally_add(struct db_tally *sum, const struct db_tally *more)
{
    db_live_add(&sum->live, &more->live);
    sum->games_started += more->games_started;
    add_all(sum->games_ended, more->games_ended, DB_ENDS);
    sum->cpu_moves += more->cpu_moves;
    add_all(sum->seats_changed, more->seats_changed, DB_SEAT_REASONS);
    add_all(sum->clocks_credited, more->clocks_credited, DB_CREDITS);
    add_all(sum->credited_ms, more->credited_ms, DB_CREDITS);
    add_all(sum->tickets_ended, more->tickets_ended, DB_TICKET_ENDS);
}

/* --- the start -----------------------------------------------------------------------------------
 */

static enum db_status count(struct db *db, size_t which, int64_t *number)
{
    struct query query;
    query_begin(&query, db, &sql_tally, which);
    bool found = query_step(&query);
    if (found) {
        *number = column_int(&query, 0);
    }
    return query_end_one(&query, found);
}

enum db_status db_count_live(struct db *db, struct db_live *live)
{
    int64_t *const numbers[TALLY_TEXTS] = {
        [GAMES_PLAYING] = &live->games_playing,
        [TICKETS_WAITING] = &live->tickets_waiting,
        [TABLES_OPEN] = &live->tables_open,
        [TABLES_PLAYING] = &live->tables_playing,
    };
    enum db_status status = DB_OK;
    for (size_t i = 0; status == DB_OK && i < TALLY_TEXTS; i++) {
        status = count(db, i, numbers[i]);
    }
    return status;
}

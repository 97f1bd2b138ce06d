#include "tally.h"

#include "driver.h"

#include <assert.h>
#include <string.h>

enum { GAMES_PLAYING, TICKETS_WAITING, TALLY_TEXTS };
static const char *const tally_texts[TALLY_TEXTS] = {
    [GAMES_PLAYING] = "SELECT count(*) FROM game WHERE status = 'playing'",
    [TICKETS_WAITING] = "SELECT count(*) FROM ticket WHERE status = 'waiting'",
};
const struct sql_set sql_tally = {"tally", SLOTS_TALLY, TALLY_TEXTS, tally_texts};

static const char *const ends[DB_ENDS] = {
    "capture", "immobile",      "resign",    "repetition", "move_limit",
    "mates",   "last_survivor", "team_mate", "no_show",
};

const char *db_end_text(size_t end)
{
    assert(end < DB_ENDS);
    return ends[end];
}

void db_tally_end(struct db *db, const char *end_reason)
{
    size_t end = 0;
    while (end < DB_ENDS && strcmp(ends[end], end_reason) != 0) {
        end++;
    }
    assert(end < DB_ENDS); /* the schema has taken it */
    db->tally.games_ended[end]++;
}

void db_tally_add(struct db_tally *sum, const struct db_tally *more)
{
    sum->games_started += more->games_started;
    sum->tickets_waiting += more->tickets_waiting;
    for (size_t i = 0; i < DB_ENDS; i++) {
        sum->games_ended[i] += more->games_ended[i];
    }
}

int64_t db_tally_games_ended(const struct db_tally *tally)
{
    int64_t sum = 0;
    for (size_t i = 0; i < DB_ENDS; i++) {
        sum += tally->games_ended[i];
    }
    return sum;
}

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

enum db_status db_count_live(struct db *db, int64_t *games_playing, int64_t *tickets_waiting)
{
    enum db_status status = count(db, GAMES_PLAYING, games_playing);
    return status == DB_OK ? count(db, TICKETS_WAITING, tickets_waiting) : status;
}

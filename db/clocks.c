#include "clocks.h"

#include "games.h"

#include <assert.h>

enum {
    GAME_STEP,
    SEAT_CONTROL,
    SEAT_PAST,
    OF_TICKETS,
    NO_SHOWS,
    CLOCKS_RUN,
    CLOCKS_AFTER,
    CREDIT_EVENTS,
    CREDIT_GAMES,
    CLOCK_TEXTS,
};
/* $1 is the amount, $2 the time. Nobody has more than a full turn left: one that began only after
 * the time that is given back needs none of it. */
#define FULL_TURN "($2 + g.turn_seconds * 1000)"
#define CREDITED                                                                                   \
    "CASE WHEN g.deadline_at_ms + $1 < " FULL_TURN " THEN g.deadline_at_ms + $1 ELSE " FULL_TURN   \
    " END"
#define WHERE_CREDITED                                                                             \
    " WHERE g.status = 'playing' AND g.turn_seconds > 0"                                           \
    " AND (g.deadline_at_ms IS NULL OR ($1 > 0 AND g.deadline_at_ms < " FULL_TURN "))"             \
    " AND EXISTS (SELECT 1 FROM seat s WHERE s.game_no = g.game_no AND s.seat = g.turn"            \
    " AND s.control = 'player')"
static const char *const clock_texts[CLOCK_TEXTS] = {
    [GAME_STEP] = "UPDATE game SET seq = $2"
                  " WHERE game_no = $1 AND status = 'playing' AND seq = $2 - 1",
    [SEAT_CONTROL] = "UPDATE seat SET control = $3, cpu_level = $4, missed_turns = $5"
                     " WHERE game_no = $1 AND seat_no = $2",
    [SEAT_PAST] = "SELECT count(*) FILTER (WHERE reason IN ('left', 'erased', 'banned')),"
                  " count(*) FILTER (WHERE reason IN ('erased', 'banned'))"
                  " FROM game_event WHERE game_no = $1 AND type = 'seat' AND seat = $2",
    [OF_TICKETS] = "SELECT count(*) FROM ticket WHERE game_no = $1",
    [NO_SHOWS] = "SELECT g.finished_at_ms FROM seat s CROSS JOIN game g ON g.game_no = s.game_no"
                 " WHERE s.player_no = $1 AND s.place IS NULL AND g.status = 'aborted'"
                 " AND g.finished_at_ms >= $2 AND EXISTS (SELECT 1 FROM game_event e"
                 " WHERE e.game_no = g.game_no AND e.type = 'finished' AND e.seat = s.seat)"
                 " LIMIT $3",
    [CLOCKS_RUN] = "SELECT EXISTS (SELECT 1 FROM game WHERE status = 'playing'"
                   " AND turn_seconds > 0)",
    [CLOCKS_AFTER] = "SELECT g.game_no, g.game_id, g.deadline_at_ms, s.control FROM game g"
                     " CROSS JOIN seat s ON s.game_no = g.game_no AND s.seat = g.turn"
                     " WHERE g.status = 'playing' AND g.game_no > $1 ORDER BY g.game_no LIMIT $2",
    [CREDIT_EVENTS] =
        "INSERT INTO game_event (game_no, seq, type, at_ms, reason, deadline_at_ms)"
        " SELECT g.game_no, g.seq + 1, 'clock', $2, $3, " CREDITED " FROM game g" WHERE_CREDITED,
    [CREDIT_GAMES] =
        "UPDATE game AS g SET seq = seq + 1, deadline_at_ms = " CREDITED WHERE_CREDITED,
};
const struct sql_set sql_clocks = {"clocks", SLOTS_CLOCKS, CLOCK_TEXTS, clock_texts};

enum db_status db_game_step(struct db *db, const struct db_game *game)
{
    struct query query;
    query_begin(&query, db, &sql_clocks, GAME_STEP);
    query_int(&query, 1, game->game_no);
    query_int(&query, 2, game->seq);
    return db_run_on_one(&query);
}

enum db_status db_seat_control(struct db *db, const struct db_seat *seat)
{
    struct query query;
    query_begin(&query, db, &sql_clocks, SEAT_CONTROL);
    query_int(&query, 1, seat->game_no);
    query_int(&query, 2, seat->seat_no);
    query_text(&query, 3, seat->cpu ? "cpu" : "player");
    query_int_or_null(&query, 4, seat->cpu_level);
    query_int(&query, 5, seat->missed_turns);
    return db_run_on_one(&query);
}

enum db_status db_seat_past(struct db *db, int64_t game_no, char seat, struct db_seat_past *past)
{
    struct query query;
    const char letter[2] = {seat, '\0'};
    query_begin(&query, db, &sql_clocks, SEAT_PAST);
    query_int(&query, 1, game_no);
    query_text(&query, 2, letter);
    bool found = query_step(&query);
    if (found) {
        past->has_left = column_int(&query, 0) > 0;
        past->for_good = column_int(&query, 1) > 0;
    }
    return query_end_one(&query, found);
}

enum db_status db_game_of_tickets(struct db *db, int64_t game_no, bool *made)
{
    struct query query;
    query_begin(&query, db, &sql_clocks, OF_TICKETS);
    query_int(&query, 1, game_no);
    bool found = query_step(&query);
    if (found) {
        *made = column_int(&query, 0) > 0;
    }
    return query_end_one(&query, found);
}

enum db_status db_no_shows(struct db *db, int64_t player_no, int64_t since_ms, int64_t *at_ms,
                           size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_clocks, NO_SHOWS);
    query_int(&query, 1, player_no);
    query_int(&query, 2, since_ms);
    query_int(&query, 3, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        at_ms[found++] = column_int(&query, 0);
    }
    *count = found;
    return query_end(&query);
}

enum db_status db_clocks_run(struct db *db, bool *run)
{
    struct query query;
    query_begin(&query, db, &sql_clocks, CLOCKS_RUN);
    bool found = query_step(&query);
    if (found) {
        *run = column_int(&query, 0) != 0;
    }
    return query_end_one(&query, found);
}

enum db_status db_clocks(struct db *db, int64_t after, struct db_clock *clocks, size_t max,
                         size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_clocks, CLOCKS_AFTER);
    query_int(&query, 1, after);
    query_int(&query, 2, (int64_t)max);
    while (query_step(&query)) {
        char control[DB_WORD_TEXT];
        assert(found < max);
        struct db_clock *clock = &clocks[found++];
        clock->game_no = column_int(&query, 0);
        column_text(&query, 1, clock->id.id.text, sizeof clock->id.id.text);
        clock->deadline_at_ms = column_int(&query, 2);
        column_text(&query, 3, control, sizeof control);
        clock->cpu = control[0] == 'c';
    }
    *count = found;
    return query_end(&query);
}

static void credit_begin(struct query *query, struct db *db, unsigned text,
                         const struct db_credit *credit)
{
    query_begin(query, db, &sql_clocks, text);
    query_int(query, 1, credit->amount_ms);
    query_int(query, 2, credit->at_ms);
}

enum db_status db_clocks_credit(struct db *db, const struct db_credit *credit)
{
    struct query query;
    assert(credit->amount_ms >= 0);
    credit_begin(&query, db, CREDIT_EVENTS, credit);
    query_text(&query, 3, credit->reason);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        credit_begin(&query, db, CREDIT_GAMES, credit);
        status = query_run(&query);
    }
    if (status == DB_OK) {
        db_tally_credit(db, credit->reason, credit->amount_ms, query_changes(db));
    }
    return status;
}

#include "driver.h"

#include <assert.h>
#include <string.h>

/* What belongs to a game: seats, moves, events. */

enum {
    SEAT_INSERT,
    SEATS_OF_GAME,
    SEAT_PLACE,
    SEAT_PLIES,
    MOVE_INSERT,
    MOVE_LOAD,
    MOVES_AFTER,
    EVENT_INSERT,
    EVENTS_AFTER,
    EVENT_AFTER_END,
    EVENT_LAST,
    EVENTS_UNTIL,
    ROW_TEXTS,
};
#define SELECT_EVENT                                                                               \
    "SELECT game_no, seq, type, at_ms, seat, reason, linked_game_no, deadline_at_ms, cpu_level"    \
    " FROM game_event"
#define MOVE_COLUMNS                                                                               \
    "game_no, ply, seq, seat, move, captured, made_by, at_ms, think_ms, deadline_at_ms"
static const char *const row_texts[ROW_TEXTS] = {
    [SEAT_INSERT] = "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control,"
                    " cpu_level) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    [SEATS_OF_GAME] =
        "SELECT s.game_no, s.seat_no, s.seat, s.player_no, s.rating_milli, s.control, s.place,"
        " s.missed_turns, s.cpu_level, p.player_id, p.name, p.banned_at_ms"
        " FROM seat s LEFT JOIN player p ON p.player_no = s.player_no"
        " WHERE s.game_no = $1 ORDER BY s.seat_no",
    [SEAT_PLACE] = "UPDATE seat SET place = $3 WHERE game_no = $1 AND seat_no = $2",
    [SEAT_PLIES] = "SELECT count(*), count(*) FILTER (WHERE made_by = 'cpu') FROM move"
                   " WHERE game_no = $1 AND seat = $2",
    [MOVE_INSERT] = "INSERT INTO move (" MOVE_COLUMNS ")"
                    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    [MOVE_LOAD] = "SELECT " MOVE_COLUMNS " FROM move WHERE game_no = $1 AND ply = $2",
    [MOVES_AFTER] = "SELECT " MOVE_COLUMNS " FROM move WHERE game_no = $1 AND ply > $2"
                    " ORDER BY ply LIMIT $3",
    [EVENT_INSERT] = "INSERT INTO game_event (game_no, seq, type, at_ms, seat, reason,"
                     " linked_game_no, deadline_at_ms, cpu_level)"
                     " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    [EVENT_LAST] = "SELECT coalesce(max(seq), 0) FROM game_event WHERE game_no = $1",
    [EVENTS_AFTER] = SELECT_EVENT " WHERE game_no = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    [EVENT_AFTER_END] = SELECT_EVENT " WHERE game_no = $1 AND seq > $2 AND type = $3"
                                     " ORDER BY seq LIMIT 1",
    [EVENTS_UNTIL] = "SELECT count(*) FROM game_event WHERE game_no = $1 AND seq <= $2",
};
const struct sql_set sql_game_rows = {"game rows", SLOTS_GAME_ROWS, ROW_TEXTS, row_texts};

/* --- seats ---------------------------------------------------------------------------------------
 */

enum db_status db_seat_insert(struct db *db, const struct db_seat *seat)
{
    struct query query;
    query_begin(&query, db, &sql_game_rows, SEAT_INSERT);
    query_int(&query, 1, seat->game_no);
    query_int(&query, 2, seat->seat_no);
    query_text(&query, 3, seat->seat);
    query_int_or_null(&query, 4, seat->player_no);
    if (seat->has_rating) {
        query_int(&query, 5, seat->rating_milli);
    } else {
        query_null(&query, 5);
    }
    query_text(&query, 6, seat->cpu ? "cpu" : "player");
    query_int_or_null(&query, 7, seat->cpu_level);
    return query_run(&query);
}

static void read_seat(struct query *query, struct db_seat *seat)
{
    char control[DB_WORD_TEXT];
    seat->game_no = column_int(query, 0);
    seat->seat_no = (uint8_t)column_count(query, 1, UINT8_MAX);
    column_text(query, 2, seat->seat, sizeof seat->seat);
    seat->player_no = column_int(query, 3);
    seat->has_rating = !column_is_null(query, 4);
    seat->rating_milli = column_int(query, 4);
    column_text(query, 5, control, sizeof control);
    seat->cpu = strcmp(control, "cpu") == 0;
    seat->place = (uint8_t)column_count(query, 6, UINT8_MAX);
    seat->missed_turns = (uint32_t)column_count(query, 7, UINT32_MAX);
    seat->cpu_level = (uint8_t)column_count(query, 8, UINT8_MAX);
    column_text(query, 9, seat->player_id.id.text, sizeof seat->player_id.id.text);
    seat->has_name = !column_is_null(query, 10);
    column_text(query, 10, seat->name, sizeof seat->name);
    seat->banned = !column_is_null(query, 11);
}

enum db_status db_seats(struct db *db, int64_t game_no, struct db_seat seats[DB_SEATS_MAX],
                        size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_game_rows, SEATS_OF_GAME);
    query_int(&query, 1, game_no);
    while (query_step(&query)) {
        assert(found < DB_SEATS_MAX); /* the schema's CHECK on seat_no */
        read_seat(&query, &seats[found++]);
    }
    *count = found;
    return query_end(&query);
}

enum db_status db_seat_place(struct db *db, int64_t game_no, uint8_t seat_no, uint8_t place)
{
    struct query query;
    query_begin(&query, db, &sql_game_rows, SEAT_PLACE);
    query_int(&query, 1, game_no);
    query_int(&query, 2, seat_no);
    query_int(&query, 3, place);
    enum db_status status = query_run(&query);
    return status == DB_OK && query_changes(db) == 0 ? DB_NONE : status;
}

enum db_status db_seat_plies(struct db *db, int64_t game_no, char seat, uint32_t *plies,
                             uint32_t *cpu_plies)
{
    struct query query;
    const char letter[2] = {seat, '\0'};
    query_begin(&query, db, &sql_game_rows, SEAT_PLIES);
    query_int(&query, 1, game_no);
    query_text(&query, 2, letter);
    bool found = query_step(&query);
    if (found) {
        *plies = (uint32_t)column_count(&query, 0, UINT32_MAX);
        *cpu_plies = (uint32_t)column_count(&query, 1, UINT32_MAX);
    }
    return query_end_one(&query, found);
}

/* --- moves ---------------------------------------------------------------------------------------
 */

enum db_status db_move_insert(struct db *db, const struct db_move *move)
{
    struct query query;
    query_begin(&query, db, &sql_game_rows, MOVE_INSERT);
    query_int(&query, 1, move->game_no);
    query_int(&query, 2, move->ply);
    query_int(&query, 3, move->seq);
    query_text(&query, 4, move->seat);
    query_text(&query, 5, move->move);
    query_text(&query, 6, move->captured);
    query_text(&query, 7, move->by_cpu ? "cpu" : "player");
    query_int(&query, 8, move->at_ms);
    query_int(&query, 9, move->think_ms);
    query_int_or_null(&query, 10, move->deadline_at_ms);
    enum db_status status = query_run(&query);
    db->tally.cpu_moves += status == DB_OK && move->by_cpu;
    return status;
}

static void read_move(struct query *query, struct db_move *move)
{
    char made_by[DB_WORD_TEXT];
    move->game_no = column_int(query, 0);
    move->ply = (uint32_t)column_count(query, 1, UINT32_MAX);
    move->seq = (uint32_t)column_count(query, 2, UINT32_MAX);
    column_text(query, 3, move->seat, sizeof move->seat);
    column_text(query, 4, move->move, sizeof move->move);
    column_text(query, 5, move->captured, sizeof move->captured);
    column_text(query, 6, made_by, sizeof made_by);
    move->by_cpu = strcmp(made_by, "cpu") == 0;
    move->at_ms = column_int(query, 7);
    move->think_ms = column_int(query, 8);
    move->deadline_at_ms = column_int(query, 9);
}

enum db_status db_move_load(struct db *db, int64_t game_no, uint32_t ply, struct db_move *move)
{
    struct query query;
    query_begin(&query, db, &sql_game_rows, MOVE_LOAD);
    query_int(&query, 1, game_no);
    query_int(&query, 2, ply);
    bool found = query_step(&query);
    if (found) {
        read_move(&query, move);
    }
    return query_end_one(&query, found);
}

enum db_status db_moves(struct db *db, int64_t game_no, uint32_t after_ply, struct db_move *moves,
                        size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_game_rows, MOVES_AFTER);
    query_int(&query, 1, game_no);
    query_int(&query, 2, after_ply);
    query_int(&query, 3, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        read_move(&query, &moves[found++]);
    }
    *count = found;
    return query_end(&query);
}

/* --- events --------------------------------------------------------------------------------------
 */

enum db_status db_event_insert(struct db *db, const struct db_event *event)
{
    struct query query;
    query_begin(&query, db, &sql_game_rows, EVENT_INSERT);
    query_int(&query, 1, event->game_no);
    query_int(&query, 2, event->seq);
    query_text(&query, 3, event->type);
    query_int(&query, 4, event->at_ms);
    query_text_or_null(&query, 5, event->seat);
    query_text_or_null(&query, 6, event->reason);
    query_int_or_null(&query, 7, event->linked_game_no);
    query_int_or_null(&query, 8, event->deadline_at_ms);
    query_int_or_null(&query, 9, event->cpu_level);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        db_tally_event(db, event);
    }
    return status;
}

static void read_event(struct query *query, struct db_event *event)
{
    event->game_no = column_int(query, 0);
    event->seq = (uint32_t)column_count(query, 1, UINT32_MAX);
    column_text(query, 2, event->type, sizeof event->type);
    event->at_ms = column_int(query, 3);
    column_text(query, 4, event->seat, sizeof event->seat);
    column_text(query, 5, event->reason, sizeof event->reason);
    event->linked_game_no = column_int(query, 6);
    event->deadline_at_ms = column_int(query, 7);
    event->cpu_level = (uint8_t)column_count(query, 8, UINT8_MAX);
}

enum db_status db_event_after_end(struct db *db, const struct db_game *game, const char *type,
                                  struct db_event *event)
{
    struct query query;
    query_begin(&query, db, &sql_game_rows, EVENT_AFTER_END);
    query_int(&query, 1, game->game_no);
    query_int(&query, 2, game->seq);
    query_text(&query, 3, type);
    bool found = query_step(&query);
    if (found) {
        read_event(&query, event);
    }
    return query_end_one(&query, found);
}

enum db_status db_events(struct db *db, int64_t game_no, uint32_t after_seq,
                         struct db_event *events, size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_game_rows, EVENTS_AFTER);
    query_int(&query, 1, game_no);
    query_int(&query, 2, after_seq);
    query_int(&query, 3, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        read_event(&query, &events[found++]);
    }
    *count = found;
    return query_end(&query);
}

static enum db_status number_end(struct query *query, uint32_t *number)
{
    bool found = query_step(query);
    if (found) {
        *number = (uint32_t)column_count(query, 0, UINT32_MAX);
    }
    return query_end_one(query, found);
}

enum db_status db_event_last(struct db *db, const struct db_game *game, uint32_t *seq)
{
    struct query query;
    uint32_t appended = 0;
    *seq = game->seq;
    if (game->finished_at_ms == 0) {
        return DB_OK;
    }
    query_begin(&query, db, &sql_game_rows, EVENT_LAST);
    query_int(&query, 1, game->game_no);
    enum db_status status = number_end(&query, &appended);
    *seq = appended > *seq ? appended : *seq;
    return status;
}

enum db_status db_event_append(struct db *db, const struct db_game *game, struct db_event *event)
{
    enum db_status status = db_event_last(db, game, &event->seq);
    event->game_no = game->game_no;
    event->seq++;
    return status == DB_OK ? db_event_insert(db, event) : status;
}

enum db_status db_events_until(struct db *db, int64_t game_no, uint32_t seq, uint32_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_game_rows, EVENTS_UNTIL);
    query_int(&query, 1, game_no);
    query_int(&query, 2, seq);
    return number_end(&query, count);
}

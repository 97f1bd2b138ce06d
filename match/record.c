#include "record.h"

#include "service.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_AT_ONCE = 16 };

static enum db_status load_seats(struct db *db, struct record *record)
{
    enum db_status status = db_seats(db, record->game.game_no, record->seats, &record->seat_count);
    if (status == DB_OK && record->seat_count != record->rules->seat_count) {
        return DB_CORRUPT;
    }
    record->has_places = status == DB_OK;
    for (size_t i = 0; i < record->seat_count; i++) {
        record->has_places = record->has_places && record->seats[i].place != 0;
    }
    return status;
}

static enum db_status load_moves(struct db *db, struct record *record)
{
    size_t count = 0;
    if (record->game.ply == 0) {
        return DB_OK;
    }
    enum db_status status =
        db_moves(db, record->game.game_no, 0, record->moves, record->game.ply, &count);
    if (status == DB_OK && count != record->game.ply) {
        return DB_CORRUPT;
    }
    record->move_count = count;
    return status;
}

static enum db_status load_replay_of(struct db *db, struct record *record)
{
    struct db_game other;
    if (record->game.replay_of == 0) {
        return DB_OK;
    }
    enum db_status status = db_game_load(db, record->game.replay_of, &other);
    record->has_replay_of = status == DB_OK;
    if (status == DB_OK) {
        record->replay_of = other.id;
    }
    return status;
}

/* A resignation is no move: only the event of the end says whose it was. */
static enum db_status load_resigned(struct db *db, struct record *record)
{
    struct db_event events[EVENTS_AT_ONCE];
    uint32_t after = 0;
    size_t count = EVENTS_AT_ONCE;
    if (end_reason_find(record->game.end_reason) != END_RESIGN) {
        return DB_OK;
    }
    while (count == EVENTS_AT_ONCE) {
        enum db_status status =
            db_events(db, record->game.game_no, after, events, EVENTS_AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        for (size_t i = 0; i < count; i++) {
            after = events[i].seq;
            if (strcmp(events[i].type, "finished") == 0) {
                memcpy(record->resigned, events[i].seat, sizeof record->resigned);
                return record->resigned[0] == '\0' ? DB_CORRUPT : DB_OK;
            }
        }
    }
    return DB_CORRUPT;
}

static enum db_status load_eliminations(struct db *db, struct record *record)
{
    struct position position;
    struct text_error error;
    const char *text = record->game.position;
    if (!record->rules->parse_position(text, strlen(text), &record->options, &position, &error)) {
        return DB_CORRUPT;
    }
    return line_eliminations(db, &record->game, &position, record->eliminations,
                             &record->elimination_count);
}

static enum db_status fill(struct db *db, struct record *record)
{
    struct position start;
    if (!line_rules(&record->game, &record->rules, &record->options)) {
        return DB_CORRUPT;
    }
    static_assert(sizeof record->start >= RULES_POSITION_TEXT_MAX, "a position has room");
    const struct game_rules *rules = record->rules;
    assert(rules != NULL);
    rules->start(&start);
    rules->format_position(&start, record->start);
    enum db_status status = load_seats(db, record);
    if (status == DB_OK) {
        status = load_moves(db, record);
    }
    if (status == DB_OK) {
        status = load_replay_of(db, record);
    }
    if (status == DB_OK) {
        status = load_eliminations(db, record);
    }
    return status == DB_OK ? load_resigned(db, record) : status;
}

enum db_status record_load(struct db *db, const struct game_id *id, struct record **record)
{
    struct db_game game;
    enum db_status status = db_game_find(db, id, &game);
    if (status != DB_OK) {
        return status;
    }
    if (game.ply > LIMIT_PLIES) {
        return DB_CORRUPT;
    }
    struct record *loaded = calloc(1, sizeof *loaded + game.ply * sizeof loaded->moves[0]);
    if (loaded == NULL) {
        return DB_ERROR;
    }
    loaded->game = game;
    loaded->ended = strcmp(game.status, "playing") != 0;
    status = fill(db, loaded);
    if (status != DB_OK) {
        record_free(loaded);
        return status == DB_NONE ? DB_CORRUPT : status;
    }
    *record = loaded;
    return DB_OK;
}

void record_free(struct record *record)
{
    free(record);
}

static enum db_status load_for(struct match *match, struct db *db, const struct game_id *id,
                               int64_t viewer_no, struct record **record)
{
    struct record *loaded = NULL;
    enum db_status status = record_load(db, id, &loaded);
    if (status != DB_OK) {
        return status;
    }
    status = game_seen_by(match, db, &loaded->game, viewer_no);
    if (status != DB_OK) {
        record_free(loaded);
        return status;
    }
    *record = loaded;
    return DB_OK;
}

enum match_status match_record(struct match *match, const struct game_id *id, int64_t viewer_no,
                               struct record **record)
{
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = load_for(match, db, id, viewer_no, record);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

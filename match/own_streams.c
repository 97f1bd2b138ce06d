#include "service.h"
#include "streams.h"

#include <string.h>

/* What a player's own stream tells. */

enum match_status match_personal(struct match *match, int64_t player_no, int64_t after,
                                 struct db_personal *events, size_t max, size_t *count)
{
    int64_t newest = 0;
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = db_personal_seq(db, player_no, &newest);
        if (status == DB_OK) {
            status = db_personal_events(db, player_no, after, events, max, count);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    if (status != DB_OK || after >= newest) {
        return match_status_of(status);
    }
    int64_t kept_ms = match_now_ms(match) - LIMIT_PERSONAL_MS;
    bool whole = *count > 0 && events[0].seq == after + 1 && events[0].at_ms > kept_ms;
    return whole ? MATCH_OK : MATCH_NOT_FOUND;
}

enum match_status match_personal_seq(struct match *match, int64_t player_no, int64_t *seq)
{
    struct db *db = reader_take(match);
    enum db_status status = db_personal_seq(db, player_no, seq);
    reader_give(match, db);
    return match_status_of(status);
}

enum match_status match_me_at(struct match *match, int64_t player_no, struct me_view *view,
                              int64_t *seq)
{
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = db_personal_seq(db, player_no, seq);
        if (status == DB_OK) {
            status = me_load(match, db, player_no, view);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

static enum db_status own_game_fill(struct db *db, int64_t player_no, const struct db_game *row,
                                    struct own_game *game)
{
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_seats(db, row->game_no, seats, &count);
    int seat = status == DB_OK ? seat_of_player(seats, count, player_no) : RULES_SEAT_NONE;
    if (seat == RULES_SEAT_NONE) {
        return status == DB_OK ? DB_CORRUPT : status;
    }
    *game = (struct own_game){.game_no = row->game_no, .id = row->id};
    memcpy(game->seat, seats[seat].seat, sizeof game->seat);
    for (size_t i = 0; i < count; i++) {
        game->players[i] = seats[i].player_no;
        game->seats[i] = seats[i].seat[0];
    }
    return DB_OK;
}

enum match_status match_own_games(struct match *match, int64_t player_no,
                                  struct own_game games[LIMIT_GAMES_AT_ONCE], size_t *count)
{
    struct db_game rows[LIMIT_GAMES_AT_ONCE];
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = running_games(db, player_no, rows, count);
        for (size_t i = 0; status == DB_OK && i < *count; i++) {
            status = own_game_fill(db, player_no, &rows[i], &games[i]);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

enum match_status match_own_game(struct match *match, int64_t player_no, const struct game_id *id,
                                 struct own_game *game)
{
    struct db_game row;
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = db_game_find(db, id, &row);
        if (status == DB_OK) {
            status = own_game_fill(db, player_no, &row, game);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

enum match_status match_turn(struct match *match, const struct own_game *game,
                             struct turn_view *view)
{
    struct game_state *state = NULL;
    enum db_status status = state_find(match, &game->id, &state);
    if (status != DB_OK) {
        return match_status_of(status);
    }
    const struct db_game *row = &state->game;
    *view = (struct turn_view){
        .seq = row->seq,
        .ply = row->ply,
        .playing = state->line != NULL,
        .turn_seconds = row->turn_seconds,
        .now_ms = match_now_ms(match),
    };
    if (state->line != NULL) {
        int seat = rules_seat(state->line->rules, game->seat[0]);
        struct seat_facts facts;
        state->line->rules->seat_facts(&state->line->position, seat, &facts);
        view->own = row->turn[0] == game->seat[0] && !state->seats[seat].cpu;
        view->check = facts.in_check;
        view->at_ms = state->line->at_ms;
        view->deadline_at_ms = deadline_shown(row, state->seats, state->seat_count);
    }
    state_unref(state);
    return view->playing ? MATCH_OK : match_seq(match, &game->id, &view->seq);
}

enum match_status match_bearer(struct match *match, const struct identity *identity,
                               int64_t *ends_at_ms)
{
    struct db_identity row;
    enum db_status status = identity_find(match, identity->token_id, &row);
    if (status != DB_OK) {
        return status == DB_NONE ? MATCH_INVALID_TOKEN : match_status_of(status);
    }
    *ends_at_ms = row.token.ends_at_ms;
    bool over = *ends_at_ms != 0 && match_now_ms(match) >= *ends_at_ms;
    return over ? MATCH_INVALID_TOKEN : MATCH_OK;
}

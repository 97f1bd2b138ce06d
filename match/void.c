#include "void.h"

#include "chain.h"
#include "ratings/elo.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct voiding {
    struct match *match;
    struct match_operate *command;
    struct db_game game;
    const struct game_rules *rules;
    struct game_options options;
    struct db_seat seats[DB_SEATS_MAX];
    uint8_t places[DB_SEATS_MAX];
    struct db_rating_event results[DB_SEATS_MAX];
};

bool void_event(const struct game_rules *rules, const struct game_options *options,
                const struct db_rating_event *result, const uint8_t *places,
                struct db_rating *standing, struct db_rating_event *event)
{
    int64_t before_milli = standing->rating_milli;
    *event = *result;
    event->event_no = 0;
    event->is_void = true;
    event->games_before = standing->games;
    event->before_milli = before_milli;
    event->after_milli = elo_void(before_milli, result->delta_milli);
    event->delta_milli = event->after_milli - before_milli;
    event->capped = false;
    event->floor_applied = before_milli - result->delta_milli < ELO_FLOOR_MILLI;
    standing->rating_milli = event->after_milli;
    return result_uncount(rules, options, places, result->seat_no, standing);
}

/* --- what stands against it ----------------------------------------------------------------------
 */

static enum db_status load_game(struct db *db, struct voiding *voiding)
{
    struct match_operate *command = voiding->command;
    struct game_id id = {command->id};
    enum db_status status = db_game_find(db, &id, &voiding->game);
    if (status == DB_NONE) {
        command->refusal = OPERATE_NO_GAME;
        return DB_OK;
    }
    if (status != DB_OK) {
        return status;
    }
    command->game_no = voiding->game.game_no;
    if (strcmp(voiding->game.status, "playing") == 0) {
        command->refusal = OPERATE_GAME_RUNNING;
    } else if (strcmp(voiding->game.rating_status, "applied") != 0) {
        command->refusal = OPERATE_NOT_RATED;
    }
    return DB_OK;
}

static enum db_status load_result(struct db *db, struct voiding *voiding)
{
    struct db_rating_event voids[DB_SEATS_MAX];
    size_t seats = 0;
    size_t results = 0;
    size_t voided = 0;
    int64_t game_no = voiding->game.game_no;
    enum db_status status = db_seats(db, game_no, voiding->seats, &seats);
    if (status == DB_OK) {
        status = db_rating_events_of_game(db, game_no, false, voiding->results, &results);
    }
    if (status == DB_OK) {
        status = db_rating_events_of_game(db, game_no, true, voids, &voided);
    }
    if (status != DB_OK) {
        return status;
    }
    if (!line_rules(&voiding->game, &voiding->rules, &voiding->options) ||
        seats != voiding->rules->seat_count || results != seats) {
        return DB_CORRUPT;
    }
    for (size_t i = 0; i < seats; i++) {
        voiding->places[i] = voiding->seats[i].place;
        if (voiding->results[i].seat_no != i || voiding->places[i] == 0) {
            return DB_CORRUPT;
        }
    }
    voiding->command->refusal = voided > 0 ? OPERATE_ALREADY_VOID : OPERATE_DONE;
    return DB_OK;
}

/* --- doing it ------------------------------------------------------------------------------------
 */

static enum db_status void_seat(struct db *db, struct voiding *voiding, uint8_t seat_no)
{
    const struct db_rating_event *result = &voiding->results[seat_no];
    const struct db_seat *seat = &voiding->seats[seat_no];
    struct match_operate *command = voiding->command;
    struct db_rating standing;
    struct db_rating_event event;
    enum db_status status = db_rating_load(db, result->player_no, result->pool, &standing);
    if (status != DB_OK) {
        return status;
    }
    if (!void_event(voiding->rules, &voiding->options, result, voiding->places, &standing,
                    &event)) {
        return DB_CORRUPT;
    }
    event.at_ms = command->at_ms;
    standing.list = standing_list(owner_is_gone(seat), standing.games);
    command->changes[seat_no] =
        (struct operate_change){result->player_id, event.before_milli, event.after_milli};
    command->change_count = seat_no + (size_t)1;
    status = db_rating_event_insert(db, &event);
    return status == DB_OK ? db_rating_store(db, &standing) : status;
}

static enum db_status record(struct db *db, const struct voiding *voiding)
{
    const struct match_operate *command = voiding->command;
    struct db_event event = {
        .type = "voided",
        .at_ms = command->at_ms,
    };
    struct db_operator_event deed = {
        .at_ms = command->at_ms,
        .what = "void-game",
        .game_no = command->game_no,
        .note = command->note,
    };
    enum db_status status = db_event_append(db, &voiding->game, &event);
    if (status == DB_OK) {
        status = db_operator_event_insert(db, &deed);
    }
    if (status == DB_OK) {
        struct db_link link = {
            .kind = "voided", .game_no = command->game_no, .at_ms = command->at_ms};
        status = chain_append_link(db, voiding->match->secrets, &link);
    }
    return status;
}

enum db_status void_game(struct match *match, struct db *db, struct match_operate *command)
{
    struct voiding voiding = {.match = match, .command = command};
    enum db_status status = load_game(db, &voiding);
    if (status == DB_OK && command->refusal == OPERATE_DONE) {
        status = load_result(db, &voiding);
    }
    if (status != DB_OK || command->refusal != OPERATE_DONE) {
        return status;
    }
    if (command->at_ms < voiding.game.finished_at_ms) {
        command->at_ms = voiding.game.finished_at_ms;
    }
    status = result_time(db, &voiding.game, voiding.seats, voiding.rules->seat_count, INT64_MAX,
                         &command->at_ms);
    for (uint8_t i = 0; status == DB_OK && i < voiding.rules->seat_count; i++) {
        status = void_seat(db, &voiding, i);
    }
    if (status == DB_OK) {
        status = record(db, &voiding);
    }
    return status == DB_NONE ? DB_CORRUPT : status;
}

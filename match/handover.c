#include "handover.h"

#include "clocks.h"
#include "db/clocks.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const reason_texts[] = {
    [SEAT_MISSED_TURNS] = "missed_turns", [SEAT_ABSENT] = "absent", [SEAT_LEFT] = "left",
    [SEAT_RETURNED] = "returned",         [SEAT_ERASED] = "erased", [SEAT_BANNED] = "banned",
};
static_assert(sizeof reason_texts / sizeof reason_texts[0] == SEAT_REASONS, "a text for each");

const char *seat_reason_text(enum seat_reason reason)
{
    assert(reason < SEAT_REASONS);
    return reason_texts[reason];
}

enum seat_reason seat_reason_find(const char *text)
{
    for (unsigned i = 0; i < SEAT_REASONS; i++) {
        if (strcmp(reason_texts[i], text) == 0) {
            return (enum seat_reason)i;
        }
    }
    return SEAT_REASONS;
}

static bool is_for_good(enum seat_reason reason)
{
    return reason == SEAT_ERASED || reason == SEAT_BANNED;
}

enum db_status seat_change(struct match *match, struct db *db, struct game_rows *rows, int seat,
                           enum seat_reason reason, int64_t at_ms)
{
    assert(seat >= 0 && (size_t)seat < rows->seat_count);
    struct db_game *game = &rows->game;
    struct db_seat *row = &rows->seats[seat];
    row->cpu = reason != SEAT_RETURNED;
    row->cpu_level = row->cpu ? match->options.absence_level : 0;
    game->seq++;
    struct db_event event = {
        .game_no = game->game_no,
        .seq = game->seq,
        .type = "seat",
        .at_ms = at_ms < game->created_at_ms ? game->created_at_ms : at_ms,
        .deadline_at_ms = deadline_shown(game, rows->seats, rows->seat_count),
        .cpu_level = row->cpu_level,
    };
    memcpy(event.seat, row->seat, sizeof event.seat);
    (void)snprintf(event.reason, sizeof event.reason, "%s", seat_reason_text(reason));
    enum db_status status = db_game_step(db, game);
    if (status == DB_OK) {
        status = db_seat_control(db, row);
    }
    return status == DB_OK ? db_event_insert(db, &event) : status;
}

/* --- owners who go -------------------------------------------------------------------------------
 */

enum db_status seat_forsake(struct match *match, struct db *db, const struct db_game *game,
                            int64_t player_no, enum seat_reason reason, int64_t at_ms)
{
    struct game_rows rows = {.game = *game};
    enum db_status status = db_seats(db, game->game_no, rows.seats, &rows.seat_count);
    if (status != DB_OK) {
        return status;
    }
    int seat = seat_of_player(rows.seats, rows.seat_count, player_no);
    if (seat == RULES_SEAT_NONE) {
        return DB_CORRUPT;
    }
    bool news = !rows.seats[seat].cpu || is_for_good(reason);
    return news ? seat_change(match, db, &rows, seat, reason, at_ms) : DB_OK;
}

enum db_status seats_forsake(struct match_op *op, struct db *db, const struct own_games *games,
                             int64_t player_no, enum seat_reason reason, int64_t at_ms)
{
    enum db_status status = DB_OK;
    for (size_t i = 0; status == DB_OK && i < games->count; i++) {
        struct db_game game;
        status = db_game_load(db, games->numbers[i], &game);
        if (status == DB_OK) {
            status = seat_forsake(op->match, db, &game, player_no, reason, at_ms);
        }
    }
    return status == DB_NONE ? DB_CORRUPT : status;
}

void seat_changed(struct match_op *op, int64_t game_no, const struct game_id *id)
{
    op_release(op, NULL);
    clock_look(op->match, game_no, id);
    game_publish(op->match, game_no);
}

void seats_forsaken(struct match_op *op, const struct own_games *games)
{
    for (size_t i = 0; i < games->count; i++) {
        seat_changed(op, games->numbers[i], &games->ids[i]);
    }
}

enum db_status seat_may_return(struct db *db, const struct game_rows *rows, int seat, bool *may)
{
    struct db_seat_past past;
    enum db_status status = db_seat_past(db, rows->game.game_no, rows->seats[seat].seat[0], &past);
    *may = status == DB_OK && !past.for_good;
    return status;
}

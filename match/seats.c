#include "seats.h"

#include "handover.h"

#include <assert.h>
#include <string.h>

static struct match_seat *seat_of(struct db_job *job)
{
    static_assert(offsetof(struct match_seat, op) == 0, "a command is its op");
    return (struct match_seat *)op_of_job(job);
}

static enum db_status hand_over(struct db *db, struct match_seat *command, struct game_rows *rows,
                                int seat)
{
    enum db_status status = DB_OK;
    bool may = true;
    if (command->returns) {
        status = seat_may_return(db, rows, seat, &may);
    }
    if (status != DB_OK || !may) {
        command->op.status = MATCH_SEAT_GIVEN_UP;
        return status;
    }
    command->changed = true;
    op_hold(&command->op, &command->game_id);
    return seat_change(command->op.match, db, rows, seat,
                       command->returns ? SEAT_RETURNED : SEAT_LEFT, command->at_ms);
}

static enum db_status seat_run(struct db_job *job, struct db *db)
{
    struct match_seat *command = seat_of(job);
    struct game_rows rows;
    command->op.status = MATCH_OK;
    command->changed = false;
    enum db_status status = game_rows_find(db, &command->game_id, &rows);
    if (status != DB_OK) {
        return status;
    }
    int seat = seat_of_player(rows.seats, rows.seat_count, command->player_no);
    if (seat == RULES_SEAT_NONE) {
        command->op.status = game_refuses(command->op.match, db, &rows.game, command->player_no);
        return DB_OK;
    }
    if (strcmp(rows.game.status, "playing") != 0) {
        command->op.status = MATCH_GAME_OVER;
        standing_note(&rows.game, &command->standing);
        return DB_OK;
    }
    if (rows.seats[seat].cpu == command->returns) {
        status = hand_over(db, command, &rows, seat);
    }
    return status == DB_OK && command->op.status == MATCH_OK
               ? view_fill(command->op.match, db, &rows.game, &command->view)
               : status;
}

static void seat_done(struct db_job *job, enum db_status status)
{
    struct match_seat *command = seat_of(job);
    const struct db_game *game = &command->view.game;
    if (status == DB_OK && command->changed) {
        seat_changed(&command->op, game->game_no, &game->id);
    }
    op_finish(&command->op, status);
}

enum match_status match_leave_begin(struct match *match, struct match_seat *command)
{
    command->returns = false;
    return op_submit(match, &command->op, seat_run, seat_done);
}

enum match_status match_return_begin(struct match *match, struct match_seat *command)
{
    command->returns = true;
    return op_submit(match, &command->op, seat_run, seat_done);
}

#include "handover.h"
#include "result.h"
#include "seats.h"

#include <assert.h>
#include <string.h>

static struct match_seat *resign_of(struct db_job *job)
{
    static_assert(offsetof(struct match_seat, op) == 0, "a command is its op");
    return (struct match_seat *)op_of_job(job);
}

static enum db_status resign_apply(struct db *db, struct match_seat *command, int seat,
                                   int64_t at_ms)
{
    struct db_game *game = &command->rows.game;
    const struct game_rules *rules = NULL;
    struct game_options options;
    struct position position;
    struct text_error error;
    if (!line_rules(game, &rules, &options) ||
        !rules->parse_position(game->position, strlen(game->position), &options, &position,
                               &error)) {
        return DB_CORRUPT;
    }
    struct ending ending = {
        .rules = rules,
        .options = &options,
        .at_ms = at_ms,
        .resigned_seat = seat,
        .game = game,
        .news = &command->news,
    };
    rules->resign(&position, seat, &ending.outcome);
    return ending_apply(command->op.match, db, &ending);
}

/* Resigning comes after the last move, whatever thread read the clock. */
static enum db_status resign_time(struct db *db, const struct db_game *game, int64_t *at_ms)
{
    struct db_move last;
    if (game->ply == 0) {
        return DB_OK;
    }
    enum db_status status = db_move_load(db, game->game_no, game->ply, &last);
    if (status == DB_OK && last.at_ms > *at_ms) {
        *at_ms = last.at_ms;
    }
    return status;
}

/* The refusals, in order; MATCH_OK: go on. */
static enum match_status resign_verdict(struct match_seat *command, struct db *db,
                                        const struct db_game *game, int seat)
{
    const struct game_rules *rules = rules_find(game->game);
    if (rules == NULL) {
        return MATCH_INTEGRITY;
    }
    if (seat == RULES_SEAT_NONE) {
        return game_refuses(command->op.match, db, game, command->player_no);
    }
    if (rules->resign == NULL) {
        return MATCH_RESIGN_NOT_ALLOWED;
    }
    standing_note(game, &command->standing);
    return strcmp(game->status, "playing") == 0 ? MATCH_OK : MATCH_GAME_OVER;
}

static enum db_status resign_run(struct db_job *job, struct db *db)
{
    struct match_seat *command = resign_of(job);
    struct game_rows *rows = &command->rows;
    struct db_game *game = &rows->game;
    enum db_status status = game_rows_find(db, &command->game_id, rows);
    if (status != DB_OK) {
        return status;
    }
    int seat = seat_of_player(rows->seats, rows->seat_count, command->player_no);
    int64_t at_ms = command->at_ms < game->created_at_ms ? game->created_at_ms : command->at_ms;
    command->op.status = resign_verdict(command, db, game, seat);
    if (command->op.status != MATCH_OK) {
        return DB_OK;
    }
    bool may = false;
    status = seat_may_return(db, rows, seat, &may);
    if (status != DB_OK || !may) {
        command->op.status = MATCH_SEAT_GIVEN_UP;
        return status;
    }
    op_hold(&command->op, &command->game_id);
    status = resign_time(db, game, &at_ms);
    if (status == DB_OK) {
        status = resign_apply(db, command, seat, at_ms);
    }
    return status == DB_OK ? view_fill(command->op.match, db, game, &command->view) : status;
}

static void resign_done(struct db_job *job, enum db_status status)
{
    struct match_seat *command = resign_of(job);
    if (status == DB_OK && command->op.status == MATCH_OK) {
        game_over_publish(&command->op, &command->rows, &command->news);
    }
    op_finish(&command->op, status);
}

enum match_status match_resign_begin(struct match *match, struct match_seat *command)
{
    return op_submit(match, &command->op, resign_run, resign_done);
}

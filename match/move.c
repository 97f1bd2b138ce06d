#include "game_make.h"
#include "prepare.h"
#include "result.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct match_move *move_of(struct db_job *job)
{
    static_assert(offsetof(struct match_move, op) == 0, "a command is its op");
    return (struct match_move *)op_of_job(job);
}

static void forget_line(struct match_move *command)
{
    line_unref(command->line);
    command->line = NULL;
}

/* The rows of a prepared move: what was found is one ply older than what is stored now. */
static enum db_status store_move(struct db *db, struct match_move *command, struct db_game *game,
                                 struct db_move *move)
{
    const struct game_line *line = command->line;
    *move = (struct db_move){
        .game_no = game->game_no,
        .ply = line->ply,
        .seq = game->seq + 1,
        .at_ms = line->at_ms,
        .think_ms = command->think_ms,
    };
    memcpy(move->seat, game->turn, sizeof move->seat);
    (void)snprintf(move->move, sizeof move->move, "%.*s", DB_MOVE_TEXT - 1, command->text);
    line_captured_text(&command->effects, move->captured);

    line->rules->format_position(&line->position, game->position);
    game->ply = line->ply;
    game->seq = move->seq;
    /* A move that decides leaves the turn where it was: ending_apply takes it away. */
    if (command->outcome.reason == END_NONE) {
        game->turn[0] = line->rules->seat_letters[line->rules->turn(&line->position)];
    }
    enum db_status status = db_game_advance(db, game, move->ply - 1);
    return status == DB_OK ? db_move_insert(db, move) : status;
}

static enum db_status end_game(struct db *db, struct match_move *command, struct db_game *game,
                               struct result_view *result)
{
    struct ending ending = {
        .rules = command->line->rules,
        .options = &command->line->options,
        .outcome = command->outcome,
        .at_ms = command->line->at_ms,
        .resigned_seat = RULES_SEAT_NONE,
        .game = game,
    };
    enum db_status status = ending_apply(command->op.match, db, &ending);
    if (status == DB_OK) {
        status = result_view_load(db, game, ending.seats, ending.rules->seat_count, result);
    }
    return status;
}

static enum db_status commit_move(struct db *db, struct match_move *command,
                                  const struct db_game *found)
{
    struct db_game game = *found;
    struct db_move move;
    struct result_view result = {0};
    enum db_status status = store_move(db, command, &game, &move);
    if (status == DB_OK && command->outcome.reason != END_NONE) {
        status = end_game(db, command, &game, &result);
    }
    if (status == DB_OK) {
        move_answer_fill(command->line, &game, &move, &command->effects, &result, &command->answer);
        command->op.status = MATCH_OK;
    }
    return status;
}

static enum db_status move_run(struct db_job *job, struct db *db)
{
    struct match_move *command = move_of(job);
    enum db_status status = DB_NONE;
    if (command->line != NULL) {
        status = commit_move(db, command, &command->found);
    }
    if (status != DB_NONE) {
        return status;
    }
    /* The game is no longer what the move was prepared on: look again, from inside. */
    struct move_ground ground;
    forget_line(command);
    command->op.status = move_prepare(command->op.match, db, command, &ground);
    if (command->op.status != MATCH_OK) {
        return DB_OK;
    }
    command->found = ground.game;
    return commit_move(db, command, &ground.game);
}

static void move_done(struct db_job *job, enum db_status status)
{
    struct match_move *command = move_of(job);
    struct match *match = command->op.match;
    if (status == DB_OK && command->op.status == MATCH_OK) {
        line_cache_put(match->lines, command->line);
        events_publish(match->events, EVENT_GAME, command->line->game_no);
    }
    forget_line(command);
    op_finish(&command->op, status);
}

enum match_status match_move_begin(struct match *match, struct match_move *command)
{
    struct move_ground ground;
    struct db *db = reader_take(match);
    command->line = NULL;
    enum match_status status = move_prepare(match, db, command, &ground);
    reader_give(match, db);
    if (status != MATCH_OK) {
        return status;
    }
    command->found = ground.game;
    status = op_submit(match, &command->op, move_run, move_done);
    if (status != MATCH_WAIT) {
        forget_line(command);
    }
    return status;
}

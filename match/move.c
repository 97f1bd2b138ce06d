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

static void forget(struct match_move *command)
{
    line_unref(command->line);
    state_unref(command->state);
    command->line = NULL;
    command->state = NULL;
}

/* The game's row after the prepared move. A move that decides leaves the turn where it was:
 * ending_apply takes it away. */
static void game_set_ply(struct db_game *game, const struct match_move *command)
{
    const struct game_line *line = command->line;
    line->rules->format_position(&line->position, game->position);
    game->ply = line->ply;
    game->seq++;
    if (command->outcome.reason == END_NONE) {
        game->turn[0] = line->rules->seat_letters[line->rules->turn(&line->position)];
    }
}

/* The rows of a prepared move. DB_NONE: the game is no longer what the move was prepared on, and
 * nothing was written. */
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
    game_set_ply(game, command);
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

/* DB_NONE: as store_move. */
static enum db_status commit_move(struct db *db, struct match_move *command)
{
    struct db_game game = command->state->game;
    struct db_move move;
    struct result_view result = {0};
    op_hold(&command->op, &command->game_id);
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

/* Looks again, from inside the transaction, where nothing can move any more. */
static enum db_status commit_afresh(struct db *db, struct match_move *command)
{
    forget(command);
    enum db_status status = state_load(db, &command->game_id, &command->state);
    if (status != DB_OK) {
        return status;
    }
    command->op.status = move_prepare(command->op.match, db, command);
    return command->op.status == MATCH_OK ? commit_move(db, command) : DB_OK;
}

static enum db_status move_run(struct db_job *job, struct db *db)
{
    struct match_move *command = move_of(job);
    enum db_status status = DB_NONE;
    if (command->line != NULL) {
        status = commit_move(db, command);
    }
    return status == DB_NONE ? commit_afresh(db, command) : status;
}

/* What the game is now; NULL where it is over, or where there is no memory to keep it. */
static struct game_state *committed_state(const struct match_move *command)
{
    if (command->outcome.reason != END_NONE) {
        return NULL;
    }
    const struct game_state *before = command->state;
    struct db_game game = before->game;
    game_set_ply(&game, command);
    struct game_state *now = state_new(&game, before->seats, before->seat_count, command->line);
    if (now != NULL) {
        now->epoch = before->epoch; /* the seats are as old as they were */
    }
    return now;
}

static void move_done(struct db_job *job, enum db_status status)
{
    struct match_move *command = move_of(job);
    struct match *match = command->op.match;
    if (status == DB_OK && command->op.status == MATCH_OK) {
        struct game_state *now = committed_state(command);
        op_release(&command->op, now);
        state_unref(now);
        if (command->outcome.reason != END_NONE) {
            result_publish(match, command->state->game.table_no);
        }
    }
    forget(command);
    op_finish(&command->op, status);
}

enum match_status match_move_begin(struct match *match, struct match_move *command)
{
    command->line = NULL;
    command->state = NULL;
    enum db_status found = state_find(match, &command->game_id, &command->state);
    if (found != DB_OK) {
        return match_status_of(found);
    }
    enum match_status status = move_prepare(match, NULL, command);
    if (status == MATCH_OK) {
        status = op_submit(match, &command->op, move_run, move_done);
    }
    if (status != MATCH_WAIT) {
        forget(command);
    }
    return status;
}

#include "credit.h"
#include "handover.h"
#include "prepare.h"

#include <assert.h>
#include <string.h>

static struct match_move *move_of(struct db_job *job)
{
    static_assert(offsetof(struct match_move, op) == 0, "a command is its op");
    return (struct match_move *)op_of_job(job);
}

/* The ply of the player, whose seat it is by now. DB_NONE: the game is no longer what the move was
 * prepared on. */
static enum db_status store_move(struct db *db, struct match_move *command)
{
    struct ply *ply = &command->made;
    struct result_view result = {0};
    enum db_status status = ply_store(command->op.match, db, ply, &result);
    if (status == DB_OK) {
        move_answer_fill(ply->line, &ply->rows.game, &ply->move, &ply->effects, &result,
                         &command->answer);
    }
    return status;
}

/* Who asks for a move is back, whatever comes of it. */
static enum db_status give_back(struct db *db, struct match_move *command)
{
    struct ply *ply = &command->made;
    bool may = false;
    enum db_status status = seat_may_return(db, &ply->rows, command->seat, &may);
    if (status != DB_OK) {
        return status;
    }
    if (!may) {
        command->op.status = MATCH_SEAT_GIVEN_UP;
        return DB_OK;
    }
    int64_t at_ms = command->at_ms;
    int64_t last_ms = ply->state->line->at_ms;
    command->changed = true;
    return seat_change(command->op.match, db, &ply->rows, command->seat, SEAT_RETURNED,
                       at_ms < last_ms ? last_ms : at_ms);
}

/* What was made of it: MATCH_OK, or a refusal. DB_NONE: as above, and nothing was written. */
static enum db_status commit(struct db *db, struct match_move *command, enum match_status verdict)
{
    enum db_status status = DB_OK;
    command->op.status = verdict;
    command->changed = false;
    if (verdict != MATCH_OK && !command->returns) {
        return DB_OK;
    }
    op_hold(&command->op, &command->game_id);
    ply_open(&command->made);
    if (command->returns) {
        status = give_back(db, command);
    }
    if (status == DB_OK && command->op.status == MATCH_OK) {
        command->changed = true;
        status = store_move(db, command);
    }
    return status;
}

/* Looks again, from inside the transaction, where nothing can move any more. */
static enum db_status commit_afresh(struct db *db, struct match_move *command)
{
    ply_forget(&command->made);
    enum db_status status = state_load(db, &command->game_id, &command->made.state);
    return status == DB_OK ? commit(db, command, move_prepare(command->op.match, db, command))
                           : status;
}

static enum db_status move_run(struct db_job *job, struct db *db)
{
    struct match_move *command = move_of(job);
    enum db_status status = DB_NONE;
    if (command->made.line != NULL) {
        status = commit(db, command, MATCH_OK);
    }
    return status == DB_NONE ? commit_afresh(db, command) : status;
}

static void move_done(struct db_job *job, enum db_status status)
{
    struct match_move *command = move_of(job);
    if (status == DB_OK && command->changed) {
        ply_acknowledge(&command->op, &command->made);
    }
    ply_forget(&command->made);
    op_finish(&command->op, status);
}

/* What changes nothing needs no job. That it came too late is for the writer to say: where the
 * service stood still, the time is given back before. */
static bool needs_job(const struct match_move *command, enum match_status verdict)
{
    return verdict == MATCH_OK || verdict == MATCH_TURN_EXPIRED || command->returns;
}

enum match_status match_move_begin(struct match *match, struct match_move *command)
{
    command->made.line = NULL;
    command->made.state = NULL;
    command->changed = false;
    enum db_status found = state_find(match, &command->game_id, &command->made.state);
    if (found != DB_OK) {
        return match_status_of(found);
    }
    enum match_status status = move_prepare(match, NULL, command);
    if (needs_job(command, status)) {
        if (status == MATCH_TURN_EXPIRED) {
            credit_settle(match->credit);
        }
        status = op_submit(match, &command->op, move_run, move_done);
    }
    if (status != MATCH_WAIT) {
        ply_forget(&command->made);
    }
    return status;
}

#include "db/lists.h"
#include "db/origins.h"
#include "devices.h"
#include "handover.h"
#include "names.h"
#include "table_parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A player's name, and the end of a player. */

static_assert(offsetof(struct match_rename, op) == 0, "a command is its op");
static_assert(offsetof(struct match_erase, op) == 0, "a command is its op");

/* With the form of the name that is searched. */
static enum db_status store_name(struct db *db, int64_t player_no, const char *name)
{
    struct db_player player;
    enum db_status status = db_player_rename(db, player_no, name);
    if (status == DB_OK) {
        status = db_player_load(db, player_no, &player);
    }
    if (status != DB_OK || !name_fold(player.name, strlen(player.name), player.name_folded)) {
        return status;
    }
    return db_player_fold(db, &player);
}

/* The name that the player has is nothing to write, nor news to anybody. */
static enum db_status rename_player(struct db *db, struct match_rename *command)
{
    struct db_player player;
    enum db_status status = db_player_load(db, command->player_no, &player);
    if (status != DB_OK || strcmp(player.name, command->name) == 0) {
        return status;
    }
    status = op_hold_seats(&command->op, db, command->player_no, &command->games);
    return status == DB_OK ? store_name(db, command->player_no, command->name) : status;
}

static enum db_status rename_run(struct db_job *job, struct db *db)
{
    struct match_rename *command = (struct match_rename *)op_of_job(job);
    command->op.status = MATCH_OK;
    enum db_status status = rename_player(db, command);
    return status == DB_OK ? me_load(command->op.match, db, command->player_no, &command->view)
                           : status;
}

static void rename_done(struct db_job *job, enum db_status status)
{
    op_finish(op_of_job(job), status);
}

enum match_status match_rename_begin(struct match *match, struct match_rename *command)
{
    assert(command->name[0] != '\0');
    return op_submit(match, &command->op, rename_run, rename_done);
}

/* --- erasure -------------------------------------------------------------------------------------
 */

enum db_status player_leave_queue(struct db *db, int64_t player_no, int64_t at_ms,
                                  int64_t *ticket_no)
{
    struct db_ticket ticket;
    enum db_status status = db_ticket_waiting_of(db, player_no, &ticket);
    *ticket_no = 0;
    if (status != DB_OK) {
        return status == DB_NONE ? DB_OK : status;
    }
    *ticket_no = ticket.ticket_no;
    (void)snprintf(ticket.status, sizeof ticket.status, "cancelled");
    ticket.ended_at_ms = at_ms < ticket.created_at_ms ? ticket.created_at_ms : at_ms;
    return db_ticket_end(db, &ticket);
}

enum db_status player_hide(struct db *db, int64_t player_no)
{
    struct db_rating ratings[MATCH_POOLS_MAX];
    size_t count = 0;
    enum db_status status = db_ratings_of(db, player_no, ratings, MATCH_POOLS_MAX, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        ratings[i].list = DB_HIDDEN;
        status = db_rating_store(db, &ratings[i]);
    }
    return status;
}

static enum db_status erase_all(struct db *db, struct match_erase *command)
{
    enum db_status status = db_devices_revoke(db, command->player_no, command->at_ms);
    if (status == DB_OK) {
        status = db_link_code_drop(db, command->player_no);
    }
    if (status == DB_OK) {
        status = db_player_rename(db, command->player_no, "");
    }
    if (status == DB_OK) {
        status = db_origin_leave(db, command->player_no);
    }
    if (status == DB_OK) {
        status = player_hide(db, command->player_no);
    }
    if (status == DB_OK) {
        status = tables_leave_all(db, command->player_no, command->at_ms, &command->tables);
    }
    return status == DB_OK
               ? player_leave_queue(db, command->player_no, command->at_ms, &command->ticket_no)
               : status;
}

/* Games that run go on without the player. */
static enum db_status erase_run(struct db_job *job, struct db *db)
{
    struct match_erase *command = (struct match_erase *)op_of_job(job);
    command->op.status = MATCH_OK;
    op_hold_tokens(&command->op, command->player_no);
    enum db_status status = op_hold_seats(&command->op, db, command->player_no, &command->games);
    if (status == DB_OK) {
        status = seats_forsake(&command->op, db, &command->games, command->player_no, SEAT_ERASED,
                               command->at_ms);
    }
    return status == DB_OK ? erase_all(db, command) : status;
}

static void erase_done(struct db_job *job, enum db_status status)
{
    struct match_erase *command = (struct match_erase *)op_of_job(job);
    struct match *match = command->op.match;
    if (status == DB_OK && command->op.status == MATCH_OK) {
        seats_forsaken(&command->op, &command->games);
        tables_news_publish(match, &command->tables);
        if (command->ticket_no != 0) {
            ticket_ended(match, command->ticket_no);
        }
    }
    op_finish(&command->op, status);
}

enum match_status match_erase_begin(struct match *match, struct match_erase *command)
{
    return op_submit(match, &command->op, erase_run, erase_done);
}

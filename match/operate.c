#include "operate.h"

#include "handover.h"
#include "names.h"
#include "result.h"
#include "table_parts.h"
#include "void.h"
#include "waited.h"

#include <assert.h>
#include <string.h>

static_assert(offsetof(struct match_operate, op) == 0, "a command is its op");

static struct match_operate *operate_of(struct db_job *job)
{
    return (struct match_operate *)op_of_job(job);
}

static const char *const deed_words[] = {
    [OPERATE_VOID_GAME] = "void-game",
    [OPERATE_BAN] = "ban",
    [OPERATE_UNBAN] = "unban",
    [OPERATE_RENAME] = "rename",
};

static enum db_status record(struct db *db, const struct match_operate *command)
{
    struct db_operator_event event = {
        .at_ms = command->at_ms,
        .what = deed_words[command->deed],
        .player_no = command->player_no,
        .note = command->note,
    };
    return db_operator_event_insert(db, &event);
}

/* --- players -------------------------------------------------------------------------------------
 */

static enum db_status ban(struct db *db, struct match_operate *command,
                          const struct db_player *player)
{
    if (player->banned_at_ms != 0) {
        command->refusal = OPERATE_ALREADY_BANNED;
        return DB_OK;
    }
    op_hold_tokens(&command->op, player->player_no);
    enum db_status status = db_player_ban(db, player->player_no, command->at_ms);
    if (status == DB_OK) {
        status = db_link_code_drop(db, player->player_no);
    }
    if (status == DB_OK) {
        status = player_hide(db, player->player_no);
    }
    if (status == DB_OK) {
        status = player_leave_queue(db, player->player_no, command->at_ms, &command->ticket_no);
    }
    if (status == DB_OK) {
        status = tables_leave_all(db, player->player_no, command->at_ms, &command->tables);
    }
    if (status == DB_OK) {
        status = op_hold_seats(&command->op, db, player->player_no, &command->games);
    }
    if (status == DB_OK) {
        status = seats_forsake(&command->op, db, &command->games, player->player_no, SEAT_BANNED,
                               command->at_ms);
    }
    command->playing = command->games.count;
    return status == DB_OK ? record(db, command) : status;
}

static enum db_status list_again(struct db *db, int64_t player_no)
{
    struct db_rating ratings[MATCH_POOLS_MAX];
    size_t count = 0;
    enum db_status status = db_ratings_of(db, player_no, ratings, MATCH_POOLS_MAX, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        ratings[i].list = standing_list(false, ratings[i].games);
        status = db_rating_store(db, &ratings[i]);
    }
    return status;
}

static enum db_status unban(struct db *db, struct match_operate *command,
                            const struct db_player *player)
{
    if (player->banned_at_ms == 0) {
        command->refusal = OPERATE_NOT_BANNED;
        return DB_OK;
    }
    op_hold_tokens(&command->op, player->player_no);
    enum db_status status = db_player_ban(db, player->player_no, 0);
    if (status == DB_OK) {
        status = list_again(db, player->player_no);
    }
    return status == DB_OK ? record(db, command) : status;
}

static enum db_status rename_player(struct db *db, struct match_operate *command,
                                    const struct db_player *player)
{
    enum db_status status = op_hold_seats(&command->op, db, player->player_no, &command->games);
    if (status != DB_OK) {
        return status;
    }
    do {
        name_generate(command->op.match->env, command->name);
    } while (strcmp(command->name, player->name) == 0);
    status = db_player_rename(db, player->player_no, command->name);
    return status == DB_OK ? record(db, command) : status;
}

static enum db_status operate_on_player(struct db *db, struct match_operate *command)
{
    struct db_player player;
    struct player_id id = {command->id};
    enum db_status status = db_player_find(db, &id, &player);
    if (status == DB_NONE) {
        command->refusal = OPERATE_NO_PLAYER;
        return DB_OK;
    }
    if (status != DB_OK) {
        return status;
    }
    if (!player.has_name) {
        command->refusal = OPERATE_ERASED;
        return DB_OK;
    }
    command->player_no = player.player_no;
    switch (command->deed) {
    case OPERATE_BAN: return ban(db, command, &player);
    case OPERATE_UNBAN: return unban(db, command, &player);
    case OPERATE_RENAME: return rename_player(db, command, &player);
    case OPERATE_VOID_GAME: break;
    }
    assert(false);
    return DB_ERROR;
}

/* --- the command ---------------------------------------------------------------------------------
 */

static enum db_status operate_run(struct db_job *job, struct db *db)
{
    struct match_operate *command = operate_of(job);
    command->op.status = MATCH_OK;
    command->refusal = OPERATE_DONE;
    command->change_count = 0;
    command->playing = 0;
    command->game_no = 0;
    command->player_no = 0;
    command->ticket_no = 0;
    command->tables.count = 0;
    command->at_ms = match_now_ms(command->op.match);
    return command->deed == OPERATE_VOID_GAME ? void_game(command->op.match, db, command)
                                              : operate_on_player(db, command);
}

static void operate_done(struct db_job *job, enum db_status status)
{
    struct match_operate *command = operate_of(job);
    struct match *match = command->op.match;
    if (status == DB_OK && command->refusal == OPERATE_DONE) {
        if (command->game_no != 0) {
            game_publish(match, command->game_no);
            result_publish(match);
        }
        tables_news_publish(match, &command->tables);
        if (command->ticket_no != 0) {
            ticket_ended(match, command->ticket_no);
        }
        if (command->deed == OPERATE_BAN) {
            seats_forsaken(&command->op, &command->games);
        }
    }
    op_finish(&command->op, status);
}

enum match_status match_operate_begin(struct match *match, struct match_operate *command)
{
    return op_submit(match, &command->op, operate_run, operate_done);
}

enum match_status match_operate(struct match *match, struct match_operate *command)
{
    struct waited waited;
    waited_begin(&waited);
    command->op.wake = waited_over;
    command->op.context = &waited;
    if (match_operate_begin(match, command) != MATCH_WAIT) {
        waited_over(&waited);
    }
    waited_end(&waited);
    return command->op.status;
}

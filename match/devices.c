#include "devices.h"

#include "service.h"

#include <assert.h>
#include <string.h>
#include <time.h>

/* Every command here begins with its op. */
static_assert(offsetof(struct match_use, op) == 0, "a command is its op");
static_assert(offsetof(struct match_rotate, op) == 0, "a command is its op");
static_assert(offsetof(struct match_link, op) == 0, "a command is its op");
static_assert(offsetof(struct match_redeem, op) == 0, "a command is its op");
static_assert(offsetof(struct match_revoke, op) == 0, "a command is its op");

static void finish(struct db_job *job, enum db_status status)
{
    op_finish(op_of_job(job), status);
}

void device_day(int64_t at_ms, char day[DB_DAY_TEXT])
{
    time_t seconds = (time_t)(at_ms / 1000);
    struct tm utc;
    (void)gmtime_r(&seconds, &utc);
    size_t length = strftime(day, DB_DAY_TEXT, "%Y-%m-%d", &utc);
    assert(length == DB_DAY_TEXT - 1);
    (void)length;
}

/* --- tokens --------------------------------------------------------------------------------------
 */

/* The row of the token, which is held; with all others where some of them are about to end. */
static enum db_status hold_used(struct db *db, struct match_use *command, struct db_identity *row)
{
    const struct identity *identity = &command->identity;
    bool others = false;
    enum db_status status = db_identity_find(db, identity->token_id, row);
    if (status == DB_OK && row->token.used_at_ms == 0) {
        status =
            db_tokens_others(db, identity->device_no, identity->token_id, command->at_ms, &others);
    }
    if (others) {
        op_hold_tokens(&command->op, identity->player_no);
    }
    op_hold_token(&command->op, identity->token_id);
    return status;
}

static enum db_status use_run(struct db_job *job, struct db *db)
{
    struct match_use *command = (struct match_use *)op_of_job(job);
    const struct identity *identity = &command->identity;
    struct db_identity row;
    char day[DB_DAY_TEXT];
    command->op.status = MATCH_OK;
    enum db_status status = hold_used(db, command, &row);
    if (status == DB_OK && row.token.used_at_ms == 0) {
        status = db_token_used(db, identity->token_id, command->at_ms);
        if (status == DB_OK) {
            status =
                db_tokens_end_others(db, identity->device_no, identity->token_id, command->at_ms);
        }
    }
    device_day(command->at_ms, day);
    return status == DB_OK ? db_device_used(db, identity->device_no, day) : status;
}

enum match_status match_use_begin(struct match *match, struct match_use *command)
{
    command->op.bearer = &command->identity;
    return op_submit(match, &command->op, use_run, finish);
}

static enum db_status mint(const struct match *match, struct db *db, int64_t device_no,
                           int64_t at_ms, char text[SECRETS_TOKEN_TEXT])
{
    struct db_token token = {.device_no = device_no, .created_at_ms = at_ms};
    secrets_token_mint(match->secrets, match->env, text, &token);
    return db_token_insert(db, &token);
}

static enum db_status rotate_run(struct db_job *job, struct db *db)
{
    struct match_rotate *command = (struct match_rotate *)op_of_job(job);
    const struct identity *identity = &command->identity;
    op_hold_tokens(&command->op, identity->player_no);
    command->op.status = MATCH_OK;
    enum db_status status = db_tokens_drop_unused(db, identity->device_no, identity->token_id);
    if (status == DB_OK) {
        status = db_tokens_drop_ended(db, identity->device_no,
                                      command->at_ms - LIMIT_TOKEN_REMEMBERED_MS);
    }
    if (status == DB_OK) {
        status = db_token_end(db, identity->token_id, command->at_ms + LIMIT_TOKEN_GRACE_MS);
    }
    return status == DB_OK
               ? mint(command->op.match, db, identity->device_no, command->at_ms, command->token)
               : status;
}

enum match_status match_rotate_begin(struct match *match, struct match_rotate *command)
{
    command->op.bearer = &command->identity;
    return op_submit(match, &command->op, rotate_run, finish);
}

/* --- further devices -----------------------------------------------------------------------------
 */

static const char code_purpose[] = "link-code";

static enum db_status link_run(struct db_job *job, struct db *db)
{
    struct match_link *command = (struct match_link *)op_of_job(job);
    struct db_link_code row = {
        .player_no = command->player_no,
        .expires_at_ms = command->expires_at_ms,
    };
    code_hash(command->op.match->secrets, code_purpose, command->code, row.code_hash);
    command->op.status = MATCH_OK;
    return db_link_code_store(db, &row);
}

enum match_status match_link_begin(struct match *match, struct match_link *command)
{
    code_mint(match->env, command->code);
    command->expires_at_ms = command->at_ms + LIMIT_LINK_CODE_MS;
    return op_submit(match, &command->op, link_run, finish);
}

enum db_status device_add(struct match_op *op, struct db *db, struct db_device *device,
                          char token[SECRETS_TOKEN_TEXT])
{
    enum db_status status = db_device_insert(db, device);
    if (status == DB_OK) {
        status = mint(op->match, db, device->device_no, device->created_at_ms, token);
    }
    return status == DB_OK ? receipt_keep_device(op, db, device->device_no) : status;
}

enum db_status device_again(struct match_op *op, struct db *db, struct db_player *player,
                            struct db_device *device, char token[SECRETS_TOKEN_TEXT])
{
    int64_t device_no = 0;
    enum db_status status = receipt_find_device(op, db, &device_no);
    if (status != DB_OK || op->status != MATCH_OK) {
        return status;
    }
    status = db_device_load(db, device_no, device);
    if (status == DB_OK) {
        status = db_player_load(db, device->player_no, player);
    }
    if (status != DB_OK) {
        return status == DB_NONE ? DB_CORRUPT : status;
    }
    /* Who has used the first token has the answer; another one would be for somebody else, or for
     * nothing. */
    if (device->last_used_on[0] != '\0' || device->revoked_at_ms != 0 ||
        player->banned_at_ms != 0) {
        op->status = MATCH_IDEMPOTENCY_MISMATCH;
        return DB_OK;
    }
    op_hold_tokens(op, player->player_no);
    op->status = MATCH_REPEATED;
    status = db_tokens_drop(db, device_no);
    return status == DB_OK ? mint(op->match, db, device_no, match_now_ms(op->match), token)
                           : status;
}

/* MATCH_OK or the refusal in the op. */
static enum db_status room_for_device(struct db *db, int64_t player_no, struct match_op *op)
{
    struct db_device devices[LIMIT_DEVICES];
    size_t count = 0;
    enum db_status status = db_devices_of(db, player_no, 0, devices, LIMIT_DEVICES, &count);
    op->status = count < LIMIT_DEVICES ? MATCH_OK : MATCH_TOO_MANY_DEVICES;
    return status;
}

/* The player whose code it is, with the code used up. Who has gone has no codes, whatever the file
 * says. */
static enum db_status take_code(struct db *db, struct match_redeem *command)
{
    struct db_link_code row;
    struct db_player *player = &command->player;
    uint8_t hash[DB_CODE_HASH_BYTES];
    code_hash(command->op.match->secrets, code_purpose, command->code, hash);
    enum db_status status = db_link_code_find(db, hash, &row);
    command->op.status = MATCH_CODE_GONE;
    if (status != DB_OK || command->at_ms >= row.expires_at_ms) {
        return status == DB_NONE ? DB_OK : status;
    }
    status = db_player_load(db, row.player_no, player);
    if (status != DB_OK || !player->has_name || player->banned_at_ms != 0) {
        return status == DB_NONE ? DB_CORRUPT : status;
    }
    status = room_for_device(db, row.player_no, &command->op);
    return status == DB_OK && command->op.status == MATCH_OK ? db_link_code_drop(db, row.player_no)
                                                             : status;
}

static enum db_status redeem_run(struct db_job *job, struct db *db)
{
    struct match_redeem *command = (struct match_redeem *)op_of_job(job);
    enum db_status status =
        device_again(&command->op, db, &command->player, &command->device, command->token);
    if (status != DB_NONE) {
        return status;
    }
    status = take_code(db, command);
    if (status != DB_OK || command->op.status != MATCH_OK) {
        return status;
    }
    command->device.player_no = command->player.player_no;
    command->device.created_at_ms = command->at_ms;
    return device_add(&command->op, db, &command->device, command->token);
}

enum match_status match_redeem_begin(struct match *match, struct match_redeem *command)
{
    secrets_id(match->env, 'd', &command->device.id.id);
    return op_submit(match, &command->op, redeem_run, finish);
}

enum match_status match_devices(struct match *match, int64_t player_no, int64_t after,
                                struct db_device *devices, size_t max, size_t *count)
{
    struct db *db = reader_take(match);
    enum db_status status = db_devices_of(db, player_no, after, devices, max, count);
    reader_give(match, db);
    return match_status_of(status);
}

static enum db_status revoke_run(struct db_job *job, struct db *db)
{
    struct match_revoke *command = (struct match_revoke *)op_of_job(job);
    struct db_device device;
    enum db_status status = db_device_find(db, &command->device_id, &device);
    if (status != DB_OK) {
        return status;
    }
    bool own = device.player_no == command->player_no;
    command->op.status = own ? MATCH_OK : MATCH_NOT_FOUND;
    if (!own) {
        return DB_OK;
    }
    op_hold_tokens(&command->op, device.player_no);
    return db_device_revoke(db, device.device_no, command->at_ms);
}

enum match_status match_revoke_begin(struct match *match, struct match_revoke *command)
{
    return op_submit(match, &command->op, revoke_run, finish);
}

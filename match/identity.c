#include "names.h"
#include "origin.h"
#include "ratings/elo.h"
#include "service.h"

#include <assert.h>
#include <string.h>

static enum db_status identity_find(struct match *match, const uint8_t id[DB_TOKEN_ID_BYTES],
                                    struct db_identity *identity)
{
    struct token_stamp stamp;
    if (token_cache_get(match->tokens, id, identity, &stamp)) {
        return DB_OK;
    }
    struct db *db = reader_take(match);
    enum db_status status = db_identity_find(db, id, identity);
    reader_give(match, db);
    if (status == DB_OK) {
        token_cache_offer(match->tokens, identity, stamp);
    }
    return status;
}

static void fill_identity(const struct db_identity *row, int64_t now_ms, struct identity *identity)
{
    char today[DB_DAY_TEXT];
    device_day(now_ms, today);
    identity->player_no = row->player_no;
    identity->player_id = row->player_id;
    identity->device_no = row->token.device_no;
    identity->device_id = row->device_id;
    memcpy(identity->token_id, row->token.token_id, sizeof identity->token_id);
    identity->unnoted = row->token.used_at_ms == 0 || strcmp(row->last_used_on, today) < 0;
}

enum match_status match_identify(struct match *match, const char *token, size_t length,
                                 struct identity *identity, bool *ended)
{
    struct token_parts parts;
    *ended = false;
    if (!secrets_token_parse(token, length, &parts)) {
        return MATCH_INVALID_TOKEN;
    }
    struct db_identity row;
    enum db_status status = identity_find(match, parts.id, &row);
    if (status != DB_OK && status != DB_NONE) {
        return match_status_of(status);
    }
    /* An unknown id costs the same as a wrong secret. */
    if (!secrets_token_check(match->secrets, &parts, status == DB_OK ? &row.token : NULL)) {
        return MATCH_INVALID_TOKEN;
    }
    int64_t now_ms = match_now_ms(match);
    *ended = row.token.ends_at_ms != 0 && now_ms >= row.token.ends_at_ms;
    if (*ended) {
        return MATCH_INVALID_TOKEN;
    }
    fill_identity(&row, now_ms, identity);
    recency_touch(match->players, row.player_no, now_ms);
    return MATCH_OK;
}

/* What the cache knows is true inside a job too: every job that changes tokens holds it until that
 * is acknowledged. */
enum db_status bearer_look(struct match_op *op, struct db *db, bool *live)
{
    struct db_identity row;
    struct token_stamp stamp;
    const uint8_t *id = op->bearer->token_id;
    enum db_status status = DB_OK;
    if (!token_cache_get(op->match->tokens, id, &row, &stamp)) {
        status = db_identity_find(db, id, &row);
    }
    *live = status == DB_OK &&
            (row.token.ends_at_ms == 0 || match_now_ms(op->match) < row.token.ends_at_ms);
    return status == DB_NONE ? DB_OK : status;
}

/* --- registration --------------------------------------------------------------------------------
 */

static enum db_status register_run(struct db_job *job, struct db *db)
{
    struct match_register *command = (struct match_register *)op_of_job(job);
    enum db_status status =
        device_again(&command->op, db, &command->player, &command->device, command->token);
    if (status != DB_NONE) {
        return status;
    }
    command->op.status = MATCH_OK;
    status = db_player_insert(db, &command->player);
    if (status == DB_OK && command->has_network) {
        struct db_origin origin =
            origin_hash(command->op.match, command->network, command->player.created_at_ms);
        status = db_origin_join(db, &origin, command->player.player_no);
    }
    command->device.player_no = command->player.player_no;
    return status == DB_OK ? device_add(&command->op, db, &command->device, command->token)
                           : status;
}

static void register_done(struct db_job *job, enum db_status status)
{
    op_finish(op_of_job(job), status);
}

enum match_status match_register_begin(struct match *match, struct match_register *command)
{
    static_assert(offsetof(struct match_register, op) == 0, "a command is its op");
    char *name = command->player.name;
    const char *wanted = command->wanted_name;
    if (wanted == NULL) {
        name_generate(match->env, name);
    } else if (!name_normalise(wanted, strlen(wanted), name, &command->name_error)) {
        return MATCH_INVALID_NAME;
    }
    bool folds = name_fold(name, strlen(name), command->player.name_folded);
    assert(folds); /* a name that was let through is a name */
    (void)folds;
    command->player.has_name = true;
    command->player.created_at_ms = match_now_ms(match);
    command->device.created_at_ms = command->player.created_at_ms;
    secrets_id(match->env, 'p', &command->player.id.id);
    secrets_id(match->env, 'd', &command->device.id.id);
    return op_submit(match, &command->op, register_run, register_done);
}

/* --- the caller's own ----------------------------------------------------------------------------
 */

enum db_status pool_view_fill(struct db *db, int64_t player_no, const char *pool,
                              struct pool_view *view)
{
    enum db_status status = rating_or_start(db, player_no, pool, &view->rating);
    if (status != DB_OK) {
        return status;
    }
    memcpy(view->pool, view->rating.pool, sizeof view->pool);
    view->provisional = elo_is_provisional(view->rating.games);
    view->rank = 0;
    return DB_OK;
}

static enum db_status own_rank(struct db *db, struct pool_view *view)
{
    int64_t above = 0;
    if (view->rating.list != DB_RANKED) {
        return DB_OK;
    }
    enum db_status status =
        db_rating_above(db, view->pool, DB_RANKED, view->rating.rating_milli, &above);
    view->rank = above + 1;
    return status;
}

enum db_status pools_fill(struct db *db, int64_t player_no, struct pool_view pools[MATCH_POOLS_MAX],
                          size_t *count)
{
    enum db_status status = DB_OK;
    *count = 0;
    for (size_t i = 0; i < rules_count(); i++) {
        const struct game_rules *rules = rules_at(i);
        for (size_t j = 0; j < rules->pool_count && status == DB_OK; j++) {
            assert(*count < MATCH_POOLS_MAX);
            struct pool_view *pool = &pools[(*count)++];
            status = pool_view_fill(db, player_no, rules->pools[j].key, pool);
            if (status == DB_OK) {
                status = own_rank(db, pool);
            }
        }
    }
    return status;
}

static enum db_status me_ticket(struct match *match, struct db *db, int64_t player_no,
                                struct me_view *view)
{
    enum db_status status = db_ticket_waiting_of(db, player_no, &view->ticket.row);
    view->has_ticket = status == DB_OK;
    if (status == DB_OK) {
        ticket_look(match, match_now_ms(match), &view->ticket);
    }
    return status == DB_NONE ? DB_OK : status;
}

enum db_status me_load(struct match *match, struct db *db, int64_t player_no, struct me_view *view)
{
    view->pool_count = 0;
    enum db_status status = db_player_load(db, player_no, &view->player);
    if (status == DB_OK) {
        status = pools_fill(db, player_no, view->pools, &view->pool_count);
    }
    if (status == DB_OK) {
        status = me_ticket(match, db, player_no, view);
    }
    if (status == DB_OK) {
        status = games_of_player(match, db, player_no, view->games, &view->game_count);
    }
    return status;
}

enum match_status match_me(struct match *match, int64_t player_no, struct me_view *view)
{
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = me_load(match, db, player_no, view);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

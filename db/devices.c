#include "driver.h"

#include <assert.h>
#include <string.h>

/* Devices, their tokens, and the codes that link further ones. */

enum {
    DEVICE_INSERT,
    DEVICE_FIND,
    DEVICE_LOAD,
    DEVICES_OF,
    DEVICE_USED,
    DEVICE_REVOKE,
    DEVICES_REVOKE,
    TOKEN_INSERT,
    IDENTITY_FIND,
    TOKEN_USED,
    TOKEN_END,
    TOKENS_OTHERS,
    TOKENS_END_OTHERS,
    TOKENS_DROP_UNUSED,
    TOKENS_DROP_ENDED,
    TOKENS_DROP,
    LINK_CODE_STORE,
    LINK_CODE_FIND,
    LINK_CODE_DROP,
    DEVICE_TEXTS,
};
#define DEVICE_COLUMNS "device_no, device_id, player_no, created_at_ms, last_used_on, revoked_at_ms"
static const char *const device_texts[DEVICE_TEXTS] = {
    [DEVICE_INSERT] =
        "INSERT INTO device (device_id, player_no, created_at_ms) VALUES ($1, $2, $3)",
    [DEVICE_FIND] = "SELECT " DEVICE_COLUMNS " FROM device WHERE device_id = $1",
    [DEVICE_LOAD] = "SELECT " DEVICE_COLUMNS " FROM device WHERE device_no = $1",
    [DEVICES_OF] = "SELECT " DEVICE_COLUMNS " FROM device WHERE player_no = $1"
                   " AND revoked_at_ms IS NULL AND device_no > $2 ORDER BY device_no LIMIT $3",
    [DEVICE_USED] = "UPDATE device SET last_used_on = $2 WHERE device_no = $1"
                    " AND (last_used_on IS NULL OR last_used_on < $2)",
    [DEVICE_REVOKE] =
        "UPDATE device SET revoked_at_ms = $2 WHERE device_no = $1 AND revoked_at_ms IS NULL",
    [DEVICES_REVOKE] =
        "UPDATE device SET revoked_at_ms = $2 WHERE player_no = $1 AND revoked_at_ms IS NULL",
    [TOKEN_INSERT] = "INSERT INTO token (token_id, token_hash, key_slot, device_no, created_at_ms)"
                     " VALUES ($1, $2, $3, $4, $5)",
    [IDENTITY_FIND] =
        "SELECT t.token_hash, t.key_slot, t.device_no, t.created_at_ms, t.used_at_ms, t.ends_at_ms,"
        " d.device_id, d.player_no, d.last_used_on, p.player_id"
        " FROM token t JOIN device d ON d.device_no = t.device_no"
        " JOIN player p ON p.player_no = d.player_no"
        " WHERE t.token_id = $1 AND p.banned_at_ms IS NULL",
    [TOKEN_USED] = "UPDATE token SET used_at_ms = $2 WHERE token_id = $1 AND used_at_ms IS NULL",
    [TOKEN_END] = "UPDATE token SET ends_at_ms = $2 WHERE token_id = $1"
                  " AND (ends_at_ms IS NULL OR ends_at_ms > $2)",
    [TOKENS_OTHERS] = "SELECT 1 FROM token WHERE device_no = $1 AND token_id <> $2"
                      " AND (ends_at_ms IS NULL OR ends_at_ms > $3) LIMIT 1",
    [TOKENS_END_OTHERS] = "UPDATE token SET ends_at_ms = $3 WHERE device_no = $1"
                          " AND token_id <> $2 AND (ends_at_ms IS NULL OR ends_at_ms > $3)",
    [TOKENS_DROP_UNUSED] =
        "DELETE FROM token WHERE device_no = $1 AND token_id <> $2 AND used_at_ms IS NULL",
    [TOKENS_DROP_ENDED] = "DELETE FROM token WHERE device_no = $1 AND ends_at_ms < $2",
    [TOKENS_DROP] = "DELETE FROM token WHERE device_no = $1",
    [LINK_CODE_STORE] =
        "INSERT INTO link_code (player_no, code_hash, expires_at_ms) VALUES ($1, $2, $3)"
        " ON CONFLICT (player_no) DO UPDATE SET code_hash = $2, expires_at_ms = $3",
    [LINK_CODE_FIND] =
        "SELECT player_no, code_hash, expires_at_ms FROM link_code WHERE code_hash = $1",
    [LINK_CODE_DROP] = "DELETE FROM link_code WHERE player_no = $1",
};
const struct sql_set sql_devices = {"devices", SLOTS_DEVICES, DEVICE_TEXTS, device_texts};

/* --- devices -------------------------------------------------------------------------------------
 */

enum db_status db_device_insert(struct db *db, struct db_device *device)
{
    struct query query;
    query_begin(&query, db, &sql_devices, DEVICE_INSERT);
    query_text(&query, 1, device->id.id.text);
    query_int(&query, 2, device->player_no);
    query_int(&query, 3, device->created_at_ms);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        device->device_no = query_last_row(db);
    }
    return status;
}

static void read_device(struct query *query, struct db_device *device)
{
    device->device_no = column_int(query, 0);
    column_text(query, 1, device->id.id.text, sizeof device->id.id.text);
    device->player_no = column_int(query, 2);
    device->created_at_ms = column_int(query, 3);
    column_text(query, 4, device->last_used_on, sizeof device->last_used_on);
    device->revoked_at_ms = column_int(query, 5);
}

static enum db_status device_end(struct query *query, struct db_device *device)
{
    bool found = query_step(query);
    if (found) {
        read_device(query, device);
    }
    return query_end_one(query, found);
}

enum db_status db_device_find(struct db *db, const struct device_id *id, struct db_device *device)
{
    struct query query;
    query_begin(&query, db, &sql_devices, DEVICE_FIND);
    query_text(&query, 1, id->id.text);
    return device_end(&query, device);
}

enum db_status db_device_load(struct db *db, int64_t device_no, struct db_device *device)
{
    struct query query;
    query_begin(&query, db, &sql_devices, DEVICE_LOAD);
    query_int(&query, 1, device_no);
    return device_end(&query, device);
}

enum db_status db_devices_of(struct db *db, int64_t player_no, int64_t after,
                             struct db_device *devices, size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_devices, DEVICES_OF);
    query_int(&query, 1, player_no);
    query_int(&query, 2, after);
    query_int(&query, 3, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        read_device(&query, &devices[found++]);
    }
    *count = found;
    return query_end(&query);
}

enum db_status db_device_used(struct db *db, int64_t device_no, const char *day)
{
    struct query query;
    assert(strlen(day) == DB_DAY_TEXT - 1);
    query_begin(&query, db, &sql_devices, DEVICE_USED);
    query_int(&query, 1, device_no);
    query_text(&query, 2, day);
    return query_run(&query);
}

static enum db_status revoke(struct db *db, size_t which, int64_t number, int64_t at_ms)
{
    struct query query;
    query_begin(&query, db, &sql_devices, which);
    query_int(&query, 1, number);
    query_int(&query, 2, at_ms);
    return query_run(&query);
}

enum db_status db_device_revoke(struct db *db, int64_t device_no, int64_t at_ms)
{
    enum db_status status = revoke(db, DEVICE_REVOKE, device_no, at_ms);
    return status == DB_OK ? db_tokens_drop(db, device_no) : status;
}

enum db_status db_devices_revoke(struct db *db, int64_t player_no, int64_t at_ms)
{
    struct db_device devices[16];
    int64_t after = 0;
    size_t count = 0;
    do {
        enum db_status status = db_devices_of(db, player_no, after, devices,
                                              sizeof devices / sizeof devices[0], &count);
        for (size_t i = 0; status == DB_OK && i < count; i++) {
            after = devices[i].device_no;
            status = db_tokens_drop(db, after);
        }
        if (status != DB_OK) {
            return status;
        }
    } while (count > 0);
    return revoke(db, DEVICES_REVOKE, player_no, at_ms);
}

/* --- tokens --------------------------------------------------------------------------------------
 */

enum db_status db_token_insert(struct db *db, const struct db_token *token)
{
    struct query query;
    query_begin(&query, db, &sql_devices, TOKEN_INSERT);
    query_blob(&query, 1, token->token_id, sizeof token->token_id);
    query_blob(&query, 2, token->token_hash, sizeof token->token_hash);
    query_int(&query, 3, token->key_slot);
    query_int(&query, 4, token->device_no);
    query_int(&query, 5, token->created_at_ms);
    return query_run(&query);
}

enum db_status db_identity_find(struct db *db, const uint8_t token_id[DB_TOKEN_ID_BYTES],
                                struct db_identity *identity)
{
    struct query query;
    query_begin(&query, db, &sql_devices, IDENTITY_FIND);
    query_blob(&query, 1, token_id, DB_TOKEN_ID_BYTES);
    bool found = query_step(&query);
    if (found) {
        struct db_token *token = &identity->token;
        memcpy(token->token_id, token_id, DB_TOKEN_ID_BYTES);
        column_blob(&query, 0, token->token_hash, sizeof token->token_hash);
        token->key_slot = (uint8_t)column_count(&query, 1, UINT8_MAX);
        token->device_no = column_int(&query, 2);
        token->created_at_ms = column_int(&query, 3);
        token->used_at_ms = column_int(&query, 4);
        token->ends_at_ms = column_int(&query, 5);
        column_text(&query, 6, identity->device_id.id.text, sizeof identity->device_id.id.text);
        identity->player_no = column_int(&query, 7);
        column_text(&query, 8, identity->last_used_on, sizeof identity->last_used_on);
        column_text(&query, 9, identity->player_id.id.text, sizeof identity->player_id.id.text);
    }
    return query_end_one(&query, found);
}

static enum db_status set_token_time(struct db *db, size_t which,
                                     const uint8_t token_id[DB_TOKEN_ID_BYTES], int64_t at_ms)
{
    struct query query;
    query_begin(&query, db, &sql_devices, which);
    query_blob(&query, 1, token_id, DB_TOKEN_ID_BYTES);
    query_int(&query, 2, at_ms);
    return query_run(&query);
}

enum db_status db_token_used(struct db *db, const uint8_t token_id[DB_TOKEN_ID_BYTES],
                             int64_t at_ms)
{
    return set_token_time(db, TOKEN_USED, token_id, at_ms);
}

enum db_status db_token_end(struct db *db, const uint8_t token_id[DB_TOKEN_ID_BYTES], int64_t at_ms)
{
    return set_token_time(db, TOKEN_END, token_id, at_ms);
}

enum db_status db_tokens_others(struct db *db, int64_t device_no,
                                const uint8_t token_id[DB_TOKEN_ID_BYTES], int64_t at_ms,
                                bool *found)
{
    struct query query;
    query_begin(&query, db, &sql_devices, TOKENS_OTHERS);
    query_int(&query, 1, device_no);
    query_blob(&query, 2, token_id, DB_TOKEN_ID_BYTES);
    query_int(&query, 3, at_ms);
    *found = query_step(&query);
    return query_end(&query);
}

enum db_status db_tokens_end_others(struct db *db, int64_t device_no,
                                    const uint8_t token_id[DB_TOKEN_ID_BYTES], int64_t at_ms)
{
    struct query query;
    query_begin(&query, db, &sql_devices, TOKENS_END_OTHERS);
    query_int(&query, 1, device_no);
    query_blob(&query, 2, token_id, DB_TOKEN_ID_BYTES);
    query_int(&query, 3, at_ms);
    return query_run(&query);
}

enum db_status db_tokens_drop_unused(struct db *db, int64_t device_no,
                                     const uint8_t token_id[DB_TOKEN_ID_BYTES])
{
    struct query query;
    query_begin(&query, db, &sql_devices, TOKENS_DROP_UNUSED);
    query_int(&query, 1, device_no);
    query_blob(&query, 2, token_id, DB_TOKEN_ID_BYTES);
    return query_run(&query);
}

enum db_status db_tokens_drop_ended(struct db *db, int64_t device_no, int64_t before_ms)
{
    struct query query;
    query_begin(&query, db, &sql_devices, TOKENS_DROP_ENDED);
    query_int(&query, 1, device_no);
    query_int(&query, 2, before_ms);
    return query_run(&query);
}

enum db_status db_tokens_drop(struct db *db, int64_t device_no)
{
    struct query query;
    query_begin(&query, db, &sql_devices, TOKENS_DROP);
    query_int(&query, 1, device_no);
    return query_run(&query);
}

/* --- link codes ----------------------------------------------------------------------------------
 */

enum db_status db_link_code_store(struct db *db, const struct db_link_code *code)
{
    struct query query;
    query_begin(&query, db, &sql_devices, LINK_CODE_STORE);
    query_int(&query, 1, code->player_no);
    query_blob(&query, 2, code->code_hash, sizeof code->code_hash);
    query_int(&query, 3, code->expires_at_ms);
    return query_run(&query);
}

enum db_status db_link_code_find(struct db *db, const uint8_t hash[DB_CODE_HASH_BYTES],
                                 struct db_link_code *code)
{
    struct query query;
    query_begin(&query, db, &sql_devices, LINK_CODE_FIND);
    query_blob(&query, 1, hash, DB_CODE_HASH_BYTES);
    bool found = query_step(&query);
    if (found) {
        code->player_no = column_int(&query, 0);
        column_blob(&query, 1, code->code_hash, sizeof code->code_hash);
        code->expires_at_ms = column_int(&query, 2);
    }
    return query_end_one(&query, found);
}

enum db_status db_link_code_drop(struct db *db, int64_t player_no)
{
    struct query query;
    query_begin(&query, db, &sql_devices, LINK_CODE_DROP);
    query_int(&query, 1, player_no);
    return query_run(&query);
}

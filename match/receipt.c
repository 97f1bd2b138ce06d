#include "receipt.h"

#include "db/fault.h"
#include "service.h"

#include <assert.h>
#include <string.h>

#define KEPT_MS ((int64_t)LIMIT_RECEIPT_MS)

static_assert((int)DB_RECEIPT_HASH_BYTES == (int)SECRETS_MAC_BYTES, "a MAC is what is stored");

/* --- keys and prints -----------------------------------------------------------------------------
 */

void match_receipt_make(const struct match *match, const struct receipt_claim *claim,
                        struct match_receipt *receipt)
{
    /* Each part by its own hash, so that no two claims read alike. */
    struct {
        int64_t device_no;
        uint8_t operation[SECRETS_MAC_BYTES];
        uint8_t key[SECRETS_MAC_BYTES];
    } owner = {.device_no = claim->device_no};
    struct {
        uint8_t operation[SECRETS_MAC_BYTES];
        uint8_t body[SECRETS_MAC_BYTES];
    } asked;
    const struct secrets *secrets = match->secrets;
    secrets_mac(secrets, "receipt-operation", claim->operation, strlen(claim->operation),
                asked.operation);
    secrets_mac(secrets, "receipt-body", claim->body, claim->body_length, asked.body);
    secrets_mac(secrets, "receipt-key", claim->key, claim->key_length, owner.key);
    if (claim->device_no != 0) {
        memcpy(owner.operation, asked.operation, sizeof owner.operation);
    }
    secrets_mac(secrets, "receipt-scope", &owner, sizeof owner, receipt->scope);
    secrets_mac(secrets, "receipt-print", &asked, sizeof asked, receipt->print);
    secrets_seal_key(secrets, &owner, sizeof owner, receipt->seal_key);
}

/* --- inside the job ------------------------------------------------------------------------------
 */

/* DB_OK: the same key came before; op.status is MATCH_OK, or says that it was for something else.
 */
static enum db_status find(struct match_op *op, struct db *db, struct db_receipt *row)
{
    const struct match_receipt *receipt = op->receipt;
    int64_t after_ms = match_now_ms(op->match) - KEPT_MS;
    enum db_status status = db_receipt_find(db, receipt->scope, after_ms, row);
    if (status == DB_OK) {
        bool same = memcmp(row->print, receipt->print, sizeof row->print) == 0;
        op->status = same ? MATCH_OK : MATCH_IDEMPOTENCY_MISMATCH;
    }
    return status;
}

/* Every new receipt takes the place of some that are over, so that they do not pile up. */
static enum db_status store(struct match_op *op, struct db *db, struct db_receipt *row)
{
    row->created_at_ms = match_now_ms(op->match);
    memcpy(row->scope, op->receipt->scope, sizeof row->scope);
    memcpy(row->print, op->receipt->print, sizeof row->print);
    enum db_status status = db_receipts_sweep(db, row->created_at_ms - KEPT_MS);
    return status == DB_OK ? db_receipt_store(db, row) : status;
}

static enum db_status answer_again(struct match_op *op, struct db_receipt *row)
{
    const struct match_receipt *receipt = op->receipt;
    if (!secrets_unseal(receipt->seal_key, row->answer, &row->length) ||
        !receipt->replay(receipt->context, (const char *)row->answer, row->length)) {
        return DB_CORRUPT;
    }
    op->status = MATCH_REPEATED;
    return DB_OK;
}

static enum db_status keep_answer(struct match_op *op, struct db *db, struct db_receipt *row)
{
    const struct match_receipt *receipt = op->receipt;
    size_t length = receipt->render(receipt->context, (char *)row->answer, RECEIPT_ANSWER_MAX);
    if (length == 0) {
        return DB_ERROR;
    }
    assert(length <= RECEIPT_ANSWER_MAX);
    row->device_no = 0;
    row->length = secrets_seal(op->match->env, receipt->seal_key, row->answer, length);
    return store(op, db, row);
}

enum db_status receipt_run(struct db_job *job, struct db *db)
{
    struct match_op *op = op_of_job(job);
    struct db_receipt row;
    enum db_status status = find(op, db, &row);
    if (status == DB_OK) {
        return op->status == MATCH_OK ? answer_again(op, &row) : DB_OK;
    }
    if (status == DB_NONE) {
        status = op->run(job, db);
        FAULT_POINT("mid_receipt");
        if (status == DB_OK && op->status == MATCH_OK) {
            status = keep_answer(op, db, &row);
        }
    }
    return status;
}

enum db_status receipt_find_device(struct match_op *op, struct db *db, int64_t *device_no)
{
    struct db_receipt row;
    if (op->receipt == NULL) {
        return DB_NONE;
    }
    enum db_status status = find(op, db, &row);
    if (status == DB_OK) {
        *device_no = row.device_no;
    }
    return status;
}

enum db_status receipt_keep_device(struct match_op *op, struct db *db, int64_t device_no)
{
    struct db_receipt row;
    if (op->receipt == NULL) {
        return DB_OK;
    }
    row.device_no = device_no;
    row.length = 0;
    FAULT_POINT("mid_receipt");
    return store(op, db, &row);
}

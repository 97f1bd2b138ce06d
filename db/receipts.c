#include "receipts.h"

#include "driver.h"

#include <assert.h>
#include <string.h>

enum {
    RECEIPT_FIND,
    RECEIPT_STORE,
    RECEIPTS_SWEEP,
    RECEIPT_TEXTS,
};
static const char *const receipt_texts[RECEIPT_TEXTS] = {
    [RECEIPT_FIND] = "SELECT print, answer, device_no, created_at_ms FROM receipt"
                     " WHERE scope = $1 AND created_at_ms > $2",
    [RECEIPT_STORE] = "INSERT INTO receipt (scope, print, answer, device_no, created_at_ms)"
                      " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (scope) DO UPDATE"
                      " SET print = $2, answer = $3, device_no = $4, created_at_ms = $5",
    [RECEIPTS_SWEEP] = "DELETE FROM receipt WHERE scope IN (SELECT scope FROM receipt"
                       " WHERE created_at_ms <= $1 ORDER BY created_at_ms LIMIT $2)",
};
const struct sql_set sql_receipts = {"receipts", SLOTS_RECEIPTS, RECEIPT_TEXTS, receipt_texts};

enum db_status db_receipt_find(struct db *db, const uint8_t scope[DB_RECEIPT_HASH_BYTES],
                               int64_t after_ms, struct db_receipt *receipt)
{
    struct query query;
    query_begin(&query, db, &sql_receipts, RECEIPT_FIND);
    query_blob(&query, 1, scope, DB_RECEIPT_HASH_BYTES);
    query_int(&query, 2, after_ms);
    bool found = query_step(&query);
    if (found) {
        memcpy(receipt->scope, scope, DB_RECEIPT_HASH_BYTES);
        column_blob(&query, 0, receipt->print, sizeof receipt->print);
        receipt->length = column_bytes(&query, 1, receipt->answer, sizeof receipt->answer);
        receipt->device_no = column_int(&query, 2);
        receipt->created_at_ms = column_int(&query, 3);
    }
    return query_end_one(&query, found);
}

enum db_status db_receipt_store(struct db *db, const struct db_receipt *receipt)
{
    struct query query;
    assert((receipt->length > 0) != (receipt->device_no != 0));
    assert(receipt->length <= sizeof receipt->answer);
    query_begin(&query, db, &sql_receipts, RECEIPT_STORE);
    query_blob(&query, 1, receipt->scope, sizeof receipt->scope);
    query_blob(&query, 2, receipt->print, sizeof receipt->print);
    if (receipt->length > 0) {
        query_blob(&query, 3, receipt->answer, receipt->length);
    } else {
        query_null(&query, 3);
    }
    query_int_or_null(&query, 4, receipt->device_no);
    query_int(&query, 5, receipt->created_at_ms);
    return query_run(&query);
}

enum db_status db_receipts_sweep(struct db *db, int64_t until_ms)
{
    struct query query;
    query_begin(&query, db, &sql_receipts, RECEIPTS_SWEEP);
    query_int(&query, 1, until_ms);
    query_int(&query, 2, DB_RECEIPTS_SWEPT);
    return query_run(&query);
}

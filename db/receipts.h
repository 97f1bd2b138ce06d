#ifndef DB_RECEIPTS_H
#define DB_RECEIPTS_H

/*
 * Receipts: what a request with a key of its client's has done, for as long as the same request may
 * come again. Threads, ownership and failure as in db.h.
 */

#include "db.h"

enum {
    DB_RECEIPT_HASH_BYTES = 16,
    DB_RECEIPT_ANSWER_MAX = 32 * 1024, /* bytes; no answer of ours is half as long */
    DB_RECEIPTS_SWEPT = 8,             /* by one sweep: more than one request adds */
};

struct db_receipt {
    uint8_t scope[DB_RECEIPT_HASH_BYTES];
    uint8_t print[DB_RECEIPT_HASH_BYTES];
    int64_t device_no; /* 0: the answer itself is kept */
    int64_t created_at_ms;
    size_t length; /* of the answer; 0: none is kept */
    uint8_t answer[DB_RECEIPT_ANSWER_MAX];
};

/* One that was made after `after_ms`. */
DB_NODISCARD enum db_status db_receipt_find(struct db *db,
                                            const uint8_t scope[DB_RECEIPT_HASH_BYTES],
                                            int64_t after_ms, struct db_receipt *receipt);
/* In the place of an older one with the same scope. */
DB_NODISCARD enum db_status db_receipt_store(struct db *db, const struct db_receipt *receipt);
/* Drops some of those made up to `until_ms`, oldest first, DB_RECEIPTS_SWEPT at most. */
DB_NODISCARD enum db_status db_receipts_sweep(struct db *db, int64_t until_ms);

#endif

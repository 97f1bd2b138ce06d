#ifndef MATCH_RECEIPT_H
#define MATCH_RECEIPT_H

/*
 * Receipts: a command that comes with a key of its client's is done once. Inside the job, before
 * the work, the writer looks whether the same was asked before; after it, and in the same
 * transaction, it keeps the answer. So a repeat that comes while the first runs waits behind it,
 * and a refusal leaves nothing.
 *
 * Answers are bytes to this folder. They are kept sealed with a key made of the client's own, which
 * is not stored: codes and names in them can be read by nobody but who repeats the request.
 * Answers with a token are not kept at all: the receipt then leads to the device that was made.
 *
 * Threads: match_receipt_make from any; the callbacks are called on the writer's thread.
 * Ownership: a receipt belongs to the caller and lives as long as its command.
 */

#include "db/receipts.h"
#include "match.h"

/* A request as a receipt knows it. */
struct receipt_claim {
    int64_t device_no;     /* whose key it is; 0: the key stands alone, whatever it is used for */
    const char *operation; /* method and path */
    const char *key;
    size_t key_length;
    const char *body; /* may be NULL where it is empty */
    size_t body_length;
};

struct match_receipt {
    /* Made by match_receipt_make. */
    uint8_t scope[DB_RECEIPT_HASH_BYTES];
    uint8_t print[DB_RECEIPT_HASH_BYTES];
    uint8_t seal_key[SECRETS_SEAL_KEY_BYTES];
    /* The caller's; NULL for commands that answer a token. */
    /* Writes the answer to what was done; its length, or 0: that failed, and so does the command.
     */
    size_t (*render)(void *context, char *bytes, size_t room);
    /* Takes a kept answer over; the command is then MATCH_REPEATED. False: that is none. */
    bool (*replay)(void *context, const char *bytes, size_t length);
    void *context;
};

enum { RECEIPT_ANSWER_MAX = DB_RECEIPT_ANSWER_MAX - SECRETS_SEAL_BYTES };

/* Everything but the callbacks; then the receipt goes into its command's `op.receipt`. */
void match_receipt_make(const struct match *match, const struct receipt_claim *claim,
                        struct match_receipt *receipt);

#endif

#ifndef API_BUCKET_TABLE_H
#define API_BUCKET_TABLE_H

/*
 * Token buckets of many callers in a fixed piece of memory. A bucket has a place among a few that
 * its hash names; where all of them are in use, the one that is nearest to full is forgotten: a
 * flood of callers who ask once each washes out nobody who has used up a budget.
 *
 * Threads: any; a lock covers a small part of the table. Ownership: bucket_table_new/_free.
 */

#include "bucket.h"

#include <stddef.h>

enum { BUCKET_TABLE_ENTRIES = 1 << 16 };

struct bucket_table;
struct bucket_table *bucket_table_new(void); /* NULL: no memory */
void bucket_table_free(struct bucket_table *table);

/* What a table keeps, whoever comes; allocated at the start. */
size_t bucket_table_bytes(void);

/* How a bucket stands after it was asked. */
struct bucket_standing {
    bool granted;
    uint32_t left;
    uint32_t full_s; /* seconds until it is full */
    uint32_t wait_s; /* refused: seconds until the same is granted */
};

/* bucket_take on the bucket of `hash`; one that is not there is full. The hash is of a keyed
 * function that spreads well. */
void bucket_table_take(struct bucket_table *table, uint64_t hash, const struct bucket_rate *rate,
                       int64_t now_ns, uint32_t cost, struct bucket_standing *standing);

/* bucket_charge on it. */
void bucket_table_charge(struct bucket_table *table, uint64_t hash, const struct bucket_rate *rate,
                         int64_t now_ns, uint32_t cost, struct bucket_standing *standing);

/* bucket_give_back on it, unless it was forgotten. */
void bucket_table_give_back(struct bucket_table *table, uint64_t hash,
                            const struct bucket_rate *rate, uint32_t cost);

#endif

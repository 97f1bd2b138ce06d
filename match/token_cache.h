#ifndef MATCH_TOKEN_CACHE_H
#define MATCH_TOKEN_CACHE_H

/*
 * Stored tokens of late callers, so that a request costs no query to know who asks. Only what is
 * committed is ever in it; a job that changes one token holds that one, and a job that ends tokens
 * or devices the whole cache, from before it writes until it is acknowledged: nothing of what is
 * held and was read before that survives it.
 *
 * Threads: any. Ownership: entries are values; nothing of the caller's is kept.
 */

#include "db/db.h"

struct token_cache;
struct token_cache *token_cache_new(void); /* NULL: no memory */
void token_cache_free(struct token_cache *cache);

/* When a look at the cache was. */
struct token_stamp {
    uint64_t token;
    uint64_t all;
};
/* False: not there; what is then read from the database can be offered with the stamp. */
bool token_cache_get(struct token_cache *cache, const uint8_t id[DB_TOKEN_ID_BYTES],
                     struct db_identity *identity, struct token_stamp *stamp);
void token_cache_offer(struct token_cache *cache, const struct db_identity *identity,
                       struct token_stamp stamp);

/* How many looks since the start found their token, and how many did not. */
void token_cache_counts(struct token_cache *cache, uint64_t *hits, uint64_t *misses);

void token_cache_hold(struct token_cache *cache, const uint8_t id[DB_TOKEN_ID_BYTES]);
void token_cache_release(struct token_cache *cache, const uint8_t id[DB_TOKEN_ID_BYTES]);
void token_cache_hold_all(struct token_cache *cache);
void token_cache_release_all(struct token_cache *cache);

#endif

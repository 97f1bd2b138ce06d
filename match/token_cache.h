#ifndef MATCH_TOKEN_CACHE_H
#define MATCH_TOKEN_CACHE_H

/*
 * Stored tokens of late callers, so that a request costs no query to know who asks. Only what is
 * committed is ever in it; a job that changes or ends tokens or devices holds the whole cache from
 * before it writes until it is acknowledged, and nothing read before that survives it.
 *
 * Threads: any. Ownership: entries are values; nothing of the caller's is kept.
 */

#include "db/db.h"

struct token_cache;
struct token_cache *token_cache_new(void); /* NULL: no memory */
void token_cache_free(struct token_cache *cache);

/* False: not there; what is then read from the database can be offered with the stamp. */
bool token_cache_get(struct token_cache *cache, const uint8_t id[DB_TOKEN_ID_BYTES],
                     struct db_identity *identity, uint64_t *stamp);
void token_cache_offer(struct token_cache *cache, const struct db_identity *identity,
                       uint64_t stamp);

/* How many looks since the start found their token, and how many did not. */
void token_cache_counts(struct token_cache *cache, uint64_t *hits, uint64_t *misses);

void token_cache_hold(struct token_cache *cache);
void token_cache_release(struct token_cache *cache);

#endif

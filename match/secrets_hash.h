#ifndef MATCH_SECRETS_HASH_H
#define MATCH_SECRETS_HASH_H

/*
 * A short keyed hash (SipHash-2-4) for tables in memory: who does not know the key cannot choose
 * keys that meet in one place of a table.
 *
 * Threads: pure. Ownership: values.
 */

#include <stddef.h>
#include <stdint.h>

enum { SECRETS_HASH_KEY_BYTES = 16 };

uint64_t secrets_hash(const uint8_t key[SECRETS_HASH_KEY_BYTES], const void *bytes, size_t count);

#endif

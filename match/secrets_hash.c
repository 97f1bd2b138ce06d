#include "secrets_hash.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

uint64_t secrets_hash(const uint8_t key[SECRETS_HASH_KEY_BYTES], const void *bytes, size_t count)
{
    static_assert(crypto_shorthash_KEYBYTES == SECRETS_HASH_KEY_BYTES, "the key is passed on");
    uint64_t hash;
    unsigned char out[crypto_shorthash_BYTES];
    static_assert(sizeof hash == sizeof out, "the hash is one word");
    assert(bytes != NULL);
    (void)crypto_shorthash(out, bytes, count, key);
    memcpy(&hash, out, sizeof hash);
    return hash;
}

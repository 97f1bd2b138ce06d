#include "secrets.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

static_assert(SECRETS_SEAL_KEY_BYTES == crypto_secretbox_KEYBYTES, "a key of the cipher's");
static_assert(SECRETS_SEAL_KEY_BYTES == 2 * SECRETS_MAC_BYTES, "made of two MACs");
static_assert(SECRETS_SEAL_BYTES == crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES,
              "what a seal adds");

void secrets_seal_key(const struct secrets *secrets, const void *bytes, size_t count,
                      uint8_t key[SECRETS_SEAL_KEY_BYTES])
{
    secrets_mac(secrets, "seal-key-1", bytes, count, key);
    secrets_mac(secrets, "seal-key-2", bytes, count, key + SECRETS_MAC_BYTES);
}

size_t secrets_seal(const struct match_env *env, const uint8_t key[SECRETS_SEAL_KEY_BYTES],
                    uint8_t *bytes, size_t count)
{
    assert(env != NULL && bytes != NULL);
    uint8_t nonce[crypto_secretbox_NONCEBYTES];
    env->random(env->context, nonce, sizeof nonce);
    int failed = crypto_secretbox_easy(bytes + sizeof nonce, bytes, count, nonce, key);
    assert(failed == 0);
    memcpy(bytes, nonce, sizeof nonce);
    return count + SECRETS_SEAL_BYTES;
}

bool secrets_unseal(const uint8_t key[SECRETS_SEAL_KEY_BYTES], uint8_t *bytes, size_t *count)
{
    assert(bytes != NULL && count != NULL);
    uint8_t nonce[crypto_secretbox_NONCEBYTES];
    if (*count < SECRETS_SEAL_BYTES) {
        return false;
    }
    memcpy(nonce, bytes, sizeof nonce);
    if (crypto_secretbox_open_easy(bytes, bytes + sizeof nonce, *count - sizeof nonce, nonce,
                                   key) != 0) {
        return false;
    }
    *count -= SECRETS_SEAL_BYTES;
    return true;
}

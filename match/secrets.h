#ifndef MATCH_SECRETS_H
#define MATCH_SECRETS_H

/*
 * The key file and all that is made with it: device tokens, identifiers, the hash chain, MACs.
 * Only keyed hashes of tokens are ever stored; the key itself never leaves its 0600 file and this
 * module's locked memory. Loading it readies the library's generator: once before other threads.
 *
 * Threads: a loaded `struct secrets` is read-only and may be used from any thread.
 * Ownership: secrets_load/secrets_free.
 */

#include "db/db.h"
#include "env.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SECRETS_TOKEN_TEXT = 66, /* "bzd_" + 54 + "_" + 6 + NUL */
    SECRETS_HASH_BYTES = 32,
    SECRETS_MAC_BYTES = 16,
    SECRETS_SEAL_KEY_BYTES = 32,
    SECRETS_SEAL_BYTES = 40, /* what a seal adds to what is sealed */
};

struct secrets;

enum secrets_status {
    SECRETS_OK,
    SECRETS_MISSING,    /* no such file and not asked to make it */
    SECRETS_UNREADABLE, /* also: no regular file, no memory to lock */
    SECRETS_MALFORMED,
    SECRETS_TOO_OPEN, /* group or others may read or change it */
    SECRETS_NOT_CREATED,
};

/* Reads the key file. `create`: a missing one is made (0600, random by `env`, synced). */
enum secrets_status secrets_load(const char *path, bool create, const struct match_env *env,
                                 struct secrets **secrets);
void secrets_free(struct secrets *secrets);
const char *secrets_status_text(enum secrets_status status);

/* Public name of the key (16 hex digits): the database remembers which key it belongs to. It stays
 * when the key of tokens is changed. */
void secrets_key_id(const struct secrets *secrets, char key_id[DB_KEY_ID_TEXT]);

/* A new token: its text for the client; its id, keyed hash and key slot for storage (the rest of
 * the row is the caller's). */
void secrets_token_mint(const struct secrets *secrets, const struct match_env *env,
                        char text[SECRETS_TOKEN_TEXT], struct db_token *token);

/* A presented token taken apart. */
struct token_parts {
    uint8_t id[DB_TOKEN_ID_BYTES];
    uint8_t secret[32];
};
/* False: not a token (length, prefix, alphabet, checksum). */
bool secrets_token_parse(const char *text, size_t length, struct token_parts *parts);
/* Constant time. `row` NULL: an unknown id; costs the same and is false. Wipes parts->secret. */
bool secrets_token_check(const struct secrets *secrets, struct token_parts *parts,
                         const struct db_token *row);

/* "p_" + 26 characters of 128 random bits; `prefix` is 'p', 'd', 'g', 'q' or 't'. */
void secrets_id(const struct match_env *env, char prefix, struct public_id *id);
/* Exactly that form, with that prefix; false otherwise. */
bool secrets_id_parse(const char *text, size_t length, char prefix, struct public_id *id);

/* One keyed hash over what was added, for the chain. */
struct secrets_hash {
    _Alignas(64) unsigned char state[384];
};
void secrets_chain_begin(const struct secrets *secrets, struct secrets_hash *hash);
void secrets_chain_add(struct secrets_hash *hash, const void *bytes, size_t count);
void secrets_chain_end(struct secrets_hash *hash, uint8_t out[SECRETS_HASH_BYTES]);

/* MAC of a list cursor, bound to what the list is (`purpose`). */
void secrets_mac(const struct secrets *secrets, const char *purpose, const void *bytes,
                 size_t count, uint8_t mac[SECRETS_MAC_BYTES]);
/* Constant time. */
bool secrets_mac_equal(const uint8_t a[SECRETS_MAC_BYTES], const uint8_t b[SECRETS_MAC_BYTES]);

/* A key that nobody can make again without the bytes it was made of and the key file. */
void secrets_seal_key(const struct secrets *secrets, const void *bytes, size_t count,
                      uint8_t key[SECRETS_SEAL_KEY_BYTES]);
/* Encrypts in place, with room for SECRETS_SEAL_BYTES more; the new count. */
size_t secrets_seal(const struct match_env *env, const uint8_t key[SECRETS_SEAL_KEY_BYTES],
                    uint8_t *bytes, size_t count);
/* The way back, in place. False: another key, or changed bytes. */
bool secrets_unseal(const uint8_t key[SECRETS_SEAL_KEY_BYTES], uint8_t *bytes, size_t *count);

#endif

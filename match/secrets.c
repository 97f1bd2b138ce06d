#include "secrets.h"

#include "new_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/*
 * The key file is text:
 *
 *     banzuke key 1
 *     server <64 hex digits>       the database's: key id, hash chain, cursors; never changes
 *     current 0 <64 hex digits>    new tokens are hashed with it; the number is their key_slot
 *     previous 1 <64 hex digits>   optional: tokens made before the last change of key
 *
 * A change of key turns `current` into `previous` and gives the new one the other number.
 */

enum {
    KEY_BYTES = 32,
    KEY_HEX = 64,
    KEY_SLOTS = 2,
    KEY_FILE_MAX = 512, /* the longest is under 250 bytes */
    SUBKEY_FIRST = 1,
    TOKEN_PREFIX = 4,                             /* "bzd_" */
    TOKEN_BODY = 54,                              /* id and secret in base64url */
    TOKEN_SUM_AT = TOKEN_PREFIX + TOKEN_BODY + 1, /* after "_" */
    TOKEN_SUM = 6,
    TOKEN_LENGTH = TOKEN_SUM_AT + TOKEN_SUM,
};

static_assert(KEY_HEX == 2 * KEY_BYTES, "two digits a byte");
static_assert(KEY_BYTES == crypto_kdf_KEYBYTES, "master keys are of the derivation's size");
static_assert(KEY_BYTES == crypto_generichash_KEYBYTES, "and so are the keys of hashes");
static_assert(TOKEN_LENGTH + 1 == SECRETS_TOKEN_TEXT, "a token fills its text");
static_assert(sizeof(struct token_parts) == DB_TOKEN_ID_BYTES + 32, "id and secret, no gap");
static_assert(sizeof(crypto_generichash_state) <= sizeof(struct secrets_hash), "the state fits");
static_assert(_Alignof(crypto_generichash_state) <= _Alignof(struct secrets_hash), "and lies well");
static_assert(SECRETS_MAC_BYTES >= crypto_generichash_BYTES_MIN, "a MAC long enough");

struct key_file {
    uint8_t server[KEY_BYTES];
    uint8_t slots[KEY_SLOTS][KEY_BYTES];
    bool has_slot[KEY_SLOTS];
    uint8_t current;
};

/* Only what was derived stays in memory, one key a purpose. */
struct secrets {
    char key_id[DB_KEY_ID_TEXT];
    uint8_t chain_key[KEY_BYTES];
    uint8_t mac_key[KEY_BYTES];
    uint8_t token_keys[KEY_SLOTS][KEY_BYTES];
    bool has_slot[KEY_SLOTS];
    uint8_t current;
};

static enum secrets_status key_file_read(const char *path, struct key_file *file);
static enum secrets_status key_file_provide(const char *path, const struct match_env *env,
                                            struct key_file *file);
static enum secrets_status derive(const struct key_file *file, struct secrets **secrets);

enum secrets_status secrets_load(const char *path, bool create, const struct match_env *env,
                                 struct secrets **secrets)
{
    assert(path != NULL && secrets != NULL && (env != NULL || !create));
    if (sodium_init() < 0) {
        return SECRETS_UNREADABLE;
    }
    struct key_file file = {.current = 0};
    enum secrets_status status =
        create ? key_file_provide(path, env, &file) : key_file_read(path, &file);
    if (status == SECRETS_OK) {
        status = derive(&file, secrets);
    }
    sodium_memzero(&file, sizeof file);
    return status;
}

void secrets_free(struct secrets *secrets)
{
    sodium_free(secrets);
}

const char *secrets_status_text(enum secrets_status status)
{
    switch (status) {
    case SECRETS_OK: return "the key file is in order";
    case SECRETS_MISSING: return "there is no key file";
    case SECRETS_UNREADABLE: return "the key file cannot be read";
    case SECRETS_MALFORMED: return "the key file is not in the form of a Banzuke key file";
    case SECRETS_TOO_OPEN: return "the key file is open to group or others; its mode must be 0600";
    case SECRETS_NOT_CREATED: return "the key file cannot be created";
    }
    return "";
}

/* --- the key file: reading -------------------------------------------------------------------- */

/* What is left to read of the text. */
struct rest {
    const char *at;
    const char *end;
};

static bool take_word(struct rest *rest, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, word, length) != 0) {
        return false;
    }
    rest->at += length;
    return true;
}

/* A key in hex and the end of its line. */
static bool take_key(struct rest *rest, uint8_t key[KEY_BYTES])
{
    size_t count = 0;
    if ((size_t)(rest->end - rest->at) < KEY_HEX ||
        sodium_hex2bin(key, KEY_BYTES, rest->at, KEY_HEX, NULL, &count, NULL) != 0 ||
        count != KEY_BYTES) {
        return false;
    }
    rest->at += KEY_HEX;
    return take_word(rest, "\n");
}

static bool take_slot(struct rest *rest, struct key_file *file, uint8_t *number)
{
    if (take_word(rest, "0 ")) {
        *number = 0;
    } else if (take_word(rest, "1 ")) {
        *number = 1;
    } else {
        return false;
    }
    if (file->has_slot[*number]) {
        return false; /* one number for two keys */
    }
    file->has_slot[*number] = true;
    return take_key(rest, file->slots[*number]);
}

static bool key_file_parse(const char *text, size_t length, struct key_file *file)
{
    assert(length <= KEY_FILE_MAX);
    struct rest rest = {.at = text, .end = text + length};
    uint8_t previous = 0;
    if (!take_word(&rest, "banzuke key 1\n") || !take_word(&rest, "server ") ||
        !take_key(&rest, file->server) || !take_word(&rest, "current ") ||
        !take_slot(&rest, file, &file->current)) {
        return false;
    }
    if (take_word(&rest, "previous ") && !take_slot(&rest, file, &previous)) {
        return false;
    }
    return rest.at == rest.end;
}

/* False: an error. A text that fills `size` was longer than any key file. */
static bool read_all(int fd, char *text, size_t size, size_t *length)
{
    size_t got = 0;
    while (got < size) {
        ssize_t count = read(fd, text + got, size - got);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return false;
        }
        if (count == 0) {
            break;
        }
        got += (size_t)count;
    }
    *length = got;
    return true;
}

static enum secrets_status key_file_read(const char *path, struct key_file *file)
{
    enum secrets_status status = SECRETS_UNREADABLE;
    char text[KEY_FILE_MAX];
    size_t length = 0;
    struct stat facts;
    *file = (struct key_file){.current = 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hold up the start */
    if (fd < 0) {
        return errno == ENOENT ? SECRETS_MISSING : SECRETS_UNREADABLE;
    }
    if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        goto out;
    }
    if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        status = SECRETS_TOO_OPEN;
        goto out;
    }
    if (!read_all(fd, text, sizeof text, &length)) {
        goto out;
    }
    status = key_file_parse(text, length, file) ? SECRETS_OK : SECRETS_MALFORMED;
out:
    sodium_memzero(text, sizeof text);
    (void)close(fd);
    return status;
}

/* --- the key file: making --------------------------------------------------------------------- */

static size_t key_file_format(const struct match_env *env, char text[KEY_FILE_MAX])
{
    uint8_t keys[2][KEY_BYTES];
    char hex[2][KEY_HEX + 1];
    env->random(env->context, keys, sizeof keys);
    (void)sodium_bin2hex(hex[0], sizeof hex[0], keys[0], KEY_BYTES);
    (void)sodium_bin2hex(hex[1], sizeof hex[1], keys[1], KEY_BYTES);
    int length =
        snprintf(text, KEY_FILE_MAX, "banzuke key 1\nserver %s\ncurrent 0 %s\n", hex[0], hex[1]);
    assert(length > 0 && length < KEY_FILE_MAX);
    sodium_memzero(keys, sizeof keys);
    sodium_memzero(hex, sizeof hex);
    return (size_t)length;
}

static bool key_file_write(const struct new_file *made, const struct match_env *env)
{
    char text[KEY_FILE_MAX];
    size_t length = key_file_format(env, text);
    bool written = new_file_write(made, text, length);
    sodium_memzero(text, sizeof text);
    return written;
}

/* Reads it, or makes it and reads that. Asked where nothing depends on a key yet, which is also
 * when a killed start may have left a draft. */
static enum secrets_status key_file_provide(const char *path, const struct match_env *env,
                                            struct key_file *file)
{
    struct new_file made;
    if (!new_file_begin(path, &made)) {
        return SECRETS_NOT_CREATED;
    }
    enum secrets_status status = key_file_read(path, file);
    if (status == SECRETS_MISSING) {
        status = key_file_write(&made, env) ? key_file_read(path, file) : SECRETS_NOT_CREATED;
    }
    new_file_end(&made);
    return status;
}

/* --- derived keys ----------------------------------------------------------------------------- */

/* `purpose`: eight characters. */
static void subkey(const uint8_t master[KEY_BYTES], const char *purpose, uint8_t key[KEY_BYTES])
{
    assert(strlen(purpose) == crypto_kdf_CONTEXTBYTES);
    int failed = crypto_kdf_derive_from_key(key, KEY_BYTES, SUBKEY_FIRST, purpose, master);
    assert(failed == 0);
}

static enum secrets_status derive(const struct key_file *file, struct secrets **secrets)
{
    assert(file->current < KEY_SLOTS && file->has_slot[file->current]);
    struct secrets *made = sodium_malloc(sizeof *made);
    if (made == NULL) {
        return SECRETS_UNREADABLE;
    }
    uint8_t name[KEY_BYTES];
    *made = (struct secrets){.current = file->current};
    subkey(file->server, "bz_keyid", name);
    (void)sodium_bin2hex(made->key_id, sizeof made->key_id, name, (DB_KEY_ID_TEXT - 1) / 2);
    subkey(file->server, "bz_chain", made->chain_key);
    subkey(file->server, "bz_macs_", made->mac_key);
    for (size_t i = 0; i < KEY_SLOTS; i++) {
        made->has_slot[i] = file->has_slot[i];
        if (file->has_slot[i]) {
            subkey(file->slots[i], "bz_token", made->token_keys[i]);
        }
    }
    (void)sodium_mprotect_readonly(made); /* a second fence, good to have where the system can */
    *secrets = made;
    return SECRETS_OK;
}

void secrets_key_id(const struct secrets *secrets, char key_id[DB_KEY_ID_TEXT])
{
    assert(strlen(secrets->key_id) == DB_KEY_ID_TEXT - 1);
    memcpy(key_id, secrets->key_id, DB_KEY_ID_TEXT);
}

/* --- tokens ----------------------------------------------------------------------------------- */

/* CRC32 of all before the last "_", in base 62: tells a mistyped token from an unknown one without
 * a look into the database, and protects nothing. */
static void token_sum(const char *text, char sum[TOKEN_SUM])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    enum { BASE = sizeof digits - 1 };
    unsigned long crc = crc32(0, (const unsigned char *)text, TOKEN_PREFIX + TOKEN_BODY);
    for (size_t i = TOKEN_SUM; i-- > 0;) {
        sum[i] = digits[crc % BASE];
        crc /= BASE;
    }
    assert(crc == 0);
}

static void token_hash(const uint8_t key[KEY_BYTES], const struct token_parts *parts,
                       uint8_t hash[DB_HASH_BYTES])
{
    static const unsigned char domain[] = "device-token-v1";
    crypto_generichash_state state;
    int failed = crypto_generichash_init(&state, key, KEY_BYTES, DB_HASH_BYTES);
    failed |= crypto_generichash_update(&state, domain, sizeof domain - 1);
    failed |= crypto_generichash_update(&state, parts->id, sizeof parts->id);
    failed |= crypto_generichash_update(&state, parts->secret, sizeof parts->secret);
    failed |= crypto_generichash_final(&state, hash, DB_HASH_BYTES);
    assert(failed == 0);
    sodium_memzero(&state, sizeof state);
}

void secrets_token_mint(const struct secrets *secrets, const struct match_env *env,
                        char text[SECRETS_TOKEN_TEXT], struct db_token *token)
{
    struct token_parts parts;
    env->random(env->context, &parts, sizeof parts);
    memcpy(token->token_id, parts.id, sizeof token->token_id);
    token_hash(secrets->token_keys[secrets->current], &parts, token->token_hash);
    token->key_slot = secrets->current;
    memcpy(text, "bzd_", TOKEN_PREFIX);
    (void)sodium_bin2base64(text + TOKEN_PREFIX, TOKEN_BODY + 1, (const unsigned char *)&parts,
                            sizeof parts, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    text[TOKEN_SUM_AT - 1] = '_';
    token_sum(text, text + TOKEN_SUM_AT);
    text[TOKEN_LENGTH] = '\0';
    assert(strlen(text) == TOKEN_LENGTH);
    sodium_memzero(&parts, sizeof parts);
}

bool secrets_token_parse(const char *text, size_t length, struct token_parts *parts)
{
    assert(text != NULL || length == 0);
    if (length != TOKEN_LENGTH || memcmp(text, "bzd_", TOKEN_PREFIX) != 0 ||
        text[TOKEN_SUM_AT - 1] != '_') {
        return false;
    }
    char sum[TOKEN_SUM];
    token_sum(text, sum);
    if (memcmp(text + TOKEN_SUM_AT, sum, TOKEN_SUM) != 0) {
        return false;
    }
    struct token_parts read = {.id = {0}};
    size_t count = 0;
    /* With an end pointer the function would call a bad character a success. */
    bool is_token =
        sodium_base642bin((unsigned char *)&read, sizeof read, text + TOKEN_PREFIX, TOKEN_BODY,
                          NULL, &count, NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
        count == sizeof read;
    if (is_token) {
        *parts = read;
    }
    sodium_memzero(&read, sizeof read);
    return is_token;
}

bool secrets_token_check(const struct secrets *secrets, struct token_parts *parts,
                         const struct db_token *row)
{
    static const struct db_token nobody = {.key_slot = 0};
    assert(secrets != NULL && parts != NULL);
    const struct db_token *compared = row == NULL ? &nobody : row;
    bool has_key = compared->key_slot < KEY_SLOTS && secrets->has_slot[compared->key_slot];
    uint8_t hash[DB_HASH_BYTES];
    token_hash(secrets->token_keys[has_key ? compared->key_slot : secrets->current], parts, hash);
    /* All compared, whatever failed before: the time tells nothing. */
    int differs = sodium_memcmp(hash, compared->token_hash, sizeof hash);
    differs |= sodium_memcmp(parts->id, compared->token_id, sizeof parts->id);
    differs |= row == NULL;
    differs |= !has_key;
    sodium_memzero(parts->secret, sizeof parts->secret);
    return differs == 0;
}

/* --- chain and cursors ------------------------------------------------------------------------ */

static crypto_generichash_state *state_of(struct secrets_hash *hash)
{
    return (crypto_generichash_state *)(void *)hash->state;
}

void secrets_chain_begin(const struct secrets *secrets, struct secrets_hash *hash)
{
    int failed =
        crypto_generichash_init(state_of(hash), secrets->chain_key, KEY_BYTES, SECRETS_HASH_BYTES);
    assert(failed == 0);
}

void secrets_chain_add(struct secrets_hash *hash, const void *bytes, size_t count)
{
    assert(bytes != NULL || count == 0);
    int failed = crypto_generichash_update(state_of(hash), bytes, count);
    assert(failed == 0);
}

void secrets_chain_end(struct secrets_hash *hash, uint8_t out[SECRETS_HASH_BYTES])
{
    int failed = crypto_generichash_final(state_of(hash), out, SECRETS_HASH_BYTES);
    assert(failed == 0);
    sodium_memzero(hash, sizeof *hash);
}

void secrets_mac(const struct secrets *secrets, const char *purpose, const void *bytes,
                 size_t count, uint8_t mac[SECRETS_MAC_BYTES])
{
    assert(bytes != NULL || count == 0);
    crypto_generichash_state state;
    int failed = crypto_generichash_init(&state, secrets->mac_key, KEY_BYTES, SECRETS_MAC_BYTES);
    /* With its NUL, so that no purpose and message read like another pair. */
    failed |=
        crypto_generichash_update(&state, (const unsigned char *)purpose, strlen(purpose) + 1);
    failed |= crypto_generichash_update(&state, bytes, count);
    failed |= crypto_generichash_final(&state, mac, SECRETS_MAC_BYTES);
    assert(failed == 0);
    sodium_memzero(&state, sizeof state);
}

bool secrets_mac_equal(const uint8_t a[SECRETS_MAC_BYTES], const uint8_t b[SECRETS_MAC_BYTES])
{
    assert(a != NULL && b != NULL);
    return sodium_memcmp(a, b, SECRETS_MAC_BYTES) == 0;
}

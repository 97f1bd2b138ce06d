#include "cursor.h"

#include "problem.h"

#include <assert.h>
#include <string.h>

enum { KEY_BYTES = 16, BYTES_MAX = CURSOR_KEY_MAX + SECRETS_MAC_BYTES };

static void put_number(unsigned char *bytes, int64_t number)
{
    for (size_t i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)((uint64_t)number >> (8 * i));
    }
}

static int64_t get_number(const unsigned char *bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < 8; i++) {
        number |= (uint64_t)bytes[i] << (8 * i);
    }
    return (int64_t)number;
}

/* base64url without padding: six bits a character, the first ones first. */
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void encode(const unsigned char *bytes, size_t count, char *text)
{
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < count; i++) {
        bits = bits << 8 | bytes[i];
        for (held += 8; held >= 6; held -= 6) {
            *text++ = alphabet[bits >> (held - 6) & 63];
        }
    }
    assert(held < 6);
    if (held > 0) {
        *text++ = alphabet[bits << (6 - held) & 63];
    }
    *text = '\0';
}

/* False: not what `encode` makes of at most BYTES_MAX bytes. */
static bool decode(const char *text, unsigned char bytes[BYTES_MAX], size_t *count)
{
    uint32_t bits = 0;
    unsigned held = 0;
    size_t filled = 0;
    for (; *text != '\0'; text++) {
        const char *digit = strchr(alphabet, *text);
        if (digit == NULL || filled == BYTES_MAX) {
            return false;
        }
        bits = bits << 6 | (uint32_t)(digit - alphabet);
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[filled++] = (unsigned char)(bits >> held);
        }
    }
    *count = filled;
    /* One text a cursor: the bits that fill up the last character are zero. */
    return held < 6 && (bits & ((1U << held) - 1)) == 0;
}

/* Bytes of a key with room for its MAC behind it. */
static void seal(const struct secrets *secrets, const char *list, unsigned char *bytes,
                 size_t count, char *text)
{
    secrets_mac(secrets, list, bytes, count, bytes + count);
    encode(bytes, count + SECRETS_MAC_BYTES, text);
}

void cursor_format(const struct secrets *secrets, const char *list, struct cursor cursor,
                   char text[CURSOR_TEXT])
{
    static_assert(CURSOR_TEXT == ((KEY_BYTES + SECRETS_MAC_BYTES) * 8 + 5) / 6 + 1,
                  "six bits a character");
    unsigned char bytes[KEY_BYTES + SECRETS_MAC_BYTES];
    put_number(bytes, cursor.first);
    put_number(bytes + 8, cursor.second);
    seal(secrets, list, bytes, KEY_BYTES, text);
    assert(strlen(text) == CURSOR_TEXT - 1);
}

void cursor_format_key(const struct secrets *secrets, const char *list, const void *key,
                       size_t count, char text[CURSOR_LONG_TEXT])
{
    unsigned char bytes[BYTES_MAX];
    assert(count >= 1 && count <= CURSOR_KEY_MAX);
    memcpy(bytes, key, count);
    seal(secrets, list, bytes, count, text);
    assert(strlen(text) < CURSOR_LONG_TEXT);
}

bool cursor_parse_key(const struct secrets *secrets, const char *list, const char *text,
                      unsigned char key[CURSOR_KEY_MAX], size_t *count)
{
    assert(list != NULL && text != NULL && key != NULL);
    unsigned char bytes[BYTES_MAX];
    uint8_t mac[SECRETS_MAC_BYTES];
    size_t length = 0;
    if (!decode(text, bytes, &length) || length <= SECRETS_MAC_BYTES) {
        return false;
    }
    length -= SECRETS_MAC_BYTES;
    secrets_mac(secrets, list, bytes, length, mac);
    if (!secrets_mac_equal(mac, bytes + length)) {
        return false;
    }
    memcpy(key, bytes, length);
    *count = length;
    return true;
}

bool cursor_parse(const struct secrets *secrets, const char *list, const char *text,
                  struct cursor *cursor)
{
    assert(cursor != NULL);
    unsigned char key[CURSOR_KEY_MAX];
    size_t count = 0;
    if (!cursor_parse_key(secrets, list, text, key, &count) || count != KEY_BYTES) {
        return false;
    }
    *cursor = (struct cursor){get_number(key), get_number(key + 8)};
    return true;
}

bool request_cursor(struct request *request, struct reply *reply, const char *list,
                    struct cursor *cursor, bool *present)
{
    const char *text = request_query(request, "cursor");
    *present = text != NULL;
    if (text == NULL || cursor_parse(match_secrets(request->match), list, text, cursor)) {
        return true;
    }
    (void)reply_problem(request, reply, PROBLEM_INVALID_CURSOR, NULL);
    return false;
}

bool request_cursor_key(struct request *request, struct reply *reply, const char *list,
                        unsigned char key[CURSOR_KEY_MAX], size_t *count)
{
    const char *text = request_query(request, "cursor");
    *count = 0;
    if (text == NULL || cursor_parse_key(match_secrets(request->match), list, text, key, count)) {
        return true;
    }
    (void)reply_problem(request, reply, PROBLEM_INVALID_CURSOR, NULL);
    return false;
}

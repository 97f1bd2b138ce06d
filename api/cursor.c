#include "cursor.h"

#include "problem.h"

#include <assert.h>
#include <string.h>

enum { KEY_BYTES = 16, CURSOR_BYTES = KEY_BYTES + SECRETS_MAC_BYTES };

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

/* False: not what `encode` makes of `count` bytes. */
static bool decode(const char *text, unsigned char *bytes, size_t count)
{
    uint32_t bits = 0;
    unsigned held = 0;
    size_t filled = 0;
    for (; *text != '\0'; text++) {
        const char *digit = strchr(alphabet, *text);
        if (digit == NULL || filled == count) {
            return false;
        }
        bits = bits << 6 | (uint32_t)(digit - alphabet);
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[filled++] = (unsigned char)(bits >> held);
        }
    }
    /* One text a cursor: the bits that fill up the last character are zero. */
    return filled == count && (bits & ((1U << held) - 1)) == 0;
}

void cursor_format(const struct secrets *secrets, const char *list, struct cursor cursor,
                   char text[CURSOR_TEXT])
{
    static_assert(CURSOR_TEXT == (CURSOR_BYTES * 8 + 5) / 6 + 1, "six bits a character");
    unsigned char bytes[CURSOR_BYTES];
    put_number(bytes, cursor.first);
    put_number(bytes + 8, cursor.second);
    secrets_mac(secrets, list, bytes, KEY_BYTES, bytes + KEY_BYTES);
    encode(bytes, sizeof bytes, text);
    assert(strlen(text) == CURSOR_TEXT - 1);
}

bool cursor_parse(const struct secrets *secrets, const char *list, const char *text,
                  struct cursor *cursor)
{
    assert(list != NULL && text != NULL && cursor != NULL);
    unsigned char bytes[CURSOR_BYTES];
    uint8_t mac[SECRETS_MAC_BYTES];
    if (!decode(text, bytes, sizeof bytes)) {
        return false;
    }
    secrets_mac(secrets, list, bytes, KEY_BYTES, mac);
    if (!secrets_mac_equal(mac, bytes + KEY_BYTES)) {
        return false;
    }
    *cursor = (struct cursor){get_number(bytes), get_number(bytes + 8)};
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

#include "cursor.h"

#include "problem.h"

#include <assert.h>
#include <stdio.h>
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

void cursor_format(const struct secrets *secrets, const char *list, struct cursor cursor,
                   char text[CURSOR_TEXT])
{
    static_assert(CURSOR_TEXT == 2 * CURSOR_BYTES + 1, "two digits a byte");
    unsigned char bytes[CURSOR_BYTES];
    put_number(bytes, cursor.first);
    put_number(bytes + 8, cursor.second);
    secrets_mac(secrets, list, bytes, KEY_BYTES, bytes + KEY_BYTES);
    for (size_t i = 0; i < CURSOR_BYTES; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
}

/* -1: not a digit as cursor_format writes it. */
static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool cursor_parse(const struct secrets *secrets, const char *list, const char *text,
                  struct cursor *cursor)
{
    unsigned char bytes[CURSOR_BYTES];
    uint8_t mac[SECRETS_MAC_BYTES];
    if (strlen(text) != CURSOR_TEXT - 1) {
        return false;
    }
    for (size_t i = 0; i < CURSOR_BYTES; i++) {
        int high = digit_value(text[2 * i]);
        int low = digit_value(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes[i] = (unsigned char)(high * 16 + low);
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

#include "codes.h"

#include <assert.h>
#include <string.h>

static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

enum { DIGIT_BITS = 5, HYPHEN_AT = 4 };
static_assert(sizeof digits == (1 << DIGIT_BITS) + 1, "one digit a value");

/* The digit at `index` of eight: its place in the text, behind the hyphen or before it. */
static size_t place(size_t index)
{
    return index < HYPHEN_AT ? index : index + 1;
}

static void write_code(const uint8_t bytes[CODE_DIGITS], char text[CODE_TEXT])
{
    for (size_t i = 0; i < CODE_DIGITS; i++) {
        text[place(i)] = digits[bytes[i] & ((1U << DIGIT_BITS) - 1)];
    }
    text[HYPHEN_AT] = '-';
    text[CODE_TEXT - 1] = '\0';
}

void code_mint(const struct match_env *env, char text[CODE_TEXT])
{
    uint8_t bytes[CODE_DIGITS];
    env->random(env->context, bytes, sizeof bytes);
    write_code(bytes, text);
}

void code_derive(const struct secrets *secrets, const char *purpose, const char *of,
                 char text[CODE_TEXT])
{
    uint8_t mac[SECRETS_MAC_BYTES];
    static_assert((int)SECRETS_MAC_BYTES >= (int)CODE_DIGITS, "a byte a digit");
    secrets_mac(secrets, purpose, of, strlen(of), mac);
    write_code(mac, text);
}

static char meant(char typed)
{
    static const char lower[] = "abcdefghjkmnpqrstvwxyzoilOIL";
    static const char upper[] = "ABCDEFGHJKMNPQRSTVWXYZ011011";
    static_assert(sizeof lower == sizeof upper, "one meaning each");
    const char *found = typed == '\0' ? NULL : strchr(lower, typed);
    if (found != NULL) {
        return upper[found - lower];
    }
    return typed;
}

bool code_normalise(const char *typed, char text[CODE_TEXT])
{
    size_t count = 0;
    for (const char *at = typed; *at != '\0'; at++) {
        if (*at == '-' && count == HYPHEN_AT && at[-1] != '-') {
            continue;
        }
        char digit = meant(*at);
        if (count == CODE_DIGITS || memchr(digits, digit, sizeof digits - 1) == NULL) {
            return false;
        }
        text[place(count++)] = digit;
    }
    text[HYPHEN_AT] = '-';
    text[CODE_TEXT - 1] = '\0';
    return count == CODE_DIGITS;
}

void code_hash(const struct secrets *secrets, const char *purpose, const char text[CODE_TEXT],
               uint8_t hash[DB_CODE_HASH_BYTES])
{
    static_assert((int)SECRETS_MAC_BYTES == (int)DB_CODE_HASH_BYTES, "a MAC is what is stored");
    secrets_mac(secrets, purpose, text, CODE_TEXT - 1, hash);
}

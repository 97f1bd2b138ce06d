#include "secrets.h"

#include <assert.h>
#include <string.h>

enum {
    ID_BYTES = 16,
    ID_DIGITS = 26, /* 130 bits: the first digit carries three */
    ID_PREFIX = 2,  /* the letter and "_" */
    ID_LENGTH = ID_PREFIX + ID_DIGITS,
    DIGIT_BITS = 5,
};

static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";

static_assert(sizeof digits == (1 << DIGIT_BITS) + 1, "one digit a value");
static_assert(ID_LENGTH + 1 == DB_ID_TEXT, "an id fills its text");

static bool is_prefix(char letter)
{
    return letter == 'p' || letter == 'd' || letter == 'g' || letter == 'q' || letter == 't';
}

void secrets_id(const struct match_env *env, char prefix, struct public_id *id)
{
    assert(is_prefix(prefix));
    uint8_t bytes[ID_BYTES];
    env->random(env->context, bytes, sizeof bytes);
    id->text[0] = prefix;
    id->text[1] = '_';
    /* Read as one big-endian number, whose last digit is written first. */
    unsigned held = 0;
    unsigned bits = 0;
    size_t next = ID_BYTES;
    for (size_t digit = ID_LENGTH; digit-- > ID_PREFIX;) {
        if (bits < DIGIT_BITS && next > 0) {
            held |= (unsigned)bytes[--next] << bits;
            bits += 8;
        }
        id->text[digit] = digits[held & ((1U << DIGIT_BITS) - 1)];
        held >>= DIGIT_BITS;
        bits = bits < DIGIT_BITS ? 0 : bits - DIGIT_BITS;
    }
    assert(held == 0 && next == 0);
    id->text[ID_LENGTH] = '\0';
}

bool secrets_id_parse(const char *text, size_t length, char prefix, struct public_id *id)
{
    assert(is_prefix(prefix) && text != NULL);
    if (length != ID_LENGTH || text[0] != prefix || text[1] != '_') {
        return false;
    }
    if (text[ID_PREFIX] < '0' || text[ID_PREFIX] > '7') {
        return false; /* more than 128 bits */
    }
    for (size_t i = ID_PREFIX; i < ID_LENGTH; i++) {
        if (memchr(digits, text[i], sizeof digits - 1) == NULL) {
            return false;
        }
    }
    memcpy(id->text, text, ID_LENGTH);
    id->text[ID_LENGTH] = '\0';
    return true;
}

#include "tag.h"

#include <assert.h>
#include <string.h>

/* The rounds of XXH64, eight bytes each; what it does more is for longer keys and shorter hashes.
 */
static const uint64_t prime_1 = 0x9e3779b185ebca87;
static const uint64_t prime_2 = 0xc2b2ae3d27d4eb4f;
static const uint64_t prime_3 = 0x85ebca77c2b2ae63;

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t mix_word(uint64_t tag, uint64_t word)
{
    tag ^= rotate(word * prime_2, 31) * prime_1;
    return rotate(tag, 27) * prime_1 + prime_3;
}

uint64_t tag_mix(uint64_t tag, const void *bytes, size_t length)
{
    assert(bytes != NULL || length == 0);
    const unsigned char *at = bytes;
    uint64_t word = 0;
    /* The length as well: where one piece ends and the next begins makes a difference. */
    tag = mix_word(tag, length);
    for (; length >= sizeof word; length -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        tag = mix_word(tag, word);
    }
    if (length > 0) {
        word = 0;
        memcpy(&word, at, length);
        tag = mix_word(tag, word);
    }
    return tag;
}

void tag_format(uint64_t tag, char text[TAG_TEXT])
{
    static const char hex[] = "0123456789abcdef";
    enum { DIGITS = 16, PREFIX = 3 };
    static_assert(PREFIX + DIGITS + 2 == TAG_TEXT, "W/, two quotes, the digits and a NUL");
    memcpy(text, "W/\"", PREFIX);
    for (unsigned i = 0; i < DIGITS; i++) {
        text[PREFIX + i] = hex[tag >> (4 * (DIGITS - 1 - i)) & 15];
    }
    text[PREFIX + DIGITS] = '"';
    text[PREFIX + DIGITS + 1] = '\0';
}

/* --- If-None-Match ---------------------------------------------------------------------------- */

void none_match_add(struct none_match *none_match, const char *value)
{
    assert(none_match != NULL && value != NULL);
    if (none_match->count < NONE_MATCH_LINES) {
        none_match->lines[none_match->count++] = value;
    }
}

/* A tag without its W/, with its quotes: what weak comparison looks at. */
static const char *opaque(const char *tag)
{
    return strncmp(tag, "W/", 2) == 0 ? tag + 2 : tag;
}

/* Tags are found by their quotes: a comma may be inside one. What is no tag ends the line. */
static bool line_lists(const char *line, const char *wanted, size_t length)
{
    for (;;) {
        line = opaque(line + strspn(line, ", \t"));
        if (*line != '"') {
            return false;
        }
        const char *end = strchr(line + 1, '"');
        if (end == NULL) {
            return false;
        }
        if ((size_t)(end + 1 - line) == length && memcmp(line, wanted, length) == 0) {
            return true;
        }
        line = end + 1;
    }
}

bool none_match_lists(const struct none_match *none_match, const char *tag)
{
    assert(none_match != NULL && tag != NULL);
    const char *wanted = opaque(tag);
    size_t length = strlen(wanted);
    for (size_t i = 0; i < none_match->count; i++) {
        if (line_lists(none_match->lines[i], wanted, length)) {
            return true;
        }
    }
    return false;
}

bool none_match_has(const struct none_match *none_match, const char *tag)
{
    for (size_t i = 0; i < none_match->count; i++) {
        if (none_match->lines[i][0] == '*') {
            return true;
        }
    }
    return none_match_lists(none_match, tag);
}

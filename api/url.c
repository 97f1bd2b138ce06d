#include "url.h"

#include "utf8.h"

#include <assert.h>
#include <string.h>

static int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    if (digit >= 'A' && digit <= 'F') {
        return digit - 'A' + 10;
    }
    return -1;
}

static bool is_control(int byte)
{
    return byte < 0x20 || byte == 0x7f;
}

/* A byte as it may stand in a target without an escape. */
static bool plain_allowed(enum url_part part, char byte)
{
    int value = (unsigned char)byte;
    bool path_only = part == URL_PATH && byte == '\\';
    return !is_control(value) && byte != ' ' && byte != '#' && !path_only;
}

static bool escape_allowed(enum url_part part, int value)
{
    return !is_control(value) && !(part == URL_PATH && (value == '/' || value == '\\'));
}

bool url_decode(enum url_part part, const char *text, size_t length, char *out)
{
    assert(text != NULL && out != NULL);
    size_t used = 0;
    for (size_t at = 0; at < length; at++) {
        if (text[at] != '%') {
            if (!plain_allowed(part, text[at])) {
                return false;
            }
            out[used++] = text[at];
            continue;
        }
        int high = length - at > 2 ? hex_digit(text[at + 1]) : -1;
        int low = length - at > 2 ? hex_digit(text[at + 2]) : -1;
        if (high < 0 || low < 0 || !escape_allowed(part, high * 16 + low)) {
            return false;
        }
        out[used++] = (char)(high * 16 + low);
        at += 2;
    }
    assert(used <= length);
    out[used] = '\0';
    return utf8_valid(out, used);
}

static bool is_repeated(const struct query_pair *pairs, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(pairs[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Decodes `name=value`; *out moves on behind both. False: the name is NULL if it is to blame. */
static bool decode_pair(const char *text, size_t length, char **out, struct query_pair *pair)
{
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals == NULL ? length : (size_t)(equals - text);
    const char *value = equals == NULL ? text + length : equals + 1;
    size_t value_length = (size_t)(text + length - value);
    pair->name = NULL;
    if (name_length == 0 || !url_decode(URL_QUERY, text, name_length, *out)) {
        return false;
    }
    pair->name = *out;
    *out += strlen(*out) + 1;
    if (equals == NULL) {
        pair->value = *out - 1;
        return true;
    }
    pair->value = *out;
    if (!url_decode(URL_QUERY, value, value_length, *out)) {
        return false;
    }
    *out += strlen(*out) + 1;
    return true;
}

bool url_query(const char *text, size_t length, char *out,
               struct query_pair pairs[REQUEST_QUERY_MAX], size_t *count, struct query_fault *fault)
{
    assert(text != NULL && out != NULL && count != NULL && fault != NULL);
    *count = 0;
    const char *end = text + length;
    while (length > 0 && text <= end) {
        const char *and = memchr(text, '&', (size_t)(end - text));
        const char *pair_end = and == NULL ? end : and;
        if (*count == REQUEST_QUERY_MAX) {
            *fault = (struct query_fault){NULL, "too-many"};
            return false;
        }
        struct query_pair *pair = &pairs[*count];
        if (!decode_pair(text, (size_t)(pair_end - text), &out, pair)) {
            *fault = (struct query_fault){pair->name, "malformed"};
            return false;
        }
        if (is_repeated(pairs, *count, pair->name)) {
            *fault = (struct query_fault){pair->name, "repeated"};
            return false;
        }
        *count += 1;
        text = pair_end + 1;
    }
    return true;
}

static bool is_path_character(char byte)
{
    bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    bool digit = byte >= '0' && byte <= '9';
    return letter || digit || (byte != '\0' && strchr("-._~!$&'()*+,;=:@/", byte) != NULL);
}

void url_encode(const char *path, char *out, size_t size)
{
    static const char hex[] = "0123456789ABCDEF";
    assert(path != NULL && out != NULL && size > 0);
    size_t used = 0;
    for (; *path != '\0' && used + 4 <= size; path++) {
        if (is_path_character(*path)) {
            out[used++] = *path;
        } else {
            out[used++] = '%';
            out[used++] = hex[(unsigned char)*path >> 4];
            out[used++] = hex[(unsigned char)*path & 15];
        }
    }
    out[used] = '\0';
}

#include "json_out.h"

#include "notation.h"
#include "tag.h"
#include "utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 2048, /* most answers need no second */
    NUMBER_TEXT = 24,      /* any 64-bit number with a point, a sign and a NUL */
    ESCAPE_TEXT = 6,       /* \u00XX */
};

struct json_out json_out_begin(void)
{
    struct json_out out = {.bytes = malloc(FIRST_CAPACITY), .capacity = FIRST_CAPACITY};
    out.failed = out.bytes == NULL;
    return out;
}

char *json_out_take(struct json_out *out, size_t *length)
{
    assert(out->depth == 0 && length != NULL);
    if (out->failed) {
        json_out_drop(out);
        return NULL;
    }
    assert(out->length > 0 && out->length < out->capacity);
    out->bytes[out->length] = '\0';
    *length = out->length;
    return out->bytes;
}

void json_out_drop(struct json_out *out)
{
    free(out->bytes);
    *out = (struct json_out){.failed = true};
}

/* --- live members ------------------------------------------------------------------------------
 */

void json_out_live_begin(struct json_out *out)
{
    if (out->live_count < JSON_OUT_LIVE_MAX) {
        out->live[out->live_count].from = out->length;
    }
}

void json_out_live_end(struct json_out *out)
{
    if (out->live_count < JSON_OUT_LIVE_MAX) {
        out->live[out->live_count].to = out->length;
    }
    out->live_count++;
}

uint64_t json_out_tag(const struct json_out *out)
{
    assert(out->live_count <= JSON_OUT_LIVE_MAX);
    uint64_t tag = 0;
    size_t from = 0;
    if (out->failed) {
        return 0;
    }
    for (size_t i = 0; i < out->live_count; i++) {
        tag = tag_mix(tag, out->bytes + from, out->live[i].from - from);
        from = out->live[i].to;
    }
    return tag_mix(tag, out->bytes + from, out->length - from);
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* Room for `count` bytes and a NUL. */
static bool make_room(struct json_out *out, size_t count)
{
    if (!out->failed && out->capacity - out->length > count) {
        return true;
    }
    size_t capacity = out->capacity;
    while (!out->failed && capacity - out->length <= count) {
        capacity *= 2;
    }
    char *bytes = out->failed ? NULL : realloc(out->bytes, capacity);
    if (bytes == NULL) {
        out->failed = true;
        return false;
    }
    out->bytes = bytes;
    out->capacity = capacity;
    return true;
}

static void put(struct json_out *out, const char *bytes, size_t count)
{
    if (make_room(out, count)) {
        memcpy(out->bytes + out->length, bytes, count);
        out->length += count;
    }
}

static void put_byte(struct json_out *out, char byte)
{
    if (make_room(out, 1)) {
        out->bytes[out->length++] = byte;
    }
}

/* The comma and the name before a value. A value never ends in an opening bracket, so the last byte
 * tells whether this is the first one. */
static void put_key(struct json_out *out, const char *key)
{
    assert((key != NULL) == (out->depth > 0 && out->closers[out->depth - 1] == '}'));
    const char *last = out->length == 0 ? "{" : &out->bytes[out->length - 1];
    if (*last != '{' && *last != '[') {
        put_byte(out, ',');
    }
    if (key != NULL) {
        put_byte(out, '"');
        put(out, key, strlen(key));
        put(out, "\":", 2);
    }
}

/* --- objects and arrays ----------------------------------------------------------------------- */

static void open_value(struct json_out *out, const char *key, char opener, char closer)
{
    put_key(out, key);
    put_byte(out, opener);
    assert(out->depth < JSON_OUT_DEPTH_MAX);
    out->closers[out->depth++] = closer;
}

void json_out_object(struct json_out *out, const char *key)
{
    open_value(out, key, '{', '}');
}

void json_out_array(struct json_out *out, const char *key)
{
    open_value(out, key, '[', ']');
}

void json_out_end(struct json_out *out)
{
    assert(out->depth > 0);
    put_byte(out, out->closers[--out->depth]);
}

void json_out_document(struct json_out *out, const char *key, struct json_out *take_document)
{
    assert(take_document->depth == 0);
    put_key(out, key);
    if (!take_document->failed) {
        put(out, take_document->bytes, take_document->length);
    }
    out->failed = out->failed || take_document->failed;
    json_out_drop(take_document);
}

/* --- values ----------------------------------------------------------------------------------- */

void json_out_null(struct json_out *out, const char *key)
{
    put_key(out, key);
    put(out, "null", 4);
}

void json_out_bool(struct json_out *out, const char *key, bool value)
{
    put_key(out, key);
    put(out, value ? "true" : "false", value ? 4 : 5);
}

/* Digits from the right; the length. */
static size_t number_text(int64_t value, char text[NUMBER_TEXT])
{
    char reversed[NUMBER_TEXT];
    size_t digits = 0;
    size_t length = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        reversed[digits++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        text[length++] = '-';
    }
    while (digits > 0) {
        text[length++] = reversed[--digits];
    }
    assert(length < NUMBER_TEXT);
    return length;
}

void json_out_integer(struct json_out *out, const char *key, int64_t value)
{
    char text[NUMBER_TEXT];
    put_key(out, key);
    put(out, text, number_text(value, text));
}

void json_out_points(struct json_out *out, const char *key, int64_t milli)
{
    char text[NOTATION_POINTS];
    size_t length = notation_points(milli, text);
    put_key(out, key);
    put(out, text, length);
}

void json_out_millionths(struct json_out *out, const char *key, uint32_t micro)
{
    char text[NUMBER_TEXT];
    enum { ONE = 1000000 };
    int length = snprintf(text, sizeof text, "%" PRIu32 ".%06" PRIu32, micro / ONE, micro % ONE);
    assert(length > 0 && (size_t)length < sizeof text);
    put_key(out, key);
    put(out, text, (size_t)length);
}

/* One character as it must be written; its length in the source. */
static size_t put_character(struct json_out *out, const char *text, size_t length)
{
    uint32_t code = 0;
    char escape[ESCAPE_TEXT + 1];
    size_t size = utf8_next(text, length, &code);
    if (size == 0) {
        put_byte(out, '?');
        return 1;
    }
    if (code < 0x20) {
        (void)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code);
        put(out, escape, ESCAPE_TEXT);
        return 1;
    }
    if (code == '"' || code == '\\') {
        put_byte(out, '\\');
    }
    put(out, text, size);
    return size;
}

static bool is_plain(char byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

void json_out_bytes(struct json_out *out, const char *key, const char *text, size_t length)
{
    size_t at = 0;
    put_key(out, key);
    put_byte(out, '"');
    while (at < length) {
        size_t plain = 0;
        while (at + plain < length && is_plain(text[at + plain])) {
            plain++;
        }
        put(out, text + at, plain);
        at += plain;
        if (at < length) {
            at += put_character(out, text + at, length - at);
        }
    }
    put_byte(out, '"');
}

void json_out_text(struct json_out *out, const char *key, const char *text)
{
    assert(text != NULL);
    json_out_bytes(out, key, text, strlen(text));
}

void json_out_time(struct json_out *out, const char *key, int64_t at_ms)
{
    char text[NOTATION_TIME];
    if (at_ms <= 0 || !notation_time(at_ms, text)) {
        json_out_null(out, key);
        return;
    }
    json_out_bytes(out, key, text, sizeof text - 1);
}

void json_out_text_or_null(struct json_out *out, const char *key, const char *text)
{
    if (text == NULL || text[0] == '\0') {
        json_out_null(out, key);
    } else {
        json_out_text(out, key, text);
    }
}

void json_out_integer_or_null(struct json_out *out, const char *key, bool present, int64_t value)
{
    if (present) {
        json_out_integer(out, key, value);
    } else {
        json_out_null(out, key);
    }
}

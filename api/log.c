#include "log.h"

#include "notation.h"
#include "utf8.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum {
    LOG_TAIL = 2, /* room that is always kept for "}\n" */
};

static void add(struct log_line *line, const char *bytes, size_t count)
{
    assert(line->length + count + LOG_TAIL <= sizeof line->text);
    memcpy(line->text + line->length, bytes, count);
    line->length += count;
}

static bool fits(const struct log_line *line, size_t count)
{
    assert(line->length + LOG_TAIL <= sizeof line->text);
    return line->length + count + LOG_TAIL <= sizeof line->text;
}

static void add_key(struct log_line *line, const char *key)
{
    assert(line->length > 0);
    if (line->text[line->length - 1] != '{') {
        add(line, ",", 1);
    }
    add(line, "\"", 1);
    add(line, key, strlen(key));
    add(line, "\":", 2);
}

/* Would change what a terminal or a line-based reader sees of the line. */
static bool is_unsafe(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 || code == 0x2029 ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

static void add_hex(struct log_line *line, const char *prefix, uint32_t value, unsigned digits)
{
    static const char hex[] = "0123456789abcdef";
    add(line, prefix, strlen(prefix));
    for (unsigned i = digits; i > 0; i--) {
        add(line, &hex[value >> (4 * (i - 1)) & 15], 1);
    }
}

/* How many bytes from here on can stand in a JSON string as they are. */
static size_t plain_run(const char *text, size_t length)
{
    size_t run = 0;
    while (run < length && text[run] >= 0x20 && text[run] < 0x7f && text[run] != '"' &&
           text[run] != '\\') {
        run++;
    }
    return run;
}

/* Adds one escaped character and returns how many bytes of the text it was. */
static size_t add_character(struct log_line *line, const char *text, size_t length)
{
    uint32_t code;
    size_t size = utf8_next(text, length, &code);
    if (size == 0) {
        /* A literal \xNN: JSON has no escape for a byte that is no text. */
        add_hex(line, "\\\\x", (unsigned char)text[0], 2);
        return 1;
    }
    if (is_unsafe(code)) {
        add_hex(line, "\\u", code, 4);
    } else if (code == '"' || code == '\\') {
        add(line, "\\", 1);
        add(line, text, 1);
    } else {
        add(line, text, size);
    }
    return size;
}

void log_begin(struct log_line *line, const char *event, int64_t at_ms)
{
    assert(line != NULL && event != NULL);
    line->length = 0;
    add(line, "{", 1);
    log_text(line, "event", event);
    char at[NOTATION_TIME];
    log_text(line, "at", notation_time(at_ms, at) ? at : "");
}

void log_text(struct log_line *line, const char *key, const char *text)
{
    if (text == NULL) {
        log_null(line, key);
    } else {
        log_bytes(line, key, text, strnlen(text, LOG_FIELD_MAX + 1));
    }
}

void log_bytes(struct log_line *line, const char *key, const char *text, size_t length)
{
    assert(line != NULL && key != NULL && text != NULL);
    size_t kept = length > LOG_FIELD_MAX ? LOG_FIELD_MAX : length;
    /* An escape is at most six times as long as the byte that it stands for. */
    if (!fits(line, strlen(key) + 16 + 6 * kept)) {
        return;
    }
    add_key(line, key);
    add(line, "\"", 1);
    for (size_t at = 0; at < kept;) {
        size_t run = plain_run(text + at, kept - at);
        if (run > 0) {
            add(line, text + at, run);
            at += run;
            continue;
        }
        /* The whole text, not the part that is kept, decides what is a character. */
        at += add_character(line, text + at, length - at);
    }
    if (kept < length) {
        add(line, "...", 3);
    }
    add(line, "\"", 1);
}

void log_integer(struct log_line *line, const char *key, int64_t value)
{
    assert(line != NULL && key != NULL);
    if (!fits(line, strlen(key) + 32)) {
        return;
    }
    add_key(line, key);
    char digits[24];
    char *at = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        *--at = '-';
    }
    add(line, at, (size_t)(digits + sizeof digits - at));
}

void log_null(struct log_line *line, const char *key)
{
    assert(line != NULL && key != NULL);
    if (fits(line, strlen(key) + 16)) {
        add_key(line, key);
        add(line, "null", 4);
    }
}

void log_write(const struct logger *logger, struct log_line *line)
{
    assert(logger != NULL && line != NULL && line->length + LOG_TAIL <= sizeof line->text);
    memcpy(line->text + line->length, "}\n", LOG_TAIL);
    size_t count = line->length + LOG_TAIL;
    ssize_t written;
    do {
        written = write(logger->fd, line->text, count);
    } while (written < 0 && errno == EINTR);
    /* A log that cannot be written is no reason to stop serving. */
}

void log_event(const struct logger *logger, const char *event, int64_t at_ms, const char *text)
{
    struct log_line line;
    log_begin(&line, event, at_ms);
    log_text(&line, "text", text);
    log_write(logger, &line);
}

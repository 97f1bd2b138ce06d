#ifndef API_JSON_OUT_H
#define API_JSON_OUT_H

/*
 * JSON written front to back as text. No tree of values is built: answers are made many thousand
 * times a second, and a tree with its dump costs ten times as much as the bytes themselves.
 *
 * `key` names a member of the object that is open; in an array, and for the outermost value, it is
 * NULL. What comes out is always well-formed UTF-8. The first failure (no memory) is remembered, so
 * that nobody sees half a document.
 *
 * Threads: one document, one thread.
 * Ownership: json_out_begin, then exactly one of json_out_take and json_out_drop.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JSON_OUT_DEPTH_MAX = 16,
    JSON_OUT_LIVE_MAX = 4, /* live members of a document that is asked for its tag */
};

struct json_out {
    char *bytes;
    size_t length;
    size_t capacity;
    unsigned depth;
    char closers[JSON_OUT_DEPTH_MAX]; /* of what is open, outermost first */
    bool failed;
    size_t live_count; /* also counts those that `live` has no room for */
    struct {
        size_t from, to;
    } live[JSON_OUT_LIVE_MAX];
};

struct json_out json_out_begin(void);
/* The document, malloc'd and NUL-terminated, everything closed; NULL: no memory. */
char *json_out_take(struct json_out *out, size_t *length);
void json_out_drop(struct json_out *out);

/* Around members that change by themselves, while what the document is about stays the same. */
void json_out_live_begin(struct json_out *out);
void json_out_live_end(struct json_out *out);
/* A hash (tag.h) of what has been written, but for its live members. */
uint64_t json_out_tag(const struct json_out *out);

void json_out_object(struct json_out *out, const char *key);
void json_out_array(struct json_out *out, const char *key);
/* Closes what was opened last. */
void json_out_end(struct json_out *out);

void json_out_null(struct json_out *out, const char *key);
void json_out_bool(struct json_out *out, const char *key, bool value);
void json_out_integer(struct json_out *out, const char *key, int64_t value);
/* Thousandths as a number with at most three decimals: 1507766 is 1507.766, 1500000 is 1500. */
void json_out_points(struct json_out *out, const char *key, int64_t milli);
/* Millionths as a number with six decimals: 759747 is 0.759747. */
void json_out_millionths(struct json_out *out, const char *key, uint32_t micro);
/* What is no UTF-8 becomes '?'. */
void json_out_text(struct json_out *out, const char *key, const char *text);
/* The same of `length` bytes. */
void json_out_bytes(struct json_out *out, const char *key, const char *text, size_t length);
/* RFC 3339 UTC with milliseconds; 0 is null. */
void json_out_time(struct json_out *out, const char *key, int64_t at_ms);
/* "" is null. */
void json_out_text_or_null(struct json_out *out, const char *key, const char *text);
void json_out_integer_or_null(struct json_out *out, const char *key, bool present, int64_t value);
/* Another document as a value; it is released. */
void json_out_document(struct json_out *out, const char *key, struct json_out *take_document);

#endif

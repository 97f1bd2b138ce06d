#ifndef API_JSON_READ_H
#define API_JSON_READ_H

/*
 * Strict decoding of request bodies into plain structs by a list of fields. Threads: any.
 *
 * 400 malformed-json: not exactly one well-formed JSON object (syntax, UTF-8, duplicate keys, depth
 * over 16). 422 unknown-field, invalid-field: well-formed, but not what the list says.
 */

#include "match/tables.h"
#include "request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_type {
    FIELD_TEXT,    /* char[size], NUL-terminated; at most size - 1 bytes, no U+0000 */
    FIELD_INTEGER, /* int64_t in min..max; 1.0 is no integer */
    FIELD_BOOL,    /* bool */
    FIELD_OPTIONS, /* struct table_options: an object of words and whole numbers */
};

struct field {
    const char *name;
    enum field_type type;
    bool required;
    size_t offset; /* in the target struct */
    size_t size;   /* FIELD_TEXT */
    int64_t min;   /* FIELD_INTEGER */
    int64_t max;
    size_t present; /* offset of a bool that becomes whether the field came; 0: nobody asks */
};

/* Seeds the hash tables that bodies are read into; once, before any thread. */
void json_start(void);

/* Decodes the body into *target; absent optional fields stay untouched, only what they have as
 * `present` becomes false. No body counts as {} unless a field is required. False: the problem is
 * in the reply. */
bool json_decode(struct request *request, struct reply *reply, const struct field *fields,
                 size_t count, void *target);

#endif

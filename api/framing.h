#ifndef API_FRAMING_H
#define API_FRAMING_H

/*
 * The framing guard: libmicrohttpd reads requests leniently, so that two readers of the same bytes
 * could see different requests. Every header passes here before anything else is looked at.
 *
 * Threads: pure. Ownership: values are borrowed from the caller's request.
 */

#include "language.h"
#include "media.h"
#include "tag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAMING_FORWARDED_MAX = 8 }; /* X-Forwarded-For lines: a proxy adds one at most */

/* What the headers say, collected one by one; starts as all zero. */
struct framing {
    unsigned hosts;
    unsigned lengths;
    unsigned encodings;
    unsigned authorizations;
    unsigned content_types;
    unsigned idempotency_keys;
    bool bad_name;
    bool bad_target; /* set by who sees the whole target: it has a blank in it */
    bool bad_value;  /* of one of the headers below */
    bool chunked;
    bool encoded; /* a content encoding other than identity */
    uint64_t content_length;
    const char *authorization;
    const char *content_type;
    const char *idempotency_key; /* not looked at here: not every operation has one */
    unsigned last_event_ids;
    const char *last_event_id; /* likewise */
    size_t forwarded_count;    /* of lines, also of those that found no room */
    const char *forwarded[FRAMING_FORWARDED_MAX];
    bool proxied; /* some proxy says that it speaks for another */
    struct accept accept;
    const char *target_end; /* the NUL behind the target, set by who sees it */
    const char *next;       /* where the next header line must begin; NULL: not known */
    const char *end;        /* of the blank line */
    bool hidden;            /* there are bytes that are in no name and no value */
    struct languages languages;
    unsigned origins;
    const char *origin;
    bool preflight; /* a browser asks whether a page may send what it is about to */
    struct codings codings;
    struct none_match none_match;
};

/* libmicrohttpd splits the head where it lies in memory, and puts NULs over what it splits at. Told
 * where the head lies, framing_header finds what was hidden from it: a line that had no name (it is
 * taken for the blank line), a NUL, a continued line, a line feed alone. Before the headers. */
void framing_head(struct framing *framing, const char *version, const char *end);

/* A value is NUL-terminated, and NULL is an empty one. */
void framing_header(struct framing *framing, const char *name, size_t name_length,
                    const char *value);

/* NULL, or a sentence that says what is wrong. */
const char *framing_fault(const struct framing *framing, const char *target, const char *version);

bool framing_has_body(const struct framing *framing);

#endif

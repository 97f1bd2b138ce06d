#ifndef API_TAG_H
#define API_TAG_H

/*
 * Entity tags: what they are made of, and which of them a client says it has. All tags are weak: a
 * tag stands for what an answer says, not for its bytes.
 *
 * Threads: pure, any. Ownership: header values are borrowed from the caller's request.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TAG_TEXT = 21,        /* W/"0123456789abcdef" and a NUL */
    NONE_MATCH_LINES = 4, /* of If-None-Match that are looked at; a client sends one */
};

/* A hash that goes on from `tag` over these bytes. Quick, and nothing to keep a secret with. */
uint64_t tag_mix(uint64_t tag, const void *bytes, size_t length);

void tag_format(uint64_t tag, char text[TAG_TEXT]);

/* The If-None-Match lines of a request; all zero: none. */
struct none_match {
    size_t count;
    const char *lines[NONE_MATCH_LINES];
};

/* A line that is too many is left out: the answer is then whole where a 304 would have done. */
void none_match_add(struct none_match *none_match, const char *value);

/* Whether a formatted tag is among them, by weak comparison. */
bool none_match_lists(const struct none_match *none_match, const char *tag);

/* The same, or they say `*`: anything that there is. */
bool none_match_has(const struct none_match *none_match, const char *tag);

#endif

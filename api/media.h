#ifndef API_MEDIA_H
#define API_MEDIA_H

/*
 * Media types and codings in headers: what a client takes, and what it sends.
 *
 * Threads: pure, any. Ownership: header values are borrowed from the caller's request.
 */

#include <stdbool.h>
#include <stddef.h>

enum {
    ACCEPT_LINES = 4,     /* of one header that are looked at; a client sends one */
    QUALITY_WHOLE = 1000, /* q=1, in thousandths */
};

/* The lines of Accept or of Accept-Encoding; all zero: the header did not come. */
struct accept {
    size_t count;
    const char *lines[ACCEPT_LINES];
};

void accept_add(struct accept *accept, const char *value);

/* How much a media type (such as application/json) is wanted, by the most precise range that it
 * fits: 0, not at all, to QUALITY_WHOLE, also without a header. Parameters of ranges are passed
 * over. */
unsigned accept_quality(const struct accept *accept, const char *type);

/* Whether the coding gzip is wanted, and no less than none; not without a header. */
bool accept_gzip(const struct accept *codings);

/* application/json, alone or with charset=utf-8. */
bool media_is_json(const char *content_type);

#endif

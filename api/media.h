#ifndef API_MEDIA_H
#define API_MEDIA_H

/* Media types and codings in headers: what a client takes, and what it sends. Pure, any thread. */

#include <stdbool.h>
#include <stddef.h>

/* What operations answer in, the server's own preference first. */
enum media {
    MEDIA_JSON,
    MEDIA_EVENTS, /* server-sent events */
    MEDIA_NDJSON,
    MEDIA_PLAIN,
    MEDIA_CSV,
    MEDIA_TYPES, /* how many; also: none of them */
};

/* As it stands in Content-Type. */
const char *media_text(enum media media);

/* The best range of the Accept headers seen so far for one type. */
struct accept_range {
    int specificity; /* 1 for * / *, 2 for a type / *, 3 for the type itself; 0: none has come */
    int quality;     /* thousandths; 0: refused */
};

/* All zero: nothing yet. */
struct accept {
    bool present;
    struct accept_range ranges[MEDIA_TYPES];
};

void accept_add(struct accept *accept, const char *value);

/* Of the types in the bit set `offered`, the one the client likes best: by quality, then by how
 * precisely it was named, then in the server's order. MEDIA_TYPES: it takes none of them. */
enum media accept_best(const struct accept *accept, unsigned offered);

/* The Accept-Encoding headers seen so far; all zero: nothing yet. Qualities in thousandths;
 * identity that is not named is the last resort. */
struct codings {
    bool names_gzip;
    int gzip;
    int identity;
    int any;
};

void codings_add(struct codings *codings, const char *value);
/* Whether gzip is wanted, and no less than nothing; not without a header. */
bool codings_take_gzip(const struct codings *codings);

/* application/json, alone or with charset=utf-8. */
bool media_is_json(const char *content_type);

#endif

#ifndef API_MEDIA_H
#define API_MEDIA_H

/* Media types in headers. Pure, any thread. */

#include <stdbool.h>

/* What answers come in, the one that we would rather give first. */
enum media { MEDIA_JSON, MEDIA_CSV, MEDIA_TYPES };

/* Of the most precise range so far that a type falls into. */
struct accept_range {
    int precision; /* 0: none yet; 1: any type, 2: any of its kind, 3: this type */
    int quality;   /* thousandths */
};
/* What the Accept headers seen so far say; all zero: nothing yet. */
struct accept {
    bool present;
    struct accept_range ranges[MEDIA_TYPES];
};

void accept_add(struct accept *accept, const char *value);
/* Thousandths; 0: not acceptable. */
int accept_quality(const struct accept *accept, enum media media);
/* The most welcome of `offered` (a bit for each); false: none of them is acceptable. */
bool accept_choose(const struct accept *accept, unsigned offered, enum media *media);

/* application/json, alone or with charset=utf-8. */
bool media_is_json(const char *content_type);

#endif

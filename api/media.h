#ifndef API_MEDIA_H
#define API_MEDIA_H

/* Media types in headers. Pure, any thread. */

#include <stdbool.h>

/* What the Accept headers seen so far say about JSON; all zero: nothing yet. */
struct accept {
    bool present;
    int specificity; /* of the best range so far: 1 for * / *, 2 for application / *, 3 for JSON */
    bool refused;    /* that range has q=0 */
};

void accept_add(struct accept *accept, const char *value);
bool accept_json(const struct accept *accept);

/* application/json, alone or with charset=utf-8. */
bool media_is_json(const char *content_type);

#endif

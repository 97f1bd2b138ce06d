#ifndef TESTS_SUPPORT_MUTANT_H
#define TESTS_SUPPORT_MUTANT_H

/*
 * Request bodies as nobody should send them: a JSON value, changed, and written with faults.
 *
 * Threads: pure.
 */

#include "dice.h"

#include <jansson.h>
#include <stddef.h>

enum { BODY_MAX = 48 * 1024 }; /* more than any operation reads */

/* Any bytes; what would be more than BODY_MAX is cut off. A NUL follows. */
struct body {
    size_t length;
    char bytes[BODY_MAX + 1];
};

/* The value as JSON. */
void body_write(struct body *body, const json_t *value);
/* The value, changed in one to three ways, most of which make it unfit. `limit`: how many bytes the
 * operation reads, so that bodies can be around it. The value itself is changed, too. */
void body_mutate(struct body *body, json_t *value, size_t limit, struct dice *dice);

#endif

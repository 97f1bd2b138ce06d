#ifndef TESTS_SUPPORT_EDGES_H
#define TESTS_SUPPORT_EDGES_H

/*
 * The bounds of a JSON Schema, and the values at each, one under and one over it. Also of what has
 * no order: of words and patterns the nearest texts that do not fit.
 *
 * Threads: pure.
 */

#include <jansson.h>
#include <stdbool.h>

struct edge {
    const char *keyword;
    bool fits;     /* by the whole schema, not by this bound alone */
    json_t *value; /* borrowed */
};

typedef void edge_fn(void *context, const struct edge *edge);

/* Tries all edges of a schema, but not of its members and items. A keyword whose edges are not
 * known fails the test, so that no bound is passed over. */
void edges_each(json_t *document, json_t *schema, edge_fn *try, void *context);

#endif

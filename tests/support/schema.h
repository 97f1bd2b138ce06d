#ifndef TESTS_SUPPORT_SCHEMA_H
#define TESTS_SUPPORT_SCHEMA_H

/*
 * YAML files as JSON values, and values held against JSON Schemas. The validator knows the keywords
 * that openapi.yaml uses; one that it does not know is a complaint, so that nothing is ignored in
 * silence.
 *
 * Threads: pure; any, as long as nobody writes to the values.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A YAML file as JSON values; a new reference. Fails the test where it is no YAML, or has a key
 * twice. */
json_t *yaml_load(const char *path);

/* Where a local reference (`#/...`) leads; NULL: nowhere. Borrowed. */
json_t *schema_resolve(json_t *document, const char *reference);

/* Whether schema_check knows what to do with a keyword. */
bool schema_known(const char *keyword);

/* False: *complaint says where and why. `document` is what local references lead into. */
bool schema_check(json_t *document, json_t *schema, json_t *value, char *complaint, size_t size);

#endif

#ifndef TESTS_SUPPORT_SCHEMA_H
#define TESTS_SUPPORT_SCHEMA_H

/*
 * openapi.yaml as data, and answers held against it. The validator knows the JSON Schema keywords
 * that the document uses; one that it does not know is a complaint, so that nothing is ignored in
 * silence.
 *
 * Threads: the document is loaded once (contract_load) and read-only from then on.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct answer;

/* A YAML file as JSON values; a new reference. Fails the test where it is no YAML. */
json_t *yaml_load(const char *path);

/* The project's document, loaded at the first call; borrowed. */
json_t *contract(void);

/* False: *complaint says where and why. */
bool schema_check(json_t *document, json_t *schema, json_t *value, char *complaint, size_t size);

/* The operation of a method and a path (with or without a query) in a document, or NULL. */
json_t *contract_operation(json_t *document, const char *method, const char *path);

/* An answer against the operation: documented status, media type and schema. */
bool contract_check(const char *method, const char *path, const struct answer *answer,
                    char *complaint, size_t size);

#endif

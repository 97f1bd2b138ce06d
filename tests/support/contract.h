#ifndef TESTS_SUPPORT_CONTRACT_H
#define TESTS_SUPPORT_CONTRACT_H

/*
 * openapi.yaml as data, and answers held against it: a documented operation and status, its
 * headers, media type and schema.
 *
 * Threads: any. The document is loaded at the first call, once, and read-only from then on.
 */

#include "http.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The project's document; borrowed. */
json_t *contract(void);

/* The operation of a method and a path (with or without a query) in a document, or NULL. */
json_t *contract_operation(json_t *document, const char *method, const char *path);

/* What a value stands for: itself, or what its $ref leads to (NULL: nowhere). Borrowed. */
json_t *contract_follow(json_t *document, json_t *value);

/* A copy of the document in which what a path of keys (`a>b>c`) leads to is this JSON value, or
 * with NULL is removed. */
json_t *contract_changed(const char *path, const char *value);

/* False: *complaint says what does not fit. Of a problem, the code must be among those that the
 * document says the operation's answer has. */
bool contract_check(const char *method, const char *path, const struct answer *answer,
                    char *complaint, size_t size);

#endif

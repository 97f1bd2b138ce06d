#ifndef TESTS_SUPPORT_SAMPLE_H
#define TESTS_SUPPORT_SAMPLE_H

/*
 * Values that fit a JSON Schema, chosen by dice.
 *
 * Threads: pure. Ownership: what comes back is a new reference.
 */

#include "dice.h"

#include <jansson.h>
#include <stddef.h>

/* Any value of the schema, often at one of its bounds. Texts with a pattern are its examples; one
 * without an example fails the test. */
json_t *sample(json_t *document, json_t *schema, struct dice *dice);

/* A text of so many characters, of one to four bytes each; `plain`: of one byte each. */
json_t *sample_text(size_t characters, bool plain, struct dice *dice);

#endif

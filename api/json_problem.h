#ifndef API_JSON_PROBLEM_H
#define API_JSON_PROBLEM_H

/* Problem documents as text. Pure, any thread. */

#include "problem.h"

#include <stddef.h>

struct problem_document {
    const char *code;
    const char *title;
    unsigned status;
    const char *detail;
    const char *instance;
    const struct problem_details *details; /* never NULL */
};

/* A malloc'd text that the caller owns, or NULL: no memory. */
char *json_problem(const struct problem_document *document, size_t *length);

#endif

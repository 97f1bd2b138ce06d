#ifndef TESTS_API_BOUNDS_H
#define TESTS_API_BOUNDS_H

/*
 * What an operation must answer at, under and over its bounds. What fits must be taken: with 2xx,
 * or with a refusal that comes after the schema and is listed here. What does not fit must be
 * refused with the problem that names the place.
 *
 * Threads: one.
 */

#include "stage.h"

/* `place`: a JSON pointer, or the name of a parameter. Frees the answer; a 2xx is recovered from.
 */
void bounds_expect_taken(struct stage *stage, const char *place, const char *value,
                         struct answer *take_answer);
/* By a member of the body. */
void bounds_expect_refused_at(const struct stage *stage, const char *pointer, const char *value,
                              struct answer *take_answer);
/* By a parameter of the query. */
void bounds_expect_parameter_refused(const struct stage *stage, const char *name, const char *value,
                                     struct answer *take_answer);
/* Without a place. */
void bounds_expect_problem(const struct stage *stage, long status, const char *code,
                           const char *value, struct answer *take_answer);

#endif

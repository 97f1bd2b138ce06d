#ifndef TESTS_SUPPORT_EXPOSITION_H
#define TESTS_SUPPORT_EXPOSITION_H

/*
 * Prometheus' text format 0.0.4, read as strictly as `promtool check metrics` does: what a scraper
 * would refuse, or a reader would take the wrong way, is a complaint.
 *
 * Threads: pure.
 */

#include <stdbool.h>
#include <stddef.h>

/* False: *complaint says what is wrong with the text. */
bool exposition_check(const char *text, char *complaint, size_t size);

/* The value of a series as it is written there (`name{label="x"}`); fails the test without it. */
double exposition_value(const char *text, const char *series);
bool exposition_has(const char *text, const char *series);

#endif

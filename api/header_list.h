#ifndef API_HEADER_LIST_H
#define API_HEADER_LIST_H

/*
 * Lists in header values: elements with parameters, as in Accept and Accept-Language.
 * Pure, any thread; spans point into the value.
 */

#include <stdbool.h>
#include <stddef.h>

struct span {
    const char *at;
    size_t length;
};

/* Takes what stands before the next separator off *rest, without the blanks around it. */
struct span header_part(const char **rest, const char *end, char separator);

/* In any case. */
bool span_is(struct span span, const char *word);

/* Takes the name off an element and reads its q in thousandths: 1000 where it has none that could
 * be read. */
struct span header_element(struct span element, int *quality);

#endif

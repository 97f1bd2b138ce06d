#ifndef API_UTF8_H
#define API_UTF8_H

/* Walking over text that may be no UTF-8 at all. Pure, any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed sequence that `text` begins with and its code point; 0 where there is
 * none (overlong, surrogate, beyond U+10FFFF, cut off). */
size_t utf8_next(const char *text, size_t length, uint32_t *code);

bool utf8_valid(const char *text, size_t length);

/* The longest beginning of a valid text that has at most `max` bytes and cuts no character. */
size_t utf8_cut(const char *text, size_t length, size_t max);

#endif

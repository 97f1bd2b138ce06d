#ifndef ENGINE_TEXT_ERROR_H
#define ENGINE_TEXT_ERROR_H

/*
 * How the parsers of this folder word a complaint about a text.
 *
 * Threads: pure, any thread. Ownership: writes the caller's struct text_error, keeps nothing.
 */

#include "rules.h"

/* Says what is wrong, cut off where it does not fit. Returns false, so that a parser can
 * `return text_error_set(...)`. */
bool text_error_set(struct text_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Shows a byte of a foreign text: 'x' for a printable one, "byte 0x1f" for any other. */
struct shown_byte {
    char text[12];
};
struct shown_byte text_error_byte(char byte);

#endif

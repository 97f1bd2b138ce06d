#include "text_error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

bool text_error_set(struct text_error *error, const char *format, ...)
{
    va_list arguments;

    assert(error != NULL);
    va_start(arguments, format);
    const int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    return false;
}

struct shown_byte text_error_byte(char byte)
{
    struct shown_byte shown;
    const unsigned value = (unsigned char)byte;
    const bool printable = value > ' ' && value < 0x7F;
    const int length = printable ? snprintf(shown.text, sizeof shown.text, "'%c'", byte)
                                 : snprintf(shown.text, sizeof shown.text, "byte 0x%02x", value);

    assert(length > 0 && (size_t)length < sizeof shown.text);
    return shown;
}

#include "utf8.h"

#include <assert.h>

size_t utf8_next(const char *text, size_t length, uint32_t *code)
{
    assert(text != NULL && length > 0 && code != NULL);
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80) {
        *code = at[0];
        return 1;
    }
    static const struct {
        unsigned char mask, lead;
        uint32_t smallest;
    } forms[] = {
        {0xe0, 0xc0, 0x80   },
        {0xf0, 0xe0, 0x800  },
        {0xf8, 0xf0, 0x10000}
    };
    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        if ((at[0] & forms[form].mask) != forms[form].lead) {
            continue;
        }
        size_t size = form + 2;
        if (size > length) {
            return 0;
        }
        uint32_t value = at[0] & (unsigned char)~forms[form].mask;
        for (size_t i = 1; i < size; i++) {
            if ((at[i] & 0xc0) != 0x80) {
                return 0;
            }
            value = value << 6 | (at[i] & 0x3fU);
        }
        bool surrogate = value >= 0xd800 && value <= 0xdfff;
        if (value < forms[form].smallest || value > 0x10ffff || surrogate) {
            return 0;
        }
        *code = value;
        return size;
    }
    return 0;
}

bool utf8_valid(const char *text, size_t length)
{
    assert(text != NULL || length == 0);
    size_t at = 0;
    while (at < length) {
        uint32_t code;
        size_t step = utf8_next(text + at, length - at, &code);
        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}

size_t utf8_cut(const char *text, size_t length, size_t max)
{
    assert(text != NULL || length == 0);
    if (length <= max) {
        return length;
    }
    size_t end = max;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) {
        end--;
    }
    assert(end <= max);
    return end;
}

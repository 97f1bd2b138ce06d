#include "media.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct span {
    const char *at;
    size_t length;
};

static struct span trim(const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t')) {
        from++;
    }
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) {
        to--;
    }
    return (struct span){from, (size_t)(to - from)};
}

static bool is_word(struct span span, const char *word)
{
    return span.length == strlen(word) && strncasecmp(span.at, word, span.length) == 0;
}

/* Takes what stands before the next separator off *rest. */
static struct span next_part(const char **rest, const char *end, char separator)
{
    const char *found = memchr(*rest, separator, (size_t)(end - *rest));
    const char *part_end = found == NULL ? end : found;
    struct span part = trim(*rest, part_end);
    *rest = found == NULL ? end : found + 1;
    return part;
}

/* --- what is wanted --------------------------------------------------------------------------- */

void accept_add(struct accept *accept, const char *value)
{
    assert(accept != NULL && value != NULL);
    if (accept->count < ACCEPT_LINES) {
        accept->lines[accept->count++] = value;
    }
}

/* 0, 0.25, 1.000 as thousandths; what is no weight is passed over like any other parameter. */
static unsigned weight_of(struct span parameter, unsigned otherwise)
{
    if (parameter.length < 3 || strncasecmp(parameter.at, "q=", 2) != 0 ||
        (parameter.at[2] != '0' && parameter.at[2] != '1')) {
        return otherwise;
    }
    unsigned weight = parameter.at[2] == '1' ? QUALITY_WHOLE : 0;
    unsigned place = QUALITY_WHOLE / 10;
    for (size_t i = 4; i < parameter.length && parameter.at[i] >= '0' && parameter.at[i] <= '9';
         i++) {
        weight += (unsigned)(parameter.at[i] - '0') * place;
        place /= 10;
    }
    return weight > QUALITY_WHOLE ? QUALITY_WHOLE : weight;
}

/* Takes the next element of a list apart; false: there is none. */
static bool next_element(const char **rest, const char *end, struct span *name, unsigned *weight)
{
    if (*rest == end) {
        return false;
    }
    struct span element = next_part(rest, end, ',');
    const char *parameters = element.at;
    const char *element_end = element.at + element.length;
    *name = next_part(&parameters, element_end, ';');
    *weight = QUALITY_WHOLE;
    while (parameters < element_end) {
        *weight = weight_of(next_part(&parameters, element_end, ';'), *weight);
    }
    return true;
}

/* How precisely a range names a type: 3 by itself, 2 by its first half, 1 as anything, 0 not. */
static int precision_of(struct span range, const char *type)
{
    if (is_word(range, type)) {
        return 3;
    }
    const char *slash = strchr(type, '/');
    assert(slash != NULL);
    size_t half = (size_t)(slash + 1 - type);
    if (range.length == half + 1 && range.at[half] == '*' &&
        strncasecmp(range.at, type, half) == 0) {
        return 2;
    }
    return is_word(range, "*/*") ? 1 : 0;
}

unsigned accept_quality(const struct accept *accept, const char *type)
{
    assert(accept != NULL && type != NULL);
    int best = 0;
    unsigned quality = accept->count == 0 ? QUALITY_WHOLE : 0;
    for (size_t i = 0; i < accept->count; i++) {
        const char *rest = accept->lines[i];
        const char *end = rest + strlen(rest);
        struct span range;
        unsigned weight;
        while (next_element(&rest, end, &range, &weight)) {
            int precision = precision_of(range, type);
            if (precision > best || (precision > 0 && precision == best && weight > quality)) {
                best = precision;
                quality = weight;
            }
        }
    }
    return quality;
}

bool accept_gzip(const struct accept *codings)
{
    assert(codings != NULL);
    enum { NOT_NAMED = QUALITY_WHOLE + 1 };
    unsigned gzip = NOT_NAMED;
    unsigned any = 0;
    unsigned identity = 0; /* not named, it is the last resort */
    for (size_t i = 0; i < codings->count; i++) {
        const char *rest = codings->lines[i];
        const char *end = rest + strlen(rest);
        struct span coding;
        unsigned weight;
        while (next_element(&rest, end, &coding, &weight)) {
            if (is_word(coding, "gzip") || is_word(coding, "x-gzip")) {
                gzip = weight;
            } else if (is_word(coding, "identity")) {
                identity = weight;
            } else if (is_word(coding, "*")) {
                any = weight;
            }
        }
    }
    gzip = gzip == NOT_NAMED ? any : gzip;
    return gzip > 0 && gzip >= identity;
}

/* --- what is sent ----------------------------------------------------------------------------- */

static bool is_utf8_parameter(struct span parameter)
{
    static const char name[] = "charset=";
    size_t length = sizeof name - 1;
    if (parameter.length <= length || strncasecmp(parameter.at, name, length) != 0) {
        return false;
    }
    struct span value = {parameter.at + length, parameter.length - length};
    return is_word(value, "utf-8") || is_word(value, "\"utf-8\"");
}

bool media_is_json(const char *content_type)
{
    assert(content_type != NULL);
    const char *rest = content_type;
    const char *end = content_type + strlen(content_type);
    if (!is_word(next_part(&rest, end, ';'), "application/json")) {
        return false;
    }
    while (rest < end) {
        if (!is_utf8_parameter(next_part(&rest, end, ';'))) {
            return false;
        }
    }
    return true;
}

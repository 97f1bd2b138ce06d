#include "header_list.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

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

struct span header_part(const char **rest, const char *end, char separator)
{
    assert(*rest <= end);
    const char *found = memchr(*rest, separator, (size_t)(end - *rest));
    const char *part_end = found == NULL ? end : found;
    struct span part = trim(*rest, part_end);
    *rest = found == NULL ? end : found + 1;
    return part;
}

bool span_is(struct span span, const char *word)
{
    return span.length == strlen(word) && strncasecmp(span.at, word, span.length) == 0;
}

/* q=0.25 is 250; -1: another parameter, or no number up to one. */
static int quality_of(struct span parameter)
{
    int quality = 0;
    int unit = 1000;
    if (parameter.length < 3 || strncasecmp(parameter.at, "q=", 2) != 0) {
        return -1;
    }
    for (size_t i = 2; i < parameter.length; i++) {
        char byte = parameter.at[i];
        bool point = i == 3 && byte == '.';
        if (!point && (byte < '0' || byte > '9' || unit == 0)) {
            return -1;
        }
        if (!point) {
            quality += (byte - '0') * unit;
            unit /= 10;
        }
    }
    return quality > 1000 ? -1 : quality;
}

struct span header_element(struct span element, int *quality)
{
    const char *rest = element.at;
    const char *end = element.at + element.length;
    struct span name = header_part(&rest, end, ';');
    *quality = 1000;
    while (rest < end) {
        int given = quality_of(header_part(&rest, end, ';'));
        *quality = given >= 0 ? given : *quality;
    }
    return name;
}

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

static int specificity_of(struct span range)
{
    if (is_word(range, "application/json") || is_word(range, "application/problem+json")) {
        return 3;
    }
    if (is_word(range, "application/*")) {
        return 2;
    }
    return is_word(range, "*/*") ? 1 : 0;
}

/* q=0, q=0. and q=0.000 */
static bool is_zero_quality(struct span parameter)
{
    if (parameter.length < 3 || strncasecmp(parameter.at, "q=", 2) != 0 || parameter.at[2] != '0') {
        return false;
    }
    for (size_t i = 3; i < parameter.length; i++) {
        if (parameter.at[i] != '.' && parameter.at[i] != '0') {
            return false;
        }
    }
    return true;
}

static void add_range(struct accept *accept, struct span element)
{
    const char *rest = element.at;
    const char *end = element.at + element.length;
    int specificity = specificity_of(next_part(&rest, end, ';'));
    bool refused = false;
    while (rest < end) {
        refused = is_zero_quality(next_part(&rest, end, ';')) || refused;
    }
    if (specificity > accept->specificity) {
        accept->specificity = specificity;
        accept->refused = refused;
    } else if (specificity == accept->specificity && specificity > 0) {
        accept->refused = accept->refused && refused;
    }
}

void accept_add(struct accept *accept, const char *value)
{
    assert(accept != NULL && value != NULL);
    accept->present = true;
    const char *end = value + strlen(value);
    while (value < end) {
        add_range(accept, next_part(&value, end, ','));
    }
}

bool accept_json(const struct accept *accept)
{
    assert(accept != NULL);
    return !accept->present || (accept->specificity > 0 && !accept->refused);
}

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

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

/* The words for each type, from the type itself to its kind. */
static const struct {
    const char *type;
    const char *also; /* a type that says as much */
    const char *kind;
} names[MEDIA_TYPES] = {
    [MEDIA_JSON] = {"application/json", "application/problem+json", "application/*"},
    [MEDIA_CSV] = {"text/csv",         "text/csv",                 "text/*"       },
};

static int precision_of(struct span range, enum media media)
{
    if (is_word(range, names[media].type) || is_word(range, names[media].also)) {
        return 3;
    }
    if (is_word(range, names[media].kind)) {
        return 2;
    }
    return is_word(range, "*/*") ? 1 : 0;
}

/* q=0.25 is 250; what is no such weight leaves it at 1. */
static int quality_of(struct span parameter)
{
    enum { ONE = 1000, POINT_AT = 3 };
    if (parameter.length < POINT_AT || strncasecmp(parameter.at, "q=0", POINT_AT) != 0 ||
        (parameter.length > POINT_AT && parameter.at[POINT_AT] != '.')) {
        return ONE;
    }
    int quality = 0;
    int weight = ONE / 10;
    for (size_t i = POINT_AT + 1; i < parameter.length; i++, weight /= 10) {
        if (parameter.at[i] < '0' || parameter.at[i] > '9') {
            return ONE;
        }
        quality += weight * (parameter.at[i] - '0');
    }
    return quality;
}

static void add_range(struct accept *accept, struct span element)
{
    const char *rest = element.at;
    const char *end = element.at + element.length;
    struct span range = next_part(&rest, end, ';');
    int quality = 1000;
    while (rest < end) {
        int weight = quality_of(next_part(&rest, end, ';'));
        quality = weight < quality ? weight : quality;
    }
    for (int media = 0; media < MEDIA_TYPES; media++) {
        struct accept_range *best = &accept->ranges[media];
        int precision = precision_of(range, (enum media)media);
        bool as_precise = precision == best->precision && quality > best->quality;
        if (precision > best->precision || (precision > 0 && as_precise)) {
            *best = (struct accept_range){precision, quality};
        }
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

int accept_quality(const struct accept *accept, enum media media)
{
    assert(accept != NULL && media < MEDIA_TYPES);
    return accept->present ? accept->ranges[media].quality : 1000;
}

bool accept_choose(const struct accept *accept, unsigned offered, enum media *media)
{
    int best = 0;
    for (int i = 0; i < MEDIA_TYPES; i++) {
        int quality = accept_quality(accept, (enum media)i);
        if ((offered & 1U << i) != 0 && quality > best) {
            best = quality;
            *media = (enum media)i;
        }
    }
    return best > 0;
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

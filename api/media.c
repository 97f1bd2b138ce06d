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

struct media_row {
    const char *text;
    const char *name;
    const char *group;
};

static const struct media_row rows[MEDIA_TYPES] = {
    [MEDIA_JSON] = {"application/json",          "application/json",     "application/*"},
    [MEDIA_NDJSON] = {"application/x-ndjson",      "application/x-ndjson", "application/*"},
    [MEDIA_PLAIN] = {"text/plain; charset=utf-8", "text/plain",           "text/*"       },
};

const char *media_text(enum media media)
{
    assert(media < MEDIA_TYPES);
    return rows[media].text;
}

static int specificity_of(struct span range, enum media media)
{
    /* Who names problem documents alone means what goes wrong with JSON. */
    bool problem = media == MEDIA_JSON && is_word(range, "application/problem+json");
    if (problem || is_word(range, rows[media].name)) {
        return 3;
    }
    if (is_word(range, rows[media].group)) {
        return 2;
    }
    return is_word(range, "*/*") ? 1 : 0;
}

/* q=0.25 is 250; -1: another parameter, or no number. */
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

static void add_range(struct accept *accept, struct span element)
{
    const char *rest = element.at;
    const char *end = element.at + element.length;
    struct span name = next_part(&rest, end, ';');
    int quality = 1000;
    while (rest < end) {
        int given = quality_of(next_part(&rest, end, ';'));
        quality = given >= 0 ? given : quality;
    }
    for (enum media media = 0; media < MEDIA_TYPES; media++) {
        struct accept_range *best = &accept->ranges[media];
        int specificity = specificity_of(name, media);
        bool better = specificity > best->specificity ||
                      (specificity == best->specificity && quality > best->quality);
        if (specificity > 0 && better) {
            *best = (struct accept_range){specificity, quality};
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

enum media accept_best(const struct accept *accept, unsigned offered)
{
    static const struct accept_range anything = {1, 1000};
    struct accept_range best = {0, 0};
    enum media found = MEDIA_TYPES;
    assert(accept != NULL);
    for (enum media media = 0; media < MEDIA_TYPES; media++) {
        struct accept_range range = accept->present ? accept->ranges[media] : anything;
        bool better = range.quality > best.quality ||
                      (range.quality == best.quality && range.specificity > best.specificity);
        if ((offered & 1U << media) != 0 && range.quality > 0 && better) {
            best = range;
            found = media;
        }
    }
    return found;
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

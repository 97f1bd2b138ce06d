#include "media.h"

#include "header_list.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

struct media_row {
    const char *text;
    const char *name;
    const char *group;
};

static const struct media_row rows[MEDIA_TYPES] = {
    [MEDIA_JSON] = {"application/json",          "application/json",     "application/*"},
    [MEDIA_EVENTS] = {"text/event-stream",         "text/event-stream",    "text/*"       },
    [MEDIA_NDJSON] = {"application/x-ndjson",      "application/x-ndjson", "application/*"},
    [MEDIA_PLAIN] = {"text/plain; charset=utf-8", "text/plain",           "text/*"       },
    [MEDIA_CSV] = {"text/csv; charset=utf-8",   "text/csv",             "text/*"       },
};

const char *media_text(enum media media)
{
    assert(media < MEDIA_TYPES);
    return rows[media].text;
}

static int specificity_of(struct span range, enum media media)
{
    if (span_is(range, rows[media].name)) {
        return 3;
    }
    if (span_is(range, rows[media].group)) {
        return 2;
    }
    return span_is(range, "*/*") ? 1 : 0;
}

static void add_range(struct accept *accept, struct span element)
{
    int quality = 0;
    struct span name = header_element(element, &quality);
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
        add_range(accept, header_part(&value, end, ','));
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

/* --- codings -----------------------------------------------------------------------------------
 */

static void add_coding(struct codings *codings, struct span element)
{
    int quality = 0;
    struct span name = header_element(element, &quality);
    if (span_is(name, "gzip") || span_is(name, "x-gzip")) {
        codings->gzip = quality;
        codings->names_gzip = true;
    } else if (span_is(name, "identity")) {
        codings->identity = quality;
    } else if (span_is(name, "*")) {
        codings->any = quality;
    }
}

void codings_add(struct codings *codings, const char *value)
{
    assert(codings != NULL && value != NULL);
    const char *end = value + strlen(value);
    while (value < end) {
        add_coding(codings, header_part(&value, end, ','));
    }
}

bool codings_take_gzip(const struct codings *codings)
{
    int gzip = codings->names_gzip ? codings->gzip : codings->any;
    return gzip > 0 && gzip >= codings->identity;
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
    return span_is(value, "utf-8") || span_is(value, "\"utf-8\"");
}

bool media_is_json(const char *content_type)
{
    assert(content_type != NULL);
    const char *rest = content_type;
    const char *end = content_type + strlen(content_type);
    if (!span_is(header_part(&rest, end, ';'), "application/json")) {
        return false;
    }
    while (rest < end) {
        if (!is_utf8_parameter(header_part(&rest, end, ';'))) {
            return false;
        }
    }
    return true;
}

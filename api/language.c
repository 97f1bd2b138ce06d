#include "language.h"

#include "header_list.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static const char *const tags[LANGUAGES] = {
    [LANGUAGE_EN] = "en",
    [LANGUAGE_ES] = "es",
};

const char *language_tag(enum language language)
{
    assert(language < LANGUAGES);
    return tags[language];
}

/* es, es-MX, ES-419: a region changes nothing here. */
static bool is_of(struct span range, const char *tag)
{
    size_t length = strlen(tag);
    return range.length >= length && strncasecmp(range.at, tag, length) == 0 &&
           (range.length == length || range.at[length] == '-');
}

static void add_range(struct languages *languages, struct span element)
{
    int quality = 0;
    struct span range = header_element(element, &quality);
    if (span_is(range, "*") && quality > languages->any) {
        languages->any = quality;
    }
    for (enum language language = 0; language < LANGUAGES; language++) {
        bool better = !languages->named[language] || quality > languages->quality[language];
        if (is_of(range, tags[language]) && better) {
            languages->named[language] = true;
            languages->quality[language] = quality;
        }
    }
}

void languages_add(struct languages *languages, const char *value)
{
    assert(languages != NULL && value != NULL);
    const char *end = value + strlen(value);
    while (value < end) {
        add_range(languages, header_part(&value, end, ','));
    }
}

enum language languages_best(const struct languages *languages)
{
    assert(languages != NULL);
    enum language best = LANGUAGE_EN;
    int best_quality = 0;
    for (enum language language = 0; language < LANGUAGES; language++) {
        int quality = languages->named[language] ? languages->quality[language] : languages->any;
        if (quality > best_quality) {
            best = language;
            best_quality = quality;
        }
    }
    return best;
}

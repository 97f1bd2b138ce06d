#include "exposition.h"

#include "process.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 128, LINE_MAX_BYTES = 512, FAMILIES_MAX = 256, SERIES_MAX = 16384 };

struct family {
    char name[NAME_MAX_BYTES];
    char type[16];
    bool has_help;
};

/* The histogram series that the last lines belonged to. */
struct buckets {
    char labels[LINE_MAX_BYTES]; /* without le */
    double bound;
    double count;
    bool open;
};

struct reader {
    struct family families[FAMILIES_MAX];
    size_t family_count;
    char *series[SERIES_MAX];
    size_t series_count;
    struct buckets buckets;
    char *complaint;
    size_t size;
};

struct sample {
    char name[NAME_MAX_BYTES];
    char labels[LINE_MAX_BYTES]; /* between the braces */
    double value;
};

__attribute__((format(printf, 2, 3))) static bool complain(struct reader *reader,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    /* The checker forgets va_start. NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(reader->complaint, reader->size, format, arguments);
    va_end(arguments);
    return false;
}

static size_t name_length(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:";
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:0123456789";
    return strspn(text, letters) == 0 ? 0 : strspn(text, all);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/* --- HELP and TYPE ------------------------------------------------------------------------------
 */

static bool close_buckets(struct reader *reader)
{
    bool whole = !reader->buckets.open || isinf(reader->buckets.bound);
    reader->buckets.open = false;
    return whole ? true : complain(reader, "a histogram without +Inf");
}

static bool begin_family(struct reader *reader, const char *name, size_t length)
{
    for (size_t i = 0; i < reader->family_count; i++) {
        if (strncmp(reader->families[i].name, name, length) == 0 &&
            reader->families[i].name[length] == '\0') {
            return complain(reader, "%.*s comes twice", (int)length, name);
        }
    }
    if (reader->family_count == FAMILIES_MAX) {
        return complain(reader, "too many families for this reader");
    }
    struct family *family = &reader->families[reader->family_count++];
    (void)snprintf(family->name, sizeof family->name, "%.*s", (int)length, name);
    family->has_help = true;
    return close_buckets(reader);
}

static bool read_help(struct reader *reader, const char *text)
{
    size_t length = name_length(text);
    if (length == 0 || length >= NAME_MAX_BYTES || text[length] != ' ' ||
        text[length + 1] == '\0') {
        return complain(reader, "HELP %s", text);
    }
    return begin_family(reader, text, length);
}

static bool read_type(struct reader *reader, const char *text)
{
    static const char *const types[] = {"counter", "gauge", "histogram", "summary"};
    size_t length = name_length(text);
    struct family *family =
        reader->family_count == 0 ? NULL : &reader->families[reader->family_count - 1];
    if (family == NULL || strncmp(family->name, text, length) != 0 ||
        family->name[length] != '\0' || text[length] != ' ' || family->type[0] != '\0') {
        return complain(reader, "TYPE %s has no HELP before it, or comes twice", text);
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(text + length + 1, types[i]) == 0) {
            (void)snprintf(family->type, sizeof family->type, "%s", types[i]);
            bool counter = i == 0;
            return ends_with(family->name, "_total") == counter
                       ? true
                       : complain(reader, "%s is no name for a %s", family->name, types[i]);
        }
    }
    return complain(reader, "TYPE %s", text);
}

/* --- samples ------------------------------------------------------------------------------------
 */

/* `a="x",b="y"` as far as the closing brace; its length, or 0. */
static size_t labels_length(const char *text)
{
    const char *at = text;
    for (;;) {
        size_t length = name_length(at);
        at += length;
        if (length == 0 || at[0] != '=' || at[1] != '"') {
            return 0;
        }
        for (at += 2; *at != '"' && *at != '\0'; at++) {
            at += *at == '\\' && at[1] != '\0';
        }
        if (at[0] != '"') {
            return 0;
        }
        at++;
        if (*at == '}') {
            return (size_t)(at - text);
        }
        if (*at++ != ',') {
            return 0;
        }
    }
}

static bool read_sample(struct reader *reader, const char *line, struct sample *sample)
{
    size_t length = name_length(line);
    const char *at = line + length;
    if (length == 0 || length >= sizeof sample->name) {
        return complain(reader, "no sample: %s", line);
    }
    (void)snprintf(sample->name, sizeof sample->name, "%.*s", (int)length, line);
    sample->labels[0] = '\0';
    if (*at == '{') {
        size_t labels = labels_length(at + 1);
        if (labels == 0) {
            return complain(reader, "labels: %s", line);
        }
        (void)snprintf(sample->labels, sizeof sample->labels, "%.*s", (int)labels, at + 1);
        at += labels + 2;
    }
    char *end = NULL;
    bool blank = *at == ' ';
    sample->value = strtod(at, &end);
    return blank && end > at + 1 && *end == '\0' ? true : complain(reader, "value: %s", line);
}

static bool is_new(struct reader *reader, const char *line)
{
    size_t length = (size_t)(strrchr(line, ' ') - line);
    for (size_t i = 0; i < reader->series_count; i++) {
        if (strncmp(reader->series[i], line, length) == 0 && reader->series[i][length] == '\0') {
            return complain(reader, "%s comes twice", reader->series[i]);
        }
    }
    if (reader->series_count == SERIES_MAX) {
        return complain(reader, "too many series for this reader");
    }
    reader->series[reader->series_count++] = strndup(line, length);
    return true;
}

/* Takes `le` off, which is the last label, as it is everywhere here. */
static bool take_bound(struct sample *sample, double *bound)
{
    char *le = strstr(sample->labels, "le=\"");
    if (le == NULL || (le > sample->labels && le[-1] != ',')) {
        return false;
    }
    *bound = strtod(le + 4, NULL);
    le[le > sample->labels ? -1 : 0] = '\0';
    return true;
}

static bool check_bucket(struct reader *reader, struct sample *sample)
{
    struct buckets *buckets = &reader->buckets;
    double bound = 0;
    if (!take_bound(sample, &bound)) {
        return complain(reader, "%s without le", sample->name);
    }
    if (buckets->open && strcmp(buckets->labels, sample->labels) != 0 && !close_buckets(reader)) {
        return false;
    }
    if (buckets->open && (bound <= buckets->bound || sample->value < buckets->count)) {
        return complain(reader, "%s{%s}: bucket %g is not above the one before", sample->name,
                        sample->labels, bound);
    }
    buckets->open = true;
    buckets->bound = bound;
    buckets->count = sample->value;
    (void)snprintf(buckets->labels, sizeof buckets->labels, "%s", sample->labels);
    return true;
}

static bool check_histogram(struct reader *reader, const struct family *family,
                            struct sample *sample)
{
    const char *part = sample->name + strlen(family->name);
    const struct buckets *buckets = &reader->buckets;
    if (strcmp(part, "_bucket") == 0) {
        return check_bucket(reader, sample);
    }
    bool same = buckets->open && strcmp(buckets->labels, sample->labels) == 0;
    if (strcmp(part, "_sum") == 0) {
        return same ? true : complain(reader, "%s does not follow its buckets", sample->name);
    }
    if (strcmp(part, "_count") != 0 || !same) {
        return complain(reader, "%s in a histogram", sample->name);
    }
    return sample->value == buckets->count && isinf(buckets->bound)
               ? true
               : complain(reader, "%s{%s} is not its last bucket", sample->name, sample->labels);
}

/* Without quantiles, which nobody here has. */
static bool check_summary(struct reader *reader, const struct family *family,
                          const struct sample *sample)
{
    const char *part = sample->name + strlen(family->name);
    if (strcmp(part, "_sum") != 0 && strcmp(part, "_count") != 0) {
        return complain(reader, "%s in a summary", sample->name);
    }
    return sample->value >= 0 ? true : complain(reader, "%s is below 0", sample->name);
}

static bool check_sample(struct reader *reader, const char *line)
{
    struct sample sample = {.value = 0};
    const struct family *family =
        reader->family_count == 0 ? NULL : &reader->families[reader->family_count - 1];
    if (!read_sample(reader, line, &sample) || !is_new(reader, line)) {
        return false;
    }
    if (family == NULL || family->type[0] == '\0') {
        return complain(reader, "%s has no type", sample.name);
    }
    bool below = strncmp(sample.name, family->name, strlen(family->name)) == 0;
    if (below && strcmp(family->type, "histogram") == 0) {
        return check_histogram(reader, family, &sample);
    }
    if (below && strcmp(family->type, "summary") == 0) {
        return check_summary(reader, family, &sample);
    }
    if (strcmp(sample.name, family->name) != 0) {
        return complain(reader, "%s stands below %s", sample.name, family->name);
    }
    bool counter = strcmp(family->type, "counter") == 0;
    return counter && sample.value < 0 ? complain(reader, "%s is below 0", line) : true;
}

static bool check_line(struct reader *reader, const char *line)
{
    if (strncmp(line, "# HELP ", 7) == 0) {
        return read_help(reader, line + 7);
    }
    if (strncmp(line, "# TYPE ", 7) == 0) {
        return read_type(reader, line + 7);
    }
    return check_sample(reader, line);
}

bool exposition_check(const char *text, char *complaint, size_t size)
{
    struct reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        test_fail("no memory");
    }
    reader->complaint = complaint;
    reader->size = size;
    bool good = true;
    while (good && *text != '\0') {
        char line[LINE_MAX_BYTES];
        size_t length = strcspn(text, "\n");
        if (text[length] != '\n' || length == 0 || length >= sizeof line) {
            good = complain(reader, "a line that is empty, too long or has no end");
            break;
        }
        (void)snprintf(line, sizeof line, "%.*s", (int)length, text);
        good = check_line(reader, line);
        text += length + 1;
    }
    good = good && close_buckets(reader);
    for (size_t i = 0; i < reader->series_count; i++) {
        free(reader->series[i]);
    }
    free(reader);
    return good;
}

static const char *find(const char *text, const char *series)
{
    size_t length = strlen(series);
    for (; text != NULL && *text != '\0'; text = strchr(text, '\n') + 1) {
        if (strncmp(text, series, length) == 0 && text[length] == ' ') {
            return text + length + 1;
        }
    }
    return NULL;
}

bool exposition_has(const char *text, const char *series)
{
    return find(text, series) != NULL;
}

double exposition_value(const char *text, const char *series)
{
    const char *value = find(text, series);
    if (value == NULL) {
        test_fail("there is no %s", series);
    }
    return strtod(value, NULL);
}

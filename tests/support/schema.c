#include "schema.h"

#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct check {
    json_t *document;
    char *complaint;
    size_t size;
};

static bool valid(struct check *check, json_t *schema, json_t *value, const char *at);

__attribute__((format(printf, 3, 4))) static bool complain(struct check *check, const char *at,
                                                           const char *format, ...)
{
    va_list arguments;
    char what[512];
    va_start(arguments, format);
    /* The checker forgets va_start. NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)snprintf(check->complaint, check->size, "%s: %s", at[0] == '\0' ? "/" : at, what);
    return false;
}

json_t *schema_resolve(json_t *document, const char *reference)
{
    json_t *at = document;
    char step[128];
    const char *path = strncmp(reference, "#/", 2) == 0 ? reference + 2 : "";
    while (*path != '\0' && at != NULL) {
        size_t length = strcspn(path, "/");
        (void)snprintf(step, sizeof step, "%.*s", (int)length, path);
        at = json_object_get(at, step);
        path += length + (path[length] == '/');
    }
    return at == document ? NULL : at;
}

static bool is_type(json_t *value, const char *type)
{
    const struct {
        const char *name;
        bool is;
    } types[] = {
        {"object",  json_is_object(value) },
        {"array",   json_is_array(value)  },
        {"string",  json_is_string(value) },
        {"integer", json_is_integer(value)},
        {"number",  json_is_number(value) },
        {"boolean", json_is_boolean(value)},
        {"null",    json_is_null(value)   },
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, type) == 0) {
            return types[i].is;
        }
    }
    return false;
}

static bool check_type(struct check *check, json_t *type, json_t *value, const char *at)
{
    size_t index = 0;
    json_t *one = NULL;
    bool is = json_is_string(type) && is_type(value, json_string_value(type));
    json_array_foreach(type, index, one)
    {
        is = is || is_type(value, json_string_value(one));
    }
    return is || complain(check, at, "not of the type");
}

static bool check_enum(struct check *check, json_t *allowed, json_t *value, const char *at)
{
    size_t index = 0;
    json_t *one = NULL;
    json_array_foreach(allowed, index, one)
    {
        if (json_equal(one, value)) {
            return true;
        }
    }
    return complain(check, at, "none of the values allowed");
}

static bool check_required(struct check *check, json_t *required, json_t *value, const char *at)
{
    size_t index = 0;
    json_t *name = NULL;
    if (!json_is_object(value)) {
        return true;
    }
    json_array_foreach(required, index, name)
    {
        if (json_object_get(value, json_string_value(name)) == NULL) {
            return complain(check, at, "%s is missing", json_string_value(name));
        }
    }
    return true;
}

static bool check_members(struct check *check, json_t *schema, json_t *value, const char *at)
{
    json_t *properties = json_object_get(schema, "properties");
    json_t *others = json_object_get(schema, "additionalProperties");
    const char *key = NULL;
    json_t *member = NULL;
    json_object_foreach(value, key, member)
    {
        char place[256];
        json_t *known = json_object_get(properties, key);
        (void)snprintf(place, sizeof place, "%s/%s", at, key);
        if (known == NULL && json_is_false(others)) {
            return complain(check, place, "not in the document");
        }
        if (known == NULL && json_is_object(others)) {
            known = others;
        }
        if (known != NULL && !valid(check, known, member, place)) {
            return false;
        }
    }
    return true;
}

static bool check_items(struct check *check, json_t *items, json_t *value, const char *at)
{
    size_t index = 0;
    json_t *item = NULL;
    json_array_foreach(value, index, item)
    {
        char place[256];
        (void)snprintf(place, sizeof place, "%s/%zu", at, index);
        if (!valid(check, items, item, place)) {
            return false;
        }
    }
    return true;
}

static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return count;
}

static bool check_pattern(struct check *check, const char *pattern, json_t *value, const char *at)
{
    regex_t regex;
    if (!json_is_string(value)) {
        return true;
    }
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0) {
        return complain(check, at, "the pattern %s is no POSIX ERE", pattern);
    }
    bool matches = regexec(&regex, json_string_value(value), 0, NULL, 0) == 0;
    regfree(&regex);
    return matches ||
           complain(check, at, "'%s' does not match %s", json_string_value(value), pattern);
}

static bool check_format(struct check *check, const char *format, json_t *value, const char *at)
{
    static const char date_time[] =
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$";
    if (strcmp(format, "date-time") != 0) {
        return complain(check, at, "unknown format %s", format);
    }
    return check_pattern(check, date_time, value, at);
}

/* The bounds of numbers, texts and lists; -1: no such keyword. */
static int check_bound(struct check *check, const char *key, json_t *bound, json_t *value,
                       const char *at)
{
    const char *text = json_string_value(value);
    double length = text == NULL ? 0 : (double)characters(text);
    double items = (double)json_array_size(value);
    double members = (double)json_object_size(value);
    const struct {
        const char *key;
        double size;
        bool applies;
        bool is_max;
    } bounds[] = {
        {"minimum",       json_number_value(value), json_is_number(value), false},
        {"maximum",       json_number_value(value), json_is_number(value), true },
        {"minItems",      items,                    json_is_array(value),  false},
        {"maxItems",      items,                    json_is_array(value),  true },
        {"minLength",     length,                   text != NULL,          false},
        {"maxLength",     length,                   text != NULL,          true },
        {"maxProperties", members,                  json_is_object(value), true },
    };
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        if (strcmp(bounds[i].key, key) == 0) {
            double limit = json_number_value(bound);
            bool fits = bounds[i].is_max ? bounds[i].size <= limit : bounds[i].size >= limit;
            return !bounds[i].applies || fits || complain(check, at, "outside its %s", key);
        }
    }
    return -1;
}

/* allOf, anyOf, oneOf; -1: no such keyword. */
static int check_combination(struct check *check, const char *key, json_t *schemas, json_t *value,
                             const char *at)
{
    size_t index = 0;
    size_t fits = 0;
    json_t *schema = NULL;
    bool all = strcmp(key, "allOf") == 0;
    bool any = strcmp(key, "anyOf") == 0;
    if (!all && !any && strcmp(key, "oneOf") != 0) {
        return -1;
    }
    json_array_foreach(schemas, index, schema)
    {
        fits += valid(check, schema, value, at);
    }
    if (all) {
        return fits == json_array_size(schemas);
    }
    return any ? fits >= 1 : fits == 1 || complain(check, at, "fits %zu of oneOf", fits);
}

/* Keywords that say nothing about a value, or (the last two) are looked at with its members. */
static bool is_annotation(const char *key)
{
    static const char *const known[] = {
        "description", "title",      "example",    "examples",
        "default",     "deprecated", "properties", "additionalProperties"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i], key) == 0) {
            return true;
        }
    }
    return false;
}

bool schema_known(const char *keyword)
{
    static const char *const known[] = {
        "$ref",      "type",      "enum",    "const",   "required", "items",
        "pattern",   "format",    "minimum", "maximum", "minItems", "maxItems",
        "minLength", "maxLength", "allOf",   "anyOf",   "oneOf",    "maxProperties"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i], keyword) == 0) {
            return true;
        }
    }
    return is_annotation(keyword);
}

static bool check_keyword(struct check *check, const char *key, json_t *keyword, json_t *value,
                          const char *at)
{
    if (strcmp(key, "$ref") == 0) {
        json_t *target = schema_resolve(check->document, json_string_value(keyword));
        return target == NULL ? complain(check, at, "%s leads nowhere", json_string_value(keyword))
                              : valid(check, target, value, at);
    }
    if (strcmp(key, "type") == 0) {
        return check_type(check, keyword, value, at);
    }
    if (strcmp(key, "enum") == 0) {
        return check_enum(check, keyword, value, at);
    }
    if (strcmp(key, "const") == 0) {
        return json_equal(keyword, value) || complain(check, at, "not the constant");
    }
    if (strcmp(key, "required") == 0) {
        return check_required(check, keyword, value, at);
    }
    if (strcmp(key, "items") == 0) {
        return check_items(check, keyword, value, at);
    }
    if (strcmp(key, "pattern") == 0) {
        return check_pattern(check, json_string_value(keyword), value, at);
    }
    if (strcmp(key, "format") == 0) {
        return check_format(check, json_string_value(keyword), value, at);
    }
    int bound = check_bound(check, key, keyword, value, at);
    int combination = bound >= 0 ? bound : check_combination(check, key, keyword, value, at);
    if (combination >= 0) {
        return combination != 0;
    }
    return is_annotation(key) || complain(check, at, "unknown keyword %s", key);
}

static bool valid(struct check *check, json_t *schema, json_t *value, const char *at)
{
    const char *key = NULL;
    json_t *keyword = NULL;
    json_object_foreach(schema, key, keyword)
    {
        if (!check_keyword(check, key, keyword, value, at)) {
            return false;
        }
    }
    return !json_is_object(value) || check_members(check, schema, value, at);
}

bool schema_check(json_t *document, json_t *schema, json_t *value, char *complaint, size_t size)
{
    struct check check = {document, complaint, size};
    complaint[0] = '\0';
    return valid(&check, schema, value, "");
}

#include "mutant.h"

#include "process.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- bytes ---------------------------------------------------------------------------------------
 */

void body_write(struct body *body, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    if (text == NULL) {
        test_fail("no memory");
    }
    size_t length = strlen(text);
    body->length = length < BODY_MAX ? length : BODY_MAX;
    memcpy(body->bytes, text, body->length);
    body->bytes[body->length] = '\0';
    free(text);
}

/* In the place of `gone` bytes. */
static void splice(struct body *body, size_t at, size_t gone, const char *bytes, size_t length)
{
    if (body->length - gone + length > BODY_MAX) {
        return;
    }
    size_t rest = body->length - at - gone;
    memmove(body->bytes + at + length, body->bytes + at + gone, rest);
    memcpy(body->bytes + at, bytes, length);
    body->length += length - gone;
    body->bytes[body->length] = '\0';
}

static void fill(struct body *body, char byte, size_t length)
{
    length = length < BODY_MAX ? length : BODY_MAX;
    memset(body->bytes, byte, length);
    body->length = length;
    body->bytes[length] = '\0';
}

static size_t some_place(const struct body *body, struct dice *dice)
{
    return dice_below(dice, (uint32_t)body->length + 1);
}

/* --- mutations of the text -----------------------------------------------------------------------
 */

static void truncate_text(struct body *body, struct dice *dice)
{
    body->length = some_place(body, dice);
    body->bytes[body->length] = '\0';
}

static void empty(struct body *body, struct dice *dice)
{
    fill(body, ' ', dice_below(dice, 3));
}

/* Overlong forms, surrogates, what lies beyond Unicode, and beginnings without an end. */
static void break_utf8(struct body *body, struct dice *dice)
{
    static const char *const broken[] = {
        "\xff",         "\x80",         "\xc0\x80",     "\xc3",
        "\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x9f\xa6", "\xf4\x90\x80\x80"};
    const char *bytes = broken[dice_below(dice, sizeof broken / sizeof broken[0])];
    splice(body, some_place(body, dice), 0, bytes, strlen(bytes));
}

static void add_nul(struct body *body, struct dice *dice)
{
    splice(body, some_place(body, dice), 0, "\0", 1);
}

static void flip_bits(struct body *body, struct dice *dice)
{
    for (uint32_t i = dice_below(dice, 4) + 1; i > 0 && body->length > 0; i--) {
        size_t at = dice_below(dice, (uint32_t)body->length);
        body->bytes[at] = (char)(body->bytes[at] ^ (1 << dice_below(dice, 8)));
    }
}

static void add_around(struct body *body, struct dice *dice)
{
    static const char *const scraps[] = {"\xef\xbb\xbf", " \r\n\t", ",", "}", "{}", "null",
                                         "//",           "\v",      "'", "]", ":",  "\\"};
    const char *scrap = scraps[dice_below(dice, sizeof scraps / sizeof scraps[0])];
    splice(body, dice_once_in(dice, 2) ? 0 : body->length, 0, scrap, strlen(scrap));
}

/* In the place of a value: numbers and words that a JSON library would not write. */
static void write_raw_value(struct body *body, struct dice *dice)
{
    static const char *const raw[] = {"1e400",       "-1e400",   "99999999999999999999",
                                      "-0",          "01",       "0x10",
                                      "NaN",         "Infinity", "1.",
                                      ".5",          "+1",       "-",
                                      "1e",          "1E2",      "TRUE",
                                      "nul",         "1.0e-9",   "''",
                                      "\"\\ud800\"", "",         "\"\t",
                                      "\"\\u00zz\""};
    const char *text = raw[dice_below(dice, sizeof raw / sizeof raw[0])];
    const char *colon = strchr(body->bytes, ':');
    if (colon != NULL) {
        size_t at = (size_t)(colon - body->bytes) + 1;
        splice(body, at, strcspn(body->bytes + at, ",}"), text, strlen(text));
    }
}

/* The first member once more, before or after itself. */
static void repeat_member(struct body *body, struct dice *dice)
{
    char member[256];
    size_t length = strcspn(body->bytes, ",}");
    if (body->bytes[0] == '{' && length > 1 && length < sizeof member - 1) {
        bool last = dice_once_in(dice, 2);
        (void)snprintf(member, sizeof member, last ? ",%.*s" : "%.*s,", (int)length - 1,
                       body->bytes + 1);
        splice(body, last ? length : 1, 0, member, length);
    }
}

static void nest(struct body *body, struct dice *dice)
{
    static const size_t depths[] = {14, 15, 16, 17, 100, 2000};
    size_t depth = depths[dice_below(dice, sizeof depths / sizeof depths[0])];
    bool closed = dice_once_in(dice, 2);
    struct body deep;
    fill(&deep, '[', depth);
    if (closed) {
        memset(deep.bytes + depth, ']', depth);
        deep.length += depth;
    }
    const char *colon = strchr(body->bytes, ':');
    size_t at = colon == NULL ? 0 : (size_t)(colon - body->bytes) + 1;
    splice(body, at, colon == NULL ? body->length : strcspn(body->bytes + at, ",}"), deep.bytes,
           deep.length);
}

typedef void text_mutation(struct body *body, struct dice *dice);
static text_mutation *const text_mutations[] = {
    truncate_text, empty,           break_utf8,    add_nul, flip_bits,
    add_around,    write_raw_value, repeat_member, nest,
};
enum { TEXT_MUTATIONS = sizeof text_mutations / sizeof text_mutations[0] };

/* Blanks up to the limit, one byte less or one more. */
static void stretch(struct body *body, size_t limit, struct dice *dice)
{
    size_t wanted = limit - 1 + dice_below(dice, 3);
    if (body->length < wanted && wanted <= BODY_MAX) {
        memset(body->bytes + body->length, ' ', wanted - body->length);
        body->length = wanted;
        body->bytes[wanted] = '\0';
    }
}

/* --- mutations of the value ----------------------------------------------------------------------
 */

static json_t *strange_value(struct dice *dice)
{
    static const char *const values[] = {"null",
                                         "true",
                                         "false",
                                         "0",
                                         "-1",
                                         "1.0",
                                         "0.5",
                                         "1e308",
                                         "2147483648",
                                         "[]",
                                         "{}",
                                         "\"\"",
                                         "\"1\"",
                                         "\"true\"",
                                         "\" \"",
                                         "\"\\u0000\"",
                                         "\"a\\u0000b\"",
                                         "[[]]",
                                         "[null]",
                                         "{\"\":{}}",
                                         "[1,\"a\",{}]",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "65536",
                                         "\"..//..%2f\"",
                                         "\"'; DROP TABLE player; --\"",
                                         "\"%s%n\"",
                                         "\"\\u202e\""};
    enum { VALUES = sizeof values / sizeof values[0], TEXT_LONG = 600 };
    uint32_t choice = dice_below(dice, VALUES + 2);
    return choice < VALUES ? json_loads(values[choice], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL)
                           : sample_text(dice_below(dice, TEXT_LONG), choice == VALUES, dice);
}

/* The name of some member; NULL: there is none. */
static const char *some_name(json_t *object, struct dice *dice)
{
    size_t size = json_object_size(object);
    void *at = json_object_iter(object);
    for (uint32_t i = size == 0 ? 0 : dice_below(dice, (uint32_t)size); i > 0; i--) {
        at = json_object_iter_next(object, at);
    }
    return at == NULL ? NULL : json_object_iter_key(at);
}

static void add_member(json_t *value, struct dice *dice)
{
    static const char *const names[] = {"extra", "", "Name", "番", "a/b~c", "__proto__", "op"};
    char name[129];
    (void)snprintf(name, sizeof name, "%s", names[dice_below(dice, sizeof names / sizeof *names)]);
    if (dice_once_in(dice, 4)) {
        memset(name, 'n', sizeof name - 1); /* longer than what is given back of a name */
        name[sizeof name - 1] = '\0';
    }
    (void)json_object_set_new(value, name, strange_value(dice));
}

/* Another value somewhere, at any depth. */
static void change(json_t *value, struct dice *dice)
{
    const char *name = some_name(value, dice);
    size_t items = json_array_size(value);
    if (name == NULL && items == 0) {
        add_member(value, dice); /* nothing where it is no object */
        return;
    }
    size_t index = items == 0 ? 0 : dice_below(dice, (uint32_t)items);
    json_t *inner = name == NULL ? json_array_get(value, index) : json_object_get(value, name);
    bool filled = json_object_size(inner) > 0 || json_array_size(inner) > 0;
    if (filled && dice_once_in(dice, 2)) {
        change(inner, dice);
    } else if (name != NULL) {
        (void)json_object_set_new(value, name, strange_value(dice));
    } else {
        (void)json_array_set_new(value, index, strange_value(dice));
    }
}

static void remove_member(json_t *value, struct dice *dice)
{
    const char *name = some_name(value, dice);
    if (name != NULL) {
        char copy[256];
        (void)snprintf(copy, sizeof copy, "%s", name);
        (void)json_object_del(value, copy);
    }
}

typedef void value_mutation(json_t *value, struct dice *dice);
static value_mutation *const value_mutations[] = {change, change, add_member, remove_member};
enum { VALUE_MUTATIONS = sizeof value_mutations / sizeof value_mutations[0] };

void body_mutate(struct body *body, json_t *value, size_t limit, struct dice *dice)
{
    if (dice_once_in(dice, 16)) {
        json_t *instead = strange_value(dice); /* no object at all */
        body_write(body, instead);
        json_decref(instead);
        return;
    }
    uint32_t changes = dice_below(dice, 3);
    for (uint32_t i = changes; i > 0; i--) {
        value_mutations[dice_below(dice, VALUE_MUTATIONS)](value, dice);
    }
    body_write(body, value);
    for (uint32_t i = changes == 0 ? 1 : dice_below(dice, 2); i > 0; i--) {
        text_mutations[dice_below(dice, TEXT_MUTATIONS)](body, dice);
    }
    if (dice_once_in(dice, 24)) {
        stretch(body, limit, dice);
    }
}

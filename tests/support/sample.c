#include "sample.h"

#include "contract.h"
#include "process.h"

#include <limits.h>
#include <string.h>

enum {
    LENGTH_UNBOUNDED = 40, /* characters, where the schema has no bound */
    ITEMS_UNBOUNDED = 5,
    ITEMS_USUAL = 12,
};

/* --- texts ---------------------------------------------------------------------------------------
 */

json_t *sample_text(size_t characters, bool plain, struct dice *dice)
{
    static const char *const any[] = {"a",  "Z", "7",  " ", "-", "_",  ".",      "/",  "~",
                                      "\"", "{", "\n", "é", "ß", "番", "\u200d", "ア", "🦊"};
    enum { ANY = sizeof any / sizeof any[0], ONE_BYTE = 9, BYTES = 4096 };
    char text[BYTES] = "";
    size_t used = 0;
    for (size_t i = 0; i < characters && used + 5 < sizeof text; i++) {
        const char *one = any[dice_below(dice, plain ? ONE_BYTE : ANY)];
        memcpy(text + used, one, strlen(one) + 1);
        used += strlen(one);
    }
    return json_stringn(text, used);
}

static json_t *some_text(json_t *schema, struct dice *dice)
{
    json_t *examples = json_object_get(schema, "examples");
    json_t *most = json_object_get(schema, "maxLength");
    size_t low = (size_t)json_integer_value(json_object_get(schema, "minLength"));
    size_t high = most == NULL ? LENGTH_UNBOUNDED : (size_t)json_integer_value(most);
    if (json_object_get(schema, "pattern") != NULL && json_array_size(examples) == 0) {
        test_fail("a pattern without an example: %s",
                  json_string_value(json_object_get(schema, "pattern")));
    }
    if (json_object_get(schema, "pattern") != NULL ||
        (json_array_size(examples) > 0 && dice_once_in(dice, 3))) {
        return json_incref(json_array_get(examples, 0));
    }
    switch (dice_below(dice, 4)) {
    case 0: return sample_text(low, false, dice);
    case 1: return sample_text(high, dice_once_in(dice, 2), dice);
    default: return sample_text(low + dice_below(dice, (uint32_t)(high - low + 1)), false, dice);
    }
}

/* --- everything else -----------------------------------------------------------------------------
 */

static json_t *some_integer(json_t *schema, struct dice *dice)
{
    json_t *least = json_object_get(schema, "minimum");
    json_t *most = json_object_get(schema, "maximum");
    long long low = least == NULL ? LLONG_MIN : json_integer_value(least);
    long long high = most == NULL ? LLONG_MAX : json_integer_value(most);
    switch (dice_below(dice, 4)) {
    case 0: return json_integer(low);
    case 1: return json_integer(high);
    default: return json_integer((least == NULL ? 0 : low) + dice_below(dice, 100));
    }
}

/* What must be there, and the rest half of the time; what may have any name has some. */
static json_t *some_object(json_t *document, json_t *schema, struct dice *dice)
{
    static const char *const names[] = {"win_condition", "move_limit", "", "番", "a/b~c"};
    enum { NAMES = sizeof names / sizeof names[0] };
    json_t *object = json_object();
    json_t *others = json_object_get(schema, "additionalProperties");
    const char *name = NULL;
    json_t *member = NULL;
    json_object_foreach(json_object_get(schema, "properties"), name, member)
    {
        size_t index = 0;
        json_t *one = NULL;
        bool needed = false;
        json_array_foreach(json_object_get(schema, "required"), index, one)
        {
            needed = needed || strcmp(json_string_value(one), name) == 0;
        }
        if (needed || dice_once_in(dice, 2)) {
            (void)json_object_set_new(object, name, sample(document, member, dice));
        }
    }
    for (uint32_t i = json_is_object(others) ? dice_below(dice, 4) : 0; i > 0; i--) {
        (void)json_object_set_new(object, names[dice_below(dice, NAMES)],
                                  sample(document, others, dice));
    }
    return object;
}

static json_t *some_array(json_t *document, json_t *schema, struct dice *dice)
{
    json_t *array = json_array();
    json_t *most = json_object_get(schema, "maxItems");
    size_t low = (size_t)json_integer_value(json_object_get(schema, "minItems"));
    size_t high = most == NULL ? ITEMS_UNBOUNDED : (size_t)json_integer_value(most);
    size_t count = dice_once_in(dice, 8) ? high : low + dice_below(dice, ITEMS_USUAL);
    for (size_t i = 0; i < count && i < high; i++) {
        (void)json_array_append_new(array,
                                    sample(document, json_object_get(schema, "items"), dice));
    }
    return array;
}

json_t *sample(json_t *document, json_t *schema, struct dice *dice)
{
    schema = contract_follow(document, schema);
    json_t *choices = json_object_get(schema, "anyOf");
    json_t *words = json_object_get(schema, "enum");
    const char *type = json_string_value(json_object_get(schema, "type"));
    if (choices != NULL) {
        size_t choice = dice_below(dice, (uint32_t)json_array_size(choices));
        return sample(document, json_array_get(choices, choice), dice);
    }
    if (words != NULL) {
        return json_incref(
            json_array_get(words, dice_below(dice, (uint32_t)json_array_size(words))));
    }
    if (type == NULL) {
        test_fail("a schema without a type");
    }
    if (strcmp(type, "object") == 0) {
        return some_object(document, schema, dice);
    }
    if (strcmp(type, "array") == 0) {
        return some_array(document, schema, dice);
    }
    if (strcmp(type, "integer") == 0) {
        return some_integer(schema, dice);
    }
    if (strcmp(type, "boolean") == 0) {
        return json_boolean(dice_once_in(dice, 2));
    }
    if (strcmp(type, "string") != 0) {
        test_fail("no sample of the type %s", type);
    }
    return some_text(schema, dice);
}

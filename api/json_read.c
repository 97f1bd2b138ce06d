#include "json_read.h"

#include "json_body.h"
#include "problem.h"
#include "utf8.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 16,
    NAME_SHOWN_MAX = 64, /* bytes of a made-up field name that are given back */
};

void json_start(void)
{
    json_object_seed(0);
}

/* The parser's own limit is far too deep. Brackets in strings are no depth. */
static bool depth_fits(const char *text, size_t length)
{
    size_t depth = 0;
    bool in_string = false;
    for (size_t at = 0; at < length; at++) {
        char byte = text[at];
        if (in_string) {
            if (byte == '\\') {
                at++;
            } else if (byte == '"') {
                in_string = false;
            }
        } else if (byte == '"') {
            in_string = true;
        } else if (byte == '{' || byte == '[') {
            depth++;
            if (depth > DEPTH_MAX) {
                return false;
            }
        } else if ((byte == '}' || byte == ']') && depth > 0) {
            depth--;
        }
    }
    return true;
}

static bool refuse(struct request *request, struct reply *reply, enum problem problem,
                   const struct problem_details *details)
{
    reply_problem(request, reply, problem, details);
    return false;
}

/* A name that is too long is cut off. */
void json_pointer(const char *parent, const char *name, char pointer[JSON_POINTER_TEXT])
{
    size_t length = utf8_cut(name, strlen(name), NAME_SHOWN_MAX);
    size_t used = strlen(parent);
    assert(used + 2 * length + 2 <= JSON_POINTER_TEXT);
    memcpy(pointer, parent, used);
    pointer[used++] = '/';
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '~' || name[i] == '/') {
            pointer[used++] = '~';
            pointer[used++] = name[i] == '~' ? '0' : '1';
        } else {
            pointer[used++] = name[i];
        }
    }
    pointer[used] = '\0';
}

bool json_refuse_field(struct request *request, struct reply *reply, const char *pointer,
                       const char *reason)
{
    return refuse(request, reply, PROBLEM_INVALID_FIELD,
                  &(struct problem_details){.pointer = pointer, .reason = reason});
}

bool json_refuse_unknown(struct request *request, struct reply *reply, const char *pointer)
{
    return refuse(request, reply, PROBLEM_UNKNOWN_FIELD,
                  &(struct problem_details){.pointer = pointer, .reason = "unknown"});
}

static bool refuse_malformed(struct request *request, struct reply *reply, const char *detail)
{
    return refuse(request, reply, PROBLEM_MALFORMED_JSON,
                  &(struct problem_details){.detail = detail});
}

/* The text with no more than two digits side by side outside of strings, which is as well-formed as
 * before and has no number that is too large. Returns its length. */
static size_t cut_numbers(const char *text, size_t length, char *cut)
{
    size_t used = 0;
    size_t digits = 0;
    bool in_string = false;
    bool escaped = false;
    for (size_t at = 0; at < length; at++) {
        char byte = text[at];
        digits = !in_string && byte >= '0' && byte <= '9' ? digits + 1 : 0;
        if (byte == '"' && !escaped) {
            in_string = !in_string;
        }
        escaped = in_string && !escaped && byte == '\\';
        if (digits <= 2) {
            cut[used++] = byte;
        }
    }
    return used;
}

/* At a number that it cannot hold the parser stops, whatever comes behind it. */
static bool is_object_but_for_large_numbers(const struct request *request)
{
    char *cut = malloc(request->body_length);
    if (cut == NULL) {
        return false;
    }
    size_t length = cut_numbers(request->body, request->body_length, cut);
    json_t *root = json_loadb(cut, length, JSON_REJECT_DUPLICATES, NULL);
    bool is_object = json_is_object(root);
    json_decref(root);
    free(cut);
    return is_object;
}

/* No field of ours takes such a number; the parser does not say in which one it is. */
static void refuse_large_number(struct request *request, struct reply *reply)
{
    if (is_object_but_for_large_numbers(request)) {
        (void)json_refuse_field(request, reply, "", "out-of-range");
    } else {
        refuse_malformed(request, reply, NULL);
    }
}

json_t *json_body(struct request *request, struct reply *reply)
{
    if (request->body_length == 0) {
        refuse_malformed(request, reply, "The body is empty.");
        return NULL;
    }
    if (!depth_fits(request->body, request->body_length)) {
        refuse_malformed(request, reply, "The body is nested deeper than 16 levels.");
        return NULL;
    }
    json_error_t error;
    json_t *root = json_loadb(request->body, request->body_length, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL && json_error_code(&error) == json_error_numeric_overflow) {
        refuse_large_number(request, reply);
        return NULL;
    }
    if (root == NULL && json_error_code(&error) == json_error_out_of_memory) {
        reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
        return NULL;
    }
    if (!json_is_object(root)) {
        bool duplicate = root == NULL && json_error_code(&error) == json_error_duplicate_key;
        refuse_malformed(request, reply, duplicate ? "A field comes twice." : NULL);
        json_decref(root);
        return NULL;
    }
    return root;
}

static bool is_known(const struct field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool only_known(struct request *request, struct reply *reply, json_t *object,
                       const struct field *fields, size_t count)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const char *name = json_object_iter_key(at);
        if (!is_known(fields, count, name)) {
            char pointer[JSON_POINTER_TEXT];
            json_pointer("", name, pointer);
            return json_refuse_unknown(request, reply, pointer);
        }
    }
    return true;
}

/* NULL, or the reason why the value does not fit the field. */
static const char *store(const struct field *field, const json_t *value, void *target)
{
    unsigned char *place = (unsigned char *)target + field->offset;
    switch (field->type) {
    case FIELD_TEXT: {
        if (!json_is_string(value)) {
            return "not-a-string";
        }
        size_t length = json_string_length(value);
        if (length >= field->size) {
            return "too-long";
        }
        memcpy(place, json_string_value(value), length + 1);
        return NULL;
    }
    case FIELD_INTEGER: {
        if (!json_is_integer(value)) {
            return "not-an-integer";
        }
        int64_t number = json_integer_value(value);
        if (number < field->min || number > field->max) {
            return "out-of-range";
        }
        memcpy(place, &number, sizeof number);
        return NULL;
    }
    case FIELD_BOOL: {
        if (!json_is_boolean(value)) {
            return "not-a-boolean";
        }
        bool yes = json_is_true(value);
        memcpy(place, &yes, sizeof yes);
        return NULL;
    }
    case FIELD_OPTIONS: break; /* read_options */
    }
    assert(false);
    return "unknown";
}

/* Whether there is such an option, and such a value of it, is for the rules to say. */
static const char *store_option(const json_t *value, struct table_option *option)
{
    option->is_number = json_is_integer(value);
    if (option->is_number) {
        (void)snprintf(option->value, sizeof option->value, "%lld",
                       (long long)json_integer_value(value));
        return NULL;
    }
    if (!json_is_string(value)) {
        return "not-a-word-or-integer";
    }
    size_t length = json_string_length(value);
    if (length >= sizeof option->value) {
        return "not-offered";
    }
    memcpy(option->value, json_string_value(value), length + 1);
    return NULL;
}

static bool read_option(struct request *request, struct reply *reply, const char *parent,
                        const char *name, const json_t *value, struct table_options *options)
{
    char pointer[JSON_POINTER_TEXT];
    struct table_option *option = &options->at[options->count];
    size_t length = strlen(name);
    json_pointer(parent, name, pointer);
    if (length >= sizeof option->key || options->count == TABLE_OPTIONS_ASKED) {
        return json_refuse_unknown(request, reply, pointer);
    }
    const char *reason = store_option(value, option);
    if (reason != NULL) {
        return json_refuse_field(request, reply, pointer, reason);
    }
    memcpy(option->key, name, length + 1);
    options->count++;
    return true;
}

static bool read_options(struct request *request, struct reply *reply, const struct field *field,
                         json_t *value, void *target)
{
    struct table_options *options = (void *)((unsigned char *)target + field->offset);
    char pointer[JSON_POINTER_TEXT];
    json_pointer("", field->name, pointer);
    options->count = 0;
    if (!json_is_object(value)) {
        return json_refuse_field(request, reply, pointer, "not-an-object");
    }
    for (void *at = json_object_iter(value); at != NULL; at = json_object_iter_next(value, at)) {
        if (!read_option(request, reply, pointer, json_object_iter_key(at),
                         json_object_iter_value(at), options)) {
            return false;
        }
    }
    return true;
}

static void note_presence(const struct field *field, bool present, void *target)
{
    if (field->present != 0) {
        memcpy((unsigned char *)target + field->present, &present, sizeof present);
    }
}

static bool store_all(struct request *request, struct reply *reply, json_t *object,
                      const struct field *fields, size_t count, void *target)
{
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(object, fields[i].name);
        const char *reason = NULL;
        note_presence(&fields[i], value != NULL, target);
        if (value != NULL && fields[i].type == FIELD_OPTIONS) {
            if (!read_options(request, reply, &fields[i], value, target)) {
                return false;
            }
        } else if (value != NULL) {
            reason = store(&fields[i], value, target);
        } else if (fields[i].required) {
            reason = "required";
        }
        if (reason != NULL) {
            char pointer[JSON_POINTER_TEXT];
            json_pointer("", fields[i].name, pointer);
            return json_refuse_field(request, reply, pointer, reason);
        }
    }
    return true;
}

static bool any_required(const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fields[i].required) {
            return true;
        }
    }
    return false;
}

bool json_decode(struct request *request, struct reply *reply, const struct field *fields,
                 size_t count, void *target)
{
    assert(request != NULL && reply != NULL && (target != NULL || count == 0));
    if (request->body_length == 0 && !any_required(fields, count)) {
        for (size_t i = 0; i < count; i++) {
            note_presence(&fields[i], false, target);
        }
        return true;
    }
    json_t *object = json_body(request, reply);
    if (object == NULL) {
        return false;
    }
    bool good = only_known(request, reply, object, fields, count) &&
                store_all(request, reply, object, fields, count, target);
    json_decref(object);
    return good;
}

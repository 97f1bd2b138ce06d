#include "json_read.h"

#include "problem.h"
#include "utf8.h"

#include <assert.h>
#include <jansson.h>
#include <string.h>

enum {
    DEPTH_MAX = 16,
    POINTER_MAX = 140,   /* "/" and the shown part of a name, every character of it escaped */
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

/* A member's JSON pointer; a name that is too long is cut off. */
static void format_pointer(const char *name, char pointer[POINTER_MAX])
{
    size_t length = utf8_cut(name, strlen(name), NAME_SHOWN_MAX);
    size_t used = 0;
    pointer[used++] = '/';
    for (size_t i = 0; i < length; i++) {
        assert(used + 3 <= POINTER_MAX);
        if (name[i] == '~' || name[i] == '/') {
            pointer[used++] = '~';
            pointer[used++] = name[i] == '~' ? '0' : '1';
        } else {
            pointer[used++] = name[i];
        }
    }
    pointer[used] = '\0';
}

static bool refuse_field(struct request *request, struct reply *reply, const char *name,
                         const char *reason)
{
    char pointer[POINTER_MAX];
    format_pointer(name, pointer);
    return refuse(request, reply, PROBLEM_INVALID_FIELD,
                  &(struct problem_details){.pointer = pointer, .reason = reason});
}

static bool refuse_malformed(struct request *request, struct reply *reply, const char *detail)
{
    return refuse(request, reply, PROBLEM_MALFORMED_JSON,
                  &(struct problem_details){.detail = detail});
}

/* NULL, or a new reference to the body's object. */
static json_t *read_object(struct request *request, struct reply *reply)
{
    if (!depth_fits(request->body, request->body_length)) {
        refuse_malformed(request, reply, "The body is nested deeper than 16 levels.");
        return NULL;
    }
    json_error_t error;
    json_t *root = json_loadb(request->body, request->body_length, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL && json_error_code(&error) == json_error_numeric_overflow) {
        /* Well-formed, but no field of ours takes such a number; the parser does not say which. */
        refuse(request, reply, PROBLEM_INVALID_FIELD,
               &(struct problem_details){.pointer = "", .reason = "out-of-range"});
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
            char pointer[POINTER_MAX];
            format_pointer(name, pointer);
            return refuse(request, reply, PROBLEM_UNKNOWN_FIELD,
                          &(struct problem_details){.pointer = pointer, .reason = "unknown"});
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
    }
    assert(false);
    return "unknown";
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
        const json_t *value = json_object_get(object, fields[i].name);
        const char *reason = NULL;
        note_presence(&fields[i], value != NULL, target);
        if (value != NULL) {
            reason = store(&fields[i], value, target);
        } else if (fields[i].required) {
            reason = "required";
        }
        if (reason != NULL) {
            return refuse_field(request, reply, fields[i].name, reason);
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
    if (request->body_length == 0) {
        for (size_t i = 0; i < count; i++) {
            note_presence(&fields[i], false, target);
        }
        return !any_required(fields, count) ||
               refuse_malformed(request, reply, "The body is empty.");
    }
    json_t *object = read_object(request, reply);
    if (object == NULL) {
        return false;
    }
    bool good = only_known(request, reply, object, fields, count) &&
                store_all(request, reply, object, fields, count, target);
    json_decref(object);
    return good;
}

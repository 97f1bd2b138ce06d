#include "json_problem.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Adds a member; a NULL value (no memory) makes the whole document fail. */
static void set(json_t *object, const char *key, json_t *take_value, bool *good)
{
    *good = json_object_set_new(object, key, take_value) == 0 && *good;
}

static json_t *error_list(const struct problem_details *details)
{
    json_t *error = json_object();
    bool good = error != NULL;
    if (details->pointer != NULL) {
        /* Only JSON pointers begin with a slash or are empty. */
        bool is_pointer = details->pointer[0] == '/' || details->pointer[0] == '\0';
        set(error, is_pointer ? "pointer" : "parameter", json_string(details->pointer), &good);
    }
    if (details->reason != NULL) {
        set(error, "reason", json_string(details->reason), &good);
    }
    json_t *list = json_array();
    if (json_array_append_new(list, error) != 0 || !good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *current_state(const struct game_standing *standing)
{
    json_t *current = json_object();
    bool good = current != NULL;
    set(current, "status", json_string(standing->status), &good);
    set(current, "ply", json_integer(standing->ply), &good);
    bool nobody = standing->turn[0] == '\0';
    set(current, "turn", nobody ? json_null() : json_string(standing->turn), &good);
    if (!good) {
        json_decref(current);
        return NULL;
    }
    return current;
}

static json_t *square_list(const struct illegal *illegal)
{
    assert(illegal->square_count <= RULES_CAPTURED_MAX);
    json_t *list = json_array();
    for (size_t i = 0; i < illegal->square_count; i++) {
        char square[3];
        square_format(illegal->squares[i], square);
        if (json_array_append_new(list, json_string(square)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static void set_details(json_t *object, const struct problem_details *details, bool *good)
{
    if (details->pointer != NULL || details->reason != NULL) {
        set(object, "errors", error_list(details), good);
    }
    if (details->current != NULL) {
        set(object, "current", current_state(details->current), good);
    }
    if (details->illegal != NULL) {
        const struct illegal *illegal = details->illegal;
        set(object, "reason", json_string(illegal_reason_text(illegal->reason)), good);
        if (illegal->square_count > 0) {
            set(object, "squares", square_list(illegal), good);
        }
    }
}

char *json_problem(const struct problem_document *document, size_t *length)
{
    assert(document != NULL && document->details != NULL && length != NULL);
    char type[64];
    int type_length = snprintf(type, sizeof type, "/problems/%s", document->code);
    assert(type_length > 0 && (size_t)type_length < sizeof type);

    json_t *object = json_object();
    bool good = object != NULL;
    set(object, "type", json_string(type), &good);
    set(object, "title", json_string(document->title), &good);
    set(object, "status", json_integer(document->status), &good);
    set(object, "detail", json_string(document->detail), &good);
    set(object, "instance", json_string(document->instance), &good);
    set(object, "code", json_string(document->code), &good);
    set_details(object, document->details, &good);

    char *text = NULL;
    if (good) {
        /* Names that a client made up come back here: ASCII keeps them from doing any harm. */
        text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII);
    }
    if (text != NULL) {
        *length = strlen(text);
    }
    json_decref(object);
    return text;
}

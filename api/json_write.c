#include "json_parts.h"
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Fifteen significant digits: every rating with three decimals prints as it is meant. */
enum { JSON_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(15) };

enum handled reply_json(const struct request *request, struct reply *reply, unsigned status,
                        json_t *take_body)
{
    char *text = take_body == NULL ? NULL : json_dumps(take_body, JSON_FLAGS);
    json_decref(take_body);
    if (text == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    reply->status = status;
    reply->content_type = "application/json";
    reply->body = text;
    reply->length = strlen(text);
    return HANDLED;
}

json_t *json_time(int64_t at_ms)
{
    char text[40];
    char whole[24];
    struct tm parts;
    time_t seconds = (time_t)(at_ms / 1000);
    if (at_ms == 0 || gmtime_r(&seconds, &parts) == NULL) {
        return json_null();
    }
    (void)strftime(whole, sizeof whole, "%Y-%m-%dT%H:%M:%S", &parts);
    (void)snprintf(text, sizeof text, "%s.%03dZ", whole, (int)(at_ms % 1000));
    return json_string_nocheck(text);
}

json_t *json_points(int64_t milli)
{
    return milli % 1000 == 0 ? json_integer(milli / 1000) : json_real((double)milli / 1000.0);
}

json_t *json_text_or_null(const char *text)
{
    return text == NULL || text[0] == '\0' ? json_null() : json_string(text);
}

json_t *json_integer_or_null(bool present, int64_t value)
{
    return present ? json_integer(value) : json_null();
}

json_t *json_player(const struct player_id *id, bool has_name, const char *name)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "id", json_string_nocheck(id->id.text));
    json_out_set(&out, "name", has_name ? json_string(name) : json_null());
    return json_out_end(&out);
}

json_t *json_list(json_t *take_items, const char *next)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "items", take_items);
    json_out_set(&out, "next_cursor", json_text_or_null(next));
    return json_out_end(&out);
}

/* --- construction --------------------------------------------------------------------------------
 */

struct json_out json_out_begin(void)
{
    json_t *object = json_object();
    return (struct json_out){object, object == NULL};
}

void json_out_set(struct json_out *out, const char *key, json_t *take_value)
{
    if (json_object_set_new_nocheck(out->object, key, take_value) != 0) {
        out->failed = true;
    }
}

json_t *json_out_end(struct json_out *out)
{
    if (!out->failed) {
        return out->object;
    }
    json_decref(out->object);
    return NULL;
}

json_t *json_append(json_t *take_array, json_t *take_value)
{
    if (take_array == NULL || json_array_append_new(take_array, take_value) != 0) {
        json_decref(take_array);
        return NULL;
    }
    return take_array;
}

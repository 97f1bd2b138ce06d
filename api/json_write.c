#include "json_parts.h"
#include "problem.h"

#include <assert.h>

enum handled reply_json(const struct request *request, struct reply *reply, unsigned status,
                        struct json_out *take_out)
{
    size_t length = 0;
    char *text = json_out_take(take_out, &length);
    if (text == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    reply_take(reply, status, media_text(MEDIA_JSON), text, length);
    return HANDLED;
}

enum handled reply_json_tagged(const struct request *request, struct reply *reply,
                               struct json_out *take_out)
{
    if (reply_tag(request, reply, json_out_tag(take_out))) {
        json_out_drop(take_out);
        return HANDLED;
    }
    return reply_json(request, reply, 200, take_out);
}

void json_player(struct json_out *out, const char *key, const struct player_id *id,
                 const char *name)
{
    json_out_object(out, key);
    json_out_text(out, "id", id->id.text);
    json_out_text_or_null(out, "name", name);
    json_out_end(out);
}

void json_list_begin(struct json_out *out)
{
    json_out_object(out, NULL);
    json_out_array(out, "items");
}

void json_list_end(struct json_out *out, const char *next)
{
    json_out_end(out);
    json_out_text_or_null(out, "next_cursor", next);
    json_out_end(out);
}

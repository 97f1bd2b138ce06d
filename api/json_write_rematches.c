#include "json_parts.h"

void json_rematch_asked(struct json_out *out, const struct rematch_view *view)
{
    json_out_array(out, "asked");
    for (size_t i = 0; i < view->asked_count; i++) {
        json_out_text(out, NULL, view->asked[i]);
    }
    json_out_end(out);
    json_out_time(out, "expires_at", view->expires_at_ms);
}

enum handled reply_rematch(const struct request *request, struct reply *reply,
                           const struct rematch_view *view)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_rematch_asked(&out, view);
    json_out_text_or_null(&out, "game_id", view->has_game ? view->game_id.id.text : NULL);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

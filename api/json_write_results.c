#include "json_parts.h"

enum handled reply_results(const struct request *request, struct reply *reply,
                           const struct results_page *page)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_array(&out, "items");
    for (const struct result_item *item = page->items; item < page->items + page->count; item++) {
        json_out_object(&out, NULL);
        json_out_integer(&out, "seq", item->seq);
        json_out_text(&out, "type", item->is_void ? "voided" : "finished");
        json_out_time(&out, "at", item->at_ms);
        json_settled_game(&out, "game", &item->game);
        json_out_end(&out);
    }
    json_out_end(&out);
    json_out_integer(&out, "last_seq", page->last_seq);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

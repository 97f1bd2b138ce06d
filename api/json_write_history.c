#include "json_parts.h"
#include "notation.h"

#include <assert.h>

static void write_change(struct json_out *out, const struct db_change *change)
{
    json_out_object(out, NULL);
    json_out_time(out, "at", change->place.at_ms);
    json_out_text(out, "game_id", change->game_id.id.text);
    json_out_points(out, "before", change->before_milli);
    json_out_points(out, "after", change->after_milli);
    json_out_points(out, "delta", change->delta_milli);
    json_out_integer(out, "place", change->rank);
    json_out_text(out, "reason", history_reason(change));
    json_out_end(out);
}

static void write_day(struct json_out *out, const struct db_rating_day *day)
{
    char text[NOTATION_DAY];
    bool written = notation_day(day->day, text);
    assert(written); /* days of events are ours */
    (void)written;
    json_out_object(out, NULL);
    json_out_text(out, "day", text);
    json_out_points(out, "last", day->last_milli);
    json_out_points(out, "high", day->high_milli);
    json_out_points(out, "low", day->low_milli);
    json_out_integer(out, "games", day->games);
    json_out_end(out);
}

enum handled reply_history(const struct request *request, struct reply *reply,
                           const struct history_page *page, bool by_day, const char *next)
{
    struct json_out out = json_out_begin();
    json_list_begin(&out);
    for (size_t i = 0; i < page->count; i++) {
        if (by_day) {
            write_day(&out, &page->days[i]);
        } else {
            write_change(&out, &page->changes[i]);
        }
    }
    json_list_end(&out, next);
    return reply_json(request, reply, 200, &out);
}

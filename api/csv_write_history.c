#include "json_write.h"
#include "notation.h"
#include "problem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Comma-separated lines as RFC 4180 has them. No value here ever needs quotes. */

enum { LINE_BYTES_MAX = 192 };

static int change_line(const struct db_change *change, char *line)
{
    char at[NOTATION_TIME];
    char before[NOTATION_POINTS];
    char after[NOTATION_POINTS];
    char delta[NOTATION_POINTS];
    bool written = notation_time(change->place.at_ms, at);
    assert(written); /* times of events are ours */
    (void)written;
    notation_points(change->before_milli, before);
    notation_points(change->after_milli, after);
    notation_points(change->delta_milli, delta);
    return snprintf(line, LINE_BYTES_MAX, "%s,%s,%s,%s,%s,%d,%s\r\n", at, change->game_id.id.text,
                    before, after, delta, change->rank, history_reason(change));
}

static int day_line(const struct db_rating_day *day, char *line)
{
    char text[NOTATION_DAY];
    char last[NOTATION_POINTS];
    char high[NOTATION_POINTS];
    char low[NOTATION_POINTS];
    bool written = notation_day(day->day, text);
    assert(written); /* days of events are ours */
    (void)written;
    notation_points(day->last_milli, last);
    notation_points(day->high_milli, high);
    notation_points(day->low_milli, low);
    return snprintf(line, LINE_BYTES_MAX, "%s,%s,%s,%s,%" PRIu32 "\r\n", text, last, high, low,
                    day->games);
}

enum handled reply_history_csv(const struct request *request, struct reply *reply,
                               const struct history_page *page, bool by_day)
{
    char *text = malloc((page->count + 1) * LINE_BYTES_MAX);
    if (text == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    int length =
        snprintf(text, LINE_BYTES_MAX, "%s\r\n",
                 by_day ? "day,last,high,low,games" : "at,game_id,before,after,delta,place,reason");
    for (size_t i = 0; i < page->count; i++) {
        char *line = text + length;
        int added = by_day ? day_line(&page->days[i], line) : change_line(&page->changes[i], line);
        assert(added > 0 && added < LINE_BYTES_MAX);
        length += added;
    }
    reply->status = 200;
    reply->content_type = "text/csv; charset=utf-8; header=present";
    reply->body = text;
    reply->length = (size_t)length;
    return HANDLED;
}

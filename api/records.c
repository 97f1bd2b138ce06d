#include "match/record.h"

#include "ids.h"
#include "json_write.h"
#include "problem.h"
#include "record_text.h"
#include "routes.h"

#include <assert.h>
#include <stdlib.h>

/* --- GET /v1/games/{id}/record ---------------------------------------------------------------- */

static enum handled reply_text(const struct request *request, struct reply *reply,
                               const struct record *record)
{
    size_t length = 0;
    char *text = record_text(record, &length);
    if (text == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    reply_take(reply, 200, media_text(MEDIA_PLAIN), text, length);
    return HANDLED;
}

/* After the end nothing in it can change, so caches may keep it for good; of a private game, those
 * of its people. */
static void allow_caches(struct reply *reply, const struct record *record)
{
    bool own = record->game.is_private;
    if (record->ended) {
        reply_header(reply, "Cache-Control",
                     own ? "private, max-age=31536000, immutable"
                         : "public, max-age=31536000, immutable");
    } else {
        reply_header(reply, "Cache-Control", own ? "private, no-cache" : "no-cache");
    }
    reply_header(reply, "Vary", own ? "Accept, Authorization" : "Accept");
}

static enum handled reply_record(const struct request *request, struct reply *reply,
                                 const struct record *record)
{
    allow_caches(reply, record);
    if (request->media == MEDIA_PLAIN) {
        return reply_text(request, reply, record);
    }
    return request->media == MEDIA_NDJSON ? reply_record_lines(request, reply, record)
                                          : reply_record_json(request, reply, record);
}

enum handled handle_record(struct request *request, struct reply *reply)
{
    struct game_id id;
    struct record *record = NULL;
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    enum match_status status = match_record(request->match, &id, request_viewer(request), &record);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    (void)reply_record(request, reply, record);
    record_free(record);
    return HANDLED;
}

#include "feed.h"
#include "ids.h"
#include "problem.h"
#include "routes.h"
#include "stream.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GET /v1/games/{id}/events and /v1/me/events: one sequence, as a stream or by long polls. */

/* What any client can hold as a number. */
static const int64_t SEQ_MAX = INT64_C(9007199254740991);

/* What is asked for. */
struct wish {
    bool polls; /* one answer, after so many seconds at the latest */
    int64_t seconds;
    bool resumes;
    int64_t after;
    const char *named; /* where `after` came from */
};

/* The header is newer than the query of an address that a client asks again and again. */
static bool read_after(struct request *request, struct reply *reply, struct wish *wish)
{
    const struct query_pair texts[] = {
        {"after", request_query(request, "after")},
        {"Last-Event-ID",       request->last_event_id             },
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i].value == NULL) {
            continue;
        }
        if (!request_integer(request, reply, &texts[i], 0, SEQ_MAX, &wish->after)) {
            return false;
        }
        wish->named = texts[i].name;
        wish->resumes = true;
    }
    return true;
}

static bool read_wish(struct request *request, struct reply *reply, const char *const *parameters,
                      struct wish *wish)
{
    *wish = (struct wish){.polls = request_query(request, "wait") != NULL};
    return request_query_only(request, reply, parameters) &&
           request_query_integer(request, reply, "wait", 0, LIMIT_WAIT_SECONDS, &wish->seconds) &&
           read_after(request, reply, wish);
}

/* False: nobody can have been told so much. */
static bool check_after(const struct request *request, struct reply *reply, const struct wish *wish,
                        int64_t newest)
{
    return wish->after <= newest ||
           request_query_refuse(request, reply, wish->named, "not-yet-there");
}

static struct feed_options feed_options(const struct request *request, const struct wish *wish)
{
    return (struct feed_options){
        .match = request->match,
        .cache = streams_cache(request->streams),
        .polls = streams_polls(request->streams),
        .bearer = request->has_identity ? &request->identity : NULL,
        .live = !wish->polls,
        .resumes = wish->resumes,
        .after = wish->after,
    };
}

/* --- long polls ----------------------------------------------------------------------------------
 */

struct poll {
    int64_t deadline_ms;
    struct frame_list frames;
};

/* {events, last_seq}; `finished`: there was nothing in the way of feed_finish. */
static enum handled poll_answer(struct request *request, struct reply *reply, struct poll *poll,
                                bool finished)
{
    static const char begin[] = "{\"events\":[";
    char end[48];
    struct frame_list body = {.as = FRAMES_AS_LIST};
    int length = snprintf(end, sizeof end, "],\"last_seq\":%" PRId64 "}", poll->frames.last_id);
    frame_list_put(&body, begin, sizeof begin - 1);
    frame_list_put(&body, poll->frames.bytes, poll->frames.length);
    frame_list_put(&body, end, (size_t)length);
    bool failed = poll->frames.failed || body.failed;
    frame_list_free(&poll->frames);
    if (failed) {
        frame_list_free(&body);
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    reply_take(reply, 200, media_text(MEDIA_JSON), body.bytes, body.length);
    if (finished && !request_has_left(request)) {
        feed_told(request->feed);
    }
    return HANDLED;
}

static enum handled poll_woken(struct request *request, struct reply *reply);

/* Pulls, then answers or sleeps. The feed watches before it looks. */
static enum handled poll_go_on(struct request *request, struct reply *reply, struct poll *poll)
{
    size_t before = 0;
    enum feed_status status = FEED_NEWS;
    do {
        before = poll->frames.count;
        status = feed_pull(request->feed, poll->deadline_ms, &poll->frames);
    } while (status == FEED_NEWS && poll->frames.count > before && poll->frames.count < LIMIT_PAGE);
    bool over = match_now_ms(request->match) >= poll->deadline_ms;
    if (status == FEED_QUIET && poll->frames.count == 0 && !over) {
        return request_may_wait(request, reply) ? request_await(request, poll_woken, poll)
                                                : HANDLED;
    }
    bool finishes = status == FEED_QUIET || status == FEED_NEWS;
    if (finishes) {
        status = feed_finish(request->feed, &poll->frames);
    }
    if (status == FEED_FAILED) {
        enum match_status failure = feed_failure(request->feed);
        frame_list_free(&poll->frames);
        return reply_problem(request, reply, problem_of(failure), NULL);
    }
    return poll_answer(request, reply, poll, finishes);
}

static enum handled poll_woken(struct request *request, struct reply *reply)
{
    return poll_go_on(request, reply, request->state);
}

static enum handled poll_begin(struct request *request, struct reply *reply,
                               const struct wish *wish, struct feed *take_feed)
{
    struct poll *poll = request_alloc(request, sizeof *poll);
    request_feeds(request, take_feed);
    if (poll == NULL || take_feed == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    poll->frames.as = FRAMES_AS_LIST;
    poll->frames.last_id = wish->after;
    poll->deadline_ms = request->at_ms + wish->seconds * 1000;
    feed_wakes(take_feed, request_wake, request);
    return poll_go_on(request, reply, poll);
}

/* --- streams -------------------------------------------------------------------------------------
 */

/* The headers of a stream, whose body this is. NULL: of one that nobody will read. */
static enum handled stream_answer(const struct request *request, struct reply *reply,
                                  struct stream *take_stream)
{
    reply_stream(reply, media_text(request->media), take_stream);
    reply_header(reply, "Cache-Control", "no-store");
    reply_header(reply, "X-Accel-Buffering", "no");
    return HANDLED;
}

/* A place for a stream, or NULL with the refusal. */
static struct stream *take_place(const struct request *request, struct reply *reply)
{
    enum place_status refusal = PLACE_TAKEN;
    struct budget_owner owner = request_owner(request);
    enum frames_as as = request->media == MEDIA_NDJSON ? FRAMES_AS_LINES : FRAMES_AS_EVENTS;
    struct stream *stream = stream_new(request->streams, &owner, as, &refusal);
    if (stream == NULL) {
        (void)reply_problem(request, reply,
                            refusal == PLACE_NONE_FOR_OWNER ? PROBLEM_STREAM_LIMIT
                            : refusal == PLACE_NONE_AT_ALL  ? PROBLEM_STREAM_LIMIT_IN_ALL
                                                            : PROBLEM_INTERNAL,
                            NULL);
    }
    return stream;
}

/* --- either --------------------------------------------------------------------------------------
 */

/* Makes the feed of what was asked for. */
typedef struct feed *feed_maker(const struct feed_options *options, const void *about);

static enum handled stream_begin(const struct request *request, struct reply *reply,
                                 struct stream *take_stream, struct feed *take_feed)
{
    if (take_feed == NULL) {
        stream_free(take_stream);
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    stream_feed(take_stream, request->match, take_feed);
    return stream_answer(request, reply, take_stream);
}

/* `newest`: the number of the last event that there is. */
static enum handled tell(struct request *request, struct reply *reply, const struct wish *wish,
                         int64_t newest, feed_maker *make, const void *about)
{
    struct feed_options options = feed_options(request, wish);
    if (!check_after(request, reply, wish, newest)) {
        return HANDLED;
    }
    if (wish->polls) {
        return poll_begin(request, reply, wish, make(&options, about));
    }
    if (request->head) {
        return stream_answer(request, reply, NULL);
    }
    struct stream *stream = take_place(request, reply);
    return stream == NULL ? HANDLED : stream_begin(request, reply, stream, make(&options, about));
}

/* --- GET /v1/games/{id}/events -------------------------------------------------------------------
 */

static struct feed *make_game(const struct feed_options *options, const void *about)
{
    return feed_game_new(options, about);
}

enum handled handle_game_events(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"after", "wait", NULL};
    struct wish wish;
    struct game_id id;
    reply_header(reply, "Vary", "Accept");
    if (!read_wish(request, reply, parameters, &wish)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'g', &id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    /* Not of the request's memory, which a stream would keep for minutes. */
    struct game_view *view = malloc(sizeof *view);
    enum match_status status =
        view == NULL ? MATCH_INTERNAL
                     : match_game(request->match, &id, request_viewer(request), view, NULL);
    if (wish.polls) {
        reply_header(reply, "Cache-Control", "no-cache");
    }
    enum handled handled = status == MATCH_OK
                               ? tell(request, reply, &wish, view->game.seq, make_game, view)
                               : reply_problem(request, reply, problem_of(status), NULL);
    free(view);
    return handled;
}

/* --- GET /v1/me/events ---------------------------------------------------------------------------
 */

static struct feed *make_me(const struct feed_options *options, const void *about)
{
    return feed_me_new(options, about != NULL);
}

enum handled handle_me_events(struct request *request, struct reply *reply)
{
    static const char *const parameters[] = {"after", "wait", "games", NULL};
    static const char *const games[] = {"all", NULL};
    const char *all = NULL;
    struct wish wish;
    int64_t newest = 0;
    assert(request->has_identity);
    reply_header(reply, "Vary", "Accept");
    if (!read_wish(request, reply, parameters, &wish) ||
        !request_query_word(request, reply, "games", games, &all)) {
        return HANDLED;
    }
    enum match_status status =
        match_personal_seq(request->match, request->identity.player_no, &newest);
    return status == MATCH_OK ? tell(request, reply, &wish, newest, make_me, all)
                              : reply_problem(request, reply, problem_of(status), NULL);
}

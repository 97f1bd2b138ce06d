#include "stream.h"

#include "hangups.h"

#include <assert.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    BEAT_MS = 14 * 1000,      /* of silence; the ticker is a little late, and 15 s are promised */
    AGE_MS = 10 * 60 * 1000,  /* then clients come again, and spread over the threads */
    BLOCK_BYTES = 1024,       /* for a client of HTTP/1.0 */
    SOCKET_BYTES = 32 * 1024, /* on their way to a slow reader: some dozens of events */
};

/* How falling asleep and the wake that may come before it meet. */
enum wait { WAIT_AWAKE, WAIT_ASLEEP, WAIT_WOKEN };

struct streams {
    struct stream_places *places;
    struct frame_cache *cache;
    struct poll_told *polls;
    struct hangups *hangups;
    atomic_uint sleeping; /* since they fell asleep until they are read again */
    atomic_uint waking;   /* threads inside wake */
};

struct stream {
    struct streams *streams;
    struct match *match;
    struct feed *feed;
    struct MHD_Connection *connection;
    int fd;                /* of it, while its end is watched for; -1: it is not */
    atomic_bool half_gone; /* the client may have left: something has to be sent */
    atomic_bool gone;
    struct stream_place place;
    atomic_int wait; /* enum wait */
    bool sleeps;     /* counted as sleeping; its connection's thread only, as all below */
    bool over;
    bool chunkless;
    int64_t opened_ms;
    int64_t told_ms; /* when something was last sent */
    struct frame_list out;
    size_t sent;
};

static hangup_fn hang_up;

struct streams *streams_new(unsigned max, bool limited)
{
    struct streams *streams = calloc(1, sizeof *streams);
    if (streams == NULL) {
        return NULL;
    }
    streams->places = stream_places_new(max, limited);
    streams->cache = frame_cache_new();
    streams->polls = poll_told_new();
    streams->hangups = hangups_new(hang_up);
    if (streams->places == NULL || streams->cache == NULL || streams->polls == NULL ||
        streams->hangups == NULL) {
        streams_free(streams);
        return NULL;
    }
    return streams;
}

void streams_free(struct streams *streams)
{
    if (streams != NULL) {
        hangups_free(streams->hangups);
        poll_told_free(streams->polls);
        frame_cache_free(streams->cache);
        stream_places_free(streams->places);
        free(streams);
    }
}

struct frame_cache *streams_cache(struct streams *streams)
{
    return streams->cache;
}

struct stream_places *streams_places(struct streams *streams)
{
    return streams->places;
}

struct poll_told *streams_polls(struct streams *streams)
{
    return streams->polls;
}

unsigned streams_open(struct streams *streams)
{
    return stream_places_taken(streams->places);
}

bool streams_awake(struct streams *streams)
{
    return atomic_load(&streams->sleeping) == 0 && atomic_load(&streams->waking) == 0;
}

/* --- one ------------------------------------------------------------------------------------- */

struct stream *stream_new(struct streams *streams, const struct budget_owner *owner,
                          enum frames_as as, enum place_status *refusal)
{
    static const char retry[] = "retry: 1000\n\n";
    assert(streams != NULL && as != FRAMES_AS_LIST);
    struct stream *stream = calloc(1, sizeof *stream);
    *refusal = PLACE_TAKEN;
    if (stream == NULL) {
        return NULL;
    }
    *refusal = stream_place_take(streams->places, owner, &stream->place);
    if (*refusal != PLACE_TAKEN) {
        free(stream);
        return NULL;
    }
    stream->streams = streams;
    stream->fd = -1;
    stream->out.as = as;
    if (as == FRAMES_AS_EVENTS) {
        frame_list_put(&stream->out, retry, sizeof retry - 1);
    }
    return stream;
}

static void wake_up(struct stream *stream)
{
    if (stream->sleeps) {
        stream->sleeps = false;
        atomic_fetch_sub(&stream->streams->sleeping, 1);
    }
}

void stream_free(struct stream *stream)
{
    if (stream == NULL) {
        return;
    }
    feed_free(stream->feed);
    if (stream->fd >= 0) {
        hangups_remove(stream->streams->hangups, stream->fd);
    } /* from here on nobody wakes it */
    wake_up(stream);
    stream_place_leave(stream->streams->places, &stream->place);
    frame_list_free(&stream->out);
    free(stream);
}

static void wake(void *context)
{
    struct stream *stream = context;
    struct streams *streams = stream->streams;
    /* The stream stays until this returns (feed.h), but its connection may come to its end, and
     * then the server to its own. */
    atomic_fetch_add(&streams->waking, 1);
    if (atomic_exchange(&stream->wait, WAIT_WOKEN) == WAIT_ASLEEP) {
        MHD_resume_connection(stream->connection);
    }
    atomic_fetch_sub(&streams->waking, 1);
}

static void hang_up(void *context, bool gone)
{
    struct stream *stream = context;
    atomic_store(gone ? &stream->gone : &stream->half_gone, true);
    wake(stream);
}

void stream_feed(struct stream *stream, struct match *match, struct feed *take_feed)
{
    assert(stream != NULL && match != NULL && stream->feed == NULL);
    stream->match = match;
    stream->feed = take_feed;
    stream->opened_ms = match_now_ms(match);
    stream->told_ms = stream->opened_ms;
    feed_wakes(take_feed, wake, stream);
}

/* --- reading --------------------------------------------------------------------------------- */

/* The next piece of output, if there is any. */
static void fill(struct stream *stream)
{
    const int64_t now_ms = match_now_ms(stream->match);
    const int64_t end_ms = stream->opened_ms + AGE_MS;
    const bool silent =
        now_ms - stream->told_ms >= BEAT_MS || atomic_exchange(&stream->half_gone, false);
    const int64_t beat_ms = (silent ? now_ms : stream->told_ms) + BEAT_MS;
    stream->sent = 0;
    frame_list_clear(&stream->out);
    if (stream->over || now_ms >= end_ms) {
        stream->over = true;
        return;
    }
    switch (feed_pull(stream->feed, beat_ms < end_ms ? beat_ms : end_ms, &stream->out)) {
    case FEED_NEWS: break;
    case FEED_QUIET:
        if (silent) {
            frame_list_beat(&stream->out);
        }
        break;
    case FEED_OVER: stream->over = true; break;
    case FEED_FAILED:
        frame_list_clear(&stream->out); /* the client resumes behind what it has */
        stream->over = true;
        break;
    }
    if (stream->out.length > 0) {
        stream->told_ms = now_ms;
    }
}

/* Suspended until the next wake, unless that was there before. */
static ssize_t fall_asleep(struct stream *stream)
{
    int expected = WAIT_AWAKE;
    stream->sleeps = true;
    atomic_fetch_add(&stream->streams->sleeping, 1);
    MHD_suspend_connection(stream->connection);
    if (!atomic_compare_exchange_strong(&stream->wait, &expected, WAIT_ASLEEP)) {
        assert(expected == WAIT_WOKEN);
        MHD_resume_connection(stream->connection);
    }
    return 0;
}

/* The library closes a connection that has to end with its answer only when something else wakes
 * it, which may be ten seconds later. */
static ssize_t end(const struct stream *stream)
{
    if (stream->chunkless && stream->fd >= 0) {
        (void)shutdown(stream->fd, SHUT_RDWR);
    }
    return MHD_CONTENT_READER_END_OF_STREAM;
}

static ssize_t read_some(void *context, uint64_t position, char *bytes, size_t max)
{
    struct stream *stream = context;
    (void)position;
    wake_up(stream);
    if (stream->sent == stream->out.length) {
        atomic_store(&stream->wait, WAIT_AWAKE); /* before the feed looks: a later wake counts */
        fill(stream);
    }
    size_t left = stream->out.length - stream->sent;
    if (atomic_load(&stream->gone)) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (left == 0) {
        return stream->over ? end(stream) : fall_asleep(stream);
    }
    size_t count = left < max ? left : max;
    memcpy(bytes, stream->out.bytes + stream->sent, count);
    stream->sent += count;
    return (ssize_t)count;
}

/* The library's signature. NOLINTNEXTLINE(readability-non-const-parameter) */
static ssize_t read_nothing(void *context, uint64_t position, char *bytes, size_t max)
{
    (void)context;
    (void)position;
    (void)bytes;
    (void)max;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

/* Without chunks: the library would send the last one, of a body that a HEAD has not. */
static struct MHD_Response *nothing_to_read(void)
{
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_nothing, NULL, NULL);
    if (response != NULL && MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT,
                                                     MHD_RO_END) != MHD_YES) {
        MHD_destroy_response(response);
        return NULL;
    }
    return response;
}

struct MHD_Response *stream_response(struct stream *stream, struct MHD_Connection *connection,
                                     bool chunkless)
{
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const int bytes = SOCKET_BYTES;
    if (stream == NULL) {
        return nothing_to_read();
    }
    assert(stream->feed != NULL);
    stream->connection = connection;
    stream->chunkless = chunkless;
    if (fd != NULL && hangups_add(stream->streams->hangups, fd->connect_fd, stream)) {
        stream->fd = fd->connect_fd;
    }
    if (fd != NULL) {
        (void)setsockopt(fd->connect_fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    }
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_some, stream,
                                             NULL);
}

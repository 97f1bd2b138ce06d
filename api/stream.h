#ifndef API_STREAM_H
#define API_STREAM_H

/*
 * Open streams: answers that go on until the client leaves, ten minutes have passed, or the service
 * stops. A stream sleeps as a suspended connection and is woken by its feed, at the latest for the
 * next sign of life; a reader that takes nothing in costs one piece of output and no more.
 *
 * Threads: handlers make streams on the thread of their connection, where the server then reads and
 * frees them; their feeds wake them from any thread.
 * Ownership: streams_new/_free by the server; a stream is its reply's, and owns its feed.
 */

#include "feed.h"
#include "stream_places.h"

struct MHD_Connection;
struct MHD_Response;

struct streams;
/* At most `max` at a time; `limited` as in stream_places.h. NULL: no memory. */
struct streams *streams_new(unsigned max, bool limited);
void streams_free(struct streams *streams); /* accepts NULL; none is open any more */
/* What feeds of this server share. */
struct frame_cache *streams_cache(struct streams *streams);
struct poll_told *streams_polls(struct streams *streams);
unsigned streams_open(struct streams *streams);
/* The places of which long polls take one while they wait. */
struct stream_places *streams_places(struct streams *streams);
/* When the service is stopping: no stream sleeps or is being woken, and none will again. */
bool streams_awake(struct streams *streams);

/* NULL: *refusal says why, or PLACE_TAKEN where there is no memory. */
struct stream *stream_new(struct streams *streams, const struct budget_owner *owner,
                          enum frames_as as, enum place_status *refusal);
/* Before it is answered with: what it tells. */
void stream_feed(struct stream *stream, struct match *match, struct feed *take_feed);
void stream_free(struct stream *stream); /* accepts NULL */

/* The server's: an answer that reads from the stream, or where there is none, that has no known
 * length and nothing to read. `chunkless`: its end is that of the connection. NULL: no memory. */
struct MHD_Response *stream_response(struct stream *stream, struct MHD_Connection *connection,
                                     bool chunkless);

#endif

#ifndef TESTS_SUPPORT_LISTENER_H
#define TESTS_SUPPORT_LISTENER_H

/*
 * A client of streams: a connection of its own, on which frames come one after the other. Each is
 * held against openapi.yaml and against its framing; what does not fit fails the test.
 *
 * Threads: a listener belongs to one thread. Ownership: listener_open/_close; frames are new
 * references.
 */

#include "process.h"

#include <jansson.h>

enum { LISTENER_PATIENCE_MS = 30000 };

struct listen_wish {
    const char *path;    /* with its query */
    const char *token;   /* NULL: none */
    const char *accept;  /* NULL: no such header, so SSE */
    const char *last_id; /* Last-Event-ID; NULL: none */
    const char *header;  /* one more line with its end, or NULL */
    const char *version; /* NULL: HTTP/1.1 */
    int receive_bytes;   /* of the socket; 0: as it is */
};

struct listener;
/* The head of the answer is there. */
struct listener *listener_open(const struct process *server, const struct listen_wish *wish);
void listener_close(struct listener *listener); /* accepts NULL */
/* Gone without a word. False: with one, for the machine does not let us. */
bool listener_vanish(struct listener *listener);

long listener_status(const struct listener *listener);
/* The head as it came. */
const char *listener_head(const struct listener *listener);
/* How often nothing but a sign of life has come. */
unsigned listener_beats(const struct listener *listener);
bool listener_has_ended(const struct listener *listener);

/* The next frame within the time; NULL: none, or the stream has ended. */
json_t *listener_next(struct listener *listener, long long patience_ms);
/* The next one that is counted, or that has a game's number; fails without it. */
json_t *listener_event(struct listener *listener);
/* The next one of this type, over all others; fails without it. */
json_t *listener_until(struct listener *listener, const char *type);
/* Fails unless no event comes for so long but those of a machine that stalls. */
void listener_quiet(struct listener *listener, long long patience_ms);
/* Reads on until the server ends the stream; fails where it does not. */
void listener_end(struct listener *listener);

/* Members of a frame; fails where they are not there. */
const char *frame_type(json_t *frame);
long long frame_seq(json_t *frame); /* -1: null */
json_t *frame_data(json_t *frame);  /* borrowed */
/* It gives back the time of a process that stood still, which any stall of the machine may bring.
 */
bool frame_is_of_pause(json_t *frame);

#endif

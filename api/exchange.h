#ifndef API_EXCHANGE_H
#define API_EXCHANGE_H

/*
 * One request and its answer on the way through the server, without libmicrohttpd: what is checked
 * in which order, and when a handler runs. server.c moves the bytes.
 *
 * Order of refusals: framing, unknown method or path, 405, 406, 415, 413, then, when the body is
 * complete, 401, 429, the query, and the handler's own.
 *
 * Threads: an exchange belongs to one thread at a time; only `wait` is shared.
 * Ownership: exchange_new/exchange_free; borrows the headers until the end.
 */

#include "framing.h"
#include "request.h"
#include "url.h"

#include <stdatomic.h>

enum {
    EXCHANGE_DRAIN_MAX = 4096, /* bytes of an unwanted body that are read for politeness */
    /* Bytes of a chunked body that are read and dropped for the sake of an answer: libmicrohttpd
     * takes one only before a body or after it. */
    EXCHANGE_EXCESS_MAX = 1024 * 1024,
};

enum exchange_stage {
    EXCHANGE_NEW,     /* only the target is known */
    EXCHANGE_BODY,    /* headers seen, body coming */
    EXCHANGE_HANDLER, /* body complete, no answer yet */
    EXCHANGE_ANSWERED,
};

/* How a handler's AWAIT and the wake that may come before it meet. */
enum exchange_wait { WAIT_RUNNING, WAIT_SUSPENDED, WAIT_WOKEN };

struct exchange {
    struct request request; /* first: request_wake finds the exchange by its address */
    struct reply reply;
    enum exchange_stage stage;
    atomic_int wait;  /* enum exchange_wait */
    void *connection; /* the transport's */
    void *transport;
    struct link *link;
    const char *method; /* one of ours, for the log */
    struct framing framing;
    struct match_arrival arrival; /* until what it asks is begun */
    const char *allowed_origin;   /* for Access-Control-Allow-Origin; NULL: for no page */
    bool preflight;               /* the reply is for a browser that asks on behalf of a page */
    bool refused;                 /* the reply is ready, whatever the body says */
    bool close;                   /* no further request on this connection */
    bool chunkless; /* the client knows no chunks: a stream ends with its connection */
    bool too_large;
    bool waiting;   /* in the number of requests that wait for their handler */
    bool counted;   /* in the number of requests that are handled */
    bool forwarded; /* the client is not the peer */
    char *body;
    size_t body_room;
    size_t excess; /* bytes read and dropped */
    int64_t began_ms;
    int64_t began_us;               /* of metrics_now_us */
    bool query_good;                /* else query_fault */
    struct query_fault query_fault; /* whom the refusal will name */
    size_t query_length;
    char query[]; /* as it came, with room for its decoded form behind it */
};

/* NULL: no memory. `target` is the whole request target. */
struct exchange *exchange_new(const char *target);
/* Accepts NULL. */
void exchange_free(struct exchange *exchange);

/* The headers are there (framing is filled): decides all that can be decided without the body.
 * `path` is the target without its query; it is copied. */
void exchange_headers(struct exchange *exchange, const char *method, const char *path,
                      const char *version);
/* Whether the answer has to be sent now, without reading the body. */
bool exchange_is_final(const struct exchange *exchange);
/* Takes a piece of the body, or drops what is too much; false: so much that the connection has to
 * end without an answer. */
bool exchange_body(struct exchange *exchange, const char *bytes, size_t count);
/* The body is complete: runs the handler unless something is wrong. */
enum handled exchange_finish(struct exchange *exchange);
/* Goes on where a handler waited. */
enum handled exchange_resume(struct exchange *exchange);

#endif

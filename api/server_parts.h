#ifndef API_SERVER_PARTS_H
#define API_SERVER_PARTS_H

/*
 * What server.c and server_reply.c share, and nobody else sees.
 * Threads: counters are atomic, the rest of the server is constant once started; a link belongs to
 * the thread of its connection, but for its deadline.
 */

#include "deadlines.h"
#include "exchange.h"
#include "server.h"
#include "stream.h"

#include <microhttpd.h>
#include <stdatomic.h>

struct server {
    struct server_options options;
    struct MHD_Daemon *daemon;
    struct deadlines *deadlines;
    struct streams *streams;
    int listen_fd;
    char id_prefix[16]; /* of request ids; another one at every start */
    atomic_uint_fast64_t requests;
    atomic_uint handling; /* bodies complete, answers not yet delivered */
    atomic_uint waiting;  /* handlers begun, answers not yet made */
    atomic_uint waking;   /* threads inside request_wake */
    atomic_bool draining;
    atomic_bool proxy_noted; /* one that nobody told us of: in the log once */
};

/* A connection. */
struct link {
    struct deadline deadline;
    struct exchange *exchange; /* the request that is on it, or NULL */
    bool later;                /* a request was on it before */
    struct address peer;
    bool peer_trusted;         /* a proxy whose word on the client is taken */
    char remote[ADDRESS_TEXT]; /* the peer, for the log */
};

/* Sends the reply and writes the log line. */
enum MHD_Result server_answer(struct server *server, struct exchange *exchange);

/* The log line of a request that got no answer. */
void server_log_unanswered(const struct server *server, const struct exchange *exchange);

#endif

#ifndef API_REQUEST_H
#define API_REQUEST_H

/*
 * One request and its reply as handlers see them: no libmicrohttpd here. A handler reads the
 * request, fills the reply and returns HANDLED; or it begins a command, names the function that
 * goes on when the command is done, and returns AWAIT.
 *
 * Threads: a request belongs to one thread at a time. request_wake alone may be called from any
 * thread, once for every AWAIT.
 * Ownership: server.c makes and frees requests; memory from request_alloc lives as long.
 */

#include "budgets.h"
#include "language.h"
#include "match/match.h"
#include "media.h"
#include "tag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REQUEST_PARAMS_MAX = 3, /* variable segments of a path */
    REQUEST_QUERY_MAX = 16, /* query parameters */
    REQUEST_ID_TEXT = 20,
    REPLY_HEADERS_MAX = 8,
};

struct request;
struct reply;
struct route;
struct config;
struct health;
struct retry;
struct metrics;
struct streams;
struct stream;
struct feed;

enum handled { HANDLED, AWAIT };
typedef enum handled handler_fn(struct request *request, struct reply *reply);

struct query_pair {
    const char *name; /* decoded, NUL-terminated */
    const char *value;
};

struct request {
    struct match *match;
    const struct config *config;
    const struct health *health;
    struct budgets *budgets; /* NULL: nothing is limited */
    const struct metrics *metrics;
    struct streams *streams;
    const struct route *route;
    bool head;                              /* HEAD: only the headers of the answer matter */
    enum media media;                       /* what to answer in, of the types that the route has */
    enum language language;                 /* that texts come in */
    char id[REQUEST_ID_TEXT];               /* ours, never the client's */
    const char *remote;                     /* the peer's address; "": not known */
    const char *path;                       /* decoded; for logs and problem `instance` */
    const char *params[REQUEST_PARAMS_MAX]; /* in the template's order, decoded */
    size_t query_count;
    struct query_pair query[REQUEST_QUERY_MAX];
    struct none_match none_match; /* answers that the client has already */
    const char *body;
    size_t body_length;
    struct address client;          /* whose request it is, as far as proxies tell */
    bool client_exempt;             /* this machine itself: no budget of an address */
    struct budget_note budget_note; /* for the headers of the answer */
    bool code_taken;                /* a code that may be wrong is in the budget (rate_limit.h) */
    int64_t at_ms;                  /* when the last byte was here: the time of whatever it asks */
    bool has_identity;              /* a valid token came with it */
    struct identity identity;
    const char *idempotency_key; /* as it came; "" where it came twice; NULL: none */
    const char *last_event_id;   /* likewise */
    struct retry *retry;         /* retry.h's; NULL: no key */
    const char *security;        /* static; what an operator should look at, for the log; NULL */
    handler_fn *resume;          /* after AWAIT */
    void *state;                 /* the handler's, between the two */
    struct feed *feed;           /* a long poll's (request_feeds); NULL: none */
    bool has_place;              /* a long poll's (request_may_wait) */
    void *memory;                /* request_alloc's */
};

struct reply_header {
    const char *name; /* static text */
    char value[400];  /* a link with all its parameters */
};

struct reply {
    unsigned status;
    const char *content_type; /* static text */
    char *body;               /* malloc'd, owned; or NULL with fixed_body */
    const char *fixed_body;   /* static bytes */
    size_t length;
    const char *fixed_packed; /* fixed_body in the coding gzip, or NULL */
    size_t packed_length;
    char tag[TAG_TEXT]; /* "" for none */
    size_t header_count;
    struct reply_header headers[REPLY_HEADERS_MAX];
    const char *problem_code; /* static; NULL unless a problem: for the log */
    bool streams;             /* its end is not known */
    struct stream *stream;    /* where it then reads from; NULL: nobody will read it */
};

/* Who asks, as the domain knows it: a player's number, or 0. */
int64_t request_viewer(const struct request *request);
/* Whose budgets and places it takes. */
struct budget_owner request_owner(const struct request *request);

/* Frees what request_alloc gave. */
void request_release(struct request *request);

/* Zeroed memory for the life of the request. NULL: none left; the caller answers `internal`. */
void *request_alloc(struct request *request, size_t size);

/* The feed is the request's from now on; accepts NULL. */
void request_feeds(struct request *request, struct feed *take_feed);

/* Before a long poll begins to wait: it has one of the places that streams have in all, until its
 * answer is delivered. False: there is none, and the problem is in the reply. */
bool request_may_wait(struct request *request, struct reply *reply);

/* Goes on with `resume` after the wake. */
enum handled request_await(struct request *request, handler_fn *resume, void *state);

/* A command's wake is this request, and its bearer the request's. */
void request_owns(struct request *request, struct match_op *op);

/* After a command was begun: goes on with `then` when it wakes, or at once where it is over. `then`
 * finds the command in request->state and its outcome in its op. */
enum handled request_command(struct request *request, struct reply *reply, struct match_op *op,
                             enum match_status begun, handler_fn *then);

/* The service is about to end; readiness says so before the last answers are given. */
bool request_stopping(const struct request *request);

/* The client has closed its connection, or will at least send nothing more on it. Many that left
 * did not say so. */
bool request_has_left(const struct request *request);

/* The wake function of commands and waiters; `context` is the request. */
void request_wake(void *context);
/* One that wakes the request, at this time at the latest; what for, who watches says. */
struct event_waiter request_waiter(struct request *request, int64_t deadline_ms);

/* The value of a query parameter, or NULL. */
const char *request_query(const struct request *request, const char *name);

void reply_header(struct reply *reply, const char *name, const char *value);
/* Where what was made is: under its collection, such as "/v1/tables/". */
void reply_location(struct reply *reply, const char *collection, const struct public_id *id);
/* The answer is for whoever asked, though others get answers too: caches keep it apart. */
void reply_private(struct reply *reply);
/* Back to nothing: frees the body, forgets the headers. */
void reply_clear(struct reply *reply);
/* 204 and the like. */
void reply_empty(struct reply *reply, unsigned status);
void reply_fixed(struct reply *reply, unsigned status, const char *content_type, const char *bytes,
                 size_t length);

/* The answer goes on for as long as the stream does, which is the reply's from now on. NULL: it is
 * the answer to a HEAD. */
void reply_stream(struct reply *reply, const char *content_type, struct stream *take_stream);

/* 400 invalid-parameter for this one. False, so that a check may return it. */
bool request_query_refuse(const struct request *request, struct reply *reply, const char *name,
                          const char *reason);
/* The same with malloc'd bytes, which are the reply's from now on. */
void reply_take(struct reply *reply, unsigned status, const char *content_type, char *take_bytes,
                size_t length);
/* Names what a read answers. True: the client has it (If-None-Match), and the reply is the 304. Of
 * what is no read, nothing is named. */
bool reply_tag(const struct request *request, struct reply *reply, uint64_t tag);
/* The same before it is known that there is anything to answer: `*` does not count, and without a
 * match the reply stays as it was. */
bool reply_tag_known(const struct request *request, struct reply *reply, uint64_t tag);

/* Strict query parsing: every parameter must be one of `names` (NULL-terminated) and come once.
 * False: a problem (400 invalid-parameter) is in the reply. */
bool request_query_only(struct request *request, struct reply *reply, const char *const *names);
/* The same for an operation that has none. */
bool request_query_none(struct request *request, struct reply *reply);
/* Decimal digits only, in min..max; *value untouched where the parameter is absent. */
bool request_query_integer(struct request *request, struct reply *reply, const char *name,
                           int64_t min, int64_t max, int64_t *value);
/* The same of a text that came elsewhere, such as in a header. */
bool request_integer(const struct request *request, struct reply *reply,
                     const struct query_pair *text, int64_t min, int64_t max, int64_t *value);
/* `true` or `false`. */
bool request_query_bool(struct request *request, struct reply *reply, const char *name,
                        bool *value);

#endif

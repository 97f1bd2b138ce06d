#ifndef TESTS_SUPPORT_HTTP_H
#define TESTS_SUPPORT_HTTP_H

/*
 * Requests to a server process, every answer held against openapi.yaml: the operation, the status,
 * the headers, the media type and the schema. A mismatch fails the test. Of a stream the first
 * frames are the answer, and then the client leaves; listener.h stays.
 *
 * Threads: one client a thread; the loaded document is shared and never written.
 * Ownership: client_new/client_free, answer_free.
 */

#include "process.h"

#include <jansson.h>

struct client;

/* Of ?wait=25, the longest there is: who is answered sooner was told of something. */
enum { CLIENT_WAIT_MS = 25000 };

struct answer {
    long status;
    json_t *body; /* NULL: none, or not JSON */
    char *text;   /* as it came */
    size_t length;
    char content_type[64];
    char headers[4096];
};

struct client *client_new(const char *origin);
void client_free(struct client *client);

struct call {
    const char *method;
    const char *path; /* with its query */
    const char *token;
    const char *body;
    size_t body_length;       /* 0: up to its NUL */
    const char *content_type; /* NULL: application/json where there is a body */
    const char *header;       /* one more header line, or NULL */
    const char *codings;      /* Accept-Encoding; what comes back is unpacked. NULL: none */
    bool unchecked;           /* not an operation of the document */
};
struct answer client_send(struct client *client, const struct call *call);
/* The same where no connection may be had: status 0. */
struct answer client_try(struct client *client, const struct call *call);
void answer_free(struct answer *answer);

/* Shorthands. */
struct answer client_get(struct client *client, const char *path, const char *token);
struct answer client_post(struct client *client, const char *path, const char *token,
                          const char *body);
/* With an `Idempotency-Key`. */
struct answer client_post_keyed(struct client *client, const char *path, const char *token,
                                const char *key, const char *body);

/* A text or number by a path of keys and indexes, such as "seats.0.player.id"; fails without it. */
const char *answer_text(const struct answer *answer, const char *path);
long long answer_integer(const struct answer *answer, const char *path);
json_t *answer_at(const struct answer *answer, const char *path); /* NULL: not there; borrowed */

/* The value of a header; false: it did not come. */
bool answer_header(const struct answer *answer, const char *name, char *value, size_t size);
/* A number of /metrics. */
double client_metric(struct client *client, const char *series);
/* Waits (up to a minute) until a number of /metrics is at least this: what a test began in another
 * thread or on a raw connection has then arrived, however slow the machine is. */
void client_await(struct client *client, const char *series, double value);
/* The same until it is at most this. */
void client_await_down(struct client *client, const char *series, double value);
/* Until so many requests wait for their answers. */
void client_await_held(struct client *client, unsigned count);

/* Whether it says that the request was done before. */
bool answer_replayed(const struct answer *answer);

/* Fails unless the status is the expected one. Returns its argument. */
struct answer expect(long status, struct answer answer);
/* The same where that is all there is to know: frees it. */
void expect_status(long status, struct answer take_answer);
/* The same for a problem: its status and code. Frees the answer. */
void expect_problem(long status, const char *code, struct answer answer);

#endif

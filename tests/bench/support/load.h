#ifndef TESTS_BENCH_SUPPORT_LOAD_H
#define TESTS_BENCH_SUPPORT_LOAD_H

/*
 * Load on an HTTP server: many kept connections on one thread, each with one request under way at
 * a time. What is asked and whether an answer is right is the script's business.
 *
 * Threads: the caller's; a run does everything on it. Ownership: the script is borrowed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LOAD_REQUEST_MAX = 2 * 1024,
    LOAD_ANSWER_MAX = 256 * 1024,
    LOAD_CONNECTIONS_MAX = 1000,
    LOAD_PROBLEM_MAX = 400,
};

struct load_script {
    /* Writes the next request of a connection (below its count) and returns its length;
     * 0: that connection has nothing more to ask. */
    size_t (*next)(void *context, unsigned connection, char request[LOAD_REQUEST_MAX]);
    /* An answer to it, with its head and body as one text. False: a wrong one, an error. */
    bool (*check)(void *context, unsigned connection, int status, const char *answer);
    void *context;
};

struct load_options {
    uint16_t port; /* of 127.0.0.1 */
    unsigned connections;
    double seconds;
    double warm_up_seconds; /* before; what is answered then is not counted */
};

struct load_result {
    double seconds;
    uint64_t requests; /* that got a right answer in these seconds */
    uint64_t answered; /* with those of the warm-up, and with errors */
    uint64_t errors;
    double p50_ms;
    double p99_ms;
    double max_ms;
    unsigned dry;                   /* connections that ran out of requests */
    char problem[LOAD_PROBLEM_MAX]; /* the first error, or "" */
};

/* False: no connection could be had, or one was lost; `problem` says so. */
bool load_run(const struct load_script *script, const struct load_options *options,
              struct load_result *result);

/* A blocking connection to 127.0.0.1, or -1. */
int load_connect(uint16_t port);
/* One request and its answer on it; the status, or 0. */
int load_ask(int fd, const char *request, size_t length, char answer[LOAD_ANSWER_MAX]);
/* The length of the answer that `text` begins with (and a NUL ends), or 0 while it is not all
 * there. */
size_t load_answer_length(const char *text, size_t length);
/* Where the body of an answer begins. */
const char *load_body(const char *answer);

/* Seconds of the monotonic clock. */
double load_now(void);

#endif

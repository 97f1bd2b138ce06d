#ifndef API_SERVER_H
#define API_SERVER_H

/*
 * The HTTP server: a pool of threads that read requests, run handlers and send answers.
 *
 * Threads: main starts, drains and frees it.
 * Ownership: everything in the options is borrowed and must outlive the server.
 */

#include "budgets.h"
#include "config.h"
#include "health.h"
#include "listen.h"
#include "log.h"
#include "match/match.h"
#include "metrics.h"

#include <stdbool.h>

struct server;

struct server_options {
    struct match *match;
    const struct config *config;
    const struct health *health;
    struct budgets *budgets;
    struct metrics *metrics;
    const struct logger *logger;
};

/* Takes the listening socket over. NULL: it could not start (the reason is in the log). */
struct server *server_start(const struct server_options *options, const struct listener *listener);

/* Accepts no connection and begins no request any more; returns when all that were begun are
 * answered. What they wait for must still be able to wake them. */
void server_drain(struct server *server);

/* Closes all connections. Accepts NULL; else the server is drained. */
void server_free(struct server *server);

#endif

#include "server.h"

#include "problem.h"
#include "server_parts.h"

#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    IDLE_SECONDS = 10, /* silence that ends a connection */
    /* From the beginning of a request: the connection for the first on it, the request line for
     * those that follow, since nothing of them is seen before it. */
    HEADERS_MS = 5 * 1000,
    BODY_MS = 10 * 1000,
    NEXT_MS = IDLE_SECONDS * 1000, /* from an answer to the next request line */
    UNACKNOWLEDGED_MS = 20 * 1000,
    DELIVERY_MS = 2 * 1000, /* at the end: for answers that are made but not yet taken */
    POOL_BYTES = 16 * 1024, /* of a connection: the longest head of a request */
    CONNECTIONS_MAX = 8192, /* times POOL_BYTES is what idle clients can cost: 128 MiB */
    /* One address may be a proxy, a school or a load test with hundreds of connections; it still
     * cannot take more than an eighth of all. */
    CONNECTIONS_PER_ADDRESS = 1024,
    STREAMS_PERCENT = 80, /* of all connections; the others are for everything else */
    FILES_RESERVED = 64,  /* database, log, control; besides some for every thread */
    FILES_PER_THREAD = 8,
};

/* --- connections --------------------------------------------------------------------------- */

static struct address_blocks trusted_proxies(const struct server *server)
{
    const struct config *config = server->options.config;
    return (struct address_blocks){config->trusted_proxies, config->trusted_proxy_count};
}

static struct link *link_open(struct server *server, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *address =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct link *link = calloc(1, sizeof *link);
    if (link == NULL || fd == NULL || address == NULL) {
        free(link);
        return NULL;
    }
    /* A peer that takes nothing in, or is gone without a word, is not waited for for ever. */
    unsigned unacknowledged_ms = UNACKNOWLEDGED_MS;
    (void)setsockopt(fd->connect_fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged_ms,
                     sizeof unacknowledged_ms);
    struct address_blocks trusted = trusted_proxies(server);
    link->peer = address_of_socket(address->client_addr);
    link->peer_trusted = address_trusted(&trusted, &link->peer);
    address_format(&link->peer, link->remote);
    deadline_begin(server->deadlines, &link->deadline, HEADERS_MS);
    deadlines_add(server->deadlines, &link->deadline, fd->connect_fd);
    metrics_connections(server->options.metrics, 1);
    return link;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *socket_context = link_open(server, connection);
        return;
    }
    struct link *link = *socket_context;
    if (link != NULL) {
        metrics_connections(server->options.metrics, -1);
        deadlines_remove(server->deadlines, &link->deadline);
        exchange_free(link->exchange); /* one that never got as far as its headers */
        free(link);
        *socket_context = NULL;
    }
}

static struct link *link_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/* --- requests ------------------------------------------------------------------------------ */

static void set_id(struct server *server, struct request *request)
{
    static const char hex[] = "0123456789abcdef";
    enum { DIGITS = 8 };
    uint64_t number = atomic_fetch_add_explicit(&server->requests, 1, memory_order_relaxed) + 1;
    size_t length = strlen(server->id_prefix);
    assert(length + DIGITS < sizeof request->id);
    memcpy(request->id, server->id_prefix, length);
    for (size_t i = 0; i < DIGITS; i++) {
        request->id[length + i] = hex[number >> (4 * (DIGITS - 1 - i)) & 15];
    }
    request->id[length + DIGITS] = '\0';
}

/* The request line is there, as it came. What is returned comes back with every later call. */
static void *on_target(void *context, const char *target, struct MHD_Connection *connection)
{
    struct server *server = context;
    struct link *link = link_of(connection);
    struct exchange *exchange = link == NULL ? NULL : exchange_new(target);
    if (exchange == NULL) {
        return NULL;
    }
    exchange->framing.target_end = target + strlen(target);
    exchange->transport = server;
    exchange->connection = connection;
    exchange->link = link;
    exchange->began_ms = match_now_ms(server->options.match);
    exchange->began_us = metrics_now_us();
    exchange->request.match = server->options.match;
    exchange->request.config = server->options.config;
    exchange->request.health = server->options.health;
    exchange->request.budgets = server->options.budgets;
    exchange->request.metrics = server->options.metrics;
    exchange->request.streams = server->streams;
    set_id(server, &exchange->request);
    exchange_free(link->exchange);
    link->exchange = exchange;
    if (link->later) {
        deadline_begin(server->deadlines, &link->deadline, HEADERS_MS);
    }
    return exchange;
}

static enum MHD_Result add_header(void *context, enum MHD_ValueKind kind, const char *name,
                                  size_t name_length, const char *value, size_t value_length)
{
    (void)kind;
    (void)value_length;
    framing_header(context, name, name_length, value);
    return MHD_YES;
}

static void read_head(struct exchange *exchange, const char *method, const char *version)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    /* The head begins with the method. From 1.0 on the library reads heads strictly by itself, and
     * where it leaves them is its own affair. */
    if (info != NULL && MHD_VERSION < 0x01000000) {
        framing_head(&exchange->framing, version, method + info->header_size);
    }
    (void)MHD_get_connection_values_n(exchange->connection, MHD_HEADER_KIND, add_header,
                                      &exchange->framing);
}

/* Said once: behind such a proxy all the world is one address. */
static void warn_of_proxy(struct server *server, const struct link *link)
{
    if (!link->peer_trusted && address_is_loopback(&link->peer) &&
        !atomic_exchange(&server->proxy_noted, true)) {
        log_event(
            server->options.logger, "warning", match_now_ms(server->options.match),
            "a proxy on this machine speaks for others, but --trusted-proxy does not name it: "
            "all its clients have the budgets of one address");
    }
}

/* Whose request it is: the peer's, unless a trusted proxy says otherwise. */
static void find_client(struct server *server, struct exchange *exchange)
{
    const struct link *link = exchange->link;
    const struct framing *framing = &exchange->framing;
    struct request *request = &exchange->request;
    struct address_blocks trusted = trusted_proxies(server);
    bool told = link->peer_trusted && framing->forwarded_count > 0;
    request->client = link->peer;
    if (framing->proxied) {
        warn_of_proxy(server, link);
    }
    /* A proxy that nobody told us to trust speaks for others, not for this machine. */
    request->client_exempt = !framing->proxied && address_is_loopback(&link->peer);
    exchange->forwarded =
        told && framing->forwarded_count <= FRAMING_FORWARDED_MAX &&
        address_forwarded(framing->forwarded, framing->forwarded_count, &trusted, &request->client);
}

static enum MHD_Result on_headers(struct server *server, struct exchange *exchange,
                                  const char *method, const char *path, const char *version)
{
    deadline_extend(&exchange->link->deadline, BODY_MS);
    metrics_in_flight(server->options.metrics, 1);
    read_head(exchange, method, version);
    find_client(server, exchange);
    exchange_headers(exchange, method, path, version);
    if (exchange_is_final(exchange)) {
        exchange->close = true;
        return server_answer(server, exchange);
    }
    return MHD_YES;
}

static void stop_waiting(struct server *server, struct exchange *exchange)
{
    if (exchange->waiting) {
        exchange->waiting = false;
        atomic_fetch_sub(&server->waiting, 1);
    }
}

/* Answers, or suspends until request_wake. */
static enum MHD_Result go_on(struct server *server, struct exchange *exchange, enum handled handled)
{
    if (handled == HANDLED) {
        enum MHD_Result result = server_answer(server, exchange);
        stop_waiting(server, exchange);
        return result;
    }
    assert(exchange->request.resume != NULL);
    MHD_suspend_connection(exchange->connection);
    int expected = WAIT_RUNNING;
    if (!atomic_compare_exchange_strong(&exchange->wait, &expected, WAIT_SUSPENDED)) {
        assert(expected == WAIT_WOKEN);
        MHD_resume_connection(exchange->connection);
    }
    return MHD_YES;
}

static enum MHD_Result on_complete(struct server *server, struct exchange *exchange)
{
    deadline_clear(&exchange->link->deadline);
    /* Counted before the flag is read: server_drain sets it before it reads the counter. */
    exchange->counted = true;
    exchange->waiting = true;
    atomic_fetch_add(&server->handling, 1);
    atomic_fetch_add(&server->waiting, 1);
    enum handled handled = HANDLED;
    if (atomic_load(&server->draining)) {
        exchange->stage = EXCHANGE_HANDLER;
        reply_problem(&exchange->request, &exchange->reply, PROBLEM_SHUTTING_DOWN, NULL);
    } else {
        handled = exchange_finish(exchange);
    }
    return go_on(server, exchange, handled);
}

static enum MHD_Result on_resume(struct server *server, struct exchange *exchange)
{
    assert(atomic_load(&exchange->wait) == WAIT_WOKEN);
    atomic_store(&exchange->wait, WAIT_RUNNING);
    return go_on(server, exchange, exchange_resume(exchange));
}

/* The library's signature. NOLINTNEXTLINE(readability-function-size) */
static enum MHD_Result on_access(void *context, struct MHD_Connection *connection, const char *path,
                                 const char *method, const char *version, const char *upload,
                                 size_t *upload_size, void **request_context)
{
    struct server *server = context;
    struct exchange *exchange = *request_context;
    (void)connection;
    if (exchange == NULL) {
        return MHD_NO; /* no memory for it */
    }
    switch (exchange->stage) {
    case EXCHANGE_NEW: return on_headers(server, exchange, method, path, version);
    case EXCHANGE_BODY:
        if (*upload_size > 0) {
            bool good = exchange_body(exchange, upload, *upload_size);
            *upload_size = 0;
            return good ? MHD_YES : MHD_NO;
        }
        return on_complete(server, exchange);
    case EXCHANGE_HANDLER: return on_resume(server, exchange);
    case EXCHANGE_ANSWERED: return MHD_YES;
    }
    return MHD_NO;
}

static void on_end(void *context, struct MHD_Connection *connection, void **request_context,
                   enum MHD_RequestTerminationCode code)
{
    (void)connection;
    (void)code;
    struct server *server = context;
    struct exchange *exchange = *request_context;
    *request_context = NULL;
    if (exchange == NULL) {
        return;
    }
    assert(exchange->link->exchange == exchange);
    exchange->link->exchange = NULL;
    exchange->link->later = true;
    deadline_begin(server->deadlines, &exchange->link->deadline, NEXT_MS);
    bool streamed = exchange->stage == EXCHANGE_ANSWERED && exchange->reply.stream != NULL;
    if (exchange->stage != EXCHANGE_NEW && !streamed) {
        metrics_in_flight(server->options.metrics, -1);
    }
    if (exchange->stage != EXCHANGE_ANSWERED) {
        server_log_unanswered(server, exchange);
    }
    /* A client that left while it was suspended is noticed after the wake, before the handler. */
    stop_waiting(server, exchange);
    if (exchange->counted) {
        atomic_fetch_sub(&server->handling, 1);
    }
    exchange_free(exchange);
}

void request_wake(void *context)
{
    struct exchange *exchange = context;
    assert(exchange != NULL);
    struct server *server = exchange->transport;
    struct MHD_Connection *connection = exchange->connection;
    /* From the exchange of the flag on, the request may be gone; the server must not be. */
    atomic_fetch_add(&server->waking, 1);
    if (atomic_exchange(&exchange->wait, WAIT_WOKEN) == WAIT_SUSPENDED) {
        MHD_resume_connection(connection);
    }
    atomic_fetch_sub(&server->waking, 1);
}

bool request_has_left(const struct request *request)
{
    char byte = 0;
    const struct exchange *exchange = (const struct exchange *)request;
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    assert(fd != NULL);
    return recv(fd->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* --- life ---------------------------------------------------------------------------------- */

/* That somebody has left a stream is nothing to write down: it is how most of them end. */
static bool is_about_a_stream(const char *format)
{
    static const char *const begins[] = {"Failed to send the chunked response body",
                                         "Failed to send the footers",
                                         "Closing connection (application error generating "};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (strncmp(format, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void on_message(void *context, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

static void on_message(void *context, const char *format, va_list arguments)
{
    struct server *server = context;
    const struct logger *logger = server->options.logger;
    if (logger->level == LOG_REQUESTS_OFF || is_about_a_stream(format)) {
        return;
    }
    char text[LOG_FIELD_MAX];
    (void)vsnprintf(text, sizeof text, format, arguments);
    log_event(logger, "transport", match_now_ms(server->options.match), text);
}

/* Escapes are left as they are: url.c is the one decoder. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

/* Behind a proxy all connections are its own; and who listens to this machine alone has nobody to
 * fear who has but one address. 0: as many as there are. */
static unsigned connections_per_address(const struct config *config)
{
    struct address address;
    bool local = address_parse(config->listen_address, strlen(config->listen_address), &address) &&
                 address_is_loopback(&address);
    return local || config->trusted_proxy_count > 0 ? 0 : CONNECTIONS_PER_ADDRESS;
}

static struct MHD_Daemon *start_daemon(struct server *server, bool ipv6, unsigned connections)
{
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
                     MHD_USE_TURBO;
    unsigned threads = server->options.config->threads;
    unsigned per_address = connections_per_address(server->options.config);
    struct MHD_OptionItem pool[] = {
        {threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)threads, NULL},
        {MHD_OPTION_END,                                             0,                 NULL},
    };
    /* The logger first, or the library's earliest words go to stderr as they are. Not strict: the
     * library's own refusal of a missing Host comes with two heads, and of a blank in the target
     * with no answer at all; the framing guard refuses both properly. */
    return MHD_start_daemon(
        flags | (ipv6 ? MHD_USE_IPv6 : 0U), 0, NULL, NULL, on_access, server,
        MHD_OPTION_EXTERNAL_LOGGER, on_message, server, MHD_OPTION_LISTEN_SOCKET, server->listen_fd,
        MHD_OPTION_ARRAY, pool, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_CONNECTION_LIMIT,
        connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT, per_address, MHD_OPTION_STRICT_FOR_CLIENT,
        0, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_URI_LOG_CALLBACK, on_target,
        server, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_NOTIFY_COMPLETED,
        on_end, server, MHD_OPTION_END);
}

struct server *server_start(const struct server_options *options, const struct listener *listener)
{
    assert(options != NULL && options->match != NULL && options->config != NULL);
    assert(options->health != NULL && options->logger != NULL && options->budgets != NULL);
    assert(options->metrics != NULL && listener != NULL);
    struct server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        close(listener->fd);
        return NULL;
    }
    server->options = *options;
    server->listen_fd = listener->fd;
    uint64_t now = (uint64_t)match_now_ms(options->match);
    (void)snprintf(server->id_prefix, sizeof server->id_prefix, "%09llx-",
                   (unsigned long long)(now >> 4 & 0xfffffffffULL));
    unsigned connections = listen_connections(
        FILES_RESERVED + FILES_PER_THREAD * options->config->threads, CONNECTIONS_MAX);
    server->deadlines = deadlines_new();
    server->streams = streams_new(connections * STREAMS_PERCENT / 100, options->config->rate_limit);
    if (server->deadlines != NULL && server->streams != NULL) {
        server->daemon = start_daemon(server, listener->ipv6, connections);
    }
    if (server->daemon == NULL) {
        close(server->listen_fd);
        streams_free(server->streams);
        deadlines_free(server->deadlines);
        free(server);
        return NULL;
    }
    return server;
}

static void nap(void)
{
    enum { NAP_US = 2000 };
    (void)usleep(NAP_US);
}

void server_drain(struct server *server)
{
    assert(server != NULL);
    /* No MHD_quiesce_daemon: in 0.9.75 it and a worker that is awake both take the socket out of
     * that worker's epoll set, and the later one aborts the process. Who still comes is told to go
     * and is let in nowhere. */
    atomic_store(&server->draining, true);
    /* Without a limit: a suspended request must never meet MHD_stop_daemon. */
    while (atomic_load(&server->waiting) > 0 || atomic_load(&server->waking) > 0 ||
           !streams_awake(server->streams)) {
        nap();
    }
    for (int waited_ms = 0; atomic_load(&server->handling) > 0 && waited_ms < DELIVERY_MS;
         waited_ms += 2) {
        nap();
    }
}

void server_free(struct server *server)
{
    if (server == NULL) {
        return;
    }
    assert(atomic_load(&server->draining));
    MHD_stop_daemon(server->daemon);
    streams_free(server->streams);
    deadlines_free(server->deadlines);
    free(server);
}

#include "server_parts.h"

#include "caching.h"
#include "config.h"
#include "gzip.h"
#include "rate_limit.h"
#include "routes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MS = 20 * 1000 }; /* to take the whole answer in */

static void log_request(const struct server *server, const struct exchange *exchange,
                        int64_t now_ms)
{
    const struct logger *logger = server->options.logger;
    const struct request *request = &exchange->request;
    const struct reply *reply = &exchange->reply;
    bool failed = reply->status >= 500 || request->security != NULL;
    if (logger->level == LOG_REQUESTS_OFF || (logger->level == LOG_REQUESTS_ERRORS && !failed)) {
        return;
    }
    struct log_line line;
    log_begin(&line, "request", now_ms);
    log_text(&line, "id", request->id);
    log_text(&line, "method", exchange->method);
    log_text(&line, "path", request->path);
    log_text(&line, "operation", request->route == NULL ? NULL : request->route->operation_id);
    if (exchange->stage == EXCHANGE_ANSWERED) {
        log_integer(&line, "status", reply->status);
    } else {
        log_null(&line, "status"); /* the client left, or took too long */
    }
    log_text(&line, "code", reply->problem_code);
    log_integer(&line, "ms", now_ms > exchange->began_ms ? now_ms - exchange->began_ms : 0);
    log_integer(&line, "bytes_in", (int64_t)(request->body_length + exchange->excess));
    log_integer(&line, "bytes_out", (int64_t)reply->length);
    log_text(&line, "player", request->has_identity ? request->identity.player_id.id.text : NULL);
    if (request->security != NULL) {
        log_text(&line, "security", request->security);
    }
    char client[ADDRESS_TEXT];
    if (exchange->forwarded) {
        address_format(&request->client, client);
    }
    log_text(&line, "remote", exchange->forwarded ? client : exchange->link->remote);
    log_write(logger, &line);
}

void server_log_unanswered(const struct server *server, const struct exchange *exchange)
{
    assert(exchange->stage != EXCHANGE_ANSWERED);
    if (exchange->stage != EXCHANGE_NEW) {
        metrics_unanswered(server->options.metrics);
        log_request(server, exchange, match_now_ms(server->options.match));
    }
}

/* Puts the body into the coding gzip, where that is wanted and worth it. A stream has no length
 * here, and is none of these. */
static bool pack(struct exchange *exchange)
{
    struct reply *reply = &exchange->reply;
    if (reply->length <= GZIP_WORTH_BYTES || !codings_take_gzip(&exchange->framing.codings)) {
        return false;
    }
    if (reply->fixed_packed != NULL) {
        reply->fixed_body = reply->fixed_packed;
        reply->length = reply->packed_length;
        return true;
    }
    size_t length = 0;
    const char *bytes = reply->body == NULL ? reply->fixed_body : reply->body;
    char *packed = gzip_pack(bytes, reply->length, &length);
    if (packed == NULL) {
        return false;
    }
    free(reply->body);
    reply->body = packed;
    reply->length = length;
    return true;
}

static struct MHD_Response *make_response(struct exchange *exchange)
{
    struct reply *reply = &exchange->reply;
    if (reply->streams) {
        return stream_response(reply->stream, exchange->connection, exchange->chunkless);
    }
    if (reply->body == NULL) {
        /* The library takes the bytes as `void *`, but only reads what is persistent. */
        union {
            const char *bytes;
            void *pointer;
        } fixed = {.bytes = reply->fixed_body == NULL ? "" : reply->fixed_body};
        return MHD_create_response_from_buffer(reply->length, fixed.pointer,
                                               MHD_RESPMEM_PERSISTENT);
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(reply->length, reply->body, MHD_RESPMEM_MUST_FREE);
    if (response != NULL) {
        reply->body = NULL;
    }
    return response;
}

static void add(struct MHD_Response *response, const char *name, const char *value, bool *good)
{
    *good = MHD_add_response_header(response, name, value) == MHD_YES && *good;
}

/* Whether a page of another origin may read the answer, and which headers of it. */
static void add_cors(struct MHD_Response *response, const struct exchange *exchange, bool *good)
{
    if (exchange->allowed_origin == NULL) {
        return;
    }
    add(response, "Access-Control-Allow-Origin", exchange->allowed_origin, good);
    if (!exchange->preflight) {
        add(response, "Access-Control-Expose-Headers",
            "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed,"
            " X-Request-Id, Link",
            good);
    }
}

/* What the handler's choice hung on, and what every answer hangs on, in one line. */
static void add_vary(struct MHD_Response *response, const struct exchange *exchange, bool *good)
{
    const struct reply *reply = &exchange->reply;
    const char *always =
        caching_vary(exchange->request.route, !cors_is_open(exchange->request.config->cors));
    const char *own = NULL;
    char both[160];
    for (size_t i = 0; i < reply->header_count; i++) {
        own = strcmp(reply->headers[i].name, "Vary") == 0 ? reply->headers[i].value : own;
    }
    if (own != NULL && always != NULL) {
        int length = snprintf(both, sizeof both, "%s, %s", own, always);
        assert(length > 0 && (size_t)length < sizeof both);
        add(response, "Vary", both, good);
    } else if (own != NULL || always != NULL) {
        add(response, "Vary", own != NULL ? own : always, good);
    }
}

/* What remains to the caller, which a cache must not tell to others. */
static void add_budget(struct MHD_Response *response, const struct exchange *exchange, bool *good)
{
    const struct budget_note *note = &exchange->request.budget_note;
    char state[BUDGET_STATE_TEXT];
    budget_note_format(note, state);
    add(response, "RateLimit-Policy", budgets_policy(exchange->request.budgets, note->budget),
        good);
    add(response, "RateLimit", state, good);
}

static bool add_headers(struct MHD_Response *response, const struct exchange *exchange, bool packed,
                        bool close)
{
    const struct reply *reply = &exchange->reply;
    bool good = true;
    const char *control = NULL;
    add(response, "X-Request-Id", exchange->request.id, &good);
    if (reply->content_type != NULL) {
        add(response, "Content-Type", reply->content_type, &good);
        add(response, "X-Content-Type-Options", "nosniff", &good);
    }
    if (packed) {
        add(response, "Content-Encoding", "gzip", &good);
    }
    add_cors(response, exchange, &good);
    add_vary(response, exchange, &good);
    if (reply->problem_code != NULL) {
        add(response, "Content-Language", "en", &good);
    }
    for (size_t i = 0; i < reply->header_count; i++) {
        const struct reply_header *header = &reply->headers[i];
        if (strcmp(header->name, "Cache-Control") == 0) {
            assert(caching_allows(exchange->request.route, header->value));
            control = header->value;
        }
        if (strcmp(header->name, "Vary") != 0) {
            add(response, header->name, header->value, &good);
        }
    }
    if (reply->tag[0] != '\0') {
        add(response, "ETag", reply->tag, &good);
    }
    if (exchange->request.budget_note.known && (control == NULL || !caching_is_shared(control))) {
        add_budget(response, exchange, &good);
    }
    if (control == NULL) {
        add(response, "Cache-Control", caching_control(exchange->request.route, reply->status),
            &good);
    }
    if (close) {
        add(response, "Connection", "close", &good);
    }
    return good;
}

enum MHD_Result server_answer(struct server *server, struct exchange *exchange)
{
    assert(exchange->stage != EXCHANGE_ANSWERED && exchange->reply.status >= 200);
    struct reply *reply = &exchange->reply;
    rate_limit_answer(&exchange->request, reply);
    bool packed = pack(exchange);
    struct MHD_Response *response = make_response(exchange);
    if (response == NULL) {
        return MHD_NO;
    }
    bool close = exchange->close || atomic_load(&server->draining);
    enum MHD_Result result = MHD_NO;
    if (add_headers(response, exchange, packed, close)) {
        if (reply->stream == NULL) {
            deadline_begin(server->deadlines, &exchange->link->deadline, ANSWER_MS);
        } else {
            deadline_clear(&exchange->link->deadline); /* it has an age of its own */
            metrics_in_flight(server->options.metrics, -1);
        }
        exchange->stage = EXCHANGE_ANSWERED;
        metrics_answered(server->options.metrics, exchange->request.route, reply->status,
                         metrics_now_us() - exchange->began_us);
        /* Before the answer goes out: who has it can rely on the line being there. */
        log_request(server, exchange, match_now_ms(server->options.match));
        result = MHD_queue_response(exchange->connection, reply->status, response);
    }
    MHD_destroy_response(response);
    return result;
}

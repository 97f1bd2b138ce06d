#include "exchange.h"

#include "auth.h"
#include "config.h"
#include "problem.h"
#include "rate_limit.h"
#include "routes.h"
#include "url.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct exchange *exchange_new(const char *target)
{
    assert(target != NULL);
    const char *mark = strchr(target, '?');
    size_t length = mark == NULL ? 0 : strlen(mark + 1);
    struct exchange *exchange = calloc(1, sizeof *exchange + 2 * length + 3);
    if (exchange == NULL) {
        return NULL;
    }
    exchange->framing.bad_target = strpbrk(target, " \t") != NULL;
    exchange->query_length = length;
    if (length > 0) {
        memcpy(exchange->query, mark + 1, length);
    }
    return exchange;
}

static void stop_arriving(struct exchange *exchange)
{
    if (exchange->arrival.taken_down) {
        match_arrived(exchange->request.match, &exchange->arrival);
    }
}

void exchange_free(struct exchange *exchange)
{
    if (exchange == NULL) {
        return;
    }
    stop_arriving(exchange);
    request_release(&exchange->request);
    reply_clear(&exchange->reply);
    free(exchange->body);
    free(exchange);
}

/* A long poll is asked for by its query, and is no stream. What a query that cannot be read asks
 * for is not known: whatever the client accepts, it is told of that. */
static unsigned media_offered(const struct exchange *exchange)
{
    const struct route *route = exchange->request.route;
    unsigned json = 1U << MEDIA_JSON;
    if (!route_streams(route) || !exchange->query_good) {
        return route_media(route);
    }
    return request_query(&exchange->request, "wait") != NULL ? json : route_media(route) & ~json;
}

static void refuse(struct exchange *exchange, enum problem problem, const char *detail)
{
    reply_problem(&exchange->request, &exchange->reply, problem,
                  &(struct problem_details){.detail = detail});
    exchange->refused = true;
}

/* How the request line names a method, and what it is here. */
struct method {
    const char *name;
    enum http_method method; /* HTTP_METHODS: no route has it */
};

static const struct method *find_method(const char *name)
{
    static const struct method methods[] = {
        {"GET",     HTTP_GET    },
        {"POST",    HTTP_POST   },
        {"DELETE",  HTTP_DELETE },
        {"HEAD",    HTTP_GET    },
        {"OPTIONS", HTTP_METHODS},
        {"PATCH",   HTTP_PATCH  },
        {"PUT",     HTTP_METHODS},
    };
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            return &methods[i];
        }
    }
    return NULL;
}

static bool is_options(const struct method *method)
{
    return method != NULL && strcmp(method->name, "OPTIONS") == 0;
}

enum { METHODS_TEXT = 64 };

static void format_methods(unsigned methods, char text[METHODS_TEXT])
{
    static const char *const names[HTTP_METHODS] = {
        [HTTP_GET] = "GET, HEAD, ",
        [HTTP_POST] = "POST, ",
        [HTTP_PATCH] = "PATCH, ",
        [HTTP_DELETE] = "DELETE, ",
    };
    text[0] = '\0';
    for (size_t i = 0; i < HTTP_METHODS; i++) {
        if ((methods & 1U << i) != 0) {
            strncat(text, names[i], METHODS_TEXT - strlen(text) - 1);
        }
    }
    strncat(text, "OPTIONS", METHODS_TEXT - strlen(text) - 1);
}

enum { ALL_METHODS = (1U << HTTP_METHODS) - 1 };

/* OPTIONS: which methods there are and, where a browser asks for a page that may, what it may send.
 */
static void tell_options(struct exchange *exchange, const char *methods)
{
    struct reply *reply = &exchange->reply;
    reply_empty(reply, 204);
    reply_header(reply, "Allow", methods);
    exchange->refused = true;
    exchange->preflight = exchange->framing.preflight;
    if (exchange->preflight && exchange->allowed_origin != NULL) {
        reply_header(reply, "Access-Control-Allow-Methods", methods);
        reply_header(reply, "Access-Control-Allow-Headers",
                     "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID");
        reply_header(reply, "Access-Control-Max-Age", "7200");
    }
}

/* Copies of the path and of its variable parts, decoded. False: refused. */
static bool decode_path(struct exchange *exchange, const char *path)
{
    size_t length = strlen(path);
    char *decoded = request_alloc(&exchange->request, length + 1);
    if (decoded == NULL) {
        refuse(exchange, PROBLEM_INTERNAL, NULL);
        return false;
    }
    if (!url_decode(URL_PATH, path, length, decoded)) {
        refuse(exchange, PROBLEM_MALFORMED_REQUEST,
               "The path has a broken escape, a control byte, an escaped slash or is no UTF-8.");
        return false;
    }
    exchange->request.path = decoded;
    return true;
}

static bool decode_params(struct exchange *exchange, const struct route_match *match)
{
    for (size_t i = 0; i < match->param_count; i++) {
        size_t length = match->params[i].length;
        char *param = request_alloc(&exchange->request, length + 1);
        if (param == NULL) {
            refuse(exchange, PROBLEM_INTERNAL, NULL);
            return false;
        }
        bool good = url_decode(URL_PATH, match->params[i].at, length, param);
        assert(good); /* as a part of the path it was decoded before */
        exchange->request.params[i] = param;
    }
    return true;
}

/* False: refused, or answered. */
static bool find_route(struct exchange *exchange, const struct method *method, const char *path)
{
    struct route_match match;
    routes_find(method->method, path, strlen(path), &match);
    if (!match.path_known) {
        refuse(exchange, PROBLEM_NOT_FOUND, NULL);
        return false;
    }
    if (match.route == NULL) {
        char methods[METHODS_TEXT];
        format_methods(match.methods, methods);
        if (is_options(method)) {
            tell_options(exchange, methods);
        } else {
            refuse(exchange, PROBLEM_METHOD_NOT_ALLOWED, NULL);
            reply_header(&exchange->reply, "Allow", methods);
        }
        return false;
    }
    exchange->request.route = match.route;
    return decode_params(exchange, &match);
}

static void read_query(struct exchange *exchange)
{
    char *decoded = exchange->query + exchange->query_length + 1;
    exchange->query_good =
        url_query(exchange->query, exchange->query_length, decoded, exchange->request.query,
                  &exchange->request.query_count, &exchange->query_fault);
}

/* 406, 415 and, as far as the headers tell, 413. Where no body is wanted, a small one is passed
 * over. */
static void check_content(struct exchange *exchange)
{
    const struct framing *framing = &exchange->framing;
    const struct route *route = exchange->request.route;
    size_t limit = route->body_limit > 0 ? route->body_limit : EXCHANGE_DRAIN_MAX;
    exchange->request.language = languages_best(&framing->languages);
    exchange->request.media = accept_best(&framing->accept, media_offered(exchange));
    if (!route->own_type && exchange->request.media == MEDIA_TYPES) {
        refuse(exchange, PROBLEM_NOT_ACCEPTABLE, NULL);
    } else if (route->body_limit > 0 && framing_has_body(framing) &&
               (framing->encoded || framing->content_type == NULL ||
                !media_is_json(framing->content_type))) {
        refuse(exchange, PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL);
    } else if (framing->content_length > limit) {
        refuse(exchange, PROBLEM_PAYLOAD_TOO_LARGE, NULL);
    }
}

void exchange_headers(struct exchange *exchange, const char *method, const char *path,
                      const char *version)
{
    assert(exchange != NULL && exchange->stage == EXCHANGE_NEW);
    exchange->stage = EXCHANGE_BODY;
    const struct framing *framing = &exchange->framing;
    exchange->request.none_match = framing->none_match;
    exchange->request.head = strcmp(method, "HEAD") == 0;
    exchange->allowed_origin =
        cors_allow(exchange->request.config->cors, framing->origins == 1 ? framing->origin : NULL);
    const struct method *known = find_method(method);
    exchange->method = known == NULL ? "other" : known->name;
    exchange->chunkless = strcmp(version, "HTTP/1.0") == 0;
    /* Of the server as a whole, which is the one question whose target is no path. */
    bool server_wide = is_options(known) && strcmp(path, "*") == 0;
    const char *fault = framing_fault(framing, server_wide ? "/" : path, version);
    if (fault != NULL) {
        refuse(exchange, PROBLEM_MALFORMED_REQUEST, fault);
        exchange->close = true;
        return;
    }
    if (!decode_path(exchange, path)) {
        return;
    }
    if (known == NULL) {
        refuse(exchange, PROBLEM_NOT_IMPLEMENTED, NULL);
    } else if (server_wide) {
        char methods[METHODS_TEXT];
        format_methods(ALL_METHODS, methods);
        tell_options(exchange, methods);
    } else if (find_route(exchange, known, path)) {
        read_query(exchange);
        check_content(exchange);
    }
}

bool exchange_is_final(const struct exchange *exchange)
{
    assert(exchange != NULL && exchange->stage == EXCHANGE_BODY);
    /* Answering now costs the connection, for the body would be taken for the next request. */
    bool large = exchange->framing.content_length > EXCHANGE_DRAIN_MAX;
    return exchange->refused && (exchange->close || large);
}

/* The room for a body whose length may not be known yet. */
static bool make_room(struct exchange *exchange)
{
    size_t limit = exchange->request.route->body_limit;
    size_t length = (size_t)exchange->framing.content_length;
    size_t room = exchange->framing.chunked ? limit : length;
    assert(room <= limit);
    exchange->body = malloc(room + 1);
    exchange->body_room = room;
    return exchange->body != NULL;
}

bool exchange_body(struct exchange *exchange, const char *bytes, size_t count)
{
    assert(exchange != NULL && exchange->stage == EXCHANGE_BODY);
    struct request *request = &exchange->request;
    bool wanted = !exchange->refused && !exchange->too_large && request->route->body_limit > 0;
    if (wanted && exchange->body == NULL && !make_room(exchange)) {
        refuse(exchange, PROBLEM_INTERNAL, NULL);
        wanted = false;
    }
    bool fits = wanted && count <= exchange->body_room - request->body_length;
    if (fits) {
        memcpy(exchange->body + request->body_length, bytes, count);
        request->body_length += count;
        request->body = exchange->body;
        return true;
    }
    exchange->excess += count;
    if (wanted || exchange->excess > EXCHANGE_DRAIN_MAX) {
        exchange->too_large = true;
        exchange->close = true;
    }
    return exchange->excess <= EXCHANGE_EXCESS_MAX;
}

/* False: a problem is in the reply. */
static bool check_token(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    if (auth_token_in_query(request)) {
        reply_problem(request, &exchange->reply, PROBLEM_MALFORMED_REQUEST,
                      &(struct problem_details){.detail = "A token has no place in a URL."});
        return false;
    }
    return auth_check(request, &exchange->reply, exchange->framing.authorization);
}

/* False: a problem is in the reply. */
static bool check_query(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    const struct query_fault *fault = &exchange->query_fault;
    bool good = exchange->query_good;
    /* A refused token is no reason to ask without end: it counts as a request without one. */
    bool known = check_token(exchange);
    if (!rate_limit_request(request, &exchange->reply) || !known) {
        return false;
    }
    if (!good && fault->name != NULL) {
        return request_query_refuse(request, &exchange->reply, fault->name, fault->reason);
    }
    if (!good) {
        reply_problem(request, &exchange->reply, PROBLEM_INVALID_PARAMETER, NULL);
    }
    return good;
}

/* Who comes first keeps the order from here on; what only reads is in nobody's way. */
static void arrive(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    if (request->route->body_limit == 0) {
        request->at_ms = match_now_ms(request->match);
        return;
    }
    match_arrive(request->match, &exchange->arrival);
    request->at_ms = exchange->arrival.at_ms;
}

static bool is_noted_first(const struct request *request)
{
    return request->has_identity && request->identity.unnoted;
}

static enum handled run_handler(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    if (!check_query(exchange)) {
        return HANDLED;
    }
    return is_noted_first(request) ? auth_note_use(request, &exchange->reply)
                                   : request->route->handler(request, &exchange->reply);
}

enum handled exchange_finish(struct exchange *exchange)
{
    assert(exchange != NULL && exchange->stage == EXCHANGE_BODY);
    exchange->stage = EXCHANGE_HANDLER;
    struct request *request = &exchange->request;
    if (exchange->refused) {
        return HANDLED;
    }
    if (exchange->too_large) {
        return reply_problem(request, &exchange->reply, PROBLEM_PAYLOAD_TOO_LARGE, NULL);
    }
    arrive(exchange);
    request->idempotency_key =
        exchange->framing.idempotency_keys > 1 ? "" : exchange->framing.idempotency_key;
    request->last_event_id =
        exchange->framing.last_event_ids > 1 ? "" : exchange->framing.last_event_id;
    enum handled handled = run_handler(exchange);
    /* The handler of a request that is noted first has yet to run. */
    if (handled == HANDLED || !is_noted_first(request)) {
        stop_arriving(exchange);
    }
    return handled;
}

enum handled exchange_resume(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    handler_fn *resume = request->resume;
    request->resume = NULL;
    enum handled handled = resume(request, &exchange->reply);
    stop_arriving(exchange);
    return handled;
}

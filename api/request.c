#include "request.h"

#include "feed.h"
#include "health.h"
#include "problem.h"
#include "routes.h"
#include "stream.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What request_alloc gave, newest first. */
struct block {
    struct block *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

void *request_alloc(struct request *request, size_t size)
{
    assert(request != NULL && size > 0);
    struct block *block = calloc(1, sizeof *block + size);
    if (block == NULL) {
        return NULL;
    }
    block->next = request->memory;
    request->memory = block;
    return block->bytes;
}

void request_release(struct request *request)
{
    assert(request != NULL);
    feed_free(request->feed); /* before the memory that its wakes look at */
    request->feed = NULL;
    if (request->has_place) {
        stream_places_waited(streams_places(request->streams));
        request->has_place = false;
    }
    struct block *block = request->memory;
    request->memory = NULL;
    while (block != NULL) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

void request_feeds(struct request *request, struct feed *take_feed)
{
    assert(request != NULL && request->feed == NULL);
    request->feed = take_feed;
}

bool request_may_wait(struct request *request, struct reply *reply)
{
    request->has_place = request->has_place || stream_places_wait(streams_places(request->streams));
    if (!request->has_place) {
        (void)reply_problem(request, reply, PROBLEM_STREAM_LIMIT_IN_ALL, NULL);
    }
    return request->has_place;
}

struct event_waiter request_waiter(struct request *request, int64_t deadline_ms)
{
    return (struct event_waiter){
        .deadline_ms = deadline_ms,
        .wake = request_wake,
        .context = request,
    };
}

enum handled request_await(struct request *request, handler_fn *resume, void *state)
{
    assert(request != NULL && resume != NULL);
    request->resume = resume;
    request->state = state;
    return AWAIT;
}

void request_owns(struct request *request, struct match_op *op)
{
    op->wake = request_wake;
    op->context = request;
    op->bearer = request->has_identity ? &request->identity : NULL;
}

enum handled request_command(struct request *request, struct reply *reply, struct match_op *op,
                             enum match_status begun, handler_fn *then)
{
    if (begun == MATCH_WAIT) {
        return request_await(request, then, op);
    }
    op->status = begun;
    request->state = op;
    return then(request, reply);
}

int64_t request_viewer(const struct request *request)
{
    assert(request != NULL);
    return request->has_identity ? request->identity.player_no : 0;
}

struct budget_owner request_owner(const struct request *request)
{
    return (struct budget_owner){
        .device_no = request->identity.device_no,
        .address = request->client,
        .exempt = request->client_exempt,
    };
}

bool request_stopping(const struct request *request)
{
    assert(request != NULL);
    return request->health != NULL && atomic_load(&request->health->stopping);
}

const char *request_query(const struct request *request, const char *name)
{
    assert(request != NULL && name != NULL);
    for (size_t i = 0; i < request->query_count; i++) {
        if (strcmp(request->query[i].name, name) == 0) {
            return request->query[i].value;
        }
    }
    return NULL;
}

void reply_clear(struct reply *reply)
{
    assert(reply != NULL);
    free(reply->body);
    stream_free(reply->stream);
    reply->stream = NULL;
    reply->streams = false;
    reply->status = 0;
    reply->content_type = NULL;
    reply->body = NULL;
    reply->fixed_body = NULL;
    reply->length = 0;
    reply->fixed_packed = NULL;
    reply->packed_length = 0;
    reply->tag[0] = '\0';
    reply->header_count = 0;
    reply->problem_code = NULL;
}

void reply_header(struct reply *reply, const char *name, const char *value)
{
    assert(reply != NULL && name != NULL && value != NULL);
    assert(reply->header_count < REPLY_HEADERS_MAX);
    struct reply_header *header = &reply->headers[reply->header_count];
    size_t length = strlen(value);
    assert(length < sizeof header->value);
    header->name = name;
    memcpy(header->value, value, length + 1);
    reply->header_count++;
}

void reply_location(struct reply *reply, const char *collection, const struct public_id *id)
{
    char location[64];
    int length = snprintf(location, sizeof location, "%s%s", collection, id->text);
    assert(length > 0 && (size_t)length < sizeof location);
    reply_header(reply, "Location", location);
}

void reply_private(struct reply *reply)
{
    reply_header(reply, "Cache-Control", "private, no-cache");
    reply_header(reply, "Vary", "Authorization");
}

void reply_empty(struct reply *reply, unsigned status)
{
    assert(reply != NULL && reply->body == NULL);
    reply->status = status;
    reply->content_type = NULL;
    reply->fixed_body = "";
    reply->length = 0;
}

void reply_fixed(struct reply *reply, unsigned status, const char *content_type, const char *bytes,
                 size_t length)
{
    assert(reply != NULL && reply->body == NULL && bytes != NULL);
    reply->status = status;
    reply->content_type = content_type;
    reply->fixed_body = bytes;
    reply->length = length;
}

void reply_stream(struct reply *reply, const char *content_type, struct stream *take_stream)
{
    assert(reply != NULL && reply->body == NULL && reply->stream == NULL);
    reply->status = 200;
    reply->content_type = content_type;
    reply->streams = true;
    reply->stream = take_stream;
}

static bool is_read(const struct request *request)
{
    return request->route != NULL && request->route->method == HTTP_GET;
}

bool reply_tag(const struct request *request, struct reply *reply, uint64_t tag)
{
    assert(request != NULL && reply != NULL && reply->body == NULL);
    if (!is_read(request)) {
        return false;
    }
    tag_format(tag, reply->tag);
    if (!none_match_has(&request->none_match, reply->tag)) {
        return false;
    }
    reply_empty(reply, 304);
    return true;
}

bool reply_tag_known(const struct request *request, struct reply *reply, uint64_t tag)
{
    char text[TAG_TEXT];
    tag_format(tag, text);
    return none_match_lists(&request->none_match, text) && reply_tag(request, reply, tag);
}

void reply_take(struct reply *reply, unsigned status, const char *content_type, char *take_bytes,
                size_t length)
{
    assert(reply != NULL && reply->body == NULL && take_bytes != NULL);
    reply->status = status;
    reply->content_type = content_type;
    reply->body = take_bytes;
    reply->length = length;
}

bool request_query_refuse(const struct request *request, struct reply *reply, const char *name,
                          const char *reason)
{
    assert(name != NULL && reason != NULL);
    (void)reply_problem(request, reply, PROBLEM_INVALID_PARAMETER,
                        &(struct problem_details){.pointer = name, .reason = reason});
    return false;
}

static bool is_one_of(const char *const *names, const char *name)
{
    for (; *names != NULL; names++) {
        if (strcmp(*names, name) == 0) {
            return true;
        }
    }
    return false;
}

bool request_query_only(struct request *request, struct reply *reply, const char *const *names)
{
    assert(request != NULL && reply != NULL && names != NULL);
    for (size_t i = 0; i < request->query_count; i++) {
        if (!is_one_of(names, request->query[i].name)) {
            return request_query_refuse(request, reply, request->query[i].name, "unknown");
        }
    }
    return true;
}

bool request_query_none(struct request *request, struct reply *reply)
{
    static const char *const none[] = {NULL};
    return request_query_only(request, reply, none);
}

/* Decimal digits without sign, blank or leading zero. */
static bool parse_digits(const char *text, int64_t *value)
{
    enum { DIGITS_MAX = 18 };
    size_t length = strnlen(text, DIGITS_MAX + 1);
    if (length == 0 || length > DIGITS_MAX || (text[0] == '0' && length > 1)) {
        return false;
    }
    int64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        sum = sum * 10 + (text[i] - '0');
    }
    *value = sum;
    return true;
}

bool request_query_integer(struct request *request, struct reply *reply, const char *name,
                           int64_t min, int64_t max, int64_t *value)
{
    const struct query_pair text = {name, request_query(request, name)};
    return text.value == NULL || request_integer(request, reply, &text, min, max, value);
}

bool request_integer(const struct request *request, struct reply *reply,
                     const struct query_pair *text, int64_t min, int64_t max, int64_t *value)
{
    assert(reply != NULL && value != NULL && min <= max);
    int64_t number;
    if (!parse_digits(text->value, &number)) {
        return request_query_refuse(request, reply, text->name, "not-an-integer");
    }
    if (number < min || number > max) {
        return request_query_refuse(request, reply, text->name, "out-of-range");
    }
    *value = number;
    return true;
}

bool request_query_bool(struct request *request, struct reply *reply, const char *name, bool *value)
{
    assert(reply != NULL && value != NULL);
    const char *text = request_query(request, name);
    if (text == NULL) {
        return true;
    }
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0) {
        return request_query_refuse(request, reply, name, "not-a-boolean");
    }
    *value = yes;
    return true;
}

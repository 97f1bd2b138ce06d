#include "retry.h"

#include "match/receipt.h"
#include "problem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 64 };

static const struct {
    size_t min; /* alone, who guesses a key gets a token */
    const char *fault;
} key_rules[] = {
    [RETRY_OF_DEVICE] =
        {8,  "Idempotency-Key must come once and have 8 to 64 visible ASCII characters."      },
    [RETRY_ALONE] =
        {32, "Idempotency-Key must come once and have 32 to 64 visible ASCII characters here."},
};

/* A request with a key. */
struct retry {
    struct match_receipt receipt;
    enum retry_scope scope;
    struct request *request;
    struct reply *reply;
    handler_fn *then;
};

/* --- the key -------------------------------------------------------------------------------------
 */

/* Without blanks around it and without its quotes. */
static const char *bare(const char *value, size_t *length)
{
    static const char blanks[] = " \t";
    value += strspn(value, blanks);
    size_t count = strlen(value);
    while (count > 0 && strchr(blanks, value[count - 1]) != NULL) {
        count--;
    }
    if (count >= 2 && value[0] == '"' && value[count - 1] == '"') {
        value++;
        count -= 2;
    }
    *length = count;
    return value;
}

static bool is_key(const char *key, size_t length, size_t min)
{
    if (length < min || length > KEY_MAX) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (key[i] <= ' ' || key[i] > '~' || key[i] == '"') {
            return false;
        }
    }
    return true;
}

/* False: no memory. */
static bool make_receipt(struct request *request, struct receipt_claim *claim,
                         struct match_receipt *receipt)
{
    static const char method[] = "POST ";
    size_t size = sizeof method + strlen(request->path);
    char *operation = request_alloc(request, size);
    if (operation == NULL) {
        return false;
    }
    (void)snprintf(operation, size, "%s%s", method, request->path);
    claim->operation = operation;
    claim->body = request->body;
    claim->body_length = request->body_length;
    match_receipt_make(request->match, claim, receipt);
    return true;
}

bool retry_key(struct request *request, struct reply *reply, enum retry_scope scope)
{
    struct receipt_claim claim = {0};
    if (request->idempotency_key == NULL) {
        return true;
    }
    assert(scope == RETRY_ALONE || request->has_identity);
    claim.key = bare(request->idempotency_key, &claim.key_length);
    if (!is_key(claim.key, claim.key_length, key_rules[scope].min)) {
        reply_problem(request, reply, PROBLEM_MALFORMED_REQUEST,
                      &(struct problem_details){.detail = key_rules[scope].fault});
        return false;
    }
    claim.device_no = scope == RETRY_ALONE ? 0 : request->identity.device_no;
    struct retry *retry = request_alloc(request, sizeof *retry);
    if (retry == NULL || !make_receipt(request, &claim, &retry->receipt)) {
        reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
        return false;
    }
    retry->scope = scope;
    retry->request = request;
    request->retry = retry;
    return true;
}

/* --- answers as they are kept: the status, headers, a blank line, the body ----------------------
 */

static const char *const kept_headers[] = {"Location", "Cache-Control"};
enum { KEPT_HEADERS = sizeof kept_headers / sizeof kept_headers[0], STATUS_LENGTH = 4 };

static const char json_type[] = "application/json";

static const char *kept_header(const char *name, size_t length)
{
    for (size_t i = 0; i < KEPT_HEADERS; i++) {
        if (strlen(kept_headers[i]) == length && memcmp(kept_headers[i], name, length) == 0) {
            return kept_headers[i];
        }
    }
    return NULL;
}

/* The length, or 0: too long. */
static size_t write_answer(const struct reply *reply, char *bytes, size_t room)
{
    char head[1024];
    size_t used = (size_t)snprintf(head, sizeof head, "%u\n", reply->status);
    assert(used == STATUS_LENGTH);
    for (size_t i = 0; i < reply->header_count; i++) {
        const struct reply_header *header = &reply->headers[i];
        assert(kept_header(header->name, strlen(header->name)) != NULL);
        used += (size_t)snprintf(head + used, sizeof head - used, "%s:%s\n", header->name,
                                 header->value);
        assert(used < sizeof head - 1);
    }
    head[used++] = '\n';
    if (reply->length > room - used) {
        return 0;
    }
    memcpy(bytes, head, used);
    memcpy(bytes + used, reply->body == NULL ? "" : reply->body, reply->length);
    return used + reply->length;
}

/* One line up to its end; NULL: it has none. */
static const char *read_header(struct reply *reply, const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    const char *colon = stop == NULL ? NULL : memchr(at, ':', (size_t)(stop - at));
    if (colon == NULL) {
        return NULL;
    }
    char value[sizeof reply->headers[0].value];
    const char *name = kept_header(at, (size_t)(colon - at));
    size_t length = (size_t)(stop - colon) - 1;
    if (name == NULL || length >= sizeof value) {
        return NULL;
    }
    memcpy(value, colon + 1, length);
    value[length] = '\0';
    reply_header(reply, name, value);
    return stop + 1;
}

static bool read_body(struct reply *reply, const char *body, size_t length)
{
    reply->length = length;
    if (length == 0) {
        reply->fixed_body = "";
        return true;
    }
    reply->body = malloc(length);
    if (reply->body == NULL) {
        return false;
    }
    memcpy(reply->body, body, length);
    reply->content_type = json_type;
    return true;
}

static bool read_answer(struct reply *reply, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    if (length <= STATUS_LENGTH || bytes[STATUS_LENGTH - 1] != '\n') {
        return false;
    }
    reply->status = (unsigned)strtoul(bytes, NULL, 10);
    const char *at = bytes + STATUS_LENGTH;
    while (at != NULL && at < end && *at != '\n') {
        at = reply->header_count < KEPT_HEADERS ? read_header(reply, at, end) : NULL;
    }
    return at != NULL && at < end && read_body(reply, at + 1, (size_t)(end - at) - 1);
}

/* --- around a command ----------------------------------------------------------------------------
 */

static size_t render(void *context, char *bytes, size_t room)
{
    struct retry *retry = context;
    struct reply *reply = retry->reply;
    reply_clear(reply);
    enum handled handled = retry->then(retry->request, reply);
    assert(handled == HANDLED);
    (void)handled;
    bool good = reply->status / 100 == 2;
    return good ? write_answer(reply, bytes, room) : 0;
}

static bool replay(void *context, const char *bytes, size_t length)
{
    struct retry *retry = context;
    reply_clear(retry->reply);
    if (!read_answer(retry->reply, bytes, length)) {
        return false;
    }
    retry_mark(retry->reply);
    return true;
}

/* The answer was made with the transaction, which may have failed after it. */
static enum handled settled(struct request *request, struct reply *reply)
{
    const struct match_op *op = request->state;
    if (op->status == MATCH_OK || op->status == MATCH_REPEATED) {
        assert(reply->status / 100 == 2);
        return HANDLED;
    }
    reply_clear(reply);
    return request->retry->then(request, reply);
}

void retry_owns(struct request *request, struct reply *reply, struct match_op *op, handler_fn *then)
{
    struct retry *retry = request->retry;
    request_owns(request, op);
    if (retry == NULL) {
        return;
    }
    op->receipt = &retry->receipt;
    retry->reply = reply;
    retry->then = then;
    if (retry->scope == RETRY_ALONE) {
        return;
    }
    retry->receipt.render = render;
    retry->receipt.replay = replay;
    retry->receipt.context = retry;
    /* Here, not by request_await: the writer may have the command as soon as it is begun. */
    request->state = op;
    request->resume = settled;
}

enum handled retry_command(struct request *request, struct reply *reply, struct match_op *op,
                           enum match_status begun, handler_fn *then)
{
    if (request->retry == NULL || request->retry->scope == RETRY_ALONE) {
        return request_command(request, reply, op, begun, then);
    }
    if (begun == MATCH_WAIT) {
        return AWAIT;
    }
    op->status = begun;
    return settled(request, reply);
}

void retry_mark(struct reply *reply)
{
    reply_header(reply, "Idempotency-Replayed", "true");
}

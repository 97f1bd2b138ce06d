#include "listener.h"

#include "contract.h"
#include "raw.h"
#include "schema.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum { HEAD_SIZE = 4096, ROOM_MIN = 64 * 1024 };

struct bytes {
    char *at;
    size_t length;
    size_t capacity;
};

struct listener {
    int fd;
    long status;
    bool lines;
    bool chunked;
    bool closed; /* the connection, or the last chunk has come */
    bool personal;
    unsigned beats;
    char head[HEAD_SIZE];
    struct bytes raw;  /* not yet taken out of its chunks */
    struct bytes body; /* not yet taken as a frame */
};

/* --- bytes ---------------------------------------------------------------------------------------
 */

static void append(struct bytes *bytes, const char *more, size_t length)
{
    while (bytes->length + length + 1 > bytes->capacity) {
        bytes->capacity = bytes->capacity < ROOM_MIN ? ROOM_MIN : bytes->capacity * 2;
        bytes->at = realloc(bytes->at, bytes->capacity);
        if (bytes->at == NULL) {
            test_fail("no memory for a stream");
        }
    }
    memcpy(bytes->at + bytes->length, more, length);
    bytes->length += length;
    bytes->at[bytes->length] = '\0';
}

static void drop(struct bytes *bytes, size_t length)
{
    memmove(bytes->at, bytes->at + length, bytes->length - length + 1);
    bytes->length -= length;
}

/* Moves whole chunks from raw to body. */
static void take_chunks(struct listener *listener)
{
    struct bytes *raw = &listener->raw;
    while (listener->chunked && raw->length > 0 && !listener->closed) {
        char *end = strstr(raw->at, "\r\n");
        char *rest = NULL;
        size_t size = end == NULL ? 0 : strtoul(raw->at, &rest, 16);
        if (end == NULL) {
            return;
        }
        size_t before = (size_t)(end - raw->at) + 2;
        if (rest != end) {
            test_fail("no size of a chunk: %.40s", raw->at);
        }
        if (raw->length < before + size + 2) {
            return;
        }
        append(&listener->body, raw->at + before, size);
        drop(raw, before + size + 2);
        listener->closed = size == 0;
    }
    if (!listener->chunked && raw->length > 0) {
        append(&listener->body, raw->at, raw->length);
        drop(raw, raw->length);
    }
}

/* False: nothing came in time. */
static bool receive(struct listener *listener, long long patience_ms)
{
    char bytes[16384];
    struct pollfd wanted = {.fd = listener->fd, .events = POLLIN};
    if (listener->closed || poll(&wanted, 1, patience_ms < 0 ? 0 : (int)patience_ms) <= 0) {
        return false;
    }
    ssize_t got = recv(listener->fd, bytes, sizeof bytes, 0);
    if (got <= 0) {
        listener->closed = true;
        return false;
    }
    append(&listener->raw, bytes, (size_t)got);
    return true;
}

/* --- opening -------------------------------------------------------------------------------------
 */

static void send_request(struct listener *listener, const struct listen_wish *wish)
{
    char text[2048];
    int used = snprintf(text, sizeof text, "GET %s %s\r\nHost: b\r\n", wish->path,
                        wish->version == NULL ? "HTTP/1.1" : wish->version);
    const struct {
        const char *name;
        const char *value;
    } headers[] = {
        {"Authorization: Bearer ", wish->token  },
        {"Accept: ",               wish->accept },
        {"Last-Event-ID: ",        wish->last_id},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        if (headers[i].value != NULL) {
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s\r\n", headers[i].name,
                             headers[i].value);
        }
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "%s\r\n",
                     wish->header == NULL ? "" : wish->header);
    if (!raw_send(listener->fd, text, (size_t)used)) {
        test_fail("%s: the server took no request", wish->path);
    }
}

static void read_head(struct listener *listener, const char *path)
{
    long long until = test_now_ms() + LISTENER_PATIENCE_MS;
    char *end = NULL;
    while (end == NULL) {
        if (!receive(listener, until - test_now_ms())) {
            test_fail("%s: no answer", path);
        }
        end = strstr(listener->raw.at, "\r\n\r\n");
    }
    size_t length = (size_t)(end - listener->raw.at) + 4;
    if (length >= sizeof listener->head) {
        test_fail("%s: a head of %zu bytes", path, length);
    }
    memcpy(listener->head, listener->raw.at, length);
    listener->status = strtol(listener->head + 9, NULL, 10);
    listener->chunked = strstr(listener->head, "Transfer-Encoding: chunked") != NULL;
    listener->lines = strstr(listener->head, "application/x-ndjson") != NULL;
    drop(&listener->raw, length);
    take_chunks(listener);
}

struct listener *listener_open(const struct process *server, const struct listen_wish *wish)
{
    struct listener *listener = calloc(1, sizeof *listener);
    if (listener == NULL) {
        test_fail("no memory for a listener");
    }
    listener->fd = raw_open_with(server->port, wish->receive_bytes);
    listener->personal = strncmp(wish->path, "/v1/me/", 7) == 0;
    send_request(listener, wish);
    read_head(listener, wish->path);
    return listener;
}

void listener_close(struct listener *listener)
{
    if (listener != NULL) {
        raw_close(listener->fd);
        free(listener->raw.at);
        free(listener->body.at);
        free(listener);
    }
}

bool listener_vanish(struct listener *listener)
{
    /* A socket under repair is closed without a FIN; that takes a right (CAP_NET_ADMIN). */
    int repair = 1;
    bool silent = setsockopt(listener->fd, IPPROTO_TCP, TCP_REPAIR, &repair, sizeof repair) == 0;
    listener_close(listener);
    return silent;
}

long listener_status(const struct listener *listener)
{
    return listener->status;
}

const char *listener_head(const struct listener *listener)
{
    return listener->head;
}

unsigned listener_beats(const struct listener *listener)
{
    return listener->beats;
}

bool listener_has_ended(const struct listener *listener)
{
    return listener->closed && listener->body.length == 0;
}

/* --- frames --------------------------------------------------------------------------------------
 */

static void check_frame(const struct listener *listener, json_t *frame, const char *text)
{
    char why[1024];
    json_t *schema =
        json_object_get(json_object_get(json_object_get(contract(), "components"), "schemas"),
                        listener->personal ? "PersonalFrame" : "GameFrame");
    if (frame == NULL || !schema_check(contract(), schema, frame, why, sizeof why)) {
        test_fail("a frame against openapi.yaml: %s\n%s", frame == NULL ? "no JSON" : why, text);
    }
}

/* The lines of an event: its number and its name are those in the frame. */
static void check_event(json_t *frame, const char *id, const char *event)
{
    char number[32] = "";
    json_t *seq = json_object_get(frame, "seq");
    if (json_is_integer(seq) && json_object_get(frame, "game_id") == NULL) {
        (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(seq));
    }
    if (strcmp(id, number) != 0 || strcmp(event, frame_type(frame)) != 0) {
        test_fail("an event %s with the id '%s' has the frame %s %s", event, id, frame_type(frame),
                  number);
    }
}

/* One event of SSE, ended by an empty line; NULL: a comment, or the time to try again. */
static json_t *read_event(const struct listener *listener, char *text)
{
    char id[32] = "";
    char event[32] = "";
    json_t *frame = NULL;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "id: ", 4) == 0) {
            (void)snprintf(id, sizeof id, "%s", line + 4);
        } else if (strncmp(line, "event: ", 7) == 0) {
            (void)snprintf(event, sizeof event, "%s", line + 7);
        } else if (strncmp(line, "data: ", 6) == 0 && frame == NULL) {
            frame = json_loads(line + 6, JSON_REJECT_DUPLICATES, NULL);
            check_frame(listener, frame, line);
        } else if (line[0] != ':' && strncmp(line, "retry: ", 7) != 0) {
            test_fail("a line of a stream: %s", line);
        }
    }
    if (frame != NULL) {
        check_event(frame, id, event);
    }
    return frame;
}

/* The next piece that is whole: *frame NULL where it is none. False: there is none. */
static bool take_piece(struct listener *listener, json_t **frame)
{
    const char *mark = listener->lines ? "\n" : "\n\n";
    char *end = listener->body.length == 0 ? NULL : strstr(listener->body.at, mark);
    *frame = NULL;
    if (end == NULL) {
        return false;
    }
    size_t length = (size_t)(end - listener->body.at);
    char *text = strndup(listener->body.at, length);
    listener->beats += length == 0 || strcmp(text, ":") == 0;
    if (listener->lines && length > 0) {
        *frame = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        check_frame(listener, *frame, text);
    } else if (!listener->lines) {
        *frame = read_event(listener, text);
    }
    free(text);
    drop(&listener->body, length + strlen(mark));
    return true;
}

json_t *listener_next(struct listener *listener, long long patience_ms)
{
    long long until = test_now_ms() + patience_ms;
    json_t *frame = NULL;
    for (;;) {
        while (take_piece(listener, &frame)) {
            if (frame != NULL) {
                return frame;
            }
        }
        long long left = until - test_now_ms();
        if (!receive(listener, left) && (listener->closed || left <= 0)) {
            return NULL;
        }
        take_chunks(listener);
    }
}

json_t *listener_event(struct listener *listener)
{
    json_t *frame = NULL;
    do {
        json_decref(frame);
        frame = listener_next(listener, LISTENER_PATIENCE_MS);
        if (frame == NULL) {
            test_fail("no event came");
        }
    } while (frame_seq(frame) < 0);
    return frame;
}

json_t *listener_until(struct listener *listener, const char *type)
{
    json_t *frame = NULL;
    do {
        json_decref(frame);
        frame = listener_next(listener, LISTENER_PATIENCE_MS);
        if (frame == NULL) {
            test_fail("no %s came", type);
        }
    } while (strcmp(frame_type(frame), type) != 0);
    return frame;
}

void listener_quiet(struct listener *listener, long long patience_ms)
{
    long long until = test_now_ms() + patience_ms;
    json_t *frame = NULL;
    while ((frame = listener_next(listener, until - test_now_ms())) != NULL) {
        if (frame_seq(frame) >= 0 && !frame_is_of_pause(frame)) {
            test_fail("%s %lld came", frame_type(frame), frame_seq(frame));
        }
        json_decref(frame);
    }
    if (listener->closed) {
        test_fail("the stream has ended");
    }
}

void listener_end(struct listener *listener)
{
    json_t *frame = NULL;
    while ((frame = listener_next(listener, LISTENER_PATIENCE_MS)) != NULL) {
        json_decref(frame);
    }
    if (!listener->closed) {
        test_fail("the stream goes on");
    }
}

const char *frame_type(json_t *frame)
{
    const char *type = json_string_value(json_object_get(frame, "type"));
    if (type == NULL) {
        test_fail("a frame without a type");
    }
    return type;
}

bool frame_is_of_pause(json_t *frame)
{
    const char *reason = json_string_value(json_object_get(frame_data(frame), "reason"));
    return strcmp(frame_type(frame), "clock") == 0 && reason != NULL &&
           strcmp(reason, "pause") == 0;
}

long long frame_seq(json_t *frame)
{
    json_t *seq = json_object_get(frame, "seq");
    if (!json_is_integer(seq) && !json_is_null(seq)) {
        test_fail("a frame without a number");
    }
    return json_is_null(seq) ? -1 : json_integer_value(seq);
}

json_t *frame_data(json_t *frame)
{
    json_t *data = json_object_get(frame, "data");
    if (data == NULL) {
        test_fail("a frame without data");
    }
    return data;
}

#include "http.h"

#include "contract.h"
#include "exposition.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct client {
    CURL *curl;
    char origin[64];
};

struct buffer {
    char *bytes;
    size_t length;
    const struct answer *answer; /* its headers */
    bool cut;                    /* enough of a stream has come */
};

struct client *client_new(const char *origin)
{
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL || (client->curl = curl_easy_init()) == NULL) {
        test_fail("curl_easy_init failed");
    }
    (void)snprintf(client->origin, sizeof client->origin, "%s", origin);
    return client;
}

void client_free(struct client *client)
{
    if (client != NULL) {
        curl_easy_cleanup(client->curl);
        free(client);
    }
}

/* A stream has no end: the beginning of one is an answer. */
static bool is_enough(const struct buffer *buffer)
{
    char unbuffered[8];
    if (!answer_header(buffer->answer, "X-Accel-Buffering", unbuffered, sizeof unbuffered)) {
        return false;
    }
    bool lines = strstr(buffer->answer->headers, "application/x-ndjson") != NULL;
    return strstr(buffer->bytes, lines ? "\n" : "\n\n") != NULL &&
           buffer->bytes[buffer->length - 1] == '\n';
}

static size_t collect(char *bytes, size_t size, size_t count, void *context)
{
    struct buffer *buffer = context;
    char *grown = realloc(buffer->bytes, buffer->length + size * count + 1);
    if (grown == NULL) {
        return 0;
    }
    memcpy(grown + buffer->length, bytes, size * count);
    buffer->bytes = grown;
    buffer->length += size * count;
    grown[buffer->length] = '\0';
    buffer->cut = is_enough(buffer);
    return buffer->cut ? 0 : size * count;
}

static size_t collect_header(char *bytes, size_t size, size_t count, void *context)
{
    struct answer *answer = context;
    size_t used = strlen(answer->headers);
    (void)snprintf(answer->headers + used, sizeof answer->headers - used, "%.*s",
                   (int)(size * count), bytes);
    return size * count;
}

static struct curl_slist *headers_of(const struct call *call)
{
    struct curl_slist *headers = NULL;
    char line[512];
    if (call->token != NULL) {
        (void)snprintf(line, sizeof line, "Authorization: Bearer %s", call->token);
        headers = curl_slist_append(headers, line);
    }
    if (call->body != NULL) {
        (void)snprintf(line, sizeof line, "Content-Type: %s",
                       call->content_type == NULL ? "application/json" : call->content_type);
        headers = curl_slist_append(headers, line);
    }
    if (call->header != NULL) {
        headers = curl_slist_append(headers, call->header);
    }
    return curl_slist_append(headers, "Expect:");
}

static void configure(struct client *client, const struct call *call, struct buffer *buffer,
                      struct answer *answer)
{
    CURL *curl = client->curl;
    char url[16384];
    bool posts = strcmp(call->method, "POST") == 0 || call->body != NULL;
    int length = snprintf(url, sizeof url, "%s%s", client->origin, call->path);
    if (length < 0 || (size_t)length >= sizeof url) {
        test_fail("the path is longer than this client takes");
    }
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 90000L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, buffer);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, collect_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, answer);
    if (posts) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, call->body == NULL ? "" : call->body);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE,
                         call->body_length == 0 ? -1L : (long)call->body_length);
    }
    if (call->codings != NULL) {
        curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, call->codings);
    }
    if (strcmp(call->method, "HEAD") == 0) {
        curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    }
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, call->method);
}

struct answer client_try(struct client *client, const struct call *call)
{
    struct answer answer = {0};
    struct buffer buffer = {.answer = &answer};
    struct curl_slist *headers = headers_of(call);
    configure(client, call, &buffer, &answer);
    curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, headers);
    CURLcode code = curl_easy_perform(client->curl);
    if (code == CURLE_OK || buffer.cut) {
        const char *type = NULL;
        curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &answer.status);
        curl_easy_getinfo(client->curl, CURLINFO_CONTENT_TYPE, &type);
        (void)snprintf(answer.content_type, sizeof answer.content_type, "%s",
                       type == NULL ? "" : type);
        answer.text = buffer.bytes;
        answer.length = buffer.length;
        answer.body = buffer.bytes == NULL || strstr(answer.content_type, "json") == NULL
                          ? NULL
                          : json_loadb(buffer.bytes, buffer.length, 0, NULL);
    } else {
        free(buffer.bytes);
    }
    curl_slist_free_all(headers);
    return answer;
}

struct answer client_send(struct client *client, const struct call *call)
{
    struct answer answer = client_try(client, call);
    if (answer.status == 0) {
        test_fail("%s %s: no answer", call->method, call->path);
    }
    if (!call->unchecked) {
        char complaint[1024];
        if (!contract_check(call->method, call->path, &answer, complaint, sizeof complaint)) {
            test_fail("%s %s -> %ld: against openapi.yaml: %s\n%s", call->method, call->path,
                      answer.status, complaint, answer.text == NULL ? "" : answer.text);
        }
    }
    return answer;
}

void answer_free(struct answer *answer)
{
    json_decref(answer->body);
    free(answer->text);
    *answer = (struct answer){0};
}

struct answer client_get(struct client *client, const char *path, const char *token)
{
    return client_send(client, &(struct call){.method = "GET", .path = path, .token = token});
}

struct answer client_post(struct client *client, const char *path, const char *token,
                          const char *body)
{
    return client_send(
        client, &(struct call){.method = "POST", .path = path, .token = token, .body = body});
}

struct answer client_post_keyed(struct client *client, const char *path, const char *token,
                                const char *key, const char *body)
{
    char header[256];
    (void)snprintf(header, sizeof header, "Idempotency-Key: %s", key);
    return client_send(
        client,
        &(struct call){
            .method = "POST", .path = path, .token = token, .body = body, .header = header});
}

/* --- looking into answers ------------------------------------------------------------------------
 */

json_t *answer_at(const struct answer *answer, const char *path)
{
    json_t *at = answer->body;
    char step[64];
    while (*path != '\0' && at != NULL) {
        size_t length = strcspn(path, ".");
        (void)snprintf(step, sizeof step, "%.*s", (int)length, path);
        at = json_is_array(at) ? json_array_get(at, strtoul(step, NULL, 10))
                               : json_object_get(at, step);
        path += length + (path[length] == '.');
    }
    return at;
}

const char *answer_text(const struct answer *answer, const char *path)
{
    const char *text = json_string_value(answer_at(answer, path));
    if (text == NULL) {
        test_fail("no text %s in %s", path, answer->text == NULL ? "nothing" : answer->text);
    }
    return text;
}

long long answer_integer(const struct answer *answer, const char *path)
{
    json_t *value = answer_at(answer, path);
    if (!json_is_integer(value)) {
        test_fail("no integer %s in %s", path, answer->text == NULL ? "nothing" : answer->text);
    }
    return json_integer_value(value);
}

bool answer_header(const struct answer *answer, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    const char *at = answer->headers;
    while (at != NULL && *at != '\0') {
        if (strncasecmp(at, name, length) == 0 && at[length] == ':') {
            at += length + 1;
            at += strspn(at, " ");
            (void)snprintf(value, size, "%.*s", (int)strcspn(at, "\r\n"), at);
            return true;
        }
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    return false;
}

bool answer_replayed(const struct answer *answer)
{
    char value[16];
    return answer_header(answer, "Idempotency-Replayed", value, sizeof value) &&
           strcmp(value, "true") == 0;
}

struct answer expect(long status, struct answer answer)
{
    if (answer.status != status) {
        test_fail("expected %ld, got %ld: %s", status, answer.status,
                  answer.text == NULL ? "" : answer.text);
    }
    return answer;
}

void expect_status(long status, struct answer take_answer)
{
    struct answer answer = expect(status, take_answer);
    answer_free(&answer);
}

void expect_problem(long status, const char *code, struct answer answer)
{
    answer = expect(status, answer);
    if (strcmp(answer_text(&answer, "code"), code) != 0 ||
        strcmp(answer.content_type, "application/problem+json") != 0) {
        test_fail("expected %s, got %s as %s", code, answer.text, answer.content_type);
    }
    answer_free(&answer);
}

double client_metric(struct client *client, const char *series)
{
    struct answer answer = expect(200, client_get(client, "/metrics", NULL));
    double found = exposition_value(answer.text, series);
    answer_free(&answer);
    return found;
}

static void await(struct client *client, const char *series, double value, double sign)
{
    enum { PATIENCE_MS = 60000, PAUSE_MS = 5 };
    long long until = test_now_ms() + PATIENCE_MS;
    double found = client_metric(client, series);
    while (sign * found < sign * value && test_now_ms() < until) {
        test_pause_ms(PAUSE_MS);
        found = client_metric(client, series);
    }
    if (sign * found < sign * value) {
        test_fail("%s is %g and should be %g", series, found, value);
    }
}

void client_await(struct client *client, const char *series, double value)
{
    await(client, series, value, 1);
}

void client_await_down(struct client *client, const char *series, double value)
{
    await(client, series, value, -1);
}

void client_await_held(struct client *client, unsigned count)
{
    const unsigned itself = 1;
    client_await(client, "banzuke_http_requests_in_flight", count + itself);
}

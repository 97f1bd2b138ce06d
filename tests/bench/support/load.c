#include "load.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    LATENCY_MAX_US = 1000000, /* one count a microsecond; what is slower goes to the last */
    EVENTS_MAX = 64,
    STATUS_AT = 9, /* "HTTP/1.1 201" */
    WAIT_MS = 100,
    GIVE_UP_SECONDS = 10, /* after the end, for what is still under way */
};

struct line {
    int fd;
    bool busy;
    double asked_at;
    size_t received;
    char answer[LOAD_ANSWER_MAX];
};

struct run {
    const struct load_script *script;
    const struct load_options *options;
    struct load_result *result;
    int epoll;
    unsigned busy;
    double counts_from;
    double ends_at;
    struct line *lines;
    uint32_t *latency_us;
};

double load_now(void)
{
    struct timespec now;
    const int status = clock_gettime(CLOCK_MONOTONIC, &now);
    assert(status == 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- sockets and answers --------------------------------------------------------------------- */

int load_connect(uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
    const int on = 1;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

size_t load_answer_length(const char *text, size_t length)
{
    static const char name[] = "\r\nContent-Length: ";
    const char *end = strstr(text, "\r\n\r\n");
    if (end == NULL) {
        return 0;
    }
    const size_t head = (size_t)(end - text) + 4;
    const char *size = strstr(text, name);
    const size_t body = size == NULL || size > end ? 0 : strtoul(size + sizeof name - 1, NULL, 10);
    return head + body <= length ? head + body : 0;
}

const char *load_body(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");
    return end == NULL ? "" : end + 4;
}

static int status_of(const char *answer)
{
    return strncmp(answer, "HTTP/1.1 ", STATUS_AT) == 0 ? (int)strtol(answer + STATUS_AT, NULL, 10)
                                                        : 0;
}

/* Requests are short: a socket with nothing else under way takes them whole. */
static bool send_all(int fd, const char *request, size_t length)
{
    return send(fd, request, length, MSG_NOSIGNAL) == (ssize_t)length;
}

int load_ask(int fd, const char *request, size_t length, char answer[LOAD_ANSWER_MAX])
{
    size_t received = 0;
    answer[0] = '\0';
    if (!send_all(fd, request, length)) {
        return 0;
    }
    while (load_answer_length(answer, received) == 0) {
        const ssize_t got = recv(fd, answer + received, LOAD_ANSWER_MAX - 1 - received, 0);
        if (got <= 0) {
            return 0;
        }
        received += (size_t)got;
        answer[received] = '\0';
    }
    return status_of(answer);
}

/* --- a run -------------------------------------------------------------------------------------
 */

static bool lost(struct run *run, const char *what)
{
    (void)snprintf(run->result->problem, sizeof run->result->problem, "%s: %s", what,
                   strerror(errno));
    return false;
}

static bool ask(struct run *run, unsigned number)
{
    char request[LOAD_REQUEST_MAX];
    struct line *line = &run->lines[number];
    const size_t length = run->script->next(run->script->context, number, request);
    if (length == 0) {
        run->result->dry++;
        return true;
    }
    line->asked_at = load_now();
    line->received = 0;
    line->answer[0] = '\0';
    line->busy = true;
    run->busy++;
    return send_all(line->fd, request, length) ? true : lost(run, "send");
}

static void note_error(struct run *run, const char *answer)
{
    run->result->errors++;
    if (run->result->problem[0] == '\0') {
        (void)snprintf(run->result->problem, sizeof run->result->problem, "%.15s ... %s", answer,
                       load_body(answer));
    }
}

static void count(struct run *run, double now, double asked_at)
{
    if (asked_at < run->counts_from || now > run->ends_at) {
        return;
    }
    const double us = (now - asked_at) * 1e6;
    const size_t slot = us >= LATENCY_MAX_US ? LATENCY_MAX_US : (size_t)us;
    run->latency_us[slot]++;
    run->result->requests++;
    if (us / 1e3 > run->result->max_ms) {
        run->result->max_ms = us / 1e3;
    }
}

/* The whole answer is there. */
static bool answered(struct run *run, unsigned number)
{
    struct line *line = &run->lines[number];
    const double now = load_now();
    assert(line->busy);
    line->busy = false;
    run->busy--;
    run->result->answered++;
    if (run->script->check(run->script->context, number, status_of(line->answer), line->answer)) {
        count(run, now, line->asked_at);
    } else {
        note_error(run, line->answer);
    }
    return now < run->ends_at ? ask(run, number) : true;
}

static bool receive(struct run *run, unsigned number)
{
    struct line *line = &run->lines[number];
    const ssize_t got = recv(line->fd, line->answer + line->received,
                             sizeof line->answer - 1 - line->received, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) {
        return true;
    }
    if (got <= 0 || !line->busy) {
        /* A connection without a request may time out; it is not ours to keep. */
        return line->busy ? lost(run, "a connection was closed")
                          : epoll_ctl(run->epoll, EPOLL_CTL_DEL, line->fd, NULL) == 0;
    }
    line->received += (size_t)got;
    line->answer[line->received] = '\0';
    return load_answer_length(line->answer, line->received) == 0 ? true : answered(run, number);
}

static bool open_lines(struct run *run)
{
    for (unsigned i = 0; i < run->options->connections; i++) {
        struct line *line = &run->lines[i];
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        line->fd = load_connect(run->options->port);
        if (line->fd < 0 || epoll_ctl(run->epoll, EPOLL_CTL_ADD, line->fd, &event) != 0) {
            return lost(run, "connect");
        }
    }
    return true;
}

static bool work(struct run *run)
{
    struct epoll_event events[EVENTS_MAX];
    const double begins_at = load_now();
    run->counts_from = begins_at + run->options->warm_up_seconds;
    run->ends_at = run->counts_from + run->options->seconds;
    for (unsigned i = 0; i < run->options->connections; i++) {
        if (!ask(run, i)) {
            return false;
        }
    }
    while (run->busy > 0) {
        const int ready = epoll_wait(run->epoll, events, EVENTS_MAX, WAIT_MS);
        for (int i = 0; i < ready; i++) {
            if (!receive(run, events[i].data.u32)) {
                return false;
            }
        }
        if (load_now() > run->ends_at + GIVE_UP_SECONDS) {
            errno = ETIMEDOUT;
            return lost(run, "no answer");
        }
    }
    const double ended_at = load_now();
    run->result->seconds = (ended_at < run->ends_at ? ended_at : run->ends_at) - run->counts_from;
    return true;
}

static double percentile_ms(const struct run *run, double part)
{
    const double wanted = (double)run->result->requests * part;
    double seen = 0;
    size_t us = 0;
    while (us < LATENCY_MAX_US && seen + run->latency_us[us] < wanted) {
        seen += run->latency_us[us++];
    }
    return (double)us / 1e3;
}

bool load_run(const struct load_script *script, const struct load_options *options,
              struct load_result *result)
{
    assert(options->connections > 0 && options->connections <= LOAD_CONNECTIONS_MAX);
    struct run run = {.script = script, .options = options, .result = result};
    bool good = false;
    *result = (struct load_result){0};
    run.epoll = epoll_create1(EPOLL_CLOEXEC);
    run.lines = calloc(options->connections, sizeof *run.lines);
    run.latency_us = calloc(LATENCY_MAX_US + 1, sizeof *run.latency_us);
    for (unsigned i = 0; run.lines != NULL && i < options->connections; i++) {
        run.lines[i].fd = -1;
    }
    if (run.epoll < 0 || run.lines == NULL || run.latency_us == NULL) {
        lost(&run, "a load run");
        goto out;
    }
    good = open_lines(&run) && work(&run);
    result->p50_ms = percentile_ms(&run, 0.50);
    result->p99_ms = percentile_ms(&run, 0.99);

out:
    for (unsigned i = 0; run.lines != NULL && i < options->connections; i++) {
        if (run.lines[i].fd >= 0) {
            close(run.lines[i].fd);
        }
    }
    free(run.latency_us);
    free(run.lines);
    if (run.epoll >= 0) {
        close(run.epoll);
    }
    return good;
}

#include "raw.h"

#include "process.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int raw_open(int port)
{
    return raw_open_with(port, 0);
}

int raw_open_with(int port, int receive_bytes)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && receive_bytes != 0) {
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    }
    if (fd < 0 ||
        connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address) != 0) {
        test_fail("no connection to port %d: %s", port, strerror(errno));
    }
    return fd;
}

void raw_close(int fd)
{
    (void)close(fd);
}

bool raw_send(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

void raw_end(int fd)
{
    (void)shutdown(fd, SHUT_WR);
}

/* False: nothing more will come. */
static bool read_some(int fd, struct raw_answer *answer)
{
    char bytes[4096];
    ssize_t got = recv(fd, bytes, sizeof bytes, 0);
    if (got < 0 && errno == EINTR) {
        return true;
    }
    if (got <= 0) {
        /* A reset is a close with something unread. */
        answer->closed = got == 0 || errno == ECONNRESET;
        return false;
    }
    size_t room = RAW_ANSWER_MAX - answer->length;
    size_t kept = (size_t)got < room ? (size_t)got : room;
    memcpy(answer->text + answer->length, bytes, kept);
    answer->length += kept;
    return true;
}

static void begin_answer(struct raw_answer *answer)
{
    answer->length = 0;
    answer->closed = false;
    answer->text[0] = '\0';
    answer->took_ms = 0;
}

/* What comes next. False: nothing more does, or not within the time from `begin_ms`. */
static bool read_more(int fd, long long begin_ms, long long patience_ms, struct raw_answer *answer)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    long long left_ms = patience_ms - (test_now_ms() - begin_ms);
    bool more = left_ms > 0;
    if (more && poll(&wanted, 1, (int)left_ms) > 0) {
        more = read_some(fd, answer);
    }
    answer->text[answer->length] = '\0';
    answer->took_ms = test_now_ms() - begin_ms;
    return more;
}

void raw_read(int fd, long long patience_ms, struct raw_answer *answer)
{
    long long begin_ms = test_now_ms();
    begin_answer(answer);
    while (read_more(fd, begin_ms, patience_ms, answer)) {
    }
}

void raw_read_until(int fd, const char *text, struct raw_answer *answer)
{
    long long begin_ms = test_now_ms();
    begin_answer(answer);
    while (strstr(answer->text, text) == NULL && read_more(fd, begin_ms, TEST_STALL_MS, answer)) {
    }
}

/* How many answers are there from their status line to their last byte. */
static unsigned whole_answers(const struct raw_answer *answer)
{
    static const char length_name[] = "\r\nContent-Length:";
    unsigned count = 0;
    const char *at = answer->text;
    const char *end = answer->text + answer->length;
    for (;;) {
        const char *head_end = strstr(at, "\r\n\r\n");
        if (head_end == NULL) {
            return count;
        }
        const char *length = strstr(at, length_name);
        bool sized = length != NULL && length < head_end;
        at = head_end + 4 + (sized ? strtol(length + sizeof length_name - 1, NULL, 10) : 0);
        if (at > end) {
            return count;
        }
        count++;
    }
}

void raw_read_answers(int fd, unsigned count, struct raw_answer *answer)
{
    long long begin_ms = test_now_ms();
    begin_answer(answer);
    while (whole_answers(answer) < count && read_more(fd, begin_ms, TEST_STALL_MS, answer)) {
    }
}

long raw_status(const struct raw_answer *answer)
{
    bool http = strncmp(answer->text, "HTTP/1.", 7) == 0 && answer->length >= 12;
    return http ? strtol(answer->text + 9, NULL, 10) : 0;
}

unsigned raw_answers(const struct raw_answer *answer)
{
    unsigned count = 0;
    const char *at = answer->text;
    while ((at = strstr(at, "HTTP/1.")) != NULL) {
        /* A status line has three digits there; words about the protocol do not. */
        bool line = strlen(at) > strlen("HTTP/1.1 ");
        count += line && strspn(at + strlen("HTTP/1.1 "), "0123456789") == 3;
        at++;
    }
    return count;
}

size_t raw_file(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        test_fail("%s: %s", path, strerror(errno));
    }
    size_t length = fread(bytes, 1, size, file);
    if (!feof(file) && length == size) {
        test_fail("%s is over %zu bytes", path, size);
    }
    (void)fclose(file);
    return length;
}

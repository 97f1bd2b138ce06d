#include "operators.h"

#include "config.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    CLIENT_PATIENCE_MS = 5 * 1000,  /* one client keeps the next ones waiting */
    SERVER_PATIENCE_MS = 15 * 1000, /* longer than a write job waits for a foreign lock */
    BACKLOG = 8,
};

struct operators {
    struct sockaddr_un address;
    struct match *match;
    const struct logger *logger;
    int listen_fd;
    int stop_fd;
    bool bound;
    pthread_t thread;
};

/* Beside the file itself, also where it was named through a symbolic link. False: too long. */
static bool find_address(const char *db_path, struct sockaddr_un *address)
{
    char *resolved = realpath(db_path, NULL);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(address->sun_path, sizeof address->sun_path, "%s.sock",
                          resolved == NULL ? db_path : resolved);
    free(resolved);
    return length > 0 && (size_t)length < sizeof address->sun_path;
}

/* --- the server's side ---------------------------------------------------------------------------
 */

/* False: told to stop, or nothing came in time. */
static bool wait_for(const struct operators *operators, int fd, int patience_ms)
{
    struct pollfd fds[] = {
        {.fd = fd,                 .events = POLLIN},
        {.fd = operators->stop_fd, .events = POLLIN},
    };
    int ready;
    do {
        ready = poll(fds, 2, patience_ms);
    } while (ready < 0 && errno == EINTR);
    return ready > 0 && fds[1].revents == 0;
}

/* A line without its end; false: none came, or it is too long. */
static bool read_line(const struct operators *operators, int fd, char line[OPERATOR_LINE_SIZE])
{
    size_t length = 0;
    while (length + 1 < OPERATOR_LINE_SIZE && wait_for(operators, fd, CLIENT_PATIENCE_MS)) {
        char byte;
        if (read(fd, &byte, 1) != 1 || byte == '\0') {
            return false;
        }
        if (byte == '\n') {
            line[length] = '\0';
            return true;
        }
        line[length++] = byte;
    }
    return false;
}

static void log_command(const struct operators *operators, const char *line, int code,
                        const char *answer)
{
    struct log_line entry;
    log_begin(&entry, "operator", match_now_ms(operators->match));
    log_text(&entry, "command", line);
    log_integer(&entry, "exit_code", code);
    log_text(&entry, "answer", answer);
    log_write(operators->logger, &entry);
}

static void serve_client(const struct operators *operators, int fd)
{
    char line[OPERATOR_LINE_SIZE];
    char answer[OPERATOR_ANSWER_SIZE];
    char reply[OPERATOR_ANSWER_SIZE + 16];
    while (read_line(operators, fd, line)) {
        int code = operator_line_run(operators->match, line, answer);
        log_command(operators, line, code, answer);
        int length = snprintf(reply, sizeof reply, "%d %s\n", code, answer);
        if (send(fd, reply, (size_t)length, MSG_NOSIGNAL) != length) {
            return;
        }
    }
}

static void *run(void *context)
{
    const struct operators *operators = context;
    const struct timeval patience = {.tv_sec = CLIENT_PATIENCE_MS / 1000};
    while (wait_for(operators, operators->listen_fd, -1)) {
        int fd = accept(operators->listen_fd, NULL, NULL);
        if (fd >= 0) {
            (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
            serve_client(operators, fd);
            close(fd);
        }
    }
    return NULL;
}

/* The mode is set before the name is there, so that nobody else gets in between. */
static bool open_socket(struct operators *operators)
{
    const struct sockaddr *address = (const struct sockaddr *)&operators->address;
    operators->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    operators->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (operators->listen_fd < 0 || operators->stop_fd < 0 ||
        fchmod(operators->listen_fd, S_IRUSR | S_IWUSR) != 0) {
        return false;
    }
    (void)unlink(operators->address.sun_path);
    operators->bound = bind(operators->listen_fd, address, sizeof operators->address) == 0;
    return operators->bound && chmod(operators->address.sun_path, S_IRUSR | S_IWUSR) == 0 &&
           listen(operators->listen_fd, BACKLOG) == 0;
}

static void close_socket(struct operators *operators)
{
    if (operators->bound) {
        (void)unlink(operators->address.sun_path);
    }
    if (operators->listen_fd >= 0) {
        close(operators->listen_fd);
    }
    if (operators->stop_fd >= 0) {
        close(operators->stop_fd);
    }
    free(operators);
}

struct operators *operators_start(const char *db_path, struct match *match,
                                  const struct logger *logger, const char **why)
{
    assert(db_path != NULL && match != NULL && logger != NULL && why != NULL);
    struct operators *operators = calloc(1, sizeof *operators);
    *why = "no memory";
    if (operators == NULL) {
        return NULL;
    }
    *operators =
        (struct operators){.match = match, .logger = logger, .listen_fd = -1, .stop_fd = -1};
    if (!find_address(db_path, &operators->address)) {
        *why = "the path of the database is too long for a socket beside it";
        close_socket(operators);
        return NULL;
    }
    if (!open_socket(operators) || pthread_create(&operators->thread, NULL, run, operators) != 0) {
        *why = strerror(errno);
        close_socket(operators);
        return NULL;
    }
    return operators;
}

void operators_stop(struct operators *operators)
{
    if (operators == NULL) {
        return;
    }
    (void)eventfd_write(operators->stop_fd, 1);
    pthread_join(operators->thread, NULL);
    close_socket(operators);
}

/* --- the client's side ---------------------------------------------------------------------------
 */

static int connect_to(const char *db_path)
{
    struct sockaddr_un address;
    if (!find_address(db_path, &address)) {
        return -1;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* "0 p_... is banned": the code and the text after it. */
static int take_answer(char *reply, char answer[OPERATOR_ANSWER_SIZE])
{
    char *end = NULL;
    long code = strtol(reply, &end, 10);
    if (end == reply || *end != ' ' || code < 0 || code > UINT8_MAX) {
        (void)snprintf(answer, OPERATOR_ANSWER_SIZE, "the server does not answer like one");
        return EXIT_INTERNAL;
    }
    end[strcspn(end, "\n")] = '\0';
    (void)snprintf(answer, OPERATOR_ANSWER_SIZE, "%s", end + 1);
    return (int)code;
}

/* Without a signal where the server has just gone. */
static bool send_line(int fd, const char *line)
{
    char text[OPERATOR_LINE_SIZE + 1];
    int length = snprintf(text, sizeof text, "%s\n", line);
    return length > 0 && send(fd, text, (size_t)length, MSG_NOSIGNAL) == length;
}

int operators_ask(const char *db_path, const char *line, char answer[OPERATOR_ANSWER_SIZE])
{
    char reply[OPERATOR_ANSWER_SIZE + 16] = "";
    size_t length = 0;
    const struct timeval patience = {.tv_sec = SERVER_PATIENCE_MS / 1000};
    int fd = connect_to(db_path);
    if (fd < 0) {
        return -1;
    }
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    bool sent = send_line(fd, line);
    while (sent && length + 1 < sizeof reply && strchr(reply, '\n') == NULL) {
        ssize_t got = read(fd, reply + length, sizeof reply - 1 - length);
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
        reply[length] = '\0';
    }
    close(fd);
    if (strchr(reply, '\n') == NULL) {
        (void)snprintf(answer, OPERATOR_ANSWER_SIZE,
                       "the server has not answered; whether it was done is in operator_log");
        return EXIT_OTHER_INSTANCE;
    }
    return take_answer(reply, answer);
}

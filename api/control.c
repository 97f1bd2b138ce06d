#include "control.h"

#ifdef BANZUKE_TESTING

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { LINE_SIZE = 64 };

struct control {
    struct sockaddr_un address;
    struct env_real *clock;
    int listen_fd;
    int stop_fd;
    pthread_t thread;
};

/* False: told to stop. */
static bool wait_for(const struct control *control, int fd)
{
    struct pollfd fds[] = {
        {.fd = fd,               .events = POLLIN},
        {.fd = control->stop_fd, .events = POLLIN},
    };
    while (poll(fds, 2, -1) < 0 && errno == EINTR) {
    }
    return fds[1].revents == 0;
}

static void answer(const struct control *control, const char *line, char text[LINE_SIZE])
{
    static const char advance[] = "advance ";
    size_t length = sizeof advance - 1;
    if (strcmp(line, "now") == 0) {
        struct match_env env = env_real_env(control->clock);
        (void)snprintf(text, LINE_SIZE, "%lld\n", (long long)env.now_ms(env.context));
        return;
    }
    char *end = NULL;
    long long ms = strncmp(line, advance, length) == 0 ? strtoll(line + length, &end, 10) : -1;
    bool good = end != NULL && end != line + length && *end == '\0' && ms >= 0;
    if (good) {
        atomic_fetch_add(&control->clock->advanced_ms, ms);
    }
    (void)snprintf(text, LINE_SIZE, "%s\n", good ? "ok" : "error");
}

static void serve_client(const struct control *control, int fd)
{
    char line[LINE_SIZE];
    size_t length = 0;
    while (wait_for(control, fd)) {
        char byte;
        if (read(fd, &byte, 1) != 1) {
            return;
        }
        if (byte != '\n' && length + 1 < sizeof line) {
            line[length++] = byte;
            continue;
        }
        line[length] = '\0';
        length = 0;
        char text[LINE_SIZE];
        answer(control, line, text);
        if (write(fd, text, strlen(text)) < 0) {
            return;
        }
    }
}

static void *run(void *context)
{
    const struct control *control = context;
    while (wait_for(control, control->listen_fd)) {
        int fd = accept(control->listen_fd, NULL, NULL);
        if (fd >= 0) {
            serve_client(control, fd);
            close(fd);
        }
    }
    return NULL;
}

static bool open_socket(struct control *control, const char *db_path)
{
    control->address.sun_family = AF_UNIX;
    int length =
        snprintf(control->address.sun_path, sizeof control->address.sun_path, "%s.ctl", db_path);
    if (length < 0 || (size_t)length >= sizeof control->address.sun_path) {
        return false;
    }
    (void)unlink(control->address.sun_path);
    control->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    control->stop_fd = eventfd(0, EFD_CLOEXEC);
    const struct sockaddr *address = (const struct sockaddr *)&control->address;
    return control->listen_fd >= 0 && control->stop_fd >= 0 &&
           bind(control->listen_fd, address, sizeof control->address) == 0 &&
           chmod(control->address.sun_path, S_IRUSR | S_IWUSR) == 0 &&
           listen(control->listen_fd, 4) == 0;
}

static void close_socket(struct control *control)
{
    if (control->listen_fd >= 0) {
        close(control->listen_fd);
        (void)unlink(control->address.sun_path);
    }
    if (control->stop_fd >= 0) {
        close(control->stop_fd);
    }
    free(control);
}

struct control *control_start(const char *db_path, struct env_real *clock)
{
    assert(db_path != NULL && clock != NULL);
    struct control *control = calloc(1, sizeof *control);
    if (control == NULL) {
        return NULL;
    }
    control->clock = clock;
    control->listen_fd = -1;
    control->stop_fd = -1;
    if (!open_socket(control, db_path) ||
        pthread_create(&control->thread, NULL, run, control) != 0) {
        close_socket(control);
        return NULL;
    }
    return control;
}

void control_stop(struct control *control)
{
    if (control == NULL) {
        return;
    }
    (void)eventfd_write(control->stop_fd, 1);
    pthread_join(control->thread, NULL);
    close_socket(control);
}

#endif

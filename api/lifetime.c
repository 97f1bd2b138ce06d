#include "lifetime.h"

#include "config.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { HURRY_MS = 10 * 1000 };

struct lifetime {
    int signal_fd;
    int end_fd;  /* readable once lifetime_end was called */
    int over_fd; /* readable once the watch is to stop */
    atomic_int exit_code;
    bool watched;
    pthread_t watch;
};

static void ignore_signals(void)
{
    static const int ignored[] = {SIGPIPE, SIGXFSZ, SIGHUP, SIGUSR1, SIGUSR2};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        int failed = sigaction(ignored[i], &ignore, NULL);
        assert(failed == 0);
    }
}

static int open_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    if (pthread_sigmask(SIG_BLOCK, &ends, NULL) != 0) {
        return -1;
    }
    return signalfd(-1, &ends, SFD_CLOEXEC);
}

struct lifetime *lifetime_new(void)
{
    struct lifetime *lifetime = calloc(1, sizeof *lifetime);
    if (lifetime == NULL) {
        return NULL;
    }
    ignore_signals();
    lifetime->signal_fd = open_signals();
    lifetime->end_fd = eventfd(0, EFD_CLOEXEC);
    lifetime->over_fd = eventfd(0, EFD_CLOEXEC);
    if (lifetime->signal_fd < 0 || lifetime->end_fd < 0 || lifetime->over_fd < 0) {
        lifetime_free(lifetime);
        return NULL;
    }
    return lifetime;
}

static void take_signal(struct lifetime *lifetime)
{
    struct signalfd_siginfo info;
    ssize_t count = read(lifetime->signal_fd, &info, sizeof info);
    assert(count == (ssize_t)sizeof info);
}

int lifetime_wait(struct lifetime *lifetime)
{
    assert(lifetime != NULL && !lifetime->watched);
    struct pollfd fds[] = {
        {.fd = lifetime->signal_fd, .events = POLLIN},
        {.fd = lifetime->end_fd,    .events = POLLIN},
    };
    while (poll(fds, 2, -1) < 0 && errno == EINTR) {
    }
    if (fds[0].revents != 0) {
        take_signal(lifetime);
    }
    return atomic_load(&lifetime->exit_code);
}

void lifetime_end(struct lifetime *lifetime, int exit_code)
{
    assert(lifetime != NULL && exit_code != 0);
    int none = 0;
    (void)atomic_compare_exchange_strong(&lifetime->exit_code, &none, exit_code);
    (void)eventfd_write(lifetime->end_fd, 1);
}

static void *watch(void *context)
{
    const struct lifetime *lifetime = context;
    struct pollfd fds[] = {
        {.fd = lifetime->signal_fd, .events = POLLIN},
        {.fd = lifetime->over_fd,   .events = POLLIN},
    };
    int ready;
    do {
        ready = poll(fds, 2, HURRY_MS);
    } while (ready < 0 && errno == EINTR);
    if (fds[1].revents != 0) {
        return NULL;
    }
    /* What was acknowledged is on the disk, so that ending here loses nothing. Not having come to
     * an end within the time is a failure, being told twice is not. */
    int code = atomic_load(&lifetime->exit_code);
    if (ready == 0) {
        static const char late[] = "banzuke: the orderly stop took too long and was cut short\n";
        (void)!write(STDERR_FILENO, late, sizeof late - 1);
    }
    _exit(ready > 0 || code != 0 ? code : EXIT_INTERNAL);
}

void lifetime_hurry(struct lifetime *lifetime)
{
    assert(lifetime != NULL && !lifetime->watched);
    lifetime->watched = pthread_create(&lifetime->watch, NULL, watch, lifetime) == 0;
}

void lifetime_free(struct lifetime *lifetime)
{
    if (lifetime == NULL) {
        return;
    }
    if (lifetime->watched) {
        (void)eventfd_write(lifetime->over_fd, 1);
        pthread_join(lifetime->watch, NULL);
    }
    int fds[] = {lifetime->signal_fd, lifetime->end_fd, lifetime->over_fd};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    free(lifetime);
}

#include "hangups.h"

#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct hangups {
    hangup_fn *tell;
    pthread_mutex_t
        lock; /* of what is in the set: an event that was fetched is told before it goes */
    int set_fd;
    int stop_fd;
    pthread_t thread;
};

static void tell_all(struct hangups *hangups)
{
    enum { AT_ONCE = 64 };
    struct epoll_event events[AT_ONCE];
    int count = 0;
    do {
        pthread_mutex_lock(&hangups->lock);
        count = epoll_wait(hangups->set_fd, events, AT_ONCE, 0);
        for (int i = 0; i < count; i++) {
            bool gone = (events[i].events & (EPOLLERR | EPOLLHUP)) != 0;
            hangups->tell(events[i].data.ptr, gone);
        }
        pthread_mutex_unlock(&hangups->lock);
    } while (count == AT_ONCE);
}

static void *run(void *context)
{
    struct hangups *hangups = context;
    struct pollfd fds[] = {
        {.fd = hangups->set_fd,  .events = POLLIN},
        {.fd = hangups->stop_fd, .events = POLLIN},
    };
    for (;;) {
        (void)poll(fds, 2, -1);
        if (fds[1].revents != 0) {
            return NULL;
        }
        if (fds[0].revents != 0) {
            tell_all(hangups);
        }
    }
}

static void release(struct hangups *hangups)
{
    const int fds[] = {hangups->set_fd, hangups->stop_fd};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    pthread_mutex_destroy(&hangups->lock);
    free(hangups);
}

struct hangups *hangups_new(hangup_fn *tell)
{
    assert(tell != NULL);
    struct hangups *hangups = calloc(1, sizeof *hangups);
    if (hangups == NULL) {
        return NULL;
    }
    hangups->tell = tell;
    pthread_mutex_init(&hangups->lock, NULL);
    hangups->set_fd = epoll_create1(EPOLL_CLOEXEC);
    hangups->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (hangups->set_fd < 0 || hangups->stop_fd < 0 ||
        pthread_create(&hangups->thread, NULL, run, hangups) != 0) {
        release(hangups);
        return NULL;
    }
    return hangups;
}

void hangups_free(struct hangups *hangups)
{
    if (hangups != NULL) {
        (void)eventfd_write(hangups->stop_fd, 1);
        pthread_join(hangups->thread, NULL);
        release(hangups);
    }
}

bool hangups_add(struct hangups *hangups, int fd, void *context)
{
    /* Once for each thing that happens: half of a connection may be closed for long. */
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = context};
    assert(hangups != NULL && fd >= 0);
    return epoll_ctl(hangups->set_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

void hangups_remove(struct hangups *hangups, int fd)
{
    assert(hangups != NULL && fd >= 0);
    pthread_mutex_lock(&hangups->lock);
    (void)epoll_ctl(hangups->set_fd, EPOLL_CTL_DEL, fd, NULL);
    pthread_mutex_unlock(&hangups->lock);
}

#include "listen.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static bool parse_address(const char *text, uint16_t port, union address *address, socklen_t *size)
{
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &address->v4.sin_addr) == 1) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = htons(port);
        *size = sizeof address->v4;
        return true;
    }
    if (inet_pton(AF_INET6, text, &address->v6.sin6_addr) == 1) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons(port);
        *size = sizeof address->v6;
        return true;
    }
    return false;
}

bool listen_address_valid(const char *address)
{
    assert(address != NULL);
    union address parsed;
    socklen_t size;
    return parse_address(address, 0, &parsed, &size);
}

static bool bind_and_listen(int fd, const union address *address, socklen_t size)
{
    /* A restart must not wait for the connections of the last run. */
    int on = 1;
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
           bind(fd, &address->any, size) == 0 && listen(fd, SOMAXCONN) == 0;
}

bool listen_open(const char *address, uint16_t port, struct listener *listener,
                 struct listen_error *error)
{
    assert(address != NULL && listener != NULL && error != NULL);
    union address wanted;
    socklen_t size;
    if (!parse_address(address, port, &wanted, &size)) {
        (void)snprintf(error->text, sizeof error->text, "cannot listen on %s: no address", address);
        return false;
    }
    int fd = socket(wanted.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    union address bound;
    socklen_t bound_size = sizeof bound;
    if (fd < 0 || !bind_and_listen(fd, &wanted, size) ||
        getsockname(fd, &bound.any, &bound_size) != 0) {
        (void)snprintf(error->text, sizeof error->text, "cannot listen on %s port %u: %s", address,
                       (unsigned)port, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return false;
    }
    listener->fd = fd;
    listener->ipv6 = bound.any.sa_family == AF_INET6;
    listener->port = ntohs(listener->ipv6 ? bound.v6.sin6_port : bound.v4.sin_port);
    return true;
}

unsigned listen_connections(unsigned reserved, unsigned max)
{
    enum { CONNECTIONS_MIN = 8 }; /* a process that has fewer files cannot serve at all */
    assert(max >= CONNECTIONS_MIN);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return CONNECTIONS_MIN;
    }
    rlim_t wanted = (rlim_t)max + reserved;
    if (limit.rlim_cur < wanted && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
            return CONNECTIONS_MIN;
        }
    }
    if (limit.rlim_cur >= wanted) {
        return max;
    }
    if (limit.rlim_cur < (rlim_t)reserved + CONNECTIONS_MIN) {
        return CONNECTIONS_MIN;
    }
    return (unsigned)(limit.rlim_cur - reserved);
}

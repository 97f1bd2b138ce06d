#ifndef API_LISTEN_H
#define API_LISTEN_H

/*
 * The listening socket and the process's room for connections.
 * Threads: main, before any other. Ownership: the caller closes the socket.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct listener {
    int fd;
    uint16_t port; /* the one that was really bound */
    bool ipv6;
};

struct listen_error {
    char text[200];
};

/* "127.0.0.1", "::1" and the like. False: *error says why in one line. */
bool listen_open(const char *address, uint16_t port, struct listener *listener,
                 struct listen_error *error);

/* Whether the text is an address that listen_open understands. */
bool listen_address_valid(const char *address);

/* Raises the limit of open files as far as allowed and answers how many connections that leaves
 * when `reserved` files are kept for everything else. */
unsigned listen_connections(unsigned reserved, unsigned max);

#endif

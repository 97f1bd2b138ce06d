#ifndef API_ADDRESS_H
#define API_ADDRESS_H

/*
 * Network addresses as values, IPv4 and IPv6 in one space (IPv4 is ::ffff:0:0/96), and which of
 * them a request comes from when proxies stand in front.
 *
 * Threads: pure. Ownership: values.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

enum {
    ADDRESS_TEXT = 46, /* as INET6_ADDRSTRLEN */
    ADDRESS_BLOCK_BITS_MAX = 128,
};

/* All zero: not known. */
struct address {
    uint8_t bytes[16];
};

struct address address_of_socket(const struct sockaddr *socket);
/* An IPv4 or IPv6 address without anything around it. */
bool address_parse(const char *text, size_t length, struct address *address);
void address_format(const struct address *address, char text[ADDRESS_TEXT]);
bool address_is_loopback(const struct address *address);
/* What stands for one subscriber: the whole of an IPv4 address, the first 64 bits of IPv6. */
struct address address_subscriber(const struct address *address);

/* A CIDR block: addresses that share the first `bits` bits. */
struct address_block {
    struct address base;
    uint8_t bits;
};

/* `10.0.0.0/8`, `2001:db8::/32`, or an address alone. Bits behind the prefix are passed over. */
bool address_block_parse(const char *text, size_t length, struct address_block *block);
bool address_block_has(const struct address_block *block, const struct address *address);

/* The proxies whose word is taken. */
struct address_blocks {
    const struct address_block *at;
    size_t count;
};
bool address_trusted(const struct address_blocks *trusted, const struct address *address);

/* The client that trusted proxies speak of: the right-most address in the X-Forwarded-For lines
 * (in the order they came) that is not one of theirs, or the left-most where all are. False: a
 * proxy wrote something that is no list of addresses. An entry may have a port. */
bool address_forwarded(const char *const *lines, size_t count, const struct address_blocks *trusted,
                       struct address *client);

#endif

#include "network.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <string.h>

enum { V4_BYTES = 3, V6_BYTES = 7, LOOPBACK_V4 = 127 };

static bool network_of_v4(const uint8_t *address, uint8_t network[MATCH_NETWORK_BYTES])
{
    if (address[0] == LOOPBACK_V4) {
        return false;
    }
    network[0] = 4;
    memcpy(network + 1, address, V4_BYTES);
    return true;
}

bool network_of(const char *address, uint8_t network[MATCH_NETWORK_BYTES])
{
    static_assert((int)MATCH_NETWORK_BYTES > (int)V6_BYTES, "the kind and the bytes");
    struct in_addr v4;
    struct in6_addr v6;
    memset(network, 0, MATCH_NETWORK_BYTES);
    if (inet_pton(AF_INET, address, &v4) == 1) {
        return network_of_v4((const uint8_t *)&v4, network);
    }
    if (inet_pton(AF_INET6, address, &v6) != 1 || IN6_IS_ADDR_LOOPBACK(&v6)) {
        return false;
    }
    if (IN6_IS_ADDR_V4MAPPED(&v6)) {
        return network_of_v4(v6.s6_addr + sizeof v6 - sizeof v4, network);
    }
    network[0] = 6;
    memcpy(network + 1, v6.s6_addr, V6_BYTES);
    return true;
}

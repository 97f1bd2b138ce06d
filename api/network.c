#include "network.h"

#include <assert.h>
#include <string.h>

enum { V4_AT = 12, V4_BYTES = 3, V6_BYTES = 7 };

bool network_of(const struct address *address, uint8_t network[MATCH_NETWORK_BYTES])
{
    static_assert((int)MATCH_NETWORK_BYTES > (int)V6_BYTES, "the kind and the bytes");
    static const struct address unknown;
    static const uint8_t v4_prefix[V4_AT] = {[10] = 0xff, [11] = 0xff};
    memset(network, 0, MATCH_NETWORK_BYTES);
    if (memcmp(address, &unknown, sizeof unknown) == 0 || address_is_loopback(address)) {
        return false;
    }
    if (memcmp(address->bytes, v4_prefix, sizeof v4_prefix) == 0) {
        network[0] = 4;
        memcpy(network + 1, address->bytes + V4_AT, V4_BYTES);
        return true;
    }
    network[0] = 6;
    memcpy(network + 1, address->bytes, V6_BYTES);
    return true;
}

#ifndef API_NETWORK_H
#define API_NETWORK_H

/* The network that a client's address belongs to. Pure, any thread. */

#include "address.h"
#include "match/match.h"

#include <stdbool.h>

/* The first 24 bits of IPv4, 56 of IPv6. False: not known, or this machine itself, which may be a
 * proxy that stands for everybody. */
bool network_of(const struct address *address, uint8_t network[MATCH_NETWORK_BYTES]);

#endif

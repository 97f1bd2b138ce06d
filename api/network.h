#ifndef API_NETWORK_H
#define API_NETWORK_H

/* The network that a client's address belongs to. Pure, any thread. */

#include "match/match.h"

#include <stdbool.h>

/* From an address as text: the first 24 bits of IPv4, 56 of IPv6. False: it is none, or this
 * machine itself, which may be a proxy that stands for everybody. */
bool network_of(const char *address, uint8_t network[MATCH_NETWORK_BYTES]);

#endif

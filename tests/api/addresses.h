#ifndef TESTS_API_ADDRESSES_H
#define TESTS_API_ADDRESSES_H

/*
 * Clients of many addresses: where the server trusts this machine as a proxy, a request comes from
 * whatever address it says; without X-Forwarded-For it is the machine itself, which is exempt.
 *
 * Threads: one thread a client.
 */

#include "tests/support/device.h"

/* A server with these arguments, ended by NULL, that is ready. */
struct process *addresses_serve(const char *const *arguments);
void addresses_end(struct client *client, struct process *server);

/* A request from an address; NULL: from this machine. */
struct answer address_ask(struct client *client, const char *address, struct call call);
struct answer address_register(struct client *client, const char *address);
struct answer address_redeem(struct client *client, const char *address, const char *code);

#endif

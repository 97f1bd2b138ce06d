#include "addresses.h"

#include <stdio.h>

struct process *addresses_serve(const char *const *arguments)
{
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    return server;
}

/* A request from an address; NULL: from this machine. */
struct answer address_ask(struct client *client, const char *address, struct call call)
{
    char header[1024];
    (void)snprintf(header, sizeof header, "X-Forwarded-For: %s", address == NULL ? "" : address);
    call.header = address == NULL ? NULL : header;
    return client_send(client, &call);
}

struct answer address_register(struct client *client, const char *address)
{
    return address_ask(client, address, (struct call){.method = "POST", .path = "/v1/devices"});
}

struct answer address_redeem(struct client *client, const char *address, const char *code)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
    return address_ask(
        client, address,
        (struct call){.method = "POST", .path = "/v1/link-codes/redeem", .body = body});
}

void addresses_end(struct client *client, struct process *server)
{
    client_free(client);
    process_free(server);
}

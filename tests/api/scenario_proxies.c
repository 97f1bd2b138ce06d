#include "addresses.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Who the client is, where a proxy stands between. */

/* The "remote" of the last request in the log. */
static void last_remote(const struct process *server, char *remote, size_t size)
{
    static const char key[] = "\"remote\":\"";
    char line[4096];
    FILE *log = fopen(server->log, "re");
    cr_assert_not_null(log);
    remote[0] = '\0';
    while (fgets(line, sizeof line, log) != NULL) {
        const char *at = strstr(line, key);
        if (at != NULL) {
            at += sizeof key - 1;
            (void)snprintf(remote, size, "%.*s", (int)strcspn(at, "\""), at);
        }
    }
    (void)fclose(log);
}

static void expect_remote(struct process *server, const char *address, const char *wanted)
{
    struct client *client = client_new(server->origin);
    char remote[128];
    expect_status(200, address_ask(client, address,
                                   (struct call){.method = "GET", .path = "/v1/rankings/hasami"}));
    last_remote(server, remote, sizeof remote);
    cr_expect_str_eq(remote, wanted, "%s: %s, not %s", address, remote, wanted);
    client_free(client);
}

Test(scenario_proxies, the_log_shows_the_client_and_not_the_proxy)
{
    struct process *server = addresses_serve((const char *const[]){
        "--trusted-proxy=127.0.0.0/8", "--trusted-proxy", "2001:db8:ffff::/48,10.0.0.0/8", NULL});
    expect_remote(server, NULL, "127.0.0.1");
    expect_remote(server, "192.0.2.1", "192.0.2.1");
    expect_remote(server, "6.6.6.6, 192.0.2.1, 10.0.0.9, 2001:db8:ffff::1", "192.0.2.1");
    expect_remote(server, "2001:DB8::7", "2001:db8::7");
    expect_remote(server, "::ffff:192.0.2.1", "192.0.2.1");
    expect_remote(server, "192.0.2.1\r\nX-Forwarded-For: 192.0.2.2, 10.1.1.1", "192.0.2.2");
    expect_remote(server, "192.0.2.1\r\nX-Forwarded-For: 10.1.1.1", "192.0.2.1");
    expect_remote(server, "nonsense", "127.0.0.1");
    expect_remote(server, "192.0.2.1, \\\"}", "127.0.0.1");
    process_free(server);
}

Test(scenario_proxies, more_lines_than_there_can_be_proxies_are_no_list)
{
    static const char proxy[] = "10.0.0.1\r\nX-Forwarded-For: ";
    struct process *server =
        addresses_serve((const char *const[]){"--trusted-proxy", "127.0.0.0/8,10.0.0.0/8", NULL});
    char address[512] = "";
    for (size_t i = 0; i < 8; i++) {
        memcpy(address + i * strlen(proxy), proxy, sizeof proxy);
        memcpy(address + (i + 1) * strlen(proxy), "192.0.2.1", sizeof "192.0.2.1");
        expect_remote(server, address, i < 7 ? "192.0.2.1" : "127.0.0.1");
    }
    process_free(server);
}

Test(scenario_proxies, nobody_but_a_trusted_proxy_says_who_the_client_is)
{
    struct process *server = addresses_serve((const char *const[]){
        "--trusted-proxy", "192.0.2.0/24", "--registrations-per-hour=1", NULL});
    struct client *client = client_new(server->origin);
    expect_remote(server, "192.0.2.1", "127.0.0.1");
    expect_status(201, address_register(client, "198.51.100.1"));
    expect_status(429, address_register(client, "198.51.100.2"));
    expect_status(201, address_register(client, NULL));
    addresses_end(client, server);
}

Test(scenario_proxies, what_a_trusted_proxy_garbles_counts_against_the_proxy)
{
    struct process *server = addresses_serve(
        (const char *const[]){"--trusted-proxy", "127.0.0.1", "--registrations-per-hour=1", NULL});
    struct client *client = client_new(server->origin);
    expect_status(201, address_register(client, "garbage"));
    expect_status(429, address_register(client, "other garbage"));
    expect_status(201, address_register(client, "192.0.2.1"));
    addresses_end(client, server);
}

Test(scenario_proxies, what_is_no_block_of_addresses_is_a_usage_error)
{
    struct process *server = process_folder();
    cr_expect_eq(
        process_start_fails(server, (const char *const[]){"--trusted-proxy", "10.0.0.0/33", NULL}),
        64);
    cr_expect_eq(
        process_start_fails(server, (const char *const[]){"--trusted-proxy", "proxy", NULL}), 64);
    process_free(server);
}

/* As behind a proxy on this machine that --trusted-proxy does not name: what it sends on is not
 * this machine's own, and all of it is one address. */
Test(scenario_proxies, who_comes_for_another_is_not_exempt_though_nobody_trusts_its_word)
{
    char line[512] = "";
    bool warned = false;
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (unsigned i = 0; i < 12; i++) {
        expect_status(410, address_redeem(client, NULL, "ABCD-EFGH"));
    }
    for (unsigned i = 0; i < 10; i++) {
        expect_status(410,
                      address_redeem(client, i % 2 == 0 ? "192.0.2.1" : "192.0.2.2", "ABCD-EFGH"));
    }
    expect_status(429, address_redeem(client, "192.0.2.3", "ABCD-EFGH"));
    expect_status(410, address_redeem(client, NULL, "ABCD-EFGH"));
    FILE *log = fopen(server->log, "re");
    cr_assert_not_null(log);
    while (!warned && fgets(line, sizeof line, log) != NULL) {
        warned = strstr(line, "--trusted-proxy") != NULL;
    }
    (void)fclose(log);
    cr_expect(warned, "the log does not say so");
    static const char *const proxies[] = {"X-Real-IP: 192.0.2.1", "Forwarded: for=192.0.2.1",
                                          "Via: 1.1 proxy"};
    for (size_t i = 0; i < sizeof proxies / sizeof proxies[0]; i++) {
        struct call call = {.method = "POST",
                            .path = "/v1/link-codes/redeem",
                            .header = proxies[i],
                            .body = "{\"code\":\"ABCD-EFGH\"}"};
        expect_status(429, client_send(client, &call));
    }
    addresses_end(client, server);
}

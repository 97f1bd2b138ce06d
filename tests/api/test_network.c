#include "api/network.h"

#include <criterion/criterion.h>
#include <string.h>

/* False also where the text is no address. */
static bool network(const char *text, uint8_t bytes[MATCH_NETWORK_BYTES])
{
    struct address address = {{0}};
    (void)address_parse(text, strlen(text), &address);
    return network_of(&address, bytes);
}

static bool same(const char *a, const char *b)
{
    uint8_t first[MATCH_NETWORK_BYTES];
    uint8_t second[MATCH_NETWORK_BYTES];
    cr_assert(network(a, first), "%s", a);
    cr_assert(network(b, second), "%s", b);
    return memcmp(first, second, sizeof first) == 0;
}

Test(network, is_the_first_three_numbers_of_an_ipv4_address)
{
    cr_expect(same("192.0.2.1", "192.0.2.255"));
    cr_expect(!same("192.0.2.1", "192.0.3.1"));
    cr_expect(same("192.0.2.1", "::ffff:192.0.2.7"), "also where it came over an IPv6 socket");
}

Test(network, is_the_first_56_bits_of_an_ipv6_address)
{
    cr_expect(same("2001:db8:1:200::1", "2001:db8:1:2ff:ffff::9"));
    cr_expect(!same("2001:db8:1:200::1", "2001:db8:1:300::1"));
    cr_expect(!same("400:200:200::", "4.0.2.0"), "the kinds do not mix");
}

Test(network, is_not_known_of_this_machine_or_of_nothing)
{
    static const char *const unknown[] = {"127.0.0.1", "127.9.9.9", "::1",  "::ffff:127.0.0.1",
                                          "",          "localhost", "1.2.3"};
    uint8_t bytes[MATCH_NETWORK_BYTES];
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        cr_expect(!network(unknown[i], bytes), "%s", unknown[i]);
    }
}

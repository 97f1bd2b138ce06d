#include "api/address.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>

static struct address parse(const char *text)
{
    struct address address = {{0}};
    cr_assert(address_parse(text, strlen(text), &address), "%s", text);
    return address;
}

static struct address_block block(const char *text)
{
    struct address_block block = {.bits = 0};
    cr_assert(address_block_parse(text, strlen(text), &block), "%s", text);
    return block;
}

static void expect_text(const struct address *address, const char *wanted)
{
    char text[ADDRESS_TEXT];
    address_format(address, text);
    cr_expect_str_eq(text, wanted);
}

Test(address, ipv4_and_its_form_in_ipv6_are_the_same)
{
    struct address plain = parse("192.0.2.7");
    struct address mapped = parse("::ffff:192.0.2.7");
    cr_expect_arr_eq(plain.bytes, mapped.bytes, sizeof plain.bytes);
    expect_text(&mapped, "192.0.2.7");
}

Test(address, every_form_of_an_ipv6_address_is_written_in_one)
{
    struct address address = parse("2001:0DB8:0:0:0:0:0:1");
    expect_text(&address, "2001:db8::1");
}

Test(address, sockets_of_both_kinds_have_one)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000207)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr other = {.sa_family = AF_UNIX};
    struct address address = address_of_socket((const struct sockaddr *)&v4);
    expect_text(&address, "192.0.2.7");
    address = address_of_socket((const struct sockaddr *)&v6);
    expect_text(&address, "::1");
    address = address_of_socket(&other);
    expect_text(&address, "");
}

Test(address, what_is_none_is_refused)
{
    static const char *const texts[] = {
        "",           " ",         "localhost",
        "1.2.3",      "1.2.3.256", "1.2.3.4 ",
        "1.2.3.4:80", "01.2.3.4",  "::1%lo",
        "[::1]",      "1::2::3",   "fe80::1%eth0",
        "0x7f.1",     "127.1",     ":",
        "1.2.3.4.5",  "12345::",   "::ffff:1.2.3.4:5:6:7:8:9:0:1:2:3:4:5:6:7:8"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct address address;
        cr_expect_not(address_parse(texts[i], strlen(texts[i]), &address), "%s", texts[i]);
    }
    struct address address;
    cr_expect_not(address_parse("1.2.3.4\0", 8, &address));
}

Test(address, loopback_is_127_and_1)
{
    static const struct {
        const char *text;
        bool loopback;
    } cases[] = {
        {"127.0.0.1",        true },
        {"127.255.255.255",  true },
        {"::ffff:127.0.0.1", true },
        {"::1",              true },
        {"126.255.255.255",  false},
        {"128.0.0.0",        false},
        {"::2",              false},
        {"::",               false},
        {"::127.0.0.1",      false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct address address = parse(cases[i].text);
        cr_expect_eq(address_is_loopback(&address), cases[i].loopback, "%s", cases[i].text);
    }
}

Test(address, a_subscriber_is_an_ipv4_address_or_an_ipv6_network_of_64_bits)
{
    struct address first = parse("2001:db8:1:2:3:4:5:6");
    struct address second = parse("2001:db8:1:2:ffff::1");
    struct address other = parse("2001:db8:1:3:3:4:5:6");
    first = address_subscriber(&first);
    second = address_subscriber(&second);
    other = address_subscriber(&other);
    cr_expect_arr_eq(first.bytes, second.bytes, sizeof first.bytes);
    cr_expect_arr_neq(first.bytes, other.bytes, sizeof first.bytes);
    struct address v4 = parse("192.0.2.7");
    v4 = address_subscriber(&v4);
    expect_text(&v4, "192.0.2.7");
}

Test(address_block, holds_what_shares_its_bits)
{
    static const struct {
        const char *block;
        const char *address;
        bool has;
    } cases[] = {
        {"10.0.0.0/8",          "10.255.255.255",   true },
        {"10.0.0.0/8",          "11.0.0.0",         false},
        {"10.0.0.0/8",          "::ffff:10.1.2.3",  true },
        {"192.0.2.64/26",       "192.0.2.127",      true },
        {"192.0.2.64/26",       "192.0.2.128",      false},
        {"192.0.2.64/26",       "192.0.2.63",       false},
        {"192.0.2.77/26",       "192.0.2.64",       true }, /* bits behind the prefix */
        {"192.0.2.7",           "192.0.2.7",        true },
        {"192.0.2.7",           "192.0.2.6",        false},
        {"192.0.2.7/32",        "192.0.2.7",        true },
        {"0.0.0.0/0",           "255.255.255.255",  true },
        {"0.0.0.0/0",           "2001:db8::1",      false},
        {"::/0",                "192.0.2.7",        true },
        {"::/0",                "2001:db8::1",      true },
        {"2001:db8::/33",       "2001:db8:7fff::1", true },
        {"2001:db8::/33",       "2001:db8:8000::1", false},
        {"::1",                 "::1",              true },
        {"::1/128",             "::2",              false},
        {"::ffff:10.0.0.0/104", "10.9.9.9",         true },
        {"::ffff:10.0.0.0/104", "11.9.9.9",         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct address_block found = block(cases[i].block);
        struct address address = parse(cases[i].address);
        cr_expect_eq(address_block_has(&found, &address), cases[i].has, "%s %s", cases[i].block,
                     cases[i].address);
    }
}

Test(address_block, what_is_none_is_refused)
{
    static const char *const texts[] = {
        "",          "/8",       "10.0.0.0/",   "10.0.0.0/33",  "10.0.0.0/-1", "10.0.0.0/+8",
        "::/129",    "::/",      "10.0.0.0/08", "10.0.0.0/8/8", "10/8",        "10.0.0/8",
        "10.0.0.0 ", "proxy/24", "::1/1x",      "10.0.0.0/256", "::/0128",     "1.2.3.4/1 ",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct address_block found;
        cr_expect_not(address_block_parse(texts[i], strlen(texts[i]), &found), "%s", texts[i]);
    }
}

/* What the client is, with 127/8, 10/8 and 2001:db8:ffff::/48 trusted; NULL: it is malformed. */
static void expect_client(const char *first, const char *second, const char *wanted)
{
    const struct address_block blocks[] = {block("127.0.0.0/8"), block("10.0.0.0/8"),
                                           block("2001:db8:ffff::/48")};
    const struct address_blocks trusted = {blocks, sizeof blocks / sizeof blocks[0]};
    const char *lines[] = {first, second};
    struct address client = parse("192.0.2.99");
    bool good = address_forwarded(lines, second == NULL ? 1 : 2, &trusted, &client);
    cr_expect_eq(good, wanted != NULL, "%s", first);
    expect_text(&client, wanted == NULL ? "192.0.2.99" : wanted);
}

Test(forwarded, the_right_most_address_that_is_no_proxy_is_the_client)
{
    expect_client("192.0.2.1", NULL, "192.0.2.1");
    expect_client("192.0.2.1, 192.0.2.2", NULL, "192.0.2.2");
    expect_client("192.0.2.1,192.0.2.2 ,\t10.1.1.1 , 127.0.0.1", NULL, "192.0.2.2");
    expect_client("2001:db8::5, ::ffff:10.0.0.9", NULL, "2001:db8::5");
    expect_client("192.0.2.1, 2001:db8:ffff::1", NULL, "192.0.2.1");
}

Test(forwarded, what_a_client_wrote_itself_is_not_even_looked_at)
{
    expect_client("127.0.0.1, 192.0.2.2", NULL, "192.0.2.2");
    expect_client("nonsense, 192.0.2.2, 10.0.0.1", NULL, "192.0.2.2");
    expect_client("\"><script>", "192.0.2.2", "192.0.2.2");
    expect_client(",,,192.0.2.2", NULL, "192.0.2.2");
}

Test(forwarded, several_lines_are_one_list)
{
    expect_client("192.0.2.1", "10.0.0.1", "192.0.2.1");
    expect_client("192.0.2.1", "192.0.2.2, 10.0.0.1", "192.0.2.2");
}

Test(forwarded, where_all_are_proxies_the_left_most_is_the_client)
{
    expect_client("10.0.0.1, 10.0.0.2", NULL, "10.0.0.1");
    expect_client("10.0.0.1", "127.0.0.1", "10.0.0.1");
}

Test(forwarded, ports_and_brackets_are_passed_over)
{
    expect_client("192.0.2.1:5555, 10.0.0.1:1", NULL, "192.0.2.1");
    expect_client("[2001:db8::5]", NULL, "2001:db8::5");
    expect_client("[2001:db8::5]:443", NULL, "2001:db8::5");
}

Test(forwarded, what_is_no_list_of_addresses_is_refused)
{
    static const char *const texts[] = {"",
                                        " ",
                                        ",",
                                        "192.0.2.1,",
                                        "unknown",
                                        "192.0.2.1, nonsense",
                                        "nonsense, 10.0.0.1",
                                        "192.0.2.1:",
                                        "192.0.2.1:x",
                                        "192.0.2.1:123456",
                                        "[2001:db8::5",
                                        "2001:db8::5]",
                                        "[2001:db8::5]443",
                                        "[]",
                                        "192.0.2.1 192.0.2.2",
                                        "192.0.2.1;192.0.2.2",
                                        "\"192.0.2.1\""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        expect_client(texts[i], NULL, NULL);
    }
    expect_client("192.0.2.1", "", NULL);
    expect_client("nonsense", "10.0.0.1", NULL);
}

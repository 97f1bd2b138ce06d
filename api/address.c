#include "address.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <string.h>

enum { V4_AT = 12, V4_PREFIX_BITS = 96, SUBSCRIBER_BYTES = 8 };

static const uint8_t v4_prefix[V4_AT] = {[10] = 0xff, [11] = 0xff};

static bool is_v4(const struct address *address)
{
    return memcmp(address->bytes, v4_prefix, V4_AT) == 0;
}

struct address address_of_socket(const struct sockaddr *socket)
{
    struct address address = {{0}};
    assert(socket != NULL);
    if (socket->sa_family == AF_INET) {
        memcpy(address.bytes, v4_prefix, V4_AT);
        memcpy(address.bytes + V4_AT, &((const struct sockaddr_in *)(const void *)socket)->sin_addr,
               sizeof(struct in_addr));
    } else if (socket->sa_family == AF_INET6) {
        memcpy(address.bytes, &((const struct sockaddr_in6 *)(const void *)socket)->sin6_addr,
               sizeof address.bytes);
    }
    return address;
}

bool address_parse(const char *text, size_t length, struct address *address)
{
    char copy[ADDRESS_TEXT];
    struct address parsed;
    assert(text != NULL && address != NULL);
    if (length == 0 || length >= sizeof copy || memchr(text, '\0', length) != NULL) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    memcpy(parsed.bytes, v4_prefix, V4_AT);
    if (inet_pton(AF_INET, copy, parsed.bytes + V4_AT) != 1 &&
        inet_pton(AF_INET6, copy, parsed.bytes) != 1) {
        return false;
    }
    *address = parsed;
    return true;
}

void address_format(const struct address *address, char text[ADDRESS_TEXT])
{
    static const struct address unknown;
    static_assert(ADDRESS_TEXT == INET6_ADDRSTRLEN, "the same bound");
    bool v4 = is_v4(address);
    text[0] = '\0';
    if (memcmp(address, &unknown, sizeof unknown) != 0) {
        (void)inet_ntop(v4 ? AF_INET : AF_INET6, address->bytes + (v4 ? V4_AT : 0), text,
                        ADDRESS_TEXT);
    }
}

bool address_is_loopback(const struct address *address)
{
    static const struct address v6_loopback = {{[15] = 1}};
    return (is_v4(address) && address->bytes[V4_AT] == IN_LOOPBACKNET) ||
           memcmp(address, &v6_loopback, sizeof v6_loopback) == 0;
}

struct address address_subscriber(const struct address *address)
{
    struct address subscriber = *address;
    if (!is_v4(address)) {
        memset(subscriber.bytes + SUBSCRIBER_BYTES, 0, sizeof subscriber.bytes - SUBSCRIBER_BYTES);
    }
    return subscriber;
}

/* --- blocks -----------------------------------------------------------------------------------
 */

/* Decimal digits, no leading zero, at most `max`. */
static bool parse_bits(const char *text, size_t length, unsigned max, unsigned *bits)
{
    enum { DIGITS_MAX = 3 };
    unsigned sum = 0;
    if (length == 0 || length > DIGITS_MAX || (length > 1 && text[0] == '0')) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        sum = sum * 10 + (unsigned)(text[i] - '0');
    }
    *bits = sum;
    return sum <= max;
}

bool address_block_parse(const char *text, size_t length, struct address_block *block)
{
    assert(text != NULL && block != NULL);
    const char *slash = memchr(text, '/', length);
    size_t address_length = slash == NULL ? length : (size_t)(slash - text);
    struct address base;
    if (!address_parse(text, address_length, &base)) {
        return false;
    }
    /* Written as IPv4, its bits count from the start of those four bytes. */
    bool v4 = memchr(text, ':', address_length) == NULL;
    unsigned skipped = v4 ? V4_PREFIX_BITS : 0;
    unsigned bits = ADDRESS_BLOCK_BITS_MAX - skipped;
    if (slash != NULL && !parse_bits(slash + 1, length - address_length - 1, bits, &bits)) {
        return false;
    }
    *block = (struct address_block){.base = base, .bits = (uint8_t)(bits + skipped)};
    return true;
}

bool address_block_has(const struct address_block *block, const struct address *address)
{
    assert(block->bits <= ADDRESS_BLOCK_BITS_MAX);
    size_t whole = block->bits / 8;
    if (memcmp(block->base.bytes, address->bytes, whole) != 0) {
        return false;
    }
    unsigned rest = block->bits % 8U;
    return rest == 0 || (block->base.bytes[whole] ^ address->bytes[whole]) >> (8 - rest) == 0;
}

bool address_trusted(const struct address_blocks *trusted, const struct address *address)
{
    for (size_t i = 0; i < trusted->count; i++) {
        if (address_block_has(&trusted->at[i], address)) {
            return true;
        }
    }
    return false;
}

/* --- X-Forwarded-For --------------------------------------------------------------------------
 */

static bool is_port(const char *text, size_t length)
{
    enum { DIGITS_MAX = 5 };
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    return length > 0 && length <= DIGITS_MAX;
}

/* An address, `[IPv6]`, and either of `IPv4:port` and `[IPv6]:port`. */
static bool parse_entry(const char *text, size_t length, struct address *address)
{
    const char *end = text + length;
    const char *colon = memchr(text, ':', length);
    if (length > 0 && text[0] == '[') {
        const char *bracket = memchr(text, ']', length);
        bool good = bracket != NULL && colon != NULL && colon < bracket &&
                    (bracket + 1 == end ||
                     (bracket[1] == ':' && is_port(bracket + 2, (size_t)(end - bracket - 2))));
        return good && address_parse(text + 1, (size_t)(bracket - text - 1), address);
    }
    bool v4_and_port = colon != NULL && memchr(text, '.', (size_t)(colon - text)) != NULL;
    if (v4_and_port) {
        return is_port(colon + 1, (size_t)(end - colon - 1)) &&
               address_parse(text, (size_t)(colon - text), address);
    }
    return address_parse(text, length, address);
}

/* Takes the last entry off the line, which then is shorter by it and its comma. */
static bool take_last(const char *line, size_t *length, struct address *address)
{
    size_t end = *length;
    while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t')) {
        end--;
    }
    size_t from = end;
    while (from > 0 && line[from - 1] != ',') {
        from--;
    }
    *length = from == 0 ? 0 : from - 1;
    while (from < end && (line[from] == ' ' || line[from] == '\t')) {
        from++;
    }
    return parse_entry(line + from, end - from, address);
}

bool address_forwarded(const char *const *lines, size_t count, const struct address_blocks *trusted,
                       struct address *client)
{
    struct address entry = {{0}};
    bool any = false;
    for (size_t i = count; i > 0; i--) {
        size_t length = strlen(lines[i - 1]);
        do {
            if (!take_last(lines[i - 1], &length, &entry)) {
                return false;
            }
            any = true;
            if (!address_trusted(trusted, &entry)) {
                *client = entry;
                return true;
            }
        } while (length > 0);
    }
    if (any) {
        *client = entry;
    }
    return any;
}

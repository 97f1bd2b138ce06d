#include "cors.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

bool cors_is_open(const char *cors)
{
    return strcmp(cors, "*") == 0;
}

const char *cors_allow(const char *cors, const char *origin)
{
    assert(cors != NULL);
    if (cors_is_open(cors)) {
        return cors;
    }
    size_t length = origin == NULL ? 0 : strlen(origin);
    while (length > 0 && *cors != '\0') {
        size_t listed = strcspn(cors, ",");
        if (listed == length && memcmp(cors, origin, length) == 0) {
            return origin;
        }
        cors += listed + (cors[listed] == ',');
    }
    return NULL;
}

/* --- the operator's list ---------------------------------------------------------------------- */

static bool is_among(char byte, const char *others)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
           (byte != '\0' && strchr(others, byte) != NULL);
}

static size_t span_of(const char *text, const char *others)
{
    size_t length = 0;
    while (is_among(text[length], others)) {
        length++;
    }
    return length;
}

/* A name or an IPv4 address, or an IPv6 address in its brackets. */
static size_t host_length(const char *text)
{
    if (text[0] != '[') {
        return span_of(text, ".-_");
    }
    size_t length = 1 + span_of(text + 1, ":.");
    return length > 1 && text[length] == ']' ? length + 1 : 0;
}

/* ":8443" up to a comma or the end. Browsers leave out the port that the scheme stands for. */
static bool is_port(const char *text, const char *standard)
{
    enum { PORT_MAX = 65535 };
    size_t digits = strspn(text, "0123456789");
    unsigned port = 0;
    for (size_t i = 0; i < digits && port <= PORT_MAX; i++) {
        port = port * 10 + (unsigned)(text[i] - '0');
    }
    bool is_standard = digits == strlen(standard) && memcmp(text, standard, digits) == 0;
    return digits > 0 && text[0] != '0' && port <= PORT_MAX && !is_standard;
}

static bool begins(const char *text, size_t length, const char *scheme)
{
    return length == strlen(scheme) && memcmp(text, scheme, length) == 0;
}

/* One origin, at the start of `text`; its length, or 0. */
static size_t origin_length(const char *text)
{
    size_t scheme = span_of(text, "+.-");
    if (scheme == 0 || text[0] < 'a' || strncmp(text + scheme, "://", 3) != 0) {
        return 0;
    }
    size_t host = host_length(text + scheme + 3);
    size_t length = scheme + 3 + host;
    if (host == 0 || text[length] != ':') {
        return host == 0 ? 0 : length;
    }
    const char *standard = begins(text, scheme, "https")  ? "443"
                           : begins(text, scheme, "http") ? "80"
                                                          : "";
    if (!is_port(text + length + 1, standard)) {
        return 0;
    }
    return length + 1 + strspn(text + length + 1, "0123456789");
}

bool cors_is_valid(const char *cors)
{
    assert(cors != NULL);
    if (cors_is_open(cors)) {
        return true;
    }
    if (strlen(cors) >= CORS_TEXT) {
        return false;
    }
    for (;;) {
        size_t length = origin_length(cors);
        if (length == 0 || (cors[length] != ',' && cors[length] != '\0')) {
            return false;
        }
        if (cors[length] == '\0') {
            return true;
        }
        cors += length + 1;
    }
}

#include "framing.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static bool is_token(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char byte = name[i];
        bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        bool digit = byte >= '0' && byte <= '9';
        if (!letter && !digit && (byte == '\0' || strchr("!#$%&'*+-.^_`|~", byte) == NULL)) {
            return false;
        }
    }
    return length > 0;
}

/* Digits only: no sign, no list, no blank. */
static bool parse_length(const char *text, uint64_t *length)
{
    enum { DIGITS_MAX = 18 };
    size_t count = strnlen(text, DIGITS_MAX + 1);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        sum = sum * 10 + (uint64_t)(text[i] - '0');
    }
    *length = sum;
    return count > 0 && count <= DIGITS_MAX;
}

/* The headers that matter here; others only have to have a proper name. */
enum header {
    HEADER_ACCEPT,
    HEADER_ACCEPT_LANGUAGE,
    HEADER_ACCEPT_ENCODING,
    HEADER_ASKED_METHOD,
    HEADER_AUTHORIZATION,
    HEADER_CONTENT_ENCODING,
    HEADER_CONTENT_LENGTH,
    HEADER_CONTENT_TYPE,
    HEADER_HOST,
    HEADER_IDEMPOTENCY_KEY,
    HEADER_IF_NONE_MATCH,
    HEADER_LAST_EVENT_ID,
    HEADER_ORIGIN,
    HEADER_TRANSFER_ENCODING,
    HEADER_X_FORWARDED_FOR,
    HEADER_X_REAL_IP,
    HEADER_FORWARDED,
    HEADER_VIA,
    HEADER_OTHER,
};

static enum header header_of(const char *name, size_t length)
{
    static const struct {
        const char *name;
        size_t length;
    } known[HEADER_OTHER] = {
        [HEADER_ACCEPT] = {"accept",                        6 },
        [HEADER_ACCEPT_LANGUAGE] = {"accept-language",               15},
        [HEADER_AUTHORIZATION] = {"authorization",                 13},
        [HEADER_CONTENT_ENCODING] = {"content-encoding",              16},
        [HEADER_CONTENT_LENGTH] = {"content-length",                14},
        [HEADER_CONTENT_TYPE] = {"content-type",                  12},
        [HEADER_HOST] = {"host",                          4 },
        [HEADER_IDEMPOTENCY_KEY] = {"idempotency-key",               15},
        [HEADER_TRANSFER_ENCODING] = {"transfer-encoding",             17},
        [HEADER_ACCEPT_ENCODING] = {"accept-encoding",               15},
        [HEADER_ASKED_METHOD] = {"access-control-request-method", 29},
        [HEADER_IF_NONE_MATCH] = {"if-none-match",                 13},
        [HEADER_LAST_EVENT_ID] = {"last-event-id",                 13},
        [HEADER_ORIGIN] = {"origin",                        6 },
        [HEADER_X_FORWARDED_FOR] = {"x-forwarded-for",               15},
        [HEADER_X_REAL_IP] = {"x-real-ip",                     9 },
        [HEADER_FORWARDED] = {"forwarded",                     9 },
        [HEADER_VIA] = {"via",                           3 },
    };
    for (size_t i = 0; i < HEADER_OTHER; i++) {
        if (known[i].length == length && strncasecmp(known[i].name, name, length) == 0) {
            return (enum header)i;
        }
    }
    return HEADER_OTHER;
}

enum { LINE_END = 2 }; /* CR LF */

void framing_head(struct framing *framing, const char *version, const char *end)
{
    assert(framing != NULL && framing->target_end != NULL && version != NULL && end != NULL);
    framing->hidden = version != framing->target_end + 1;
    framing->next = version + strlen(version) + LINE_END;
    framing->end = end;
}

void framing_header(struct framing *framing, const char *name, size_t name_length,
                    const char *value)
{
    assert(framing != NULL && name != NULL);
    value = value == NULL ? "" : value;
    framing->bad_name = framing->bad_name || !is_token(name, name_length);
    if (framing->next != NULL) {
        framing->hidden = framing->hidden || name != framing->next;
        framing->next = value + strlen(value) + LINE_END;
    }
    switch (header_of(name, name_length)) {
    case HEADER_ACCEPT: accept_add(&framing->accept, value); break;
    case HEADER_ACCEPT_LANGUAGE: languages_add(&framing->languages, value); break;
    case HEADER_ACCEPT_ENCODING: codings_add(&framing->codings, value); break;
    case HEADER_ASKED_METHOD: framing->preflight = true; break;
    case HEADER_AUTHORIZATION:
        framing->authorizations++;
        framing->authorization = value;
        break;
    case HEADER_CONTENT_ENCODING:
        framing->encoded = framing->encoded || strcasecmp(value, "identity") != 0;
        break;
    case HEADER_CONTENT_LENGTH:
        framing->lengths++;
        framing->bad_value = !parse_length(value, &framing->content_length) || framing->bad_value;
        break;
    case HEADER_CONTENT_TYPE:
        framing->content_types++;
        framing->content_type = value;
        break;
    case HEADER_HOST: framing->hosts++; break;
    case HEADER_IDEMPOTENCY_KEY:
        framing->idempotency_keys++;
        framing->idempotency_key = value;
        break;
    case HEADER_IF_NONE_MATCH: none_match_add(&framing->none_match, value); break;
    case HEADER_LAST_EVENT_ID:
        framing->last_event_ids++;
        framing->last_event_id = value;
        break;
    case HEADER_ORIGIN:
        framing->origins++;
        framing->origin = value;
        break;
    case HEADER_TRANSFER_ENCODING:
        framing->encodings++;
        framing->chunked = strcasecmp(value, "chunked") == 0;
        break;
    case HEADER_X_FORWARDED_FOR:
        if (framing->forwarded_count < FRAMING_FORWARDED_MAX) {
            framing->forwarded[framing->forwarded_count] = value;
        }
        framing->forwarded_count++;
        framing->proxied = true;
        break;
    case HEADER_X_REAL_IP:
    case HEADER_FORWARDED:
    case HEADER_VIA: framing->proxied = true; break;
    case HEADER_OTHER: break;
    }
}

const char *framing_fault(const struct framing *framing, const char *target, const char *version)
{
    assert(framing != NULL && target != NULL && version != NULL);
    if (target[0] != '/') {
        return "The request target must begin with a slash.";
    }
    if (framing->bad_target) {
        return "The request target must have no blank in it.";
    }
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0) {
        return "The protocol must be HTTP/1.1 or HTTP/1.0.";
    }
    if (framing->bad_name) {
        return "A header name has bytes that no header name may have.";
    }
    if (framing->hidden || (framing->next != NULL && framing->next + LINE_END != framing->end)) {
        return "Every line of the head must have a name, no NUL, and end with CR LF.";
    }
    if (framing->hosts != 1) {
        return "There must be exactly one Host header.";
    }
    if (framing->lengths > 1 || framing->bad_value) {
        return "There must be at most one Content-Length header, of decimal digits.";
    }
    if (framing->encodings > 0 &&
        (framing->encodings > 1 || !framing->chunked || framing->lengths > 0)) {
        return "Transfer-Encoding must be chunked, come once and without Content-Length.";
    }
    if (framing->authorizations > 1) {
        return "There must be at most one Authorization header.";
    }
    if (framing->content_types > 1) {
        return "There must be at most one Content-Type header.";
    }
    return NULL;
}

bool framing_has_body(const struct framing *framing)
{
    assert(framing != NULL);
    return framing->content_length > 0 || framing->encodings > 0;
}

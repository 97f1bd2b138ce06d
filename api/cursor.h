#ifndef API_CURSOR_H
#define API_CURSOR_H

/*
 * Keyset cursors: a key (mostly two numbers) and a MAC that binds it to one list with its filters,
 * as one opaque text (base64url). A damaged cursor, or one of another list, is refused.
 *
 * Threads: pure but for the reply.
 */

#include "request.h"

enum {
    CURSOR_TEXT = 44,
    CURSOR_LIST_TEXT = 512,
    CURSOR_KEY_MAX = DB_ID_TEXT + DB_FOLDED_TEXT, /* bytes: a player in the order of names */
    CURSOR_LONG_TEXT = ((CURSOR_KEY_MAX + SECRETS_MAC_BYTES) * 8 + 5) / 6 + 1,
};

struct cursor {
    int64_t first;
    int64_t second;
};

/* `list` names the list and everything that filters it. */
void cursor_format(const struct secrets *secrets, const char *list, struct cursor cursor,
                   char text[CURSOR_TEXT]);

/* False: not a cursor of this list. */
bool cursor_parse(const struct secrets *secrets, const char *list, const char *text,
                  struct cursor *cursor);

/* The request's `cursor` parameter. *present: there is one. False: 400 is in the reply. */
bool request_cursor(struct request *request, struct reply *reply, const char *list,
                    struct cursor *cursor, bool *present);

/* The same for a key of any kind: `count` bytes, at least 1 and at most CURSOR_KEY_MAX. */
void cursor_format_key(const struct secrets *secrets, const char *list, const void *key,
                       size_t count, char text[CURSOR_LONG_TEXT]);
bool cursor_parse_key(const struct secrets *secrets, const char *list, const char *text,
                      unsigned char key[CURSOR_KEY_MAX], size_t *count);
/* *count 0: there is no cursor. */
bool request_cursor_key(struct request *request, struct reply *reply, const char *list,
                        unsigned char key[CURSOR_KEY_MAX], size_t *count);

#endif

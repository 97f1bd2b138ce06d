#ifndef API_CURSOR_H
#define API_CURSOR_H

/*
 * Keyset cursors: two numbers and a MAC that binds them to one list with its filters, as one opaque
 * text (base64url). A damaged cursor, or one of another list, is refused.
 *
 * Threads: pure but for the reply.
 */

#include "request.h"

enum { CURSOR_TEXT = 44, CURSOR_LIST_TEXT = 256 };

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

#endif

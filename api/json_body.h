#ifndef API_JSON_BODY_H
#define API_JSON_BODY_H

/*
 * The body of a request as JSON values, for the files json_*.c that look deeper than a list of
 * fields (json_read.h) can. Threads: any.
 */

#include "request.h"

#include <jansson.h>

enum {
    JSON_POINTER_TEXT = 280, /* two names, cut to their shown part, every character escaped */
};

/* The body's object, a new reference. NULL: 400 or 422 is in the reply. */
json_t *json_body(struct request *request, struct reply *reply);

/* The JSON pointer to a member or, by its number as text, an item. `parent` is a pointer or "". */
void json_pointer(const char *parent, const char *name, char pointer[JSON_POINTER_TEXT]);

/* 422 invalid-field. Always false, so that checks can return it. */
bool json_refuse_field(struct request *request, struct reply *reply, const char *pointer,
                       const char *reason);
/* 422 unknown-field, likewise. */
bool json_refuse_unknown(struct request *request, struct reply *reply, const char *pointer);

#endif

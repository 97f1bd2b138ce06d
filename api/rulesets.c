#include "json_write.h"
#include "routes.h"

/* The rules, as words and as answers: the same for everybody, but for the language. */

static void add_headers(const struct request *request, struct reply *reply)
{
    reply_header(reply, "Cache-Control", "public, max-age=300");
    reply_header(reply, "Content-Language", language_tag(request->language));
    reply_header(reply, "Vary", "Accept-Language");
}

/* --- GET /v1/rulesets ------------------------------------------------------------------------- */

enum handled handle_rulesets(struct request *request, struct reply *reply)
{
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    add_headers(request, reply);
    return reply_rulesets(request, reply);
}

/* --- GET /v1/rating-rules --------------------------------------------------------------------- */

enum handled handle_rating_rules(struct request *request, struct reply *reply)
{
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    add_headers(request, reply);
    return reply_rating_rules(request, reply);
}

/* --- POST /v1/validate ------------------------------------------------------------------------ */

enum handled handle_validate(struct request *request, struct reply *reply)
{
    return request_query_none(request, reply) ? reply_validation(request, reply) : HANDLED;
}

#include "caching.h"

#include <stddef.h>
#include <string.h>

const char *caching_control(const struct route *route, unsigned status)
{
    if (route == NULL || status >= 400) {
        return "no-store";
    }
    return route->auth == AUTH_TOKEN ? "private, no-cache" : "no-cache";
}

bool caching_allows(const struct route *route, const char *control)
{
    bool own = route != NULL && route->auth == AUTH_TOKEN;
    return !own || !caching_is_shared(control);
}

bool caching_is_shared(const char *control)
{
    return strncmp(control, "public", 6) == 0;
}

const char *caching_vary(const struct route *route, bool by_origin)
{
    /* Whole texts, for this is on every answer's way. */
    static const char *const texts[2][3] = {
        {NULL,     "Accept-Encoding",         "Authorization, Accept-Encoding"        },
        {"Origin", "Origin, Accept-Encoding", "Origin, Authorization, Accept-Encoding"},
    };
    bool read = route != NULL && route->method == HTTP_GET;
    size_t kind = !read ? 0 : route->auth == AUTH_TOKEN ? 2 : 1;
    return texts[by_origin][kind];
}

#ifndef API_FRAME_CACHE_H
#define API_FRAME_CACHE_H

/*
 * The newest events of games as text, so that many who watch one game share what was read and
 * written once. An event never changes, so nothing here is ever old; a full place simply forgets.
 *
 * Threads: any. Ownership: texts are counted; whoever got one from the cache gives it back.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct frame_text {
    atomic_uint references;
    int64_t game_no;
    uint32_t seq;
    const char *type; /* static */
    size_t length;
    char text[];
};
/* Of `length` bytes that the caller then fills. NULL: no memory. */
struct frame_text *frame_text_new(size_t length);
void frame_text_unref(struct frame_text *text); /* accepts NULL */

struct frame_cache;
struct frame_cache *frame_cache_new(void); /* NULL: no memory */
void frame_cache_free(struct frame_cache *cache);

/* A reference, or NULL. */
struct frame_text *frame_cache_get(struct frame_cache *cache, int64_t game_no, uint32_t seq);
/* Keeps a reference of its own. */
void frame_cache_put(struct frame_cache *cache, struct frame_text *text);

#endif

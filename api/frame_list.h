#ifndef API_FRAME_LIST_H
#define API_FRAME_LIST_H

/*
 * Frames of a stream as the bytes that go out, in one of three framings.
 *
 * A frame is one JSON object in one line. SSE puts its number, its type and itself into an event;
 * NDJSON puts it on a line; a list puts commas between.
 *
 * Threads: one list, one thread. Ownership: frame_list_free; all zero is an empty list of SSE.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum frames_as { FRAMES_AS_EVENTS, FRAMES_AS_LINES, FRAMES_AS_LIST };

struct frame_list {
    enum frames_as as;
    char *bytes;
    size_t length;
    size_t capacity;
    size_t count;    /* frames that were added */
    int64_t last_id; /* of the last frame that had one; else what it was before */
    bool failed;     /* no memory: nobody sees half a frame */
};

struct frame_item {
    bool has_id; /* false: it is not counted, and nobody resumes from it */
    int64_t id;
    const char *type;    /* an event's name: letters and underscores */
    const char *game_id; /* a member more, in front of the others; NULL: none */
    const char *text;    /* the object */
    size_t length;
};
void frame_list_add(struct frame_list *list, const struct frame_item *item);
/* What only says that the connection lives. */
void frame_list_beat(struct frame_list *list);
/* Bytes as they are. */
void frame_list_put(struct frame_list *list, const char *bytes, size_t length);
/* Forgets the bytes, but not the last number. */
void frame_list_clear(struct frame_list *list);
/* Gives the bytes back. */
void frame_list_free(struct frame_list *list);

#endif

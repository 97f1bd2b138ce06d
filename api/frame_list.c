#include "frame_list.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_MIN = 1024 };

static bool make_room(struct frame_list *list, size_t more)
{
    size_t wanted = list->length + more;
    if (wanted <= list->capacity) {
        return !list->failed;
    }
    size_t capacity = list->capacity < CAPACITY_MIN ? CAPACITY_MIN : list->capacity;
    while (capacity < wanted) {
        capacity *= 2;
    }
    char *bytes = realloc(list->bytes, capacity);
    if (bytes == NULL) {
        list->failed = true;
        return false;
    }
    list->bytes = bytes;
    list->capacity = capacity;
    return !list->failed;
}

void frame_list_put(struct frame_list *list, const char *bytes, size_t length)
{
    assert(list != NULL && (bytes != NULL || length == 0));
    if (length > 0 && make_room(list, length)) {
        memcpy(list->bytes + list->length, bytes, length);
        list->length += length;
    }
}

static void put_text(struct frame_list *list, const char *text)
{
    frame_list_put(list, text, strlen(text));
}

static void put_object(struct frame_list *list, const struct frame_item *item)
{
    assert(item->length >= 2 && item->text[0] == '{' &&
           memchr(item->text, '\n', item->length) == NULL);
    if (item->game_id == NULL) {
        frame_list_put(list, item->text, item->length);
        return;
    }
    put_text(list, "{\"game_id\":\"");
    put_text(list, item->game_id);
    put_text(list, "\",");
    frame_list_put(list, item->text + 1, item->length - 1);
}

static void put_event(struct frame_list *list, const struct frame_item *item)
{
    char id[32];
    if (item->has_id) {
        (void)snprintf(id, sizeof id, "id: %" PRId64 "\n", item->id);
        put_text(list, id);
    }
    put_text(list, "event: ");
    put_text(list, item->type);
    put_text(list, "\ndata: ");
    put_object(list, item);
    put_text(list, "\n\n");
}

void frame_list_add(struct frame_list *list, const struct frame_item *item)
{
    assert(list != NULL && item != NULL && item->type != NULL);
    switch (list->as) {
    case FRAMES_AS_EVENTS: put_event(list, item); break;
    case FRAMES_AS_LINES:
        put_object(list, item);
        put_text(list, "\n");
        break;
    case FRAMES_AS_LIST:
        put_text(list, list->count == 0 ? "" : ",");
        put_object(list, item);
        break;
    }
    list->count++;
    list->last_id = item->has_id ? item->id : list->last_id;
}

void frame_list_beat(struct frame_list *list)
{
    assert(list->as != FRAMES_AS_LIST);
    put_text(list, list->as == FRAMES_AS_EVENTS ? ":\n\n" : "\n");
}

void frame_list_clear(struct frame_list *list)
{
    enum { KEPT = 2 * CAPACITY_MIN };
    list->length = 0;
    list->count = 0;
    if (list->capacity > KEPT) { /* thousands of streams wait, and most of them for long */
        frame_list_free(list);
    }
}

void frame_list_free(struct frame_list *list)
{
    free(list->bytes);
    list->bytes = NULL;
    list->length = 0;
    list->capacity = 0;
}

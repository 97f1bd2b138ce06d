#include "api/frame_list.h"

#include "api/frame_cache.h"

#include <criterion/criterion.h>
#include <string.h>

/* Frames as bytes, and the texts that streams share. */

static void add(struct frame_list *list, bool has_id, int64_t id, const char *type,
                const char *game_id, const char *text)
{
    struct frame_item item = {.has_id = has_id,
                              .id = id,
                              .type = type,
                              .game_id = game_id,
                              .text = text,
                              .length = strlen(text)};
    frame_list_add(list, &item);
}

static void expect_bytes(struct frame_list *list, const char *expected)
{
    cr_assert_not(list->failed);
    cr_expect_eq(list->length, strlen(expected));
    cr_expect_arr_eq(list->bytes, expected, list->length);
    frame_list_free(list);
}

Test(frame_list, an_event_has_its_number_and_its_name)
{
    struct frame_list list = {.as = FRAMES_AS_EVENTS};
    add(&list, true, 7, "move", NULL, "{\"seq\":7}");
    add(&list, false, 0, "presence", NULL, "{\"seq\":null}");
    frame_list_beat(&list);
    cr_expect_eq(list.count, 2);
    cr_expect_eq(list.last_id, 7);
    expect_bytes(&list, "id: 7\nevent: move\ndata: {\"seq\":7}\n\n"
                        "event: presence\ndata: {\"seq\":null}\n\n"
                        ":\n\n");
}

Test(frame_list, lines_have_one_frame_each)
{
    struct frame_list list = {.as = FRAMES_AS_LINES};
    add(&list, true, 7, "move", NULL, "{\"seq\":7}");
    frame_list_beat(&list);
    add(&list, false, 8, "move", "g_1", "{\"seq\":8}");
    cr_expect_eq(list.last_id, 7, "a game's own number is none to resume from");
    expect_bytes(&list, "{\"seq\":7}\n\n{\"game_id\":\"g_1\",\"seq\":8}\n");
}

Test(frame_list, a_list_has_commas_between)
{
    struct frame_list list = {.as = FRAMES_AS_LIST, .last_id = 3};
    cr_expect_eq(list.last_id, 3);
    for (int64_t i = 4; i <= 6; i++) {
        add(&list, true, i, "move", NULL, "{}");
    }
    cr_expect_eq(list.last_id, 6);
    expect_bytes(&list, "{},{},{}");
}

Test(frame_list, it_grows_and_gives_back_what_it_has_grown_to)
{
    char text[4096];
    struct frame_list list = {.as = FRAMES_AS_LINES};
    memset(text, ' ', sizeof text);
    text[0] = '{';
    text[sizeof text - 2] = '}';
    text[sizeof text - 1] = '\0';
    for (int64_t i = 0; i < 100; i++) {
        add(&list, true, i, "move", NULL, text);
    }
    cr_expect_eq(list.length, 100 * sizeof text);
    frame_list_clear(&list);
    cr_expect_eq(list.capacity, 0);
    cr_expect_null(list.bytes);
    cr_expect_eq(list.last_id, 99);
    add(&list, true, 100, "move", NULL, "{}");
    frame_list_clear(&list);
    cr_expect_gt(list.capacity, 0, "a small one is kept");
    frame_list_free(&list);
}

/* --- shared texts --------------------------------------------------------------------------------
 */

static void put(struct frame_cache *cache, int64_t game_no, uint32_t seq, const char *words)
{
    struct frame_text *text = frame_text_new(strlen(words));
    cr_assert_not_null(text);
    text->game_no = game_no;
    text->seq = seq;
    text->type = "move";
    memcpy(text->text, words, text->length);
    frame_cache_put(cache, text);
    frame_text_unref(text);
}

Test(frame_cache, knows_what_was_put_into_it_and_nothing_else)
{
    struct frame_cache *cache = frame_cache_new();
    put(cache, 1, 2, "one");
    put(cache, 2, 1, "other");
    struct frame_text *found = frame_cache_get(cache, 1, 2);
    cr_assert_not_null(found);
    cr_expect_eq(found->length, 3);
    cr_expect_arr_eq(found->text, "one", 3);
    cr_expect_null(frame_cache_get(cache, 1, 1));
    cr_expect_null(frame_cache_get(cache, 1, 3));
    cr_expect_null(frame_cache_get(cache, 3, 2));
    frame_cache_free(cache);
    cr_expect_arr_eq(found->text, "one", 3, "who has it has it");
    frame_text_unref(found);
}

Test(frame_cache, the_newest_events_of_a_game_find_room_beside_each_other)
{
    struct frame_cache *cache = frame_cache_new();
    unsigned found = 0;
    for (uint32_t seq = 1; seq <= 100000; seq++) {
        put(cache, 7, seq, "words");
    }
    for (uint32_t seq = 100000 - 31; seq <= 100000; seq++) {
        struct frame_text *text = frame_cache_get(cache, 7, seq);
        found += text != NULL;
        frame_text_unref(text);
    }
    cr_expect_geq(found, 30, "%u of the last 32", found);
    cr_expect_null(frame_cache_get(cache, 7, 1), "it does not grow");
    frame_cache_free(cache);
}

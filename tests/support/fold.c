#include "fold.h"

#include "listener.h"

#include <string.h>

void fold_settle(json_t *snapshot)
{
    size_t index = 0;
    json_t *seat = NULL;
    (void)json_object_del(snapshot, "server_now");
    (void)json_object_del(json_object_get(snapshot, "clock"), "remaining_ms");
    json_array_foreach(json_object_get(snapshot, "seats"), index, seat)
    {
        (void)json_object_del(seat, "present");
        (void)json_object_del(json_object_get(seat, "player"), "name");
    }
}

static void take(json_t *state, json_t *from, const char *const *names)
{
    for (; *names != NULL; names++) {
        (void)json_object_set(state, *names, json_object_get(from, *names));
    }
}

static json_t *seat_named(json_t *state, const char *letter)
{
    size_t index = 0;
    json_t *seat = NULL;
    json_array_foreach(json_object_get(state, "seats"), index, seat)
    {
        if (strcmp(json_string_value(json_object_get(seat, "seat")), letter) == 0) {
            return seat;
        }
    }
    test_fail("no seat %s", letter);
}

static void fold_clock(json_t *state, json_t *clock)
{
    json_t *deadline = json_object_get(clock, "deadline_at");
    (void)json_object_set(json_object_get(state, "clock"), "deadline_at", deadline);
}

static void fold_move(json_t *state, json_t *data)
{
    static const char *const names[] = {"status",      "ply",      "next_ply", "turn",
                                        "turn_reason", "position", "result",   NULL};
    size_t index = 0;
    json_t *seat = NULL;
    json_t *game = json_object_get(data, "game");
    take(state, game, names);
    fold_clock(state, json_object_get(game, "clock"));
    json_array_foreach(json_object_get(game, "seats"), index, seat)
    {
        const char *letter = json_string_value(json_object_get(seat, "seat"));
        (void)json_object_update(seat_named(state, letter), seat);
    }
    (void)json_array_extend(json_object_get(state, "eliminations"),
                            json_object_get(data, "eliminations"));
}

/* Nobody is on turn any more. */
static void fold_ending(json_t *state, json_t *frame)
{
    static const char *const names[] = {"status", "unrated_reason", "result", NULL};
    take(state, frame_data(frame), names);
    (void)json_object_set_new(state, "turn", json_null());
    (void)json_object_set_new(state, "next_ply", json_null());
    (void)json_object_set_new(state, "turn_reason", json_null());
    (void)json_object_set_new(json_object_get(state, "clock"), "deadline_at", json_null());
    if (strcmp(frame_type(frame), "finished") == 0) {
        (void)json_object_set(state, "finished_at", json_object_get(frame, "at"));
    }
}

static void fold_seat(json_t *state, json_t *data)
{
    static const char *const names[] = {"control", "cpu_level", NULL};
    take(seat_named(state, json_string_value(json_object_get(data, "seat"))), data, names);
    fold_clock(state, json_object_get(data, "clock"));
}

void fold(json_t **state, json_t *frame)
{
    const char *type = frame_type(frame);
    json_t *data = frame_data(frame);
    if (strcmp(type, "snapshot") == 0) {
        json_decref(*state);
        *state = json_deep_copy(data);
        fold_settle(*state);
        return;
    }
    if (frame_seq(frame) < 0) {
        return;
    }
    if (frame_seq(frame) != json_integer_value(json_object_get(*state, "seq")) + 1) {
        test_fail("%s %lld comes out of order", type, frame_seq(frame));
    }
    (void)json_object_set(*state, "seq", json_object_get(frame, "seq"));
    if (strcmp(type, "move") == 0) {
        fold_move(*state, data);
    } else if (strcmp(type, "finished") == 0 || strcmp(type, "voided") == 0) {
        fold_ending(*state, frame);
    } else if (strcmp(type, "seat") == 0) {
        fold_seat(*state, data);
    } else if (strcmp(type, "clock") == 0) {
        fold_clock(*state, data);
    } else if (strcmp(type, "replay") == 0) {
        (void)json_object_set(*state, "replayed_by", json_object_get(data, "game_id"));
    } else if (strcmp(type, "rematch") == 0) {
        (void)json_object_set(*state, "rematched_by", json_object_get(data, "game_id"));
    } else {
        test_fail("nobody knows what a %s changes", type);
    }
}

#include "json_frames.h"
#include "json_parts.h"

#include <assert.h>
#include <string.h>

static struct json_out frame_begin(bool counted, int64_t seq, const char *type, int64_t at_ms)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_integer_or_null(&out, "seq", counted, seq);
    json_out_text(&out, "type", type);
    json_out_time(&out, "at", at_ms);
    return out;
}

static char *frame_end(struct json_out *out, size_t *length)
{
    json_out_end(out);
    return json_out_take(out, length);
}

/* --- events of games
 * ------------------------------------------------------------------------------
 */

static void write_ending(struct json_out *out, const struct ending_view *ending)
{
    json_out_object(out, "data");
    json_out_text(out, "status", ending->status);
    json_out_text_or_null(out, "unrated_reason", ending->unrated_reason);
    json_result(out, &ending->result, ending->seat_count);
    json_out_end(out);
}

static void write_link(struct json_out *out, const struct frame *frame)
{
    json_out_object(out, "data");
    json_out_text_or_null(out, "game_id", frame->linked.id.text);
    json_out_end(out);
}

/* Who plays a seat follows from why that changed. */
static void write_seat(struct json_out *out, const struct frame *frame)
{
    bool back = strcmp(frame->event.reason, "returned") == 0;
    json_out_object(out, "data");
    json_out_text(out, "seat", frame->event.seat);
    json_out_text(out, "control", back ? "player" : "cpu");
    json_out_text(out, "reason", frame->event.reason);
    json_out_integer_or_null(out, "cpu_level", frame->event.cpu_level != 0, frame->event.cpu_level);
    json_clock(out, frame->turn_seconds, frame->event.deadline_at_ms, frame->at_ms);
    json_out_end(out);
}

static void write_clock(struct json_out *out, const struct frame *frame)
{
    json_out_object(out, "data");
    json_out_time(out, "deadline_at", frame->event.deadline_at_ms);
    json_out_text(out, "reason", frame->event.reason);
    json_out_end(out);
}

char *json_frame(const struct frame *frame, size_t *length)
{
    struct json_out out = frame_begin(true, frame->seq, frame_word(frame->kind), frame->at_ms);
    switch (frame->kind) {
    case FRAME_MOVE: json_move_answer(&out, "data", &frame->move); break;
    case FRAME_SEAT: write_seat(&out, frame); break;
    case FRAME_FINISHED:
    case FRAME_VOIDED: write_ending(&out, &frame->ending); break;
    case FRAME_REPLAY:
    case FRAME_REMATCH: write_link(&out, frame); break;
    case FRAME_CLOCK: write_clock(&out, frame); break;
    case FRAME_KINDS: assert(false); break;
    }
    return frame_end(&out, length);
}

char *json_frame_game(const struct game_view *view, size_t *length)
{
    struct json_out out = frame_begin(true, view->game.seq, "snapshot", view->now_ms);
    json_game_open(&out, "data", view);
    json_out_end(&out);
    return frame_end(&out, length);
}

/* --- a player's own ------------------------------------------------------------------------------
 */

char *json_frame_me(const struct me_view *view, int64_t seq, int64_t at_ms, size_t *length)
{
    struct json_out out = frame_begin(true, seq, "snapshot", at_ms);
    json_me(&out, "data", view);
    return frame_end(&out, length);
}

char *json_frame_personal(const struct db_personal *event, size_t *length)
{
    struct json_out out = frame_begin(true, event->seq, event->type, event->at_ms);
    json_out_object(&out, "data");
    if (event->table_no == 0) {
        json_out_text(&out, "game_id", event->game_id.id.text);
    } else {
        json_out_text(&out, "table_id", event->table_id.id.text);
    }
    json_out_end(&out);
    return frame_end(&out, length);
}

char *json_frame_rematch(const struct db_personal *event, const struct rematch_view *view,
                         size_t *length)
{
    struct json_out out = frame_begin(true, event->seq, event->type, event->at_ms);
    json_out_object(&out, "data");
    json_out_text(&out, "game_id", view->has_game ? view->game_id.id.text : event->game_id.id.text);
    json_out_text(&out, "rematch_of", event->game_id.id.text);
    json_rematch_asked(&out, view);
    json_out_end(&out);
    return frame_end(&out, length);
}

char *json_frame_turn(const struct own_game *game, const struct turn_view *turn, size_t *length)
{
    struct json_out out = frame_begin(true, turn->seq, "your_turn", turn->at_ms);
    json_out_object(&out, "data");
    json_out_text(&out, "seat", game->seat);
    json_out_integer(&out, "next_ply", (int64_t)turn->ply + 1);
    json_out_text(&out, "turn_reason", turn->check ? "check" : "order");
    json_clock(&out, turn->turn_seconds, turn->deadline_at_ms, turn->now_ms);
    json_out_end(&out);
    return frame_end(&out, length);
}

/* --- what is not counted -------------------------------------------------------------------------
 */

char *json_frame_presence(char seat, bool present, int64_t at_ms, size_t *length)
{
    const char letter[2] = {seat, '\0'};
    struct json_out out = frame_begin(false, 0, "presence", at_ms);
    json_out_object(&out, "data");
    json_out_text(&out, "seat", letter);
    json_out_bool(&out, "present", present);
    json_out_end(&out);
    return frame_end(&out, length);
}

char *json_frame_control(const char *type, int64_t at_ms, size_t *length)
{
    struct json_out out = frame_begin(false, 0, type, at_ms);
    json_out_object(&out, "data");
    json_out_end(&out);
    return frame_end(&out, length);
}

#include "json_parts.h"
#include "match/record.h"
#include "problem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* The parts of a record: one document with all of them, or a line for each. */

static void write_seats(struct json_out *out, const struct record *record)
{
    json_out_array(out, "seats");
    for (size_t i = 0; i < record->seat_count; i++) {
        const struct db_seat *seat = &record->seats[i];
        json_out_object(out, NULL);
        json_out_text(out, "seat", seat->seat);
        json_out_text_or_null(out, "player_id",
                              seat->player_no == 0 ? NULL : seat->player_id.id.text);
        json_out_end(out);
    }
    json_out_end(out);
}

static void write_head(struct json_out *out, const struct record *record)
{
    enum { VERSION = 1 };
    const struct db_game *game = &record->game;
    json_out_integer(out, "version", VERSION);
    json_out_text(out, "id", game->id.id.text);
    json_out_text(out, "game", game->game);
    json_out_text_or_null(out, "pool", game->pool);
    json_options(out, "options", record->rules, &record->options);
    json_out_integer(out, "turn_seconds", game->turn_seconds);
    json_out_time(out, "created_at", game->created_at_ms);
    json_out_text_or_null(out, "replay_of",
                          record->has_replay_of ? record->replay_of.id.text : NULL);
    write_seats(out, record);
    json_out_text(out, "start", record->start);
}

static void write_places(struct json_out *out, const struct record *record)
{
    if (!record->has_places) {
        json_out_null(out, "places");
        return;
    }
    json_out_array(out, "places");
    for (size_t i = 0; i < record->seat_count; i++) {
        json_out_integer(out, NULL, record->seats[i].place);
    }
    json_out_end(out);
}

static void write_eliminations(struct json_out *out, const struct record *record)
{
    json_out_array(out, "eliminations");
    for (size_t i = 0; i < record->elimination_count; i++) {
        const struct line_elimination *fallen = &record->eliminations[i];
        json_elimination(out, record->rules, fallen->ply, &fallen->elimination);
    }
    json_out_end(out);
}

static void write_status(struct json_out *out, const struct record *record)
{
    const struct db_game *game = &record->game;
    json_out_text(out, "status", game->status);
    json_out_text_or_null(out, "reason", game->end_reason);
    json_out_text_or_null(out, "resigned", record->resigned);
    write_eliminations(out, record);
    write_places(out, record);
    json_out_text(out, "position", game->position);
    json_out_time(out, "finished_at", game->finished_at_ms);
}

enum handled reply_record_json(const struct request *request, struct reply *reply,
                               const struct record *record)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    write_head(&out, record);
    json_out_array(&out, "moves");
    for (size_t i = 0; i < record->move_count; i++) {
        json_out_object(&out, NULL);
        json_move_members(&out, &record->moves[i]);
        json_out_end(&out);
    }
    json_out_end(&out);
    write_status(&out, record);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

/* --- lines ------------------------------------------------------------------------------------ */

static struct json_out line_begin(const char *type)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_text(&out, "type", type);
    return out;
}

/* False: no memory. */
static bool line_end(FILE *lines, struct json_out *take_out)
{
    size_t length = 0;
    json_out_end(take_out);
    char *text = json_out_take(take_out, &length);
    bool good = text != NULL && fwrite(text, 1, length, lines) == length && fputc('\n', lines) >= 0;
    free(text);
    return good;
}

static bool write_lines(FILE *lines, const struct record *record)
{
    struct json_out out = line_begin("game");
    write_head(&out, record);
    bool good = line_end(lines, &out);
    for (size_t i = 0; good && i < record->move_count; i++) {
        out = line_begin("move");
        json_move_members(&out, &record->moves[i]);
        good = line_end(lines, &out);
    }
    out = line_begin("status");
    write_status(&out, record);
    return line_end(lines, &out) && good;
}

enum handled reply_record_lines(const struct request *request, struct reply *reply,
                                const struct record *record)
{
    char *text = NULL;
    size_t length = 0;
    FILE *lines = open_memstream(&text, &length);
    bool good = lines != NULL && write_lines(lines, record);
    if (lines != NULL) {
        good = fclose(lines) == 0 && good;
    }
    if (!good) {
        free(text);
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    reply_take(reply, 200, media_text(MEDIA_NDJSON), text, length);
    return HANDLED;
}

#include "json_parts.h"

#include <assert.h>

static const char *name_of(const struct table_person *person)
{
    return person->has_name ? person->name : NULL;
}

static void write_members(struct json_out *out, const struct table_view *view)
{
    assert(view->member_count <= LIMIT_TABLE_MEMBERS);
    json_out_array(out, "members");
    for (size_t i = 0; i < view->member_count; i++) {
        const struct table_person *member = &view->members[i];
        json_out_object(out, NULL);
        json_out_text(out, "id", member->id.id.text);
        json_out_text_or_null(out, "name", name_of(member));
        json_out_bool(out, "present", member->present);
        json_out_end(out);
    }
    json_out_end(out);
}

static void write_seats(struct json_out *out, const struct table_view *view)
{
    assert(view->seat_count <= DB_SEATS_MAX);
    json_out_array(out, "seats");
    for (size_t i = 0; i < view->seat_count; i++) {
        const struct table_seat_view *seat = &view->seats[i];
        bool by_cpu = seat->cpu_level != 0;
        json_out_object(out, NULL);
        json_out_text(out, "seat", seat->seat);
        if (seat->taken && !by_cpu) {
            json_player(out, "player", &seat->person.id, name_of(&seat->person));
        } else {
            json_out_null(out, "player");
        }
        json_out_integer_or_null(out, "cpu_level", by_cpu, seat->cpu_level);
        json_out_end(out);
    }
    json_out_end(out);
}

static void write_games(struct json_out *out, const struct table_view *view)
{
    assert(view->game_count <= LIMIT_TABLE_GAMES);
    json_out_array(out, "games");
    for (size_t i = 0; i < view->game_count; i++) {
        json_out_text(out, NULL, view->games[i].id.text);
    }
    json_out_end(out);
}

static void write_table(struct json_out *out, const struct table_view *view)
{
    const struct db_table *row = &view->row;
    json_out_object(out, NULL);
    json_out_text(out, "id", row->id.id.text);
    json_out_text_or_null(out, "code", view->code);
    json_out_bool(out, "public", row->is_public);
    json_out_text(out, "game", row->game);
    json_options(out, "options", view->rules, &view->options);
    json_out_integer(out, "turn_seconds", row->turn_seconds);
    json_out_bool(out, "show_legal_moves", row->show_legal_moves);
    json_out_bool(out, "rotate_first", row->rotate_first);
    json_out_bool(out, "rated", row->rated);
    json_out_text_or_null(out, "host_player_id", row->host_id.id.text);
    write_members(out, view);
    write_seats(out, view);
    json_out_text(out, "status", row->status);
    json_out_text_or_null(out, "game_id", row->game_id.id.text);
    write_games(out, view);
    json_out_time(out, "created_at", row->created_at_ms);
    json_out_end(out);
}

enum handled reply_table(const struct request *request, struct reply *reply, unsigned status,
                         const struct table_view *view)
{
    struct json_out out = json_out_begin();
    write_table(&out, view);
    return status == 200 ? reply_json_tagged(request, reply, &out)
                         : reply_json(request, reply, status, &out);
}

enum handled reply_tables(const struct request *request, struct reply *reply,
                          const struct table_view *views, size_t count, const char *next)
{
    struct json_out out = json_out_begin();
    json_list_begin(&out);
    for (size_t i = 0; i < count; i++) {
        write_table(&out, &views[i]);
    }
    json_list_end(&out, next);
    return reply_json(request, reply, 200, &out);
}

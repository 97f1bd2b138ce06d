#include "json_parts.h"

#include <math.h>
#include <string.h>

/* --- registration and the caller's own -----------------------------------------------------------
 */

static json_t *json_own_player(const struct db_player *player)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "id", json_string_nocheck(player->id.id.text));
    json_out_set(&out, "name", player->has_name ? json_string(player->name) : json_null());
    json_out_set(&out, "created_at", json_time(player->created_at_ms));
    return json_out_end(&out);
}

enum handled reply_registration(const struct request *request, struct reply *reply,
                                const struct match_register *command)
{
    struct json_out device = json_out_begin();
    json_out_set(&device, "id", json_string_nocheck(command->device.id.id.text));
    struct json_out out = json_out_begin();
    json_out_set(&out, "player", json_own_player(&command->player));
    json_out_set(&out, "device", json_out_end(&device));
    json_out_set(&out, "token", json_string_nocheck(command->token));
    return reply_json(request, reply, 201, json_out_end(&out));
}

static json_t *json_pool(const struct pool_view *pool)
{
    const struct db_rating *rating = &pool->rating;
    struct json_out out = json_out_begin();
    json_out_set(&out, "rating", json_points(rating->rating_milli));
    json_out_set(&out, "games", json_integer(rating->games));
    json_out_set(&out, "wins", json_integer(rating->wins));
    json_out_set(&out, "draws", json_integer(rating->draws));
    json_out_set(&out, "losses", json_integer(rating->losses));
    json_out_set(&out, "provisional", json_boolean(pool->provisional));
    json_out_set(&out, "rank", json_integer_or_null(pool->rank != 0, pool->rank));
    return json_out_end(&out);
}

enum handled reply_me(const struct request *request, struct reply *reply,
                      const struct me_view *view)
{
    struct json_out ratings = json_out_begin();
    json_t *games = json_array();
    for (size_t i = 0; i < view->pool_count; i++) {
        json_out_set(&ratings, view->pools[i].pool, json_pool(&view->pools[i]));
    }
    for (size_t i = 0; i < view->game_count; i++) {
        games = json_append(games, json_game(&view->games[i]));
    }
    struct json_out out = json_out_begin();
    json_out_set(&out, "player", json_own_player(&view->player));
    json_out_set(&out, "ratings", json_out_end(&ratings));
    json_out_set(&out, "open_games", games);
    json_out_set(&out, "ticket", view->has_ticket ? json_ticket(&view->ticket) : json_null());
    return reply_json(request, reply, 200, json_out_end(&out));
}

/* --- tickets -------------------------------------------------------------------------------------
 */

json_t *json_ticket(const struct ticket_view *view)
{
    const struct db_ticket *row = &view->row;
    struct json_out out = json_out_begin();
    json_out_set(&out, "id", json_string_nocheck(row->id.id.text));
    json_out_set(&out, "pool", json_string_nocheck(row->pool));
    json_out_set(&out, "turn_seconds", json_integer(row->turn_seconds));
    json_out_set(&out, "partner", json_null());
    json_out_set(&out, "status", json_string_nocheck(row->status));
    json_out_set(&out, "game_id", json_text_or_null(row->game_id.id.text));
    json_out_set(&out, "seat", json_text_or_null(row->seat));
    json_out_set(&out, "rating", json_points(row->rating_milli));
    json_out_set(&out, "window", json_null());
    json_out_set(&out, "estimate_seconds", json_null());
    json_out_set(&out, "created_at", json_time(row->created_at_ms));
    json_out_set(&out, "expires_at", json_time(view->expires_at_ms));
    return json_out_end(&out);
}

enum handled reply_ticket(const struct request *request, struct reply *reply, unsigned status,
                          const struct ticket_view *view)
{
    return reply_json(request, reply, status, json_ticket(view));
}

/* --- rankings ------------------------------------------------------------------------------------
 */

static void set_score(struct json_out *out, const struct db_rating *rating)
{
    json_out_set(out, "rating", json_points(rating->rating_milli));
    json_out_set(out, "games", json_integer(rating->games));
    json_out_set(out, "wins", json_integer(rating->wins));
    json_out_set(out, "draws", json_integer(rating->draws));
    json_out_set(out, "losses", json_integer(rating->losses));
}

/* With two seats, places say nothing that wins and losses do not. */
static json_t *json_ranking_row(const struct db_ranking_row *row, size_t seats)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "rank", json_integer(row->rank));
    json_out_set(&out, "player", json_player(&row->player_id, row->has_name, row->name));
    set_score(&out, &row->rating);
    if (seats > 2) {
        json_t *places = json_array();
        for (size_t i = 0; i < seats; i++) {
            places = json_append(places, json_integer(row->rating.places[i]));
        }
        json_out_set(&out, "places", places);
    }
    json_out_set(&out, "provisional", json_boolean(row->rating.list == DB_PROVISIONAL));
    json_out_set(&out, "last_game_at", json_time(row->rating.last_game_at_ms));
    return json_out_end(&out);
}

static json_t *json_rows(const struct db_ranking_row *rows, size_t count, size_t seats)
{
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        items = json_append(items, json_ranking_row(&rows[i], seats));
    }
    return items;
}

enum handled reply_ranking(const struct request *request, struct reply *reply,
                           const struct ranking_reply *ranking)
{
    const struct ranking_page *page = ranking->page;
    struct json_out out = json_out_begin();
    json_out_set(&out, "pool", json_string_nocheck(ranking->pool));
    json_out_set(&out, "total", json_integer(page->total));
    json_out_set(&out, "as_of", json_time(page->as_of_ms));
    json_out_set(&out, "items", json_rows(page->rows, page->count, ranking->seats));
    json_out_set(&out, "next_cursor", json_text_or_null(ranking->next));
    return reply_json(request, reply, 200, json_out_end(&out));
}

static json_t *json_percentile(const struct standing_view *view)
{
    return view->has_rank ? json_real(round(view->percentile * 10.0) / 10.0) : json_null();
}

enum handled reply_standing(const struct request *request, struct reply *reply, size_t seats,
                            const struct standing_view *view)
{
    const struct db_player *player = &view->player;
    struct json_out out = json_out_begin();
    json_out_set(&out, "pool", json_string_nocheck(view->pool.pool));
    json_out_set(&out, "rank", json_integer_or_null(view->has_rank, view->rank));
    json_out_set(&out, "percentile", json_percentile(view));
    json_out_set(&out, "player", json_player(&player->id, player->has_name, player->name));
    set_score(&out, &view->pool.rating);
    json_out_set(&out, "provisional", json_boolean(view->pool.provisional));
    json_out_set(&out, "around", json_rows(view->around, view->around_count, seats));
    return reply_json(request, reply, 200, json_out_end(&out));
}

#include "json_parts.h"

#include <assert.h>
#include <math.h>

/* --- registration and the caller's own -------------------------------------------------------- */

static void write_full_player(struct json_out *out, const char *key, const struct db_player *player)
{
    json_out_object(out, key);
    json_out_text(out, "id", player->id.id.text);
    json_out_text_or_null(out, "name", player->has_name ? player->name : NULL);
    json_out_time(out, "created_at", player->created_at_ms);
    json_out_end(out);
}

enum handled reply_registration(const struct request *request, struct reply *reply,
                                const struct db_player *player, const struct db_device *device,
                                const char *token)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    write_full_player(&out, "player", player);
    json_out_object(&out, "device");
    json_out_text(&out, "id", device->id.id.text);
    json_out_end(&out);
    json_out_text(&out, "token", token);
    json_out_end(&out);
    return reply_json(request, reply, 201, &out);
}

enum handled reply_token(const struct request *request, struct reply *reply, const char *token)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_text(&out, "token", token);
    json_out_end(&out);
    return reply_json(request, reply, 201, &out);
}

enum handled reply_link_code(const struct request *request, struct reply *reply,
                             const struct match_link *command)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_text(&out, "code", command->code);
    json_out_time(&out, "expires_at", command->expires_at_ms);
    json_out_end(&out);
    return reply_json(request, reply, 201, &out);
}

enum handled reply_devices(const struct request *request, struct reply *reply,
                           const struct db_device *devices, size_t count, const char *next)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_array(&out, "items");
    for (size_t i = 0; i < count; i++) {
        const struct db_device *device = &devices[i];
        json_out_object(&out, NULL);
        json_out_text(&out, "id", device->id.id.text);
        json_out_time(&out, "created_at", device->created_at_ms);
        json_out_text_or_null(&out, "last_used_on", device->last_used_on);
        json_out_bool(&out, "current", device->device_no == request->identity.device_no);
        json_out_end(&out);
    }
    json_out_end(&out);
    json_out_text_or_null(&out, "next_cursor", next);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

static void write_score(struct json_out *out, const struct db_rating *rating)
{
    json_out_points(out, "rating", rating->rating_milli);
    json_out_integer(out, "games", rating->games);
    json_out_integer(out, "wins", rating->wins);
    json_out_integer(out, "draws", rating->draws);
    json_out_integer(out, "losses", rating->losses);
}

static void write_pools(struct json_out *out, const struct pool_view *pools, size_t count)
{
    assert(count <= MATCH_POOLS_MAX);
    json_out_object(out, "ratings");
    for (const struct pool_view *pool = pools; pool < pools + count; pool++) {
        json_out_object(out, pool->pool);
        write_score(out, &pool->rating);
        json_out_bool(out, "provisional", pool->provisional);
        json_out_integer_or_null(out, "rank", pool->rank != 0, pool->rank);
        json_out_end(out);
    }
    json_out_end(out);
}

void json_me(struct json_out *out, const char *key, const struct me_view *view)
{
    assert(view->game_count <= LIMIT_GAMES_AT_ONCE);
    json_out_object(out, key);
    write_full_player(out, "player", &view->player);
    write_pools(out, view->pools, view->pool_count);
    json_out_array(out, "open_games");
    for (size_t i = 0; i < view->game_count; i++) {
        json_game_open(out, NULL, &view->games[i]);
        json_out_end(out);
    }
    json_out_end(out);
    if (view->has_ticket) {
        json_ticket(out, "ticket", &view->ticket);
    } else {
        json_out_null(out, "ticket");
    }
    json_out_end(out);
}

enum handled reply_me(const struct request *request, struct reply *reply,
                      const struct me_view *view)
{
    struct json_out out = json_out_begin();
    json_me(&out, NULL, view);
    return reply_json(request, reply, 200, &out);
}

/* --- players as others see them --------------------------------------------------------------- */

enum handled reply_profile(const struct request *request, struct reply *reply,
                           const struct profile_view *view)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    write_full_player(&out, "player", &view->player);
    write_pools(&out, view->pools, view->pool_count);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

enum handled reply_players(const struct request *request, struct reply *reply,
                           const struct db_player *players, size_t count, const char *next)
{
    struct json_out out = json_out_begin();
    json_list_begin(&out);
    for (size_t i = 0; i < count; i++) {
        write_full_player(&out, NULL, &players[i]);
    }
    json_list_end(&out, next);
    return reply_json(request, reply, 200, &out);
}

/* --- tickets ---------------------------------------------------------------------------------- */

void json_ticket(struct json_out *out, const char *key, const struct ticket_view *view)
{
    const struct db_ticket *row = &view->row;
    json_out_object(out, key);
    json_out_text(out, "id", row->id.id.text);
    json_out_text(out, "pool", row->pool);
    json_out_integer(out, "turn_seconds", row->turn_seconds);
    json_out_text_or_null(out, "partner", row->partner_id.id.text);
    json_out_text(out, "status", row->status);
    json_out_text_or_null(out, "game_id", row->game_id.id.text);
    json_out_text_or_null(out, "seat", row->seat);
    json_out_points(out, "rating", row->rating_milli);
    if (view->has_window) {
        json_out_points(out, "window", view->window_milli);
    } else {
        json_out_null(out, "window");
    }
    if (view->has_estimate) {
        json_out_integer(out, "estimate_seconds", (view->estimate_ms + 999) / 1000);
    } else {
        json_out_null(out, "estimate_seconds");
    }
    json_out_time(out, "created_at", row->created_at_ms);
    json_out_time(out, "expires_at", view->expires_at_ms);
    json_out_end(out);
}

enum handled reply_ticket(const struct request *request, struct reply *reply, unsigned status,
                          const struct ticket_view *view)
{
    struct json_out out = json_out_begin();
    json_ticket(&out, NULL, view);
    return reply_json(request, reply, status, &out);
}

/* --- rankings --------------------------------------------------------------------------------- */

/* With two seats, places say nothing that wins and losses do not. */
static void write_places(struct json_out *out, const struct db_rating *rating, size_t seats)
{
    assert(seats >= 2 && seats <= DB_SEATS_MAX);
    if (seats == 2) {
        return;
    }
    json_out_array(out, "places");
    for (size_t i = 0; i < seats; i++) {
        json_out_integer(out, NULL, rating->places[i]);
    }
    json_out_end(out);
}

static void write_rows(struct json_out *out, const char *key, const struct db_ranking_row *rows,
                       size_t count, size_t seats)
{
    json_out_array(out, key);
    for (const struct db_ranking_row *row = rows; row < rows + count; row++) {
        json_out_object(out, NULL);
        json_out_integer(out, "rank", row->rank);
        json_player(out, "player", &row->player_id, row->has_name ? row->name : NULL);
        write_score(out, &row->rating);
        write_places(out, &row->rating, seats);
        json_out_bool(out, "provisional", row->rating.list == DB_PROVISIONAL);
        json_out_time(out, "last_game_at", row->rating.last_game_at_ms);
        json_out_end(out);
    }
    json_out_end(out);
}

enum handled reply_ranking(const struct request *request, struct reply *reply,
                           const struct ranking_reply *ranking)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_text(&out, "pool", ranking->pool);
    json_out_integer(&out, "total", ranking->page->total);
    json_out_time(&out, "as_of", ranking->page->as_of_ms);
    write_rows(&out, "items", ranking->page->rows, ranking->count, ranking->seats);
    json_out_text_or_null(&out, "next_cursor", ranking->next);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

/* One decimal: tenths of a percent, said in the thousandths that numbers are written in. */
static void write_percentile(struct json_out *out, const struct standing_view *view)
{
    if (view->has_rank) {
        assert(view->percentile >= 0.0 && view->percentile <= 100.0);
        json_out_points(out, "percentile", llround(view->percentile * 10.0) * 100);
    } else {
        json_out_null(out, "percentile");
    }
}

enum handled reply_standing(const struct request *request, struct reply *reply, size_t seats,
                            const struct standing_view *view)
{
    const struct db_player *player = &view->player;
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_text(&out, "pool", view->pool.pool);
    json_out_integer_or_null(&out, "rank", view->has_rank, view->rank);
    write_percentile(&out, view);
    json_player(&out, "player", &player->id, player->has_name ? player->name : NULL);
    write_score(&out, &view->pool.rating);
    json_out_bool(&out, "provisional", view->pool.provisional);
    write_rows(&out, "around", view->around, view->around_count, seats);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

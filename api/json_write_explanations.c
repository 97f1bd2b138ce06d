#include "json_parts.h"
#include "match/explanation.h"

#include <assert.h>

static void write_side(struct json_out *out, const struct explanation_view *view,
                       const struct explained_side *side)
{
    assert(side->seat_no < view->game.seat_count);
    json_out_object(out, NULL);
    json_out_text(out, "seat", view->game.seats[side->seat_no].row.seat);
    json_out_points(out, "rating", side->rating_milli);
    json_out_millionths(out, "expected", side->expected_micro);
    if (view->ended) {
        json_out_points(out, "score", side->score_halves * INT64_C(500));
        json_out_points(out, "points", side->points_milli);
    } else {
        json_out_null(out, "score");
        json_out_null(out, "points");
    }
    json_out_text_or_null(out, "sentence", side->sentence);
    json_out_end(out);
}

static void write_against(struct json_out *out, const struct explanation_view *view,
                          const struct explained_seat *seat)
{
    assert(seat->against_count < DB_SEATS_MAX);
    json_out_array(out, "against");
    for (size_t i = 0; i < seat->against_count; i++) {
        write_side(out, view, &seat->against[i]);
    }
    json_out_end(out);
}

static void write_outcomes(struct json_out *out, const struct explanation_view *view,
                           const struct explained_seat *seat)
{
    if (view->ended || !view->at_stake) {
        json_out_null(out, "outcomes");
        return;
    }
    json_out_array(out, "outcomes");
    for (size_t i = 0; i < seat->outcome_count; i++) {
        json_out_object(out, NULL);
        json_out_array(out, "places");
        for (size_t j = 0; j < view->game.seat_count; j++) {
            json_out_integer(out, NULL, seat->outcomes[i].places[j]);
        }
        json_out_end(out);
        json_out_points(out, "delta", seat->outcomes[i].delta_milli);
        json_out_end(out);
    }
    json_out_end(out);
}

/* Nobody's rating is touched: there are no numbers to explain. */
static void write_nulls(struct json_out *out, const char *const *keys)
{
    for (; *keys != NULL; keys++) {
        json_out_null(out, *keys);
    }
}

static void write_before(struct json_out *out, const struct explanation_view *view,
                         const struct explained_seat *seat)
{
    static const char *const keys[] = {"before", "k", "provisional", NULL};
    if (!view->at_stake) {
        write_nulls(out, keys);
        return;
    }
    json_out_points(out, "before", seat->before_milli);
    json_out_integer(out, "k", seat->k);
    json_out_bool(out, "provisional", seat->provisional);
}

static void write_after(struct json_out *out, const struct explanation_view *view,
                        const struct explained_seat *seat)
{
    static const char *const keys[] = {"after", "delta", "floor_applied", "cpu_capped", NULL};
    if (!view->at_stake || !view->ended) {
        write_nulls(out, keys);
        return;
    }
    json_out_points(out, "after", seat->after_milli);
    json_out_points(out, "delta", seat->delta_milli);
    json_out_bool(out, "floor_applied", seat->floor_applied);
    json_out_bool(out, "cpu_capped", seat->cpu_capped);
}

static void write_seat(struct json_out *out, const struct explanation_view *view, size_t seat_no)
{
    const struct db_seat *row = &view->game.seats[seat_no].row;
    const struct explained_seat *seat = &view->seats[seat_no];
    json_out_object(out, NULL);
    json_out_text(out, "seat", row->seat);
    json_out_text_or_null(out, "player_id", row->player_no == 0 ? NULL : row->player_id.id.text);
    write_before(out, view, seat);
    write_after(out, view, seat);
    write_against(out, view, seat);
    write_outcomes(out, view, seat);
    json_out_end(out);
}

enum handled reply_explanation(const struct request *request, struct reply *reply,
                               const struct explanation_view *view)
{
    const struct db_game *game = &view->game.game;
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_text(&out, "game_id", game->id.id.text);
    json_out_text_or_null(&out, "pool", game->pool);
    json_out_bool(&out, "rated", game->rated);
    json_out_text_or_null(&out, "unrated_reason", game->unrated_reason);
    json_out_text_or_null(&out, "rating_status", view->game.result.rating_status);
    json_out_array(&out, "seats");
    for (size_t i = 0; i < view->game.seat_count; i++) {
        write_seat(&out, view, i);
    }
    json_out_end(&out);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

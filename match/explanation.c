#include "outcomes.h"
#include "ratings/elo.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* --- a running game ------------------------------------------------------------------------------
 */

static void fill_before(const struct game_view *game, const struct rated_seat *now,
                        const struct elo_change *change, struct explained_seat *seat)
{
    seat->before_milli = now->rating_milli;
    seat->k = change->k;
    seat->provisional = elo_is_provisional(now->rated_games);
    seat->against_count = change->against_count;
    for (size_t i = 0; i < change->against_count; i++) {
        const struct elo_against *against = &change->against[i];
        seat->against[i] = (struct explained_side){
            .seat_no = side_first_seat(game->rules, &game->options, against->side),
            .rating_milli = against->rating_milli,
            .expected_micro = result_expected_micro(against->expected),
        };
    }
}

/* Expectations hang on nobody's place, so any places will do to ask for them. */
static enum db_status explain_running(struct db *db, struct explanation_view *view)
{
    const struct game_view *game = &view->game;
    struct db_seat rows[DB_SEATS_MAX];
    struct db_rating ratings[DB_SEATS_MAX];
    struct rated_seat now[DB_SEATS_MAX] = {0};
    struct elo_change changes[DB_SEATS_MAX];
    for (size_t i = 0; i < game->seat_count; i++) {
        rows[i] = game->seats[i].row;
    }
    enum db_status status = result_standings(db, &game->game, rows, game->seat_count, ratings, now);
    if (status != DB_OK) {
        return status;
    }
    for (size_t i = 0; i < game->seat_count; i++) {
        now[i].place = 1;
    }
    result_changes(game->rules, &game->options, now, changes);
    for (uint8_t i = 0; i < game->seat_count; i++) {
        fill_before(game, &now[i], &changes[i], &view->seats[i]);
        view->seats[i].outcome_count =
            outcomes_of_seat(game->rules, &game->options, now, i, view->seats[i].outcomes);
    }
    return DB_OK;
}

/* --- an ended game -------------------------------------------------------------------------------
 */

enum { NAMES_TEXT = DB_SEATS_MAX * (DB_NAME_TEXT + 5) };

/* Everybody on the side of a seat, by name or by the id of who has none any more. */
static void name_side(const struct game_view *game, uint8_t seat_no, char names[NAMES_TEXT])
{
    const struct game_rules *rules = game->rules;
    uint8_t side = rules->team(&game->options, seat_no);
    int used = 0;
    for (uint8_t i = seat_no; i < game->seat_count; i++) {
        const struct db_seat *seat = &game->seats[i].row;
        if (rules->team(&game->options, i) == side) {
            used += snprintf(names + used, (size_t)(NAMES_TEXT - used), "%s%s",
                             i == seat_no ? "" : " and ",
                             seat->has_name ? seat->name : seat->player_id.id.text);
            assert(used < NAMES_TEXT);
        }
    }
}

static void explain_against(const struct game_view *game, const struct db_rating_event *event,
                            size_t sides, const struct db_against *row, struct explained_side *side)
{
    char names[NAMES_TEXT];
    name_side(game, row->opponent_seat_no, names);
    const struct sentence sentence = {
        .opponent = names,
        .opponent_milli = row->rating_milli,
        .k = event->k,
        .sides = (unsigned)sides,
        .score_halves = row->score_halves,
        .expected_micro = row->expected_micro,
        .points_milli = row->points_milli,
        .capped = event->capped,
        .floor_applied = event->floor_applied,
        .delta_milli = event->delta_milli,
    };
    *side = (struct explained_side){
        .seat_no = row->opponent_seat_no,
        .rating_milli = row->rating_milli,
        .expected_micro = row->expected_micro,
        .score_halves = row->score_halves,
        .points_milli = row->points_milli,
    };
    sentence_format(&sentence, side->sentence);
}

static enum db_status load_against(struct db *db, const struct game_view *game,
                                   const struct db_rating_event *event, struct explained_seat *seat)
{
    struct db_against rows[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_against_of_event(db, event->event_no, rows, &count);
    if (status != DB_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        if (i == DB_SEATS_MAX - 1 || rows[i].opponent_seat_no >= game->seat_count) {
            return DB_CORRUPT;
        }
        explain_against(game, event, count, &rows[i], &seat->against[i]);
    }
    seat->against_count = count;
    return DB_OK;
}

static enum db_status explain_event(struct db *db, const struct db_rating_event *event,
                                    struct explanation_view *view)
{
    if (event->seat_no >= view->game.seat_count) {
        return DB_CORRUPT;
    }
    struct explained_seat *seat = &view->seats[event->seat_no];
    seat->before_milli = event->before_milli;
    seat->k = event->k;
    seat->provisional = elo_is_provisional(event->games_before);
    seat->after_milli = event->after_milli;
    seat->delta_milli = event->delta_milli;
    seat->floor_applied = event->floor_applied;
    seat->cpu_capped = event->capped;
    return load_against(db, &view->game, event, seat);
}

static enum db_status explain_ended(struct db *db, struct explanation_view *view)
{
    struct db_rating_event events[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status =
        db_rating_events_of_game(db, view->game.game.game_no, false, events, &count);
    view->at_stake = count > 0; /* a late draw of a chain was rated until it was drawn */
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        status = explain_event(db, &events[i], view);
    }
    return status;
}

/* --- either --------------------------------------------------------------------------------------
 */

static enum db_status explain(struct match *match, struct db *db, const struct game_id *id,
                              int64_t viewer_no, struct explanation_view *view)
{
    struct db_game game;
    enum db_status status = db_game_find(db, id, &game);
    if (status == DB_OK) {
        status = game_seen_by(match, db, &game, viewer_no);
    }
    if (status == DB_OK) {
        status = view_fill(match, db, &game, &view->game);
    }
    if (status != DB_OK) {
        return status;
    }
    view->ended = view->game.result.ended;
    view->at_stake = game.rated;
    if (!game.rated) {
        return DB_OK;
    }
    return view->ended ? explain_ended(db, view) : explain_running(db, view);
}

enum match_status match_explanation(struct match *match, const struct game_id *id,
                                    int64_t viewer_no, struct explanation_view *view)
{
    memset(view, 0, sizeof *view);
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = explain(match, db, id, viewer_no, view);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

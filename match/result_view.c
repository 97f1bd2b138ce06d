#include "ratings/policy.h"
#include "service.h"

#include <stdio.h>
#include <string.h>

static void copy_ratings(struct result_view *view, const struct db_seat *seats,
                         const struct db_rating_event *events, size_t count)
{
    view->rating_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct db_rating_event *event = &events[i];
        struct rating_view *rating = &view->ratings[i];
        memcpy(rating->seat, seats[event->seat_no].seat, sizeof rating->seat);
        rating->player_id = event->player_id;
        rating->before_milli = event->before_milli;
        rating->after_milli = event->after_milli;
        rating->delta_milli = event->delta_milli;
    }
}

static void copy_places(struct result_view *view, const struct db_seat *seats, size_t count)
{
    view->has_ranks = true;
    view->draw = true;
    for (size_t i = 0; i < count; i++) {
        view->ranks[i] = seats[i].place;
        view->has_ranks = view->has_ranks && seats[i].place != 0;
        view->draw = view->draw && seats[i].place == 1;
    }
}

enum db_status result_view_load(struct db *db, const struct db_game *game,
                                const struct db_seat *seats, size_t count, struct result_view *view)
{
    *view = (struct result_view){0};
    if (strcmp(game->status, "playing") == 0) {
        return DB_OK;
    }
    view->ended = true;
    memcpy(view->reason, game->end_reason, sizeof view->reason);
    memcpy(view->rating_status, game->rating_status, sizeof view->rating_status);
    copy_places(view, seats, count);
    struct db_rating_event events[DB_SEATS_MAX];
    size_t found = 0;
    enum db_status status = db_rating_events_of_game(db, game->game_no, false, events, &found);
    if (status == DB_OK) {
        copy_ratings(view, seats, events, found);
    }
    return status;
}

/* The row of an ended game never changes: the void is in what was appended. */
enum db_status result_view_void(struct db *db, struct db_game *game, struct result_view *view)
{
    struct db_rating_event events[DB_SEATS_MAX];
    size_t found = 0;
    if (strcmp(game->rating_status, "applied") != 0) {
        return DB_OK;
    }
    enum db_status status = db_rating_events_of_game(db, game->game_no, true, events, &found);
    if (status == DB_OK && found > 0) {
        (void)snprintf(view->rating_status, sizeof view->rating_status, "void");
        (void)snprintf(game->unrated_reason, sizeof game->unrated_reason, "%s",
                       unrated_reason_text(POLICY_VOID));
    }
    return status;
}

#include "ratings/elo.h"
#include "verify_parts.h"

#include <stdio.h>
#include <string.h>

/*
 * A seat shows the rating that its player had when the game began. Games and rating events are
 * numbered apart, so what the player had is known by the clock alone, and a request may read it a
 * little before another whose transaction comes first: everything within a minute will do.
 */

enum { LEEWAY_MS = 60 * 1000, EVENTS_NEAR = 16 };

struct seat_check {
    struct db_rating_event page[VERIFY_AT_ONCE];
    size_t count;
    size_t next;
    bool is_over;
    int64_t event_no; /* up to here events were stored before the games that are looked at now */
};

/* Moves on to the last event that surely came before this game. */
static enum db_status advance(struct verify *verify, struct seat_check *check,
                              const struct db_game *game)
{
    for (;;) {
        if (check->next == check->count && !check->is_over) {
            enum db_status status = db_rating_events(verify->db, check->event_no, check->page,
                                                     VERIFY_AT_ONCE, &check->count);
            if (status != DB_OK) {
                return status;
            }
            check->next = 0;
            check->is_over = check->count < VERIFY_AT_ONCE;
        }
        const struct db_rating_event *event = &check->page[check->next];
        if (check->next == check->count || event->game_no >= game->game_no ||
            event->at_ms >= game->created_at_ms - LEEWAY_MS) {
            return DB_OK;
        }
        check->event_no = event->event_no;
        check->next++;
    }
}

static enum db_status check_rating(struct verify *verify, const struct seat_check *check,
                                   const struct db_game *game, const struct db_seat *seat)
{
    struct db_rating_event mark = {.player_no = seat->player_no, .event_no = check->event_no};
    struct db_rating_event near[EVENTS_NEAR];
    size_t count = 0;
    memcpy(mark.pool, game->pool, sizeof mark.pool);
    enum db_status status =
        db_rating_events_of_player(verify->db, &mark, near, EVENTS_NEAR, &count);
    if (status != DB_OK) {
        return status;
    }
    int64_t had = ELO_START_MILLI;
    size_t next = 0;
    if (count > 0 && near[0].event_no <= check->event_no) {
        had = near[next++].after_milli;
    }
    bool known = seat->rating_milli == had;
    for (; !known && next < count && near[next].at_ms <= game->created_at_ms + LEEWAY_MS; next++) {
        known = seat->rating_milli == near[next].after_milli;
        had = near[next].at_ms <= game->created_at_ms ? near[next].after_milli : had;
    }
    if (!known && next < EVENTS_NEAR) {
        char row[VERIFY_ROW_TEXT];
        (void)snprintf(row, sizeof row, "game %s, seat %s", game->id.id.text, seat->seat);
        verify_number(verify, row, "rating_milli", had, seat->rating_milli);
    }
    return DB_OK;
}

static enum db_status check_game(struct verify *verify, void *context, const struct db_game *game)
{
    struct seat_check *check = context;
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_seats(verify->db, game->game_no, seats, &count);
    if (status == DB_OK) {
        status = advance(verify, check, game);
    }
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        const struct db_seat *seat = &seats[i];
        bool expected = game->pool[0] != '\0' && seat->player_no != 0;
        if (expected != seat->has_rating) {
            verify_differs(verify, "game %s, seat %s: expected %s rating_milli, found %s",
                           game->id.id.text, seat->seat, expected ? "a" : "no",
                           expected ? "none" : "one");
        } else if (expected) {
            status = check_rating(verify, check, game, seat);
        }
    }
    return status;
}

enum db_status verify_seat_ratings(struct verify *verify)
{
    struct seat_check check = {.count = 0};
    return verify_each_game(verify, check_game, &check);
}

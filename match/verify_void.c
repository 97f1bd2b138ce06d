#include "db/operators.h"
#include "verify_parts.h"

#include <stdio.h>
#include <string.h>

/* The events that take ratings back, beside the one event of the game that says so. What is in them
 * is reckoned in verify_ratings. */
static enum db_status check_ratings(struct retrace *retrace, bool is_voided)
{
    struct verify *verify = retrace->verify;
    struct db_rating_event events[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status =
        db_rating_events_of_game(verify->db, retrace->game->game_no, true, events, &count);
    if (status != DB_OK) {
        return status;
    }
    verify_number(verify, retrace->row, "number of rating events that void it",
                  is_voided ? (int64_t)retrace->seat_count : 0, (int64_t)count);
    for (size_t i = 0; is_voided && i < count; i++) {
        char row[VERIFY_ROW_TEXT + 24];
        (void)snprintf(row, sizeof row, "rating_event %" PRId64 " (%s)", events[i].event_no,
                       retrace->row);
        verify_number(verify, row, "at_ms", retrace->voided.at_ms, events[i].at_ms);
    }
    return DB_OK;
}

static void check_event(struct retrace *retrace)
{
    struct verify *verify = retrace->verify;
    const struct db_game *game = retrace->game;
    const struct db_event *event = &retrace->voided;
    char row[VERIFY_ROW_TEXT + 24];
    (void)snprintf(row, sizeof row, "%s, event %" PRIu32, retrace->row, event->seq);
    if (strcmp(game->rating_status, "applied") != 0) {
        verify_differs(verify, "%s: expected no event voided of a game that was not rated", row);
        return;
    }
    verify_number(verify, retrace->row, "number of events voided", 1, retrace->voids);
    bool later = retrace->rematches > 0 && retrace->rematched.seq < event->seq;
    verify_number(verify, row, "seq", (int64_t)game->seq + 1 + later, event->seq);
    if (event->at_ms < game->finished_at_ms) {
        verify_differs(verify, "%s: expected at_ms %" PRId64 " or later, found %" PRId64, row,
                       game->finished_at_ms, event->at_ms);
    }
}

enum db_status verify_void(struct retrace *retrace)
{
    struct verify *verify = retrace->verify;
    int64_t deeds = 0;
    bool is_voided = retrace->voids > 0;
    if (is_voided) {
        verify->games_voided++;
        check_event(retrace);
    }
    enum db_status status = check_ratings(retrace, is_voided);
    if (status == DB_OK) {
        status = db_void_events(verify->db, retrace->game->game_no, &deeds);
    }
    if (status == DB_OK) {
        verify_number(verify, retrace->row, "number of operator events void-game", is_voided,
                      deeds);
    }
    return status;
}

enum db_status verify_bans(struct verify *verify)
{
    struct db_ban_difference found;
    enum db_status status = db_ban_difference(verify->db, &found);
    if (status == DB_OK) {
        verify_differs(verify,
                       "player %s: expected banned_at_ms %" PRId64
                       " (0: not banned) by the operator events, found %" PRId64,
                       found.player_id.id.text, found.actual_ms, found.stored_ms);
    }
    return status == DB_NONE ? DB_OK : verify_readable(verify, "player", status);
}

#include "db/rematches.h"
#include "game_make.h"
#include "limits.h"
#include "verify_parts.h"

#include <stdio.h>
#include <string.h>

/* Games that the same people have agreed on after the end of another one. */

static bool has_terms_of(const struct db_game *before, const struct db_game *rematch)
{
    return strcmp(before->options, rematch->options) == 0 &&
           before->turn_seconds == rematch->turn_seconds &&
           strcmp(before->pool, rematch->pool) == 0 && before->table_no == 0 &&
           rematch->table_no == 0 && (before->rated || !rematch->rated);
}

/* Same people one seat on, same options; rated only if the first was. */
static enum db_status check_rematch(struct retrace *retrace, const struct db_game *rematch)
{
    const struct db_game *before = retrace->game;
    struct db_seat rows[DB_SEATS_MAX] = {0};
    size_t count = 0;
    if (!has_terms_of(before, rematch) || rematch->created_at_ms < before->finished_at_ms) {
        verify_differs(retrace->verify,
                       "game %s: expected the terms of %s, whose rematch it is, found pool=%s "
                       "rated=%d options=[%s] turn_seconds=%d created_at_ms=%" PRId64,
                       rematch->id.id.text, before->id.id.text, rematch->pool, rematch->rated,
                       rematch->options, rematch->turn_seconds, rematch->created_at_ms);
    }
    enum db_status status = db_seats(retrace->verify->db, rematch->game_no, rows, &count);
    for (size_t i = 0; status == DB_OK && i < retrace->seat_count; i++) {
        const struct db_seat *from =
            &retrace->seats[seat_before(before->keeps_seats, i, retrace->seat_count)];
        if (rows[i].player_no != from->player_no) {
            verify_differs(retrace->verify,
                           "game %s, seat %s: expected player %s (a rematch rotates), found %s",
                           rematch->id.id.text, rows[i].seat, from->player_id.id.text,
                           rows[i].player_id.id.text);
        }
    }
    return status;
}

/* The event of the first game names the rematch, and the rematch names the first game. */
static void check_event(struct retrace *retrace, const struct db_game *rematch)
{
    const struct db_event *event = &retrace->rematched;
    char row[VERIFY_ROW_TEXT + 24];
    verify_number(retrace->verify, retrace->row, "number of events rematch", rematch != NULL,
                  retrace->rematches);
    if (rematch == NULL || retrace->rematches == 0) {
        return;
    }
    (void)snprintf(row, sizeof row, "%s, event %" PRIu32, retrace->row, event->seq);
    verify_number(retrace->verify, row, "linked_game_no", rematch->game_no, event->linked_game_no);
    verify_number(retrace->verify, row, "at_ms", rematch->created_at_ms, event->at_ms);
    if (event->seq <= retrace->game->seq) {
        verify_differs(retrace->verify, "%s: expected it after the end of the game", row);
    }
}

/* Those who have asked are in the minute of the first; a rematch was asked for by all. */
static enum db_status check_asks(struct retrace *retrace, bool made)
{
    struct db_rematch_ask asks[DB_SEATS_MAX];
    size_t count = 0;
    int64_t first = INT64_MAX;
    int64_t last = INT64_MIN;
    enum db_status status =
        db_rematch_asks(retrace->verify->db, retrace->game->game_no, asks, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        first = asks[i].asked_at_ms < first ? asks[i].asked_at_ms : first;
        last = asks[i].asked_at_ms > last ? asks[i].asked_at_ms : last;
    }
    if (status == DB_OK && count > 0 &&
        (first < retrace->game->finished_at_ms || last - first >= LIMIT_REMATCH_MS)) {
        verify_differs(retrace->verify, "%s: expected rematch_ask rows of one minute after the end",
                       retrace->row);
    }
    if (status == DB_OK && made != (count > 0 && count == retrace->seat_count)) {
        verify_differs(retrace->verify, "%s: expected %s rematch_ask, found %zu", retrace->row,
                       made ? "every seat's" : "not every seat's", count);
    }
    return status;
}

/* Of everybody who has asked it is known since when the others are told, which is after the end. */
static enum db_status check_news(struct retrace *retrace)
{
    struct db_rematch_ask asks[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status =
        db_rematch_asks(retrace->verify->db, retrace->game->game_no, asks, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        struct db_rematch_news news = {.seat_no = asks[i].seat_no};
        status = db_rematch_news(retrace->verify->db, retrace->game->game_no, &news);
        if (status == DB_NONE ||
            (status == DB_OK && news.since_ms < retrace->game->finished_at_ms)) {
            verify_differs(retrace->verify,
                           "%s: expected rematch_news of seat_no %d, since the end or later",
                           retrace->row, asks[i].seat_no);
            status = DB_OK;
        }
    }
    return status;
}

static enum db_status check_rematch_of(struct retrace *retrace)
{
    const struct db_game *game = retrace->game;
    struct db_game before;
    if (game->rematch_of == 0) {
        return DB_OK;
    }
    enum db_status status = db_game_load(retrace->verify->db, game->rematch_of, &before);
    bool earlier = status == DB_OK && before.game_no < game->game_no && before.finished_at_ms != 0;
    if (status == DB_NONE || (status == DB_OK && !earlier)) {
        verify_differs(retrace->verify, "%s: expected rematch_of an earlier game, found %s",
                       retrace->row, status == DB_OK ? before.id.id.text : "no game");
        return DB_OK;
    }
    return status;
}

enum db_status verify_rematch(struct retrace *retrace)
{
    struct db_game rematch;
    enum db_status status = check_rematch_of(retrace);
    if (status == DB_OK) {
        status = db_game_rematch(retrace->verify->db, retrace->game->game_no, &rematch);
    }
    bool made = status == DB_OK;
    if (status != DB_OK && status != DB_NONE) {
        return status;
    }
    check_event(retrace, made ? &rematch : NULL);
    status = check_asks(retrace, made);
    if (status == DB_OK) {
        status = check_news(retrace);
    }
    return status == DB_OK && made ? check_rematch(retrace, &rematch) : status;
}

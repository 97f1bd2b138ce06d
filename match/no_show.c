#include "no_show.h"

#include "chain.h"
#include "db/clocks.h"
#include "ratings/policy.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool is_chosen(const struct game_rows *rows, size_t *seat)
{
    for (size_t i = 0; i < rows->seat_count; i++) {
        if (rows->seats[i].seat[0] == rows->game.turn[0]) {
            *seat = i;
            return rows->seats[i].missed_turns > 0 && !rows->seats[i].cpu;
        }
    }
    return false;
}

enum db_status no_show_find(struct db *db, const struct game_rows *rows, int *seat)
{
    size_t next = 0;
    uint32_t plies = 0;
    uint32_t cpu_plies = 0;
    bool from_tickets = false;
    struct db_seat_past past = {0};
    int64_t game_no = rows->game.game_no;
    *seat = RULES_SEAT_NONE;
    if (!is_chosen(rows, &next)) {
        return DB_OK;
    }
    char letter = rows->seats[next].seat[0];
    enum db_status status = db_seat_plies(db, game_no, letter, &plies, &cpu_plies);
    if (status == DB_OK) {
        status = db_game_of_tickets(db, game_no, &from_tickets);
    }
    if (status == DB_OK) {
        status = db_seat_past(db, game_no, letter, &past);
    }
    if (status == DB_OK && plies == 1 && cpu_plies == 1 && from_tickets && !past.has_left) {
        *seat = (int)next;
    }
    return status;
}

static enum db_status add_event(struct db *db, struct game_rows *rows, int seat, int64_t at_ms)
{
    struct db_event event = {
        .game_no = rows->game.game_no,
        .seq = ++rows->game.seq,
        .type = "finished",
        .at_ms = at_ms,
    };
    memcpy(event.seat, rows->seats[seat].seat, sizeof event.seat);
    (void)snprintf(event.reason, sizeof event.reason, "%s", unrated_reason_text(POLICY_NO_SHOW));
    return db_event_insert(db, &event);
}

enum db_status no_show_abort(struct match *match, struct db *db, struct game_rows *rows, int seat,
                             int64_t at_ms)
{
    struct db_game *game = &rows->game;
    enum db_status status = add_event(db, rows, seat, at_ms);
    (void)snprintf(game->status, sizeof game->status, "aborted");
    (void)snprintf(game->end_reason, sizeof game->end_reason, "%s",
                   unrated_reason_text(POLICY_NO_SHOW));
    (void)snprintf(game->rating_status, sizeof game->rating_status, "unrated");
    if (game->rated) {
        (void)snprintf(game->unrated_reason, sizeof game->unrated_reason, "%s",
                       unrated_reason_text(POLICY_NO_SHOW));
    }
    game->turn[0] = '\0';
    game->deadline_at_ms = 0;
    game->finished_at_ms = at_ms;
    if (status == DB_OK) {
        status = db_game_finish(db, game);
    }
    return status == DB_OK ? chain_append(db, match->secrets, game->game_no, at_ms) : status;
}

enum db_status no_show_until(struct db *db, int64_t player_no, int64_t now_ms, int64_t *until_ms)
{
    enum { MOST = LIMIT_GAMES_PLAYING * 4 };
    int64_t times[MOST];
    size_t count = 0;
    int64_t since_ms = now_ms - POLICY_NO_SHOW_WINDOW_MS - POLICY_NO_SHOW_PAUSE_MS;
    enum db_status status = db_no_shows(db, player_no, since_ms, times, MOST, &count);
    *until_ms = status == DB_OK ? policy_no_show_until(times, count, now_ms) : 0;
    return status;
}

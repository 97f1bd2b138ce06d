#include "db/operators.h"
#include "game_make.h"
#include "ratings/policy.h"
#include "verify_parts.h"

#include <stdio.h>
#include <string.h>

static bool has_terms_of(const struct db_game *drawn, const struct db_game *replay)
{
    return strcmp(drawn->options, replay->options) == 0 && drawn->rated == replay->rated &&
           drawn->turn_seconds == replay->turn_seconds && strcmp(drawn->pool, replay->pool) == 0 &&
           drawn->table_no == replay->table_no && drawn->is_private == replay->is_private &&
           drawn->hides_legal_moves == replay->hides_legal_moves &&
           drawn->keeps_seats == replay->keeps_seats;
}

/* Same people one seat on (at a table that rotates), same options, same terms. */
static enum db_status check_replay(struct retrace *retrace, const struct db_game *replay)
{
    const struct db_game *drawn = retrace->game;
    struct db_seat rows[DB_SEATS_MAX] = {0};
    size_t count = 0;
    if (!has_terms_of(drawn, replay)) {
        verify_differs(retrace->verify,
                       "game %s: expected the terms of %s, whose replay it is, found pool=%s "
                       "rated=%d options=[%s] turn_seconds=%d table=%s private=%d "
                       "show_legal_moves=%d rotate_first=%d",
                       replay->id.id.text, drawn->id.id.text, replay->pool, replay->rated,
                       replay->options, replay->turn_seconds, replay->table_id.id.text,
                       replay->is_private, !replay->hides_legal_moves, !replay->keeps_seats);
    }
    enum db_status status = db_seats(retrace->verify->db, replay->game_no, rows, &count);
    for (size_t i = 0; status == DB_OK && i < retrace->seat_count; i++) {
        const struct db_seat *from =
            &retrace->seats[seat_before(drawn->keeps_seats, i, retrace->seat_count)];
        if (rows[i].player_no != from->player_no) {
            verify_differs(retrace->verify,
                           "game %s, seat %s: expected player %s (a replay%s), found %s",
                           replay->id.id.text, rows[i].seat, from->player_id.id.text,
                           drawn->keeps_seats ? "" : " rotates", rows[i].player_id.id.text);
        }
    }
    return status;
}

static enum db_status check_replay_of(struct retrace *retrace)
{
    const struct db_game *game = retrace->game;
    struct db_game drawn;
    enum db_status status = db_game_load(retrace->verify->db, game->replay_of, &drawn);
    bool earlier = status == DB_OK && drawn.game_no < game->game_no;
    if (status == DB_NONE || (status == DB_OK && !earlier)) {
        verify_differs(retrace->verify, "%s: expected replay_of an earlier game, found %s",
                       retrace->row, status == DB_OK ? drawn.id.id.text : "no game");
        return DB_OK;
    }
    if (status == DB_OK && strcmp(drawn.end_reason, "repetition") != 0) {
        verify_differs(retrace->verify,
                       "%s: expected replay_of a draw by repetition, found %s, which is not",
                       retrace->row, drawn.id.id.text);
    }
    return status;
}

/* Whose time a request takes is read before its turn comes, so that a ban shortly before or after
 * the end may or may not have been seen. */
enum { LEEWAY_MS = 60 * 1000 };

/* Whether an owner was banned when the game ended: surely, or perhaps. */
static enum db_status find_bans(const struct retrace *retrace, struct db_ban_spell *spell)
{
    int64_t at_ms = retrace->finished.at_ms;
    enum db_status status = DB_OK;
    for (size_t i = 0; status == DB_OK && i < retrace->seat_count; i++) {
        struct db_ban_spell one;
        status = db_ban_spell(retrace->verify->db, retrace->seats[i].player_no, at_ms - LEEWAY_MS,
                              at_ms + LEEWAY_MS, &one);
        if (status == DB_OK) {
            spell->ever = spell->ever || one.ever;
            spell->always = spell->always || one.always;
        }
    }
    return status;
}

static bool replay_expected(const struct retrace *retrace, uint32_t draws_before, bool owner_gone)
{
    struct policy_replay facts = {
        .owner_gone = owner_gone,
        .game_replays = retrace->outcome.reason == END_REPETITION &&
                        retrace->rules->replays_repetition(&retrace->options),
        .draws_before = draws_before,
    };
    for (size_t i = 0; i < retrace->seat_count; i++) {
        facts.person_left = facts.person_left || !retrace->seats[i].cpu;
        facts.owner_gone = facts.owner_gone || retrace->hands[i].erased;
    }
    return policy_replay_follows(&facts);
}

/* The event of the drawn game names the replay, and the replay names the drawn game. */
static void check_event(struct retrace *retrace, const struct db_game *replay)
{
    const struct db_event *event = &retrace->replayed;
    char row[VERIFY_ROW_TEXT + 24];
    if (replay == NULL && event->type[0] == '\0') {
        return;
    }
    if (event->type[0] == '\0') {
        verify_differs(retrace->verify, "%s: expected an event replay, found none", retrace->row);
        return;
    }
    (void)snprintf(row, sizeof row, "%s, event %" PRIu32, retrace->row, event->seq);
    verify_number(retrace->verify, row, "linked_game_no", replay == NULL ? 0 : replay->game_no,
                  event->linked_game_no);
    verify_number(retrace->verify, row, "at_ms", retrace->finished.at_ms, event->at_ms);
}

enum db_status verify_links(struct retrace *retrace)
{
    struct verify *verify = retrace->verify;
    const struct db_game *game = retrace->game;
    struct db_game replay;
    struct db_ban_spell bans = {false, false};
    uint32_t draws_before = 0;
    enum db_status status = DB_OK;
    if (retrace->outcome.reason == END_REPETITION) {
        status = find_bans(retrace, &bans);
    }
    if (status == DB_OK && game->replay_of != 0) {
        status = check_replay_of(retrace);
    }
    if (status == DB_OK) {
        status = db_chain_draws(verify->db, game->game_no, &draws_before);
    }
    if (status == DB_OK) {
        status = db_game_replay(verify->db, game->game_no, &replay);
        bool found = status == DB_OK;
        bool expected = replay_expected(retrace, draws_before, bans.always);
        bool possible = replay_expected(retrace, draws_before, bans.ever);
        if ((found || status == DB_NONE) && found != expected && found != possible) {
            verify_differs(verify, "%s: expected %s replay, found %s", retrace->row,
                           expected ? "a" : "no", found ? replay.id.id.text : "none");
        }
    }
    if (status == DB_NONE) {
        check_event(retrace, NULL);
        return DB_OK;
    }
    if (status == DB_OK) {
        check_event(retrace, &replay);
        status = check_replay(retrace, &replay);
    }
    return status;
}

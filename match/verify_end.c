#include "ratings/policy.h"
#include "result.h"
#include "verify_parts.h"

#include <stdio.h>
#include <string.h>

static void check_position(struct retrace *retrace)
{
    struct verify *verify = retrace->verify;
    const struct db_game *game = retrace->game;
    char text[RULES_POSITION_TEXT_MAX];
    retrace->rules->format_position(&retrace->position, text);
    verify_text(verify, retrace->row, "position", text, game->position);
    /* An ended game's row never changes: what was appended later is not in it. */
    verify_number(verify, retrace->row, "seq", retrace->seq - retrace->voids - retrace->rematches,
                  game->seq);
}

/* A resignation is not seen in the moves: the event says who. */
static void apply_resignation(struct retrace *retrace)
{
    int seat = rules_seat(retrace->rules, retrace->finished.seat[0]);
    if (retrace->outcome.reason == END_NONE && retrace->rules->resign != NULL &&
        end_reason_find(retrace->finished.reason) == END_RESIGN && seat != RULES_SEAT_NONE) {
        retrace->rules->resign(&retrace->position, seat, &retrace->outcome);
    }
}

/* The last move ends a game at its own time; a rated one, where its players' ratings show a later
 * time already, at that. Earlier builds did not look. */
static enum db_status end_time(struct retrace *retrace, int64_t *at_ms)
{
    struct db_rating_event events[DB_SEATS_MAX];
    size_t count = 0;
    struct db *db = retrace->verify->db;
    int64_t rated_ms = retrace->at_ms;
    *at_ms = retrace->at_ms;
    if (retrace->finished.at_ms == *at_ms) {
        return DB_OK;
    }
    enum db_status status =
        db_rating_events_of_game(db, retrace->game->game_no, false, events, &count);
    if (status == DB_OK && count > 0) {
        status = result_time(db, retrace->game, retrace->seats, retrace->seat_count,
                             events[0].event_no, &rated_ms);
    }
    if (status == DB_OK && retrace->finished.at_ms == rated_ms) {
        *at_ms = rated_ms;
    }
    return status;
}

static const char *reason_of(const struct retrace *retrace)
{
    return retrace->no_show == RULES_SEAT_NONE ? end_reason_text(retrace->outcome.reason)
                                               : unrated_reason_text(POLICY_NO_SHOW);
}

/* The event names whoever resigned or did not come. */
static void check_seat(struct retrace *retrace, const char *row)
{
    char seat[2] = "";
    if (retrace->no_show != RULES_SEAT_NONE) {
        seat[0] = retrace->rules->seat_letters[retrace->no_show];
    }
    verify_text(retrace->verify, row, "seat", seat, retrace->finished.seat);
}

static enum db_status check_finished(struct retrace *retrace, bool resigned)
{
    struct verify *verify = retrace->verify;
    const struct db_event *event = &retrace->finished;
    char row[VERIFY_ROW_TEXT + 24];
    (void)snprintf(row, sizeof row, "%s, event %" PRIu32, retrace->row, event->seq);
    if (event->type[0] == '\0') {
        verify_differs(verify, "%s: expected an event finished, found none", retrace->row);
        return DB_OK;
    }
    int64_t at_ms = retrace->at_ms;
    enum db_status status = resigned ? DB_OK : end_time(retrace, &at_ms);
    if (status != DB_OK) {
        return status;
    }
    verify_text(verify, row, "reason", reason_of(retrace), event->reason);
    if (!resigned) {
        check_seat(retrace, row);
        verify_number(verify, row, "at_ms", at_ms, event->at_ms);
    } else if (event->at_ms < retrace->at_ms) {
        verify_differs(verify, "%s: expected at_ms %" PRId64 " or later, found %" PRId64, row,
                       retrace->at_ms, event->at_ms);
    }
    verify_number(verify, retrace->row, "finished_at_ms", event->at_ms,
                  retrace->game->finished_at_ms);
    return DB_OK;
}

static enum db_status check_end(struct retrace *retrace)
{
    struct verify *verify = retrace->verify;
    const struct db_game *game = retrace->game;
    bool aborted = retrace->no_show != RULES_SEAT_NONE;
    bool by_move = retrace->outcome.reason != END_NONE || aborted;
    if (!aborted) {
        apply_resignation(retrace);
    }
    bool ended = retrace->outcome.reason != END_NONE || aborted;
    const char *over = aborted ? "aborted" : "finished";
    char turn[2] = "";
    if (!ended) {
        turn[0] = retrace->rules->seat_letters[retrace->rules->turn(&retrace->position)];
    }
    verify_text(verify, retrace->row, "status", ended ? over : "playing", game->status);
    verify_text(verify, retrace->row, "end_reason", reason_of(retrace), game->end_reason);
    verify_text(verify, retrace->row, "turn", turn, game->turn);
    if (ended) {
        return check_finished(retrace, !by_move);
    }
    if (retrace->finished.type[0] != '\0') {
        verify_differs(verify, "%s, event %" PRIu32 ": expected the game to go on, found %s %s",
                       retrace->row, retrace->finished.seq, retrace->finished.type,
                       retrace->finished.reason);
    }
    return DB_OK;
}

static void check_places(struct retrace *retrace)
{
    for (size_t i = 0; i < retrace->seat_count; i++) {
        char row[VERIFY_ROW_TEXT + 24];
        (void)snprintf(row, sizeof row, "%s, seat %s", retrace->row, retrace->seats[i].seat);
        verify_number(retrace->verify, row, "place", retrace->outcome.places[i],
                      retrace->seats[i].place);
    }
}

/* Whether the result had to be rated, and whether it was. */
static enum db_status check_rated(struct retrace *retrace)
{
    struct verify *verify = retrace->verify;
    const struct db_game *game = retrace->game;
    struct db_rating_event events[DB_SEATS_MAX];
    size_t count = 0;
    uint32_t draws_before = 0;
    enum db_status status = DB_OK;
    bool aborted = retrace->no_show != RULES_SEAT_NONE;
    bool ended = retrace->outcome.reason != END_NONE || aborted;
    bool applied = game->rated && ended && !aborted;
    enum unrated_reason at_end = aborted ? POLICY_NO_SHOW : POLICY_REPEAT_DRAW;
    if (retrace->outcome.reason == END_REPETITION &&
        retrace->rules->replays_repetition(&retrace->options)) {
        status = db_chain_draws(verify->db, game->game_no, &draws_before);
        applied = applied && policy_draw_is_rated(draws_before);
    }
    if (status == DB_OK) {
        status = db_rating_events_of_game(verify->db, game->game_no, false, events, &count);
    }
    if (status != DB_OK) {
        return status;
    }
    if (game->rated) {
        const char *reason = ended && !applied ? unrated_reason_text(at_end) : "";
        verify_text(verify, retrace->row, "unrated_reason", reason, game->unrated_reason);
    }
    if (ended) {
        verify_text(verify, retrace->row, "rating_status", applied ? "applied" : "unrated",
                    game->rating_status);
    }
    verify_number(verify, retrace->row, "number of rating events",
                  applied ? retrace->rules->seat_count : 0, (int64_t)count);
    return DB_OK;
}

enum db_status verify_end(struct retrace *retrace)
{
    check_position(retrace);
    enum db_status status = check_end(retrace);
    check_places(retrace);
    return status == DB_OK ? check_rated(retrace) : status;
}

#include "ratings/policy.h"
#include "verify_parts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 64 };

/* A game being replayed beside its rows. */
struct replay {
    struct verify *verify;
    const struct db_game *game;
    const struct game_rules *rules;
    struct game_options options;
    struct position position;
    struct history_entry *history;
    uint32_t ply;
    int64_t at_ms;
    struct outcome outcome;
    /* events, merged with the moves by seq */
    uint32_t seq;
    struct db_event finished; /* type "" where there is none */
    uint32_t events;
};

static struct history replay_history(const struct replay *replay)
{
    return (struct history){replay->history, (size_t)replay->ply + 1};
}

static void check_number(struct replay *replay, const char *what, int64_t expected, int64_t found)
{
    if (expected != found) {
        verify_differs(replay->verify,
                       "game %s, ply %" PRIu32 ": expected %s %" PRId64 ", found %" PRId64,
                       replay->game->id.id.text, replay->ply + 1, what, expected, found);
    }
}

static void check_text(struct replay *replay, const char *what, const char *expected,
                       const char *found)
{
    if (strcmp(expected, found) != 0) {
        verify_differs(replay->verify, "game %s, ply %" PRIu32 ": expected %s '%s', found '%s'",
                       replay->game->id.id.text, replay->ply, what, expected, found);
    }
}

/* False: the move cannot be played, so the rest of the game cannot be checked. */
static bool check_legal(struct replay *replay, const struct db_move *row, struct move *move)
{
    struct history history = replay_history(replay);
    struct illegal why = {0};
    int turn = replay->rules->turn(&replay->position);
    if (replay->outcome.reason != END_NONE) {
        verify_differs(replay->verify,
                       "game %s, ply %" PRIu32 ": expected no move after %s, found "
                       "%s",
                       replay->game->id.id.text, row->ply, end_reason_text(replay->outcome.reason),
                       row->move);
        return false;
    }
    char expected[2] = {replay->rules->seat_letters[turn], '\0'};
    if (strcmp(expected, row->seat) != 0) {
        verify_differs(replay->verify, "game %s, ply %" PRIu32 ": expected seat %s, found %s",
                       replay->game->id.id.text, row->ply, expected, row->seat);
        return false;
    }
    why.reason = replay->rules->parse_move(row->move, strlen(row->move), move);
    if (why.reason != ILLEGAL_NONE ||
        !replay->rules->is_legal(&replay->position, &replay->options, &history, *move, &why)) {
        verify_differs(
            replay->verify, "game %s, ply %" PRIu32 ": expected a legal move, found %s (%s)",
            replay->game->id.id.text, row->ply, row->move, illegal_reason_text(why.reason));
        return false;
    }
    return true;
}

static bool replay_move(struct replay *replay, const struct db_move *row)
{
    struct move move;
    struct ply_effects effects = {0};
    char captured[DB_SQUARES_TEXT];
    check_number(replay, "ply", replay->ply + 1, row->ply);
    if (row->seq <= replay->seq) {
        check_number(replay, "seq over", replay->seq, row->seq);
    }
    check_number(replay, "think_ms", row->at_ms - replay->at_ms, row->think_ms);
    if (row->at_ms < replay->at_ms) {
        check_number(replay, "at_ms not before", replay->at_ms, row->at_ms);
    }
    if (row->ply != replay->ply + 1 || !check_legal(replay, row, &move)) {
        return false;
    }
    int mover = replay->rules->turn(&replay->position);
    replay->rules->play(&replay->position, &replay->options, move, &replay->position, &effects);
    replay->ply++;
    replay->seq = row->seq;
    replay->at_ms = row->at_ms;
    replay->history[replay->ply] = (struct history_entry){replay->rules->hash(&replay->position),
                                                          (int8_t)mover, effects.gave_new_check};
    line_captured_text(&effects, captured);
    check_text(replay, "captured", captured, row->captured);
    struct history history = replay_history(replay);
    replay->rules->outcome(&replay->position, &replay->options, &history, &replay->outcome);
    replay->verify->report->moves++;
    return true;
}

/* --- events --------------------------------------------------------------------------------------
 */

static enum db_status read_events(struct replay *replay)
{
    struct db_event events[AT_ONCE];
    uint32_t after = 0;
    size_t count = 0;
    do {
        enum db_status status =
            db_events(replay->verify->db, replay->game->game_no, after, events, AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        for (size_t i = 0; i < count; i++) {
            after = events[i].seq;
            replay->events++;
            if (strcmp(events[i].type, "finished") == 0) {
                replay->finished = events[i];
            }
        }
    } while (count == AT_ONCE);
    return DB_OK;
}

/* --- the end -------------------------------------------------------------------------------------
 */

static void check_end(struct replay *replay)
{
    const struct db_game *game = replay->game;
    bool ended = strcmp(game->status, "playing") != 0;
    if (replay->outcome.reason == END_NONE &&
        end_reason_find(replay->finished.reason) == END_RESIGN && replay->rules->resign != NULL) {
        int seat = rules_seat(replay->rules, replay->finished.seat[0]);
        if (seat != RULES_SEAT_NONE) {
            replay->rules->resign(&replay->position, seat, &replay->outcome);
        }
    }
    check_text(replay, "status", replay->outcome.reason == END_NONE ? "playing" : "finished",
               game->status);
    check_text(replay, "end_reason", end_reason_text(replay->outcome.reason), game->end_reason);
    if (ended) {
        check_text(replay, "reason of the finished event", game->end_reason,
                   replay->finished.reason);
        check_number(replay, "finished_at_ms", replay->finished.at_ms, game->finished_at_ms);
        replay->verify->games_ended++;
    }
}

static void check_final_position(struct replay *replay)
{
    const struct db_game *game = replay->game;
    char text[RULES_POSITION_TEXT_MAX];
    replay->rules->format_position(&replay->position, text);
    check_text(replay, "position", text, game->position);
    check_number(replay, "plies", replay->ply, game->ply);
    check_number(replay, "number of events", (int64_t)replay->ply + replay->events, game->seq);
    if (replay->outcome.reason == END_NONE) {
        int turn = replay->rules->turn(&replay->position);
        char letter[2] = {replay->rules->seat_letters[turn], '\0'};
        check_text(replay, "turn", letter, game->turn);
    }
}

static enum db_status check_places(struct replay *replay, struct db_seat *seats)
{
    size_t count = 0;
    enum db_status status = db_seats(replay->verify->db, replay->game->game_no, seats, &count);
    if (status != DB_OK) {
        return status;
    }
    check_number(replay, "number of seats", replay->rules->seat_count, (int64_t)count);
    for (size_t i = 0; i < count && i < replay->rules->seat_count; i++) {
        char letter[2] = {replay->rules->seat_letters[i], '\0'};
        check_text(replay, "seat", letter, seats[i].seat);
        if (replay->outcome.places[i] != seats[i].place) {
            verify_differs(replay->verify, "game %s, seat %s: expected place %d, found %d",
                           replay->game->id.id.text, seats[i].seat, replay->outcome.places[i],
                           seats[i].place);
        }
    }
    return DB_OK;
}

/* Whether the result had to be rated, and whether it was. */
static enum db_status check_rated(struct replay *replay)
{
    const struct db_game *game = replay->game;
    struct db_rating_event events[DB_SEATS_MAX];
    size_t count = 0;
    uint32_t draws_before = 0;
    enum db_status status = DB_OK;
    bool applied = game->rated && replay->outcome.reason != END_NONE;
    bool chained = replay->outcome.reason == END_REPETITION &&
                   replay->rules->replays_repetition(&replay->options);
    if (chained) {
        status = db_chain_draws(replay->verify->db, game->game_no, &draws_before);
        applied = applied && policy_draw_is_rated(draws_before);
        const char *reason = game->rated && !applied ? unrated_reason_text(POLICY_REPEAT_DRAW)
                                                     : game->unrated_reason;
        check_text(replay, "unrated_reason", reason, game->unrated_reason);
    }
    if (status == DB_OK) {
        status = db_rating_events_of_game(replay->verify->db, game->game_no, false, events, &count);
    }
    if (replay->outcome.reason != END_NONE) {
        check_text(replay, "rating_status", applied ? "applied" : "unrated", game->rating_status);
    }
    check_number(replay, "number of rating events", applied ? replay->rules->seat_count : 0,
                 (int64_t)count);
    return status;
}

/* --- one game ------------------------------------------------------------------------------------
 */

static enum db_status replay_moves(struct replay *replay, bool *playable)
{
    struct db_move rows[AT_ONCE];
    size_t count = 0;
    *playable = true;
    do {
        enum db_status status =
            db_moves(replay->verify->db, replay->game->game_no, replay->ply, rows, AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        for (size_t i = 0; i < count && *playable; i++) {
            /* The history has room for the plies of the game row: more moves are a difference. */
            *playable = replay->ply < replay->game->ply;
            if (*playable) {
                *playable = replay_move(replay, &rows[i]);
            } else {
                check_number(replay, "plies", replay->game->ply, rows[i].ply);
            }
        }
    } while (count == AT_ONCE && *playable);
    return DB_OK;
}

static enum db_status verify_replayed(struct replay *replay)
{
    struct db_seat seats[DB_SEATS_MAX] = {0};
    bool playable = false;
    enum db_status status = read_events(replay);
    if (status == DB_OK) {
        status = replay_moves(replay, &playable);
    }
    if (status != DB_OK || !playable) {
        return status;
    }
    check_end(replay);
    check_final_position(replay);
    status = check_places(replay, seats);
    if (status == DB_OK) {
        status = check_rated(replay);
    }
    if (status == DB_OK) {
        status = verify_links(replay->verify, replay->game, replay->rules, &replay->options, seats);
    }
    return status;
}

enum db_status verify_game(struct verify *verify, const struct db_game *game)
{
    struct replay replay = {.verify = verify, .game = game, .at_ms = game->created_at_ms};
    verify->report->games++;
    if (!line_rules(game, &replay.rules, &replay.options)) {
        verify_differs(verify, "game %s: expected a known game with its options, found %s [%s]",
                       game->id.id.text, game->game, game->options);
        return DB_OK;
    }
    replay.history = calloc((size_t)game->ply + 1, sizeof *replay.history);
    if (replay.history == NULL) {
        return DB_ERROR;
    }
    replay.rules->start(&replay.position);
    replay.history[0] =
        (struct history_entry){replay.rules->hash(&replay.position), RULES_SEAT_NONE, false};
    enum db_status status = verify_replayed(&replay);
    free(replay.history);
    return status;
}

#include "limits.h"
#include "verify_parts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- events, between the moves where their seq puts them -----------------------------------------
 */

struct event_stream {
    struct db_event page[VERIFY_AT_ONCE];
    size_t count;
    size_t next;
    bool is_over;
};

/* The event that comes next, or NULL. */
static enum db_status next_event(struct retrace *retrace, struct event_stream *stream,
                                 const struct db_event **event)
{
    *event = NULL;
    if (stream->next == stream->count && !stream->is_over) {
        uint32_t after = stream->count == 0 ? 0 : stream->page[stream->count - 1].seq;
        enum db_status status = db_events(retrace->verify->db, retrace->game->game_no, after,
                                          stream->page, VERIFY_AT_ONCE, &stream->count);
        if (status != DB_OK) {
            return status;
        }
        stream->next = 0;
        stream->is_over = stream->count < VERIFY_AT_ONCE;
    }
    if (stream->next < stream->count) {
        *event = &stream->page[stream->next];
    }
    return DB_OK;
}

/* Those whose turn it is before the next move. */
static enum db_status take_events(struct retrace *retrace, struct event_stream *stream)
{
    const struct db_event *event = NULL;
    enum db_status status = next_event(retrace, stream, &event);
    while (status == DB_OK && event != NULL && event->seq == retrace->seq + 1) {
        if (strcmp(event->type, "finished") == 0) {
            retrace->finished = *event;
        } else if (strcmp(event->type, "replay") == 0) {
            retrace->replayed = *event;
        } else if (strcmp(event->type, "rematch") == 0) {
            retrace->rematched = *event;
            retrace->rematches++;
        } else if (strcmp(event->type, "voided") == 0) {
            retrace->voided = *event;
            retrace->voids++;
        }
        verify_hands_event(retrace, event);
        retrace->seq++;
        stream->next++;
        status = next_event(retrace, stream, &event);
    }
    return status;
}

/* After the last move there is nothing left but what follows without a gap. */
static enum db_status take_last_events(struct retrace *retrace, struct event_stream *stream)
{
    const struct db_event *event = NULL;
    enum db_status status = take_events(retrace, stream);
    if (status == DB_OK) {
        status = next_event(retrace, stream, &event);
    }
    if (status == DB_OK && event != NULL) {
        char row[VERIFY_ROW_TEXT + 24];
        (void)snprintf(row, sizeof row, "%s, event %" PRIu32, retrace->row, event->seq);
        verify_number(retrace->verify, row, "seq", retrace->seq + 1, event->seq);
    }
    return status;
}

/* --- moves ---------------------------------------------------------------------------------------
 */

static struct history retrace_history(const struct retrace *retrace)
{
    return (struct history){retrace->history, (size_t)retrace->ply + 1};
}

/* False: the move cannot be played, so the rest of the game cannot be checked. */
static bool check_legal(struct retrace *retrace, const char *row, const struct db_move *found,
                        struct move *move)
{
    const struct game_rules *rules = retrace->rules;
    struct history history = retrace_history(retrace);
    struct illegal why = {0};
    if (found->ply != retrace->ply + 1) {
        verify_number(retrace->verify, row, "ply", retrace->ply + 1, found->ply);
        return false;
    }
    if (retrace->outcome.reason != END_NONE) {
        verify_differs(retrace->verify, "%s: expected no move after %s, found %s", row,
                       end_reason_text(retrace->outcome.reason), found->move);
        return false;
    }
    char seat[2] = {rules->seat_letters[rules->turn(&retrace->position)], '\0'};
    if (strcmp(seat, found->seat) != 0) {
        verify_text(retrace->verify, row, "seat", seat, found->seat);
        return false;
    }
    why.reason = rules->parse_move(found->move, strlen(found->move), move);
    if (why.reason != ILLEGAL_NONE ||
        !rules->is_legal(&retrace->position, &retrace->options, &history, *move, &why)) {
        verify_differs(retrace->verify, "%s: expected a legal move, found %s (%s)", row,
                       found->move, illegal_reason_text(why.reason));
        return false;
    }
    return true;
}

static void check_time(struct retrace *retrace, const char *row, const struct db_move *found)
{
    if (found->at_ms < retrace->at_ms) {
        verify_differs(retrace->verify, "%s: expected at_ms %" PRId64 " or later, found %" PRId64,
                       row, retrace->at_ms, found->at_ms);
    }
    verify_number(retrace->verify, row, "think_ms", found->at_ms - retrace->at_ms, found->think_ms);
}

static bool retrace_move(struct retrace *retrace, const struct db_move *found)
{
    const struct game_rules *rules = retrace->rules;
    struct move move;
    struct ply_effects effects = {0};
    char row[VERIFY_ROW_TEXT + 24];
    char captured[DB_SQUARES_TEXT];
    (void)snprintf(row, sizeof row, "%s, ply %" PRIu32, retrace->row, found->ply);
    if (!check_legal(retrace, row, found, &move)) {
        return false;
    }
    verify_number(retrace->verify, row, "seq", retrace->seq + 1, found->seq);
    check_time(retrace, row, found);
    verify_hands_before(retrace, row, found);
    int mover = rules->turn(&retrace->position);
    rules->play(&retrace->position, &retrace->options, move, &retrace->position, &effects);
    retrace->ply++;
    retrace->seq = found->seq;
    retrace->at_ms = found->at_ms;
    retrace->history[retrace->ply] = (struct history_entry){rules->hash(&retrace->position),
                                                            (int8_t)mover, effects.gave_new_check};
    line_captured_text(&effects, captured);
    verify_text(retrace->verify, row, "captured", captured, found->captured);
    struct history history = retrace_history(retrace);
    rules->outcome(&retrace->position, &retrace->options, &history, &retrace->outcome);
    verify_hands_after(retrace, row, found);
    retrace->verify->report->moves++;
    return true;
}

/* The history has room for the plies of the game row: a move more is a difference. */
static bool has_room(struct retrace *retrace, const struct db_move *found)
{
    if (retrace->ply < retrace->game->ply) {
        return true;
    }
    verify_differs(retrace->verify,
                   "%s, ply %" PRIu32 ": expected no move after the %" PRIu32
                   " plies of the game, found %s",
                   retrace->row, found->ply, retrace->game->ply, found->move);
    return false;
}

static enum db_status retrace_moves(struct retrace *retrace, struct event_stream *stream,
                                    bool *playable)
{
    struct db_move rows[VERIFY_AT_ONCE];
    size_t count = 0;
    *playable = true;
    do {
        enum db_status status = db_moves(retrace->verify->db, retrace->game->game_no, retrace->ply,
                                         rows, VERIFY_AT_ONCE, &count);
        for (size_t i = 0; status == DB_OK && i < count && *playable; i++) {
            status = take_events(retrace, stream);
            *playable = has_room(retrace, &rows[i]) && retrace_move(retrace, &rows[i]);
        }
        if (status != DB_OK) {
            return status;
        }
    } while (count == VERIFY_AT_ONCE && *playable);
    return DB_OK;
}

/* --- one game ------------------------------------------------------------------------------------
 */

static enum db_status retrace_game(struct retrace *retrace)
{
    struct event_stream stream = {.count = 0};
    bool playable = false;
    enum db_status status = verify_start(retrace);
    if (status == DB_OK) {
        status = verify_hands_start(retrace);
    }
    if (status == DB_OK) {
        status = retrace_moves(retrace, &stream, &playable);
    }
    if (status != DB_OK || !playable) {
        return status;
    }
    verify_number(retrace->verify, retrace->row, "ply", retrace->ply, retrace->game->ply);
    status = take_last_events(retrace, &stream);
    if (status == DB_OK) {
        status = verify_no_show(retrace, &retrace->no_show);
    }
    if (status == DB_OK) {
        status = verify_end(retrace);
        verify_hands_end(retrace);
    }
    if (status == DB_OK) {
        status = verify_void(retrace);
    }
    if (status == DB_OK) {
        status = verify_links(retrace);
    }
    return status == DB_OK ? verify_rematch(retrace) : status;
}

enum db_status verify_game(struct verify *verify, const struct db_game *game)
{
    struct retrace retrace = {
        .verify = verify, .game = game, .at_ms = game->created_at_ms, .no_show = RULES_SEAT_NONE};
    verify->report->games++;
    verify->games_ended += strcmp(game->status, "playing") != 0;
    (void)snprintf(retrace.row, sizeof retrace.row, "game %s", game->id.id.text);
    if (!line_rules(game, &retrace.rules, &retrace.options)) {
        verify_differs(verify, "%s: expected a known game with its options, found %s [%s]",
                       retrace.row, game->game, game->options);
        return DB_OK;
    }
    if (game->ply > LIMIT_PLIES) {
        verify_differs(verify, "%s: expected ply %d at most, found %" PRIu32, retrace.row,
                       LIMIT_PLIES, game->ply);
        return DB_OK;
    }
    retrace.history = calloc((size_t)game->ply + 1, sizeof *retrace.history);
    if (retrace.history == NULL) {
        return DB_ERROR;
    }
    retrace.rules->start(&retrace.position);
    retrace.history[0] =
        (struct history_entry){retrace.rules->hash(&retrace.position), RULES_SEAT_NONE, false};
    enum db_status status = retrace_game(&retrace);
    free(retrace.history);
    return status;
}

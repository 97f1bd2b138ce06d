#include "streams.h"

#include "prepare.h"
#include "service.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[FRAME_KINDS] = {
    [FRAME_MOVE] = "move",     [FRAME_SEAT] = "seat",       [FRAME_FINISHED] = "finished",
    [FRAME_REPLAY] = "replay", [FRAME_REMATCH] = "rematch", [FRAME_CLOCK] = "clock",
    [FRAME_VOIDED] = "voided",
};

const char *frame_word(enum frame_kind kind)
{
    assert(kind < FRAME_KINDS);
    return words[kind];
}

void match_watch(struct match *match, enum event_topic topic, int64_t number,
                 struct event_waiter *waiter)
{
    waiter->topic = topic;
    waiter->number = number;
    events_add(match->events, waiter);
}

bool match_is_stopping(const struct match *match)
{
    return atomic_load(&match->stopping);
}

/* --- numbers -------------------------------------------------------------------------------------
 */

enum match_status match_seq(struct match *match, const struct game_id *id, uint32_t *seq)
{
    struct state_stamp stamp;
    struct db_game game;
    struct game_state *state = state_cache_get(match->states, id, &stamp);
    if (state != NULL && state->line != NULL) {
        *seq = state->game.seq;
        state_unref(state);
        return MATCH_OK;
    }
    state_unref(state);
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = db_game_find(db, id, &game);
        if (status == DB_OK) {
            status = db_event_last(db, &game, seq);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

/* --- frames of moves -----------------------------------------------------------------------------
 */

/* What the ply that led to this line has eliminated. */
static void last_effects(const struct game_line *line, struct ply_effects *effects)
{
    *effects = (struct ply_effects){0};
    for (size_t i = 0; i < line->elimination_count; i++) {
        if (line->eliminations[i].ply == line->ply) {
            effects->eliminations[effects->elimination_count++] = line->eliminations[i].elimination;
        }
    }
}

/* `result` NULL: the game went on after it. */
static void fill_move(const struct game_line *line, const struct db_game *game,
                      const struct db_move *move, const struct result_view *result,
                      struct frame *frame)
{
    struct ply_effects effects;
    last_effects(line, &effects);
    frame->seq = move->seq;
    frame->kind = FRAME_MOVE;
    frame->at_ms = move->at_ms;
    frame->turn_seconds = game->turn_seconds;
    move_answer_fill(line, game, move, &effects, result, &frame->move);
}

static struct frames *frames_new(size_t count)
{
    struct frames *frames = calloc(1, sizeof *frames + count * sizeof frames->at[0]);
    if (frames != NULL) {
        frames->count = count;
    }
    return frames;
}

/* The one event that most who ask have not heard of: the last move of a running game. NULL with
 * DB_OK: it is something else. */
static enum db_status newest_move(struct match *match, const struct game_state *state,
                                  uint32_t after, struct frames **frames)
{
    struct db_move move;
    *frames = NULL;
    if (state->line == NULL || state->game.seq != after + 1 || state->game.ply == 0) {
        return DB_OK;
    }
    struct db *db = reader_take(match);
    enum db_status status = db_move_load(db, state->game.game_no, state->game.ply, &move);
    reader_give(match, db);
    if (status != DB_OK || move.seq != state->game.seq) {
        return status == DB_NONE ? DB_CORRUPT : status;
    }
    *frames = frames_new(1);
    if (*frames == NULL) {
        return DB_ERROR;
    }
    fill_move(state->line, &state->game, &move, NULL, &(*frames)->at[0]);
    return DB_OK;
}

/* --- frames of all kinds -------------------------------------------------------------------------
 */

/* A page while it is made. */
struct page {
    struct db *db;
    struct db_game game;
    size_t seat_count;
    struct db_seat seats[DB_SEATS_MAX];
    size_t move_count;
    struct db_move moves[FRAMES_AT_ONCE];
    size_t event_count;
    struct db_event events[FRAMES_AT_ONCE];
    struct game_line *line; /* right before the next of the moves */
};

static enum db_status read_rows(struct page *page, const struct game_id *id, uint32_t after)
{
    uint32_t events_before = 0;
    enum db_status status = db_game_find(page->db, id, &page->game);
    int64_t game_no = page->game.game_no;
    if (status == DB_OK) {
        status = db_events_until(page->db, game_no, after, &events_before);
    }
    if (status == DB_OK && events_before > after) {
        status = DB_CORRUPT;
    }
    uint32_t ply = after - events_before; /* every number is a move's or another event's */
    if (status == DB_OK) {
        status = db_moves(page->db, game_no, ply, page->moves, FRAMES_AT_ONCE, &page->move_count);
    }
    if (status == DB_OK) {
        status =
            db_events(page->db, game_no, after, page->events, FRAMES_AT_ONCE, &page->event_count);
    }
    if (status == DB_OK) {
        status = db_seats(page->db, game_no, page->seats, &page->seat_count);
    }
    if (status == DB_OK && page->move_count > 0) {
        struct ply_effects effects;
        status = line_rebuild(page->db, &page->game, ply, &page->line, &effects);
    }
    return status;
}

/* The line goes on by a stored move. */
static enum db_status push(struct page *page, const struct db_move *row)
{
    struct move move;
    struct ply_effects effects;
    const struct game_rules *rules = page->line->rules;
    if (row->ply != page->line->ply + 1 ||
        rules->parse_move(row->move, strlen(row->move), &move) != ILLEGAL_NONE) {
        return DB_CORRUPT;
    }
    struct game_line *next = line_after(page->line, move, row->at_ms, &effects);
    if (next == NULL) {
        return DB_ERROR;
    }
    line_unref(page->line);
    page->line = next;
    return DB_OK;
}

static enum db_status move_frame(struct page *page, const struct db_move *row, struct frame *frame)
{
    const struct db_game *game = &page->game;
    struct result_view result = {0};
    enum db_status status = push(page, row);
    bool last = row->ply == game->ply && strcmp(game->status, "playing") != 0;
    if (status == DB_OK && last && ply_ended(page->line, game)) {
        status = result_view_load(page->db, game, page->seats, page->seat_count, &result);
    }
    if (status == DB_OK) {
        fill_move(page->line, game, row, &result, frame);
    }
    return status;
}

static enum db_status ending_fill(struct page *page, bool voided, struct ending_view *ending)
{
    struct db_game game = page->game;
    enum db_status status =
        result_view_load(page->db, &game, page->seats, page->seat_count, &ending->result);
    if (status == DB_OK && voided) {
        status = result_view_void(page->db, &game, &ending->result);
    }
    memcpy(ending->status, game.status, sizeof ending->status);
    memcpy(ending->unrated_reason, game.unrated_reason, sizeof ending->unrated_reason);
    ending->seat_count = page->seat_count;
    return status;
}

static enum db_status event_frame(struct page *page, const struct db_event *row,
                                  struct frame *frame)
{
    struct db_game other;
    enum frame_kind kind = FRAME_SEAT;
    while (kind < FRAME_KINDS && strcmp(words[kind], row->type) != 0) {
        kind++;
    }
    if (kind == FRAME_KINDS) {
        return DB_CORRUPT;
    }
    frame->seq = row->seq;
    frame->kind = kind;
    frame->at_ms = row->at_ms;
    frame->turn_seconds = page->game.turn_seconds;
    frame->event = *row;
    if (kind == FRAME_FINISHED || kind == FRAME_VOIDED) {
        return ending_fill(page, kind == FRAME_VOIDED, &frame->ending);
    }
    if (row->linked_game_no == 0) {
        return DB_OK;
    }
    enum db_status status = db_game_load(page->db, row->linked_game_no, &other);
    if (status == DB_OK) {
        frame->linked = other.id;
    }
    return status;
}

/* Moves and events come each in order of their numbers, which have no gaps. */
static enum db_status merge(struct page *page, uint32_t after, struct frames *frames)
{
    size_t move = 0;
    size_t event = 0;
    enum db_status status = DB_OK;
    for (size_t i = 0; status == DB_OK && i < frames->count; i++) {
        uint32_t seq = after + 1 + (uint32_t)i;
        if (move < page->move_count && page->moves[move].seq == seq) {
            status = move_frame(page, &page->moves[move++], &frames->at[i]);
        } else if (event < page->event_count && page->events[event].seq == seq) {
            status = event_frame(page, &page->events[event++], &frames->at[i]);
        } else {
            status = DB_CORRUPT;
        }
    }
    return status;
}

static enum db_status read_page(struct page *page, const struct game_id *id, uint32_t after,
                                struct frames **frames)
{
    enum db_status status = read_rows(page, id, after);
    if (status != DB_OK) {
        return status;
    }
    size_t count = page->move_count + page->event_count;
    *frames = frames_new(count < FRAMES_AT_ONCE ? count : FRAMES_AT_ONCE);
    if (*frames == NULL) {
        return DB_ERROR;
    }
    status = merge(page, after, *frames);
    if (status != DB_OK) {
        free(*frames);
        *frames = NULL;
    }
    return status == DB_NONE ? DB_CORRUPT : status;
}

static enum db_status read_stored(struct match *match, const struct game_id *id, uint32_t after,
                                  struct frames **frames)
{
    struct page *page = calloc(1, sizeof *page);
    if (page == NULL) {
        return DB_ERROR;
    }
    page->db = reader_take(match);
    enum db_status status = db_read_begin(page->db);
    if (status == DB_OK) {
        status = read_page(page, id, after, frames);
        db_read_end(page->db);
    }
    reader_give(match, page->db);
    line_unref(page->line);
    free(page);
    return status;
}

enum match_status match_frames(struct match *match, const struct game_id *id, uint32_t after,
                               struct frames **frames)
{
    struct state_stamp stamp;
    enum db_status status = DB_OK;
    *frames = NULL;
    struct game_state *state = state_cache_get(match->states, id, &stamp);
    if (state != NULL && state->game.seq > after) {
        status = newest_move(match, state, after, frames);
    }
    state_unref(state);
    if (status == DB_OK && *frames == NULL) {
        status = read_stored(match, id, after, frames);
    }
    return match_status_of(status);
}

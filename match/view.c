#include "db/tables.h"
#include "service.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void standing_note(const struct db_game *game, struct game_standing *standing)
{
    memcpy(standing->status, game->status, sizeof standing->status);
    memcpy(standing->turn, game->turn, sizeof standing->turn);
    standing->ply = game->ply;
}

static enum db_status fill_seats(struct match *match, struct game_view *view,
                                 const struct db_seat *rows, size_t count,
                                 const struct position *position)
{
    if (count != view->rules->seat_count) {
        return DB_CORRUPT;
    }
    view->seat_count = count;
    for (size_t i = 0; i < count; i++) {
        view->seats[i].row = rows[i];
        view->seats[i].present = rows[i].has_name && !rows[i].banned &&
                                 player_is_present(match, rows[i].player_no, view->now_ms);
        view->rules->seat_facts(position, (int)i, &view->seats[i].facts);
    }
    int turn =
        view->game.turn[0] == '\0' ? RULES_SEAT_NONE : rules_seat(view->rules, view->game.turn[0]);
    view->deadline_at_ms = deadline_shown(&view->game, rows, count);
    view->check = turn != RULES_SEAT_NONE && view->seats[turn].facts.in_check;
    return DB_OK;
}

static enum db_status load_seats(struct match *match, struct db *db, struct game_view *view,
                                 const struct position *position)
{
    struct db_seat rows[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_seats(db, view->game.game_no, rows, &count);
    if (status == DB_OK) {
        status = fill_seats(match, view, rows, count, position);
    }
    if (status == DB_OK) {
        status = result_view_load(db, &view->game, rows, count, &view->result);
    }
    return status == DB_OK ? result_view_void(db, &view->game, &view->result) : status;
}

static enum db_status load_table(struct db *db, struct db_game *game)
{
    bool known = game->table_no == 0 || game->table_id.id.text[0] != '\0';
    return known ? DB_OK : db_table_id(db, game->table_no, &game->table_id);
}

/* Of a game at a table there is no rematch, but a next one. */
static enum db_status load_rematches(struct db *db, struct game_view *view)
{
    struct db_game other;
    enum db_status status = DB_OK;
    if (view->game.rematch_of != 0) {
        status = db_game_load(db, view->game.rematch_of, &other);
        view->has_rematch_of = true;
    }
    if (status != DB_OK) {
        return status;
    }
    if (view->has_rematch_of) {
        view->rematch_of = other.id;
    }
    if (view->game.turn[0] != '\0' || view->game.table_no != 0) {
        return DB_OK;
    }
    status = db_game_rematch(db, view->game.game_no, &other);
    view->has_rematched_by = status == DB_OK;
    if (status == DB_OK) {
        view->rematched_by = other.id;
    }
    return status == DB_NONE ? DB_OK : status;
}

/* The games before and after it are told by the later one: looked up both ways. */
static enum db_status load_links(struct db *db, struct game_view *view)
{
    struct db_game other;
    enum db_status rematches = load_rematches(db, view);
    if (rematches != DB_OK) {
        return rematches;
    }
    if (view->game.replay_of != 0) {
        enum db_status status = db_game_load(db, view->game.replay_of, &other);
        if (status != DB_OK) {
            return status;
        }
        view->has_replay_of = true;
        view->replay_of = other.id;
    }
    if (end_reason_find(view->game.end_reason) != END_REPETITION) {
        return DB_OK;
    }
    enum db_status status = db_game_replay(db, view->game.game_no, &other);
    view->has_replayed_by = status == DB_OK;
    if (status == DB_OK) {
        view->replayed_by = other.id;
    }
    return status == DB_NONE ? DB_OK : status;
}

static void copy_eliminations(const struct game_line *line, struct game_view *view)
{
    view->elimination_count = line->elimination_count;
    memcpy(view->eliminations, line->eliminations, sizeof view->eliminations);
}

enum db_status view_fill(struct match *match, struct db *db, const struct db_game *game,
                         struct game_view *view)
{
    *view = (struct game_view){.game = *game, .now_ms = match_now_ms(match)};
    struct position position;
    struct text_error error;
    if (!line_rules(game, &view->rules, &view->options) ||
        !view->rules->parse_position(game->position, strlen(game->position), &view->options,
                                     &position, &error)) {
        return DB_CORRUPT;
    }
    enum db_status status = load_seats(match, db, view, &position);
    if (status == DB_OK) {
        status = load_links(db, view);
    }
    if (status == DB_OK) {
        status = load_table(db, &view->game);
    }
    if (status == DB_OK) {
        status = db_event_last(db, game, &view->game.seq);
    }
    return status == DB_OK ? line_eliminations(db, game, &position, view->eliminations,
                                               &view->elimination_count)
                           : status;
}

/* A running game needs no query, but for the id of the game that it comes after. */
static enum db_status view_of_state(struct match *match, const struct game_state *state,
                                    struct game_view *view)
{
    const struct game_line *line = state->line;
    *view = (struct game_view){
        .rules = line->rules,
        .options = line->options,
        .game = state->game,
        .now_ms = match_now_ms(match),
    };
    enum db_status status =
        fill_seats(match, view, state->seats, state->seat_count, &line->position);
    copy_eliminations(line, view);
    if (status != DB_OK || (state->game.replay_of == 0 && state->game.rematch_of == 0)) {
        return status;
    }
    struct db *db = reader_take(match);
    status = load_links(db, view);
    reader_give(match, db);
    return status;
}

static enum db_status view_stored(struct match *match, const struct game_id *id, int64_t viewer_no,
                                  struct game_view *view)
{
    struct db *db = reader_take(match);
    struct db_game game;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = db_game_find(db, id, &game);
        if (status == DB_OK) {
            status = game_seen_by(match, db, &game, viewer_no);
        }
        if (status == DB_OK) {
            status = view_fill(match, db, &game, view);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return status;
}

enum db_status state_find(struct match *match, const struct game_id *id, struct game_state **state)
{
    struct state_stamp stamp;
    *state = state_cache_get(match->states, id, &stamp);
    if (*state != NULL) {
        return DB_OK;
    }
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = state_load(db, id, state);
        db_read_end(db);
    }
    reader_give(match, db);
    if (status == DB_OK) {
        state_cache_offer(match->states, *state, stamp);
    }
    return status;
}

/* --- legal moves ---------------------------------------------------------------------------------
 */

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void list_legal(const struct game_line *line, const char *from, struct legal_view *view)
{
    struct history history = line_history(line);
    struct move_list moves;
    size_t prefix = from == NULL ? 0 : strlen(from);
    line->rules->legal_moves(&line->position, &line->options, &history, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        char *text = view->moves[view->count];
        line->rules->format_move(moves.at[i], text);
        if (prefix == 0 || strncmp(text, from, prefix) == 0) {
            view->count++;
        }
    }
    qsort(view->moves, view->count, sizeof view->moves[0], by_text);
}

static void fill_legal(const struct game_state *state, const char *from, struct legal_view *view)
{
    view->is_private = state->game.is_private;
    view->ply = state->game.ply;
    view->count = 0;
    memcpy(view->turn, state->game.turn, sizeof view->turn);
    if (state->line != NULL) {
        list_legal(state->line, from, view);
    }
}

/* Whether the viewer may see the game, and the table lets anybody see what is legal. */
static enum match_status may_see_legal(struct match *match, const struct game_state *state,
                                       int64_t viewer_no)
{
    enum db_status status = game_seen_by(match, NULL, &state->game, viewer_no);
    if (status != DB_OK) {
        return match_status_of(status);
    }
    return state->game.hides_legal_moves ? MATCH_LEGAL_MOVES_HIDDEN : MATCH_OK;
}

enum match_status match_legal_moves(struct match *match, const struct game_id *id,
                                    int64_t viewer_no, const char *from, struct legal_view *view)
{
    struct game_state *state = NULL;
    enum db_status found = state_find(match, id, &state);
    if (found != DB_OK) {
        return match_status_of(found);
    }
    enum match_status status = may_see_legal(match, state, viewer_no);
    if (status == MATCH_OK) {
        fill_legal(state, from, view);
    }
    state_unref(state);
    return status;
}

/* --- one game ------------------------------------------------------------------------------------
 */

/* View and moves are of one state. Replaying the moves of a game that is not at hand is worth it
 * only where the rules are asked. */
static enum db_status running_state(struct match *match, const struct game_id *id, bool replay,
                                    struct game_state **state)
{
    struct state_stamp stamp;
    if (replay) {
        return state_find(match, id, state);
    }
    *state = state_cache_get(match->states, id, &stamp);
    return DB_OK;
}

static enum match_status view_of_either(struct match *match, const struct game_state *state,
                                        const struct game_id *id, int64_t viewer_no,
                                        struct game_view *view)
{
    if (state == NULL || state->line == NULL) {
        /* an ended game stays as it is */
        return match_status_of(view_stored(match, id, viewer_no, view));
    }
    enum db_status status = game_seen_by(match, NULL, &state->game, viewer_no);
    return match_status_of(status == DB_OK ? view_of_state(match, state, view) : status);
}

enum match_status match_game(struct match *match, const struct game_id *id, int64_t viewer_no,
                             struct game_view *view, struct legal_view *legal)
{
    struct game_state *state = NULL;
    enum db_status found = running_state(match, id, legal != NULL, &state);
    if (found != DB_OK) {
        return match_status_of(found);
    }
    enum match_status status = MATCH_OK;
    if (legal != NULL) {
        assert(state != NULL);
        status = may_see_legal(match, state, viewer_no);
    }
    if (status == MATCH_OK && legal != NULL) {
        fill_legal(state, NULL, legal);
    }
    if (status == MATCH_OK) {
        status = view_of_either(match, state, id, viewer_no, view);
    }
    state_unref(state);
    return status;
}

/* --- lists ---------------------------------------------------------------------------------------
 */

enum match_status match_moves(struct match *match, const struct game_id *id,
                              struct match_moves_query *query, struct db_move *moves, size_t max,
                              size_t *count)
{
    struct db *db = reader_take(match);
    struct db_game game;
    enum db_status status = db_game_find(db, id, &game);
    if (status == DB_OK) {
        status = game_seen_by(match, db, &game, query->viewer_no);
    }
    if (status == DB_OK) {
        query->is_private = game.is_private;
        status = db_moves(db, game.game_no, query->after_ply, moves, max, count);
    }
    reader_give(match, db);
    return match_status_of(status);
}

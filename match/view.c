#include "service.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static enum db_status load_seats(struct match *match, struct db *db, struct game_view *view,
                                 const struct position *position)
{
    struct db_seat rows[DB_SEATS_MAX];
    enum db_status status = db_seats(db, view->game.game_no, rows, &view->seat_count);
    if (status != DB_OK) {
        return status;
    }
    if (view->seat_count != view->rules->seat_count) {
        return DB_CORRUPT;
    }
    for (size_t i = 0; i < view->seat_count; i++) {
        view->seats[i].row = rows[i];
        view->seats[i].present = player_is_present(match, rows[i].player_no, view->now_ms);
        view->rules->seat_facts(position, (int)i, &view->seats[i].facts);
    }
    return result_view_load(db, &view->game, rows, view->seat_count, &view->result);
}

/* A replay has a seat the other way round, so a pair of games is looked up both ways. */
static enum db_status load_links(struct db *db, struct game_view *view)
{
    struct db_game other;
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

/* Who fell when is history: only a line knows. Asked for only where somebody has fallen. */
static enum db_status load_eliminations(struct match *match, struct db *db, struct game_view *view)
{
    bool fallen = false;
    for (size_t i = 0; i < view->seat_count; i++) {
        fallen = fallen || !view->seats[i].facts.alive;
    }
    if (!fallen) {
        return DB_OK;
    }
    struct game_line *line = NULL;
    enum db_status status = line_at(match, db, &view->game, &line);
    if (status == DB_OK) {
        view->elimination_count = line->elimination_count;
        memcpy(view->eliminations, line->eliminations, sizeof view->eliminations);
        line_unref(line);
    }
    return status;
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
        status = load_eliminations(match, db, view);
    }
    int turn =
        view->game.turn[0] == '\0' ? RULES_SEAT_NONE : rules_seat(view->rules, view->game.turn[0]);
    view->check = turn != RULES_SEAT_NONE && view->seats[turn].facts.in_check;
    return status;
}

enum db_status line_at(struct match *match, struct db *db, const struct db_game *game,
                       struct game_line **line)
{
    struct game_line *cached = line_cache_get(match->lines, game->game_no);
    if (cached != NULL && cached->ply == game->ply) {
        *line = cached;
        return DB_OK;
    }
    line_unref(cached);
    struct ply_effects effects;
    return line_rebuild(db, game, game->ply, line, &effects);
}

/* --- a game and its legal moves ------------------------------------------------------------------
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

static enum db_status legal_fill(struct match *match, struct db *db, const struct game_id *id,
                                 const char *from, struct legal_view *view)
{
    struct db_game game;
    struct game_line *line = NULL;
    enum db_status status = db_game_find(db, id, &game);
    if (status == DB_OK) {
        status = line_at(match, db, &game, &line);
    }
    if (status != DB_OK) {
        return status;
    }
    line_cache_put(match->lines, line); /* who asks for moves is about to make one */
    view->rules = line->rules;
    view->ply = game.ply;
    view->count = 0;
    memcpy(view->turn, game.turn, sizeof view->turn);
    if (strcmp(game.status, "playing") == 0) {
        list_legal(line, from, view);
    }
    line_unref(line);
    return DB_OK;
}

static enum db_status game_fill(struct match *match, struct db *db, const struct game_id *id,
                                struct game_view *view)
{
    struct db_game game;
    enum db_status status = db_game_find(db, id, &game);
    return status == DB_OK ? view_fill(match, db, &game, view) : status;
}

/* In one transaction: between two of them a move may be made. `legal` may be NULL. */
static enum match_status game_read(struct match *match, const struct game_id *id,
                                   struct game_view *view, struct legal_view *legal)
{
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = game_fill(match, db, id, view);
        if (status == DB_OK && legal != NULL) {
            status = legal_fill(match, db, id, NULL, legal);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

enum match_status match_game(struct match *match, const struct game_id *id, struct game_view *view)
{
    return game_read(match, id, view, NULL);
}

enum match_status match_game_with_moves(struct match *match, const struct game_id *id,
                                        struct game_view *view, struct legal_view *legal)
{
    return game_read(match, id, view, legal);
}

enum match_status match_legal_moves(struct match *match, const struct game_id *id, const char *from,
                                    struct legal_view *view)
{
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = legal_fill(match, db, id, from, view);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

/* --- lists ---------------------------------------------------------------------------------------
 */

enum match_status match_moves(struct match *match, const struct game_id *id, uint32_t after_ply,
                              struct db_move *moves, size_t max, size_t *count)
{
    struct db *db = reader_take(match);
    struct db_game game;
    enum db_status status = db_game_find(db, id, &game);
    if (status == DB_OK) {
        status = db_moves(db, game.game_no, after_ply, moves, max, count);
    }
    reader_give(match, db);
    return match_status_of(status);
}

/* Public filter to row numbers. DB_NONE: a player in it does not exist. */
static enum db_status filter_resolve(struct db *db, const struct match_game_filter *filter,
                                     struct db_game_filter *resolved)
{
    struct db_player player;
    enum db_status status = DB_OK;
    *resolved = (struct db_game_filter){
        .game = filter->game,
        .pool = filter->pool,
        .status = filter->status,
        .before_game_no = filter->before_game_no,
    };
    if (filter->by_player) {
        status = db_player_find(db, &filter->player, &player);
        resolved->player_no = status == DB_OK ? player.player_no : 0;
    }
    if (status == DB_OK && filter->by_opponent) {
        status = db_player_find(db, &filter->opponent, &player);
        resolved->opponent_no = status == DB_OK ? player.player_no : 0;
    }
    return status;
}

static enum db_status games_fill(struct match *match, struct db *db,
                                 const struct db_game_filter *filter, struct game_view *views,
                                 size_t max, size_t *count)
{
    struct db_game *games = calloc(max, sizeof *games);
    if (games == NULL) {
        return DB_ERROR;
    }
    size_t found = 0;
    enum db_status status = db_games(db, filter, games, max, &found);
    for (size_t i = 0; status == DB_OK && i < found; i++) {
        status = view_fill(match, db, &games[i], &views[i]);
    }
    free(games);
    *count = found;
    return status;
}

enum db_status games_of_player(struct match *match, struct db *db, int64_t player_no,
                               struct game_view *views, size_t max, size_t *count)
{
    struct db_game_filter filter = {.player_no = player_no, .status = "playing"};
    return games_fill(match, db, &filter, views, max, count);
}

enum match_status match_games(struct match *match, const struct match_game_filter *filter,
                              struct game_view *views, size_t max, size_t *count)
{
    assert(!filter->by_opponent || filter->by_player);
    struct db *db = reader_take(match);
    struct db_game_filter resolved;
    *count = 0;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = filter_resolve(db, filter, &resolved);
        if (status == DB_OK) {
            status = games_fill(match, db, &resolved, views, max, count);
        } else if (status == DB_NONE) {
            status = DB_OK; /* nobody of that name has played anything */
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

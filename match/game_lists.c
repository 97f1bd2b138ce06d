#include "db/lists.h"
#include "service.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static enum db_status views_fill(struct match *match, struct db *db, const struct db_game *games,
                                 size_t count, struct game_view *views)
{
    enum db_status status = DB_OK;
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        status = view_fill(match, db, &games[i], &views[i]);
    }
    return status;
}

/* One more than the page shows is asked for: whether the list goes on. */
static enum db_status page_fill(struct match *match, struct db *db,
                                const struct db_game_filter *filter, size_t limit,
                                struct game_page *page)
{
    struct db_game *games = calloc(limit + 1, sizeof *games);
    if (games == NULL) {
        return DB_ERROR;
    }
    enum db_status status =
        db_games(db, filter, games, limit + 1, &page->count, &page->next_before);
    if (status == DB_OK && page->count > limit) {
        page->count = limit;
        page->next_before = games[limit - 1].game_no;
    }
    if (status == DB_OK) {
        status = views_fill(match, db, games, page->count, page->views);
    }
    free(games);
    return status;
}

enum db_status one_more_game(struct match_op *op, struct db *db, int64_t player_no)
{
    size_t playing = 0;
    enum db_status status = player_no == 0 ? DB_OK : db_games_playing_of(db, player_no, &playing);
    if (playing >= LIMIT_GAMES_PLAYING) {
        op->status = MATCH_TOO_MANY_GAMES;
    }
    return status;
}

enum db_status running_games(struct db *db, int64_t player_no,
                             struct db_game games[LIMIT_GAMES_AT_ONCE], size_t *count)
{
    return db_games_running(db, player_no, games, LIMIT_GAMES_AT_ONCE, count);
}

enum db_status games_of_player(struct match *match, struct db *db, int64_t player_no,
                               struct game_view views[LIMIT_GAMES_AT_ONCE], size_t *count)
{
    struct db_game games[LIMIT_GAMES_AT_ONCE];
    enum db_status status = running_games(db, player_no, games, count);
    return status == DB_OK ? views_fill(match, db, games, *count, views) : status;
}

/* --- the public lists ----------------------------------------------------------------------------
 */

/* Whose games they may be. */
enum whose { ANYBODYS, OF_A_PROFILE };

/* A pool says which game it is. DB_NONE: no game passes both. */
static enum db_status resolve_words(const struct match_game_filter *filter,
                                    struct db_game_filter *resolved)
{
    *resolved = (struct db_game_filter){
        .game = filter->game,
        .pool = filter->pool,
        .status = filter->status,
        .before_game_no = filter->before_game_no,
    };
    if (filter->pool == NULL || filter->game == NULL) {
        return DB_OK;
    }
    const struct pool_rules *pool = NULL;
    const struct game_rules *rules = rules_find_pool(filter->pool, &pool);
    resolved->game = NULL;
    return rules != NULL && strcmp(rules->key, filter->game) == 0 ? DB_OK : DB_NONE;
}

/* Public identifiers to row numbers. DB_NONE: nobody's, so nothing passes. */
static enum db_status resolve(struct db *db, const struct match_game_filter *filter,
                              const struct db_player *player, struct db_game_filter *resolved)
{
    struct db_player opponent;
    enum db_status status = resolve_words(filter, resolved);
    resolved->player_no = player->player_no;
    resolved->viewer_no = filter->viewer_no;
    if (status == DB_OK && filter->by_opponent) {
        status = db_player_find(db, &filter->opponent, &opponent);
        resolved->opponent_no = status == DB_OK ? opponent.player_no : 0;
    }
    return status;
}

static enum db_status find_player(struct db *db, const struct match_game_filter *filter,
                                  enum whose whose, struct db_player *player)
{
    *player = (struct db_player){0};
    if (!filter->by_player) {
        return DB_OK;
    }
    enum db_status status = db_player_find(db, &filter->player, player);
    return status == DB_OK && whose == OF_A_PROFILE && !player->has_name ? DB_NONE : status;
}

/* DB_NONE: there is no such player. */
static enum db_status list_fill(struct match *match, struct db *db,
                                const struct match_game_filter *filter, enum whose whose,
                                size_t limit, struct game_page *page)
{
    struct db_player player;
    struct db_game_filter resolved;
    enum db_status status = find_player(db, filter, whose, &player);
    if (status != DB_OK) {
        return status;
    }
    status = resolve(db, filter, &player, &resolved);
    if (status == DB_OK) {
        status = page_fill(match, db, &resolved, limit, page);
    }
    return status == DB_NONE ? DB_OK : status;
}

static enum db_status list_read(struct match *match, const struct match_game_filter *filter,
                                enum whose whose, size_t limit, struct game_page *page)
{
    assert(limit >= 1 && limit <= LIMIT_PAGE);
    assert(!filter->by_opponent || filter->by_player);
    struct db *db = reader_take(match);
    page->count = 0;
    page->next_before = 0;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = list_fill(match, db, filter, whose, limit, page);
        db_read_end(db);
    }
    reader_give(match, db);
    return status;
}

enum match_status match_games(struct match *match, const struct match_game_filter *filter,
                              size_t limit, struct game_page *page)
{
    enum db_status status = list_read(match, filter, ANYBODYS, limit, page);
    return match_status_of(status == DB_NONE ? DB_OK : status);
}

enum match_status match_player_games(struct match *match, const struct match_game_filter *filter,
                                     size_t limit, struct game_page *page)
{
    assert(filter->by_player);
    return match_status_of(list_read(match, filter, OF_A_PROFILE, limit, page));
}

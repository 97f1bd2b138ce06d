#include "games.h"
#include "lists.h"
#include "tables.h"

#include <assert.h>
#include <string.h>

/* Lists of games, newest first; the keyset is the row number itself. What can be asked of all games
 * has an index for every combination, in which there are no private ones. Among a player's games,
 * filters are looked at on the way, and so is who may see them. */

enum {
    GAMES_ALL,
    GAMES_OF_STATUS,
    GAMES_OF_GAME,
    GAMES_OF_GAME_STATUS,
    GAMES_OF_POOL,
    GAMES_OF_POOL_STATUS,
    GAMES_OF_PLAYER,
    GAMES_OF_TWO,
    GAMES_UNDECIDED_OF_PLAYER,
    GAMES_UNDECIDED_OF_TWO,
    GAMES_RUNNING_OF_PLAYER,
    GAME_LIST_TEXTS,
};
#define OF_ALL(filters)                                                                            \
    "SELECT " GAME_COLUMNS " FROM game g WHERE g.private = 0 AND g.game_no < $1" filters           \
    " ORDER BY g.game_no DESC LIMIT $2"
/* After the game's columns: whether the opponent had a seat in it. */
#define OF_PLAYER "SELECT " GAME_COLUMNS ", 1 FROM seat s"
#define OF_TWO                                                                                     \
    "SELECT " GAME_COLUMNS ", o.player_no IS NOT NULL FROM seat s"                                 \
    " LEFT JOIN seat o ON o.game_no = s.game_no AND o.player_no = $4"
#define NEWEST(seats)                                                                              \
    " CROSS JOIN game g ON g.game_no = s.game_no WHERE s.player_no = $3 AND s.game_no < $1" seats  \
    " ORDER BY s.game_no DESC LIMIT $2"
static const char *const game_list_texts[GAME_LIST_TEXTS] = {
    [GAMES_ALL] = OF_ALL(""),
    [GAMES_OF_STATUS] = OF_ALL(" AND g.status = $3"),
    [GAMES_OF_GAME] = OF_ALL(" AND g.game = $3"),
    [GAMES_OF_GAME_STATUS] = OF_ALL(" AND g.game = $3 AND g.status = $4"),
    [GAMES_OF_POOL] = OF_ALL(" AND g.pool = $3"),
    [GAMES_OF_POOL_STATUS] = OF_ALL(" AND g.pool = $3 AND g.status = $4"),
    [GAMES_OF_PLAYER] = OF_PLAYER NEWEST(""),
    [GAMES_OF_TWO] = OF_TWO NEWEST(""),
    [GAMES_UNDECIDED_OF_PLAYER] = OF_PLAYER NEWEST(" AND s.place IS NULL"),
    [GAMES_UNDECIDED_OF_TWO] = OF_TWO NEWEST(" AND s.place IS NULL"),
    [GAMES_RUNNING_OF_PLAYER] = OF_PLAYER NEWEST(" AND s.place IS NULL AND g.status = 'playing'"),
};
const struct sql_set sql_game_lists = {"game_lists", SLOTS_GAME_LISTS, GAME_LIST_TEXTS,
                                       game_list_texts};

static bool is_given(const char *word)
{
    return word != NULL && word[0] != '\0';
}

/* --- of everybody --------------------------------------------------------------------------------
 */

static size_t text_of_all(const struct db_game_filter *filter)
{
    if (is_given(filter->pool)) {
        return is_given(filter->status) ? GAMES_OF_POOL_STATUS : GAMES_OF_POOL;
    }
    if (is_given(filter->game)) {
        return is_given(filter->status) ? GAMES_OF_GAME_STATUS : GAMES_OF_GAME;
    }
    return is_given(filter->status) ? GAMES_OF_STATUS : GAMES_ALL;
}

static void begin(struct query *query, struct db *db, size_t which,
                  const struct db_game_filter *filter, size_t max)
{
    query_begin(query, db, &sql_game_lists, which);
    query_int(query, 1, filter->before_game_no == 0 ? INT64_MAX : filter->before_game_no);
    query_int(query, 2, (int64_t)max);
}

static enum db_status games_of_all(struct db *db, const struct db_game_filter *filter,
                                   struct db_game *games, size_t max, size_t *count)
{
    const char *words[2];
    int word_count = 0;
    struct query query;
    size_t found = 0;
    begin(&query, db, text_of_all(filter), filter, max);
    if (is_given(filter->pool) || is_given(filter->game)) {
        words[word_count++] = is_given(filter->pool) ? filter->pool : filter->game;
    }
    if (is_given(filter->status)) {
        words[word_count++] = filter->status;
    }
    for (int i = 0; i < word_count; i++) {
        query_text(&query, 3 + i, words[i]);
    }
    while (query_step(&query)) {
        assert(found < max);
        db_read_game(&query, &games[found++]);
    }
    *count = found;
    return query_end(&query);
}

/* --- of a player ---------------------------------------------------------------------------------
 */

/* Places are written when a game is finished, so the rare others can be found by their lack. */
static size_t text_of_player(const struct db_game_filter *filter)
{
    if (is_given(filter->status) && strcmp(filter->status, "finished") != 0) {
        return filter->opponent_no == 0 ? GAMES_UNDECIDED_OF_PLAYER : GAMES_UNDECIDED_OF_TWO;
    }
    return filter->opponent_no == 0 ? GAMES_OF_PLAYER : GAMES_OF_TWO;
}

static bool has_word(struct query *query, int column, const char *word)
{
    char text[DB_WORD_TEXT];
    if (!is_given(word)) {
        return true;
    }
    column_text(query, column, text, sizeof text);
    return strcmp(text, word) == 0;
}

static bool passes(struct query *query, const struct db_game_filter *filter)
{
    return column_int(query, GAME_COLUMN_COUNT) != 0 &&
           has_word(query, GAME_COLUMN_GAME, filter->game) &&
           has_word(query, GAME_COLUMN_POOL, filter->pool) &&
           has_word(query, GAME_COLUMN_STATUS, filter->status);
}

/* Of private games alone it is asked who may see them. */
static enum db_status look_at_private(struct db *db, const struct db_game_filter *filter,
                                      const struct db_game *game, bool *seen)
{
    *seen = !game->is_private;
    return *seen ? DB_OK : db_game_is_seen_by(db, game, filter->viewer_no, seen);
}

static enum db_status games_of_player(struct db *db, const struct db_game_filter *filter,
                                      struct db_game *games, size_t max, size_t *count,
                                      int64_t *look_before)
{
    struct query query;
    size_t found = 0;
    size_t looked = 0;
    int64_t last = 0;
    enum db_status looked_at = DB_OK;
    begin(&query, db, text_of_player(filter), filter, DB_LOOK_MAX);
    query_int(&query, 3, filter->player_no);
    if (filter->opponent_no != 0) {
        query_int(&query, 4, filter->opponent_no);
    }
    while (looked_at == DB_OK && found < max && query_step(&query)) {
        bool seen = false;
        looked++;
        last = column_int(&query, 0);
        if (passes(&query, filter)) {
            db_read_game(&query, &games[found]);
            looked_at = look_at_private(db, filter, &games[found], &seen);
            found += seen;
        }
    }
    *count = found;
    *look_before = looked == DB_LOOK_MAX && found < max ? last : 0;
    enum db_status status = query_end(&query);
    return status == DB_OK ? looked_at : status;
}

enum db_status db_games(struct db *db, const struct db_game_filter *filter, struct db_game *games,
                        size_t max, size_t *count, int64_t *look_before)
{
    assert(filter->opponent_no == 0 || filter->player_no != 0);
    assert(!is_given(filter->game) || !is_given(filter->pool));
    *look_before = 0;
    return filter->player_no == 0 ? games_of_all(db, filter, games, max, count)
                                  : games_of_player(db, filter, games, max, count, look_before);
}

enum db_status db_games_running(struct db *db, int64_t player_no, struct db_game *games, size_t max,
                                size_t *count)
{
    const struct db_game_filter filter = {.player_no = player_no};
    struct query query;
    size_t found = 0;
    begin(&query, db, GAMES_RUNNING_OF_PLAYER, &filter, max + 1); /* one more would be found out */
    query_int(&query, 3, filter.player_no);
    while (query_step(&query)) {
        assert(found < max);
        db_read_game(&query, &games[found++]);
    }
    *count = found;
    return query_end(&query);
}

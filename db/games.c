#include "games.h"

#include <assert.h>
#include <string.h>

/* The games table alone; seats, moves and events are in game_rows.c, lists in game_lists.c. */

/* One game, with the id of its table after its columns. */
#define SELECT_GAME                                                                                \
    "SELECT " GAME_COLUMNS ", t.table_id FROM game g"                                              \
    " LEFT JOIN game_table t ON t.table_no = g.table_no"

enum {
    GAME_INSERT,
    GAME_FIND,
    GAME_LOAD,
    GAME_REPLAY,
    GAME_REMATCH,
    GAME_ADVANCE,
    GAME_FINISH,
    CHAIN_DRAWS,
    RECENT_RATED,
    LAST_MEETING,
    GAMES_PLAYING_OF,
    GAME_NUMBERS,
    GAME_TEXTS,
};
static const char *const game_texts[GAME_TEXTS] = {
    [GAME_INSERT] =
        "INSERT INTO game (game_id, game, pool, rated, unrated_reason, options, turn_seconds,"
        " player_set, status, position, ply, turn, seq, replay_of, created_at_ms, deadline_at_ms,"
        " table_no, private, show_legal_moves, rotate_first, rematch_of)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,"
        " $19, $20, $21)",
    [GAME_FIND] = SELECT_GAME " WHERE g.game_id = $1",
    [GAME_LOAD] = SELECT_GAME " WHERE g.game_no = $1",
    [GAME_REPLAY] = SELECT_GAME " WHERE g.replay_of = $1",
    [GAME_REMATCH] = SELECT_GAME " WHERE g.rematch_of = $1",
    [GAME_ADVANCE] = "UPDATE game SET position = $2, ply = $3, turn = $4, seq = $5,"
                     " deadline_at_ms = $7 WHERE game_no = $1 AND status = 'playing' AND ply = $6 "
                     "AND seq = $5 - 1",
    [GAME_FINISH] = ("UPDATE game SET status = $2, turn = $3, seq = $4, end_reason = $5,"
                     " rating_status = $6, unrated_reason = $7, finished_at_ms = $8,"
                     " deadline_at_ms = NULL WHERE game_no = $1 AND status = 'playing'"),
    /* A first game has no draw before it; every replay has one more than what it replays, which is
     * an older game: a chain that bites its tail ends all the same. */
    [CHAIN_DRAWS] = "WITH RECURSIVE before (game_no, draws) AS (SELECT replay_of, 1 FROM game"
                    " WHERE game_no = $1 AND replay_of IS NOT NULL UNION ALL"
                    " SELECT g.replay_of, before.draws + 1 FROM before JOIN game g"
                    " ON g.game_no = before.game_no WHERE g.replay_of < g.game_no)"
                    " SELECT coalesce(max(draws), 0) FROM before /*scan*/",
    [RECENT_RATED] = "SELECT count(*) FROM game WHERE player_set = $1 AND pool = $2"
                     " AND created_at_ms > $3 AND rated = 1 AND replay_of IS NULL"
                     " AND status <> 'aborted'",
    [LAST_MEETING] = SELECT_GAME " WHERE g.player_set = $1 AND g.pool = $2"
                                 " ORDER BY g.game_no DESC LIMIT 1",
    [GAMES_PLAYING_OF] = "SELECT count(*) FROM seat s CROSS JOIN game g ON g.game_no = s.game_no"
                         " WHERE s.player_no = $1 AND s.place IS NULL AND g.status = 'playing'",
    [GAME_NUMBERS] = "SELECT game_no FROM game WHERE game_no > $1 ORDER BY game_no LIMIT $2",
};
const struct sql_set sql_games = {"games", SLOTS_GAMES, GAME_TEXTS, game_texts};

void db_read_game(struct query *query, struct db_game *game)
{
    game->game_no = column_int(query, 0);
    column_text(query, 1, game->id.id.text, sizeof game->id.id.text);
    column_text(query, 2, game->game, sizeof game->game);
    column_text(query, 3, game->pool, sizeof game->pool);
    game->rated = column_int(query, 4) != 0;
    column_text(query, 5, game->unrated_reason, sizeof game->unrated_reason);
    column_text(query, 6, game->options, sizeof game->options);
    game->turn_seconds = (uint16_t)column_count(query, 7, UINT16_MAX);
    column_text(query, 8, game->player_set, sizeof game->player_set);
    column_text(query, 9, game->status, sizeof game->status);
    column_text(query, 10, game->position, sizeof game->position);
    game->ply = (uint32_t)column_count(query, 11, UINT32_MAX);
    column_text(query, 12, game->turn, sizeof game->turn);
    game->seq = (uint32_t)column_count(query, 13, UINT32_MAX);
    column_text(query, 14, game->end_reason, sizeof game->end_reason);
    column_text(query, 15, game->rating_status, sizeof game->rating_status);
    game->replay_of = column_int(query, 16);
    game->created_at_ms = column_int(query, 17);
    game->finished_at_ms = column_int(query, 18);
    game->deadline_at_ms = column_int(query, 19);
    game->table_no = column_int(query, 20);
    game->is_private = column_int(query, 21) != 0;
    game->hides_legal_moves = column_int(query, 22) == 0;
    game->keeps_seats = column_int(query, 23) == 0;
    game->rematch_of = column_int(query, 24);
    game->table_id.id.text[0] = '\0';
}

static enum db_status game_end(struct query *query, struct db_game *game)
{
    bool found = query_step(query);
    if (found) {
        db_read_game(query, game);
        column_text(query, GAME_COLUMN_COUNT, game->table_id.id.text,
                    sizeof game->table_id.id.text);
    }
    return query_end_one(query, found);
}

enum db_status db_game_insert(struct db *db, struct db_game *game)
{
    struct query query;
    query_begin(&query, db, &sql_games, GAME_INSERT);
    query_text(&query, 1, game->id.id.text);
    query_text(&query, 2, game->game);
    query_text_or_null(&query, 3, game->pool);
    query_int(&query, 4, game->rated);
    query_text_or_null(&query, 5, game->unrated_reason);
    query_text(&query, 6, game->options);
    query_int(&query, 7, game->turn_seconds);
    query_text(&query, 8, game->player_set);
    query_text(&query, 9, game->status);
    query_text(&query, 10, game->position);
    query_int(&query, 11, game->ply);
    query_text_or_null(&query, 12, game->turn);
    query_int(&query, 13, game->seq);
    query_int_or_null(&query, 14, game->replay_of);
    query_int(&query, 15, game->created_at_ms);
    query_int_or_null(&query, 16, game->deadline_at_ms);
    query_int_or_null(&query, 17, game->table_no);
    query_int(&query, 18, game->is_private);
    query_int(&query, 19, !game->hides_legal_moves);
    query_int(&query, 20, !game->keeps_seats);
    query_int_or_null(&query, 21, game->rematch_of);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        game->game_no = query_last_row(db);
        db_tally_game(db, game->status);
    }
    return status;
}

enum db_status db_game_find(struct db *db, const struct game_id *id, struct db_game *game)
{
    struct query query;
    query_begin(&query, db, &sql_games, GAME_FIND);
    query_text(&query, 1, id->id.text);
    return game_end(&query, game);
}

enum db_status db_game_load(struct db *db, int64_t game_no, struct db_game *game)
{
    struct query query;
    query_begin(&query, db, &sql_games, GAME_LOAD);
    query_int(&query, 1, game_no);
    return game_end(&query, game);
}

enum db_status db_game_replay(struct db *db, int64_t game_no, struct db_game *replay)
{
    struct query query;
    query_begin(&query, db, &sql_games, GAME_REPLAY);
    query_int(&query, 1, game_no);
    return game_end(&query, replay);
}

enum db_status db_game_rematch(struct db *db, int64_t game_no, struct db_game *rematch)
{
    struct query query;
    query_begin(&query, db, &sql_games, GAME_REMATCH);
    query_int(&query, 1, game_no);
    return game_end(&query, rematch);
}

enum db_status db_run_on_one(struct query *query)
{
    struct db *db = query->db;
    enum db_status status = query_run(query);
    return status == DB_OK && query_changes(db) == 0 ? DB_NONE : status;
}

enum db_status db_game_advance(struct db *db, const struct db_game *game, uint32_t from_ply)
{
    struct query query;
    query_begin(&query, db, &sql_games, GAME_ADVANCE);
    query_int(&query, 1, game->game_no);
    query_text(&query, 2, game->position);
    query_int(&query, 3, game->ply);
    query_text(&query, 4, game->turn);
    query_int(&query, 5, game->seq);
    query_int(&query, 6, from_ply);
    query_int_or_null(&query, 7, game->deadline_at_ms);
    return db_run_on_one(&query);
}

enum db_status db_game_finish(struct db *db, const struct db_game *game)
{
    struct query query;
    query_begin(&query, db, &sql_games, GAME_FINISH);
    query_int(&query, 1, game->game_no);
    query_text(&query, 2, game->status);
    query_text_or_null(&query, 3, game->turn);
    query_int(&query, 4, game->seq);
    query_text(&query, 5, game->end_reason);
    query_text(&query, 6, game->rating_status);
    query_text_or_null(&query, 7, game->unrated_reason);
    query_int(&query, 8, game->finished_at_ms);
    enum db_status status = db_run_on_one(&query);
    if (status == DB_OK) {
        db_tally_end(db, game->end_reason);
    }
    return status;
}

static enum db_status count_end(struct query *query, uint32_t *number)
{
    bool found = query_step(query);
    if (found) {
        *number = (uint32_t)column_count(query, 0, UINT32_MAX);
    }
    return query_end_one(query, found);
}

enum db_status db_chain_draws(struct db *db, int64_t game_no, uint32_t *draws)
{
    struct query query;
    query_begin(&query, db, &sql_games, CHAIN_DRAWS);
    query_int(&query, 1, game_no);
    return count_end(&query, draws);
}

enum db_status db_recent_rated(struct db *db, const char *pool, const char *player_set,
                               int64_t since_ms, uint32_t *games)
{
    struct query query;
    query_begin(&query, db, &sql_games, RECENT_RATED);
    query_text(&query, 1, player_set);
    query_text(&query, 2, pool);
    query_int(&query, 3, since_ms);
    return count_end(&query, games);
}

enum db_status db_last_meeting(struct db *db, const char *pool, const char *player_set,
                               struct db_game *game)
{
    struct query query;
    query_begin(&query, db, &sql_games, LAST_MEETING);
    query_text(&query, 1, player_set);
    query_text(&query, 2, pool);
    return game_end(&query, game);
}

enum db_status db_games_playing_of(struct db *db, int64_t player_no, size_t *count)
{
    struct query query;
    uint32_t number = 0;
    query_begin(&query, db, &sql_games, GAMES_PLAYING_OF);
    query_int(&query, 1, player_no);
    enum db_status status = count_end(&query, &number);
    *count = number;
    return status;
}

enum db_status db_game_numbers(struct db *db, int64_t after, int64_t *numbers, size_t max,
                               size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_games, GAME_NUMBERS);
    query_int(&query, 1, after);
    query_int(&query, 2, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        numbers[found++] = column_int(&query, 0);
    }
    *count = found;
    return query_end(&query);
}

#include "players.h"

#include <assert.h>

enum {
    SERVER_LOAD,
    SERVER_INSERT,
    SERVER_STAMP,
    SERVER_TEXTS,
};
static const char *const server_texts[SERVER_TEXTS] = {
    [SERVER_LOAD] = "SELECT key_id, created_at_ms, last_stamp_ms FROM server WHERE one = 1",
    [SERVER_INSERT] =
        "INSERT INTO server (one, key_id, created_at_ms, last_stamp_ms) VALUES (1, $1, $2, $3)",
    [SERVER_STAMP] = "UPDATE server SET last_stamp_ms = $1 WHERE one = 1 AND last_stamp_ms < $1",
};
const struct sql_set sql_server = {"server", SLOTS_SERVER, SERVER_TEXTS, server_texts};

enum db_status db_server_load(struct db *db, struct db_server *server)
{
    struct query query;
    query_begin(&query, db, &sql_server, SERVER_LOAD);
    bool found = query_step(&query);
    if (found) {
        column_text(&query, 0, server->key_id, sizeof server->key_id);
        server->created_at_ms = column_int(&query, 1);
        server->last_stamp_ms = column_int(&query, 2);
    }
    return query_end_one(&query, found);
}

enum db_status db_server_insert(struct db *db, const struct db_server *server)
{
    struct query query;
    query_begin(&query, db, &sql_server, SERVER_INSERT);
    query_text(&query, 1, server->key_id);
    query_int(&query, 2, server->created_at_ms);
    query_int(&query, 3, server->last_stamp_ms);
    return query_run(&query);
}

enum db_status db_server_stamp(struct db *db, int64_t now_ms)
{
    struct query query;
    query_begin(&query, db, &sql_server, SERVER_STAMP);
    query_int(&query, 1, now_ms);
    return query_run(&query);
}

/* --- players --------------------------------------------------------------------
 */

enum {
    PLAYER_INSERT,
    PLAYER_FIND,
    PLAYER_LOAD,
    PLAYER_RENAME,
    PLAYER_TEXTS,
};
static const char *const player_texts[PLAYER_TEXTS] = {
    [PLAYER_INSERT] = "INSERT INTO player (player_id, name, created_at_ms, name_folded)"
                      " VALUES ($1, $2, $3, $4)",
    [PLAYER_FIND] = "SELECT " PLAYER_COLUMNS " FROM player WHERE player_id = $1",
    [PLAYER_LOAD] = "SELECT " PLAYER_COLUMNS " FROM player WHERE player_no = $1",
    [PLAYER_RENAME] = "UPDATE player SET name = $2 WHERE player_no = $1",
};
const struct sql_set sql_players = {"players", SLOTS_PLAYERS, PLAYER_TEXTS, player_texts};

enum db_status db_player_insert(struct db *db, struct db_player *player)
{
    struct query query;
    assert(player->has_name);
    query_begin(&query, db, &sql_players, PLAYER_INSERT);
    query_text(&query, 1, player->id.id.text);
    query_text(&query, 2, player->name);
    query_int(&query, 3, player->created_at_ms);
    query_text_or_null(&query, 4, player->name_folded);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        player->player_no = query_last_row(db);
    }
    return status;
}

void db_read_player(struct query *query, struct db_player *player)
{
    *player = (struct db_player){.player_no = column_int(query, 0)};
    column_text(query, 1, player->id.id.text, sizeof player->id.id.text);
    player->has_name = !column_is_null(query, 2);
    column_text(query, 2, player->name, sizeof player->name);
    player->created_at_ms = column_int(query, 3);
    player->banned_at_ms = column_int(query, 4);
}

static enum db_status player_end(struct query *query, struct db_player *player)
{
    bool found = query_step(query);
    if (found) {
        db_read_player(query, player);
    }
    return query_end_one(query, found);
}

enum db_status db_player_find(struct db *db, const struct player_id *id, struct db_player *player)
{
    struct query query;
    query_begin(&query, db, &sql_players, PLAYER_FIND);
    query_text(&query, 1, id->id.text);
    return player_end(&query, player);
}

enum db_status db_player_load(struct db *db, int64_t player_no, struct db_player *player)
{
    struct query query;
    query_begin(&query, db, &sql_players, PLAYER_LOAD);
    query_int(&query, 1, player_no);
    return player_end(&query, player);
}

enum db_status db_player_rename(struct db *db, int64_t player_no, const char *name)
{
    struct query query;
    query_begin(&query, db, &sql_players, PLAYER_RENAME);
    query_int(&query, 1, player_no);
    query_text_or_null(&query, 2, name);
    return query_run(&query);
}
